"""Whether a frame can be written as a version of a table: names and types side by side, at every level, all faults at once.

What loses nothing is noted and not refused. Fields are matched by name; the ids that a frame brings along from where it was read say
whether a name still means the same. NOT NULL is no matter of types here: Spark takes almost every column for nullable.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.cast_rules import lossless, same_type
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.spark import struct_json
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.struct_types import as_held

_PARTS: Final = {"elementType": "element", "keyType": "key", "valueType": "value"}
_NEW: Final = "Add it to the table first (ADD COLUMN), or leave it out of the frame."
_FILL: Final = "Add it to the frame, with a value in every row."
_NO_TYPE: Final = "Leave it out of the frame, if it may be NULL; else write the table with something that knows the type."
_CAST: Final = "Cast it in the frame, where you see what becomes of the values; or change its type in the table first."

_Json = Any
"""A type of Spark as JSON has it."""


class FrameFit(Struct, frozen=True):
    """How a frame and a version go together."""

    written: tuple[Field, ...]
    """The fields of the frame, under the ids of the table."""
    wanted: tuple[Field, ...]
    """The fields of the table, as Spark holds them."""
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    """What differs and loses nothing."""
    without_ids: tuple[str, ...] = ()
    """What has no id although something else in the frame has one."""

    @property
    def has_same_fields(self) -> bool:
        """Return whether the frame has these very fields, whatever their order is at the top."""
        return {field.name: field.wire for field in self.written} == {field.name: field.wire for field in self.wanted}


def compare_frame(struct: Mapping[str, Any], head: TableSchema) -> FrameFit:
    """Compare the JSON of a StructType with a version of a table."""
    fields = _nullable_fields(as_held(struct_json.of_value(struct).schema.fields))
    names = {field.name for field in fields}
    lacking = {field.name: reason for field in head.fields if (reason := lacks(field.type))}
    wanted = as_held(field for field in head.fields if field.name not in lacking)
    ids = dict(_ids_of_frame(struct, ""))
    comparison = _Comparison(ids, head, {name: reason for name, reason in lacking.items() if name in names})
    for field in head.fields:
        # A column that Spark cannot hold is no fault of a frame that has none of it.
        if field.name in lacking and field.name not in names:
            comparison.note_missing(field, field.name)
    written = comparison.match_fields(fields, wanted, "")
    without_ids = [path for path, number in ids.items() if number is None]
    if len(without_ids) == len(ids):
        without_ids = []
    return FrameFit(written, _nullable_fields(wanted), tuple(comparison.faults), tuple(comparison.notes), tuple(without_ids))


class _Comparison:
    """Compares the fields of a frame with those of a table, and collects faults and notes."""

    def __init__(self, ids: Mapping[str, int | None], head: TableSchema, lacking: Mapping[str, str]) -> None:
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self._ids = ids
        self._lacking = lacking
        ids_by_path = dict(_ids_of_fields(head.fields, ""))
        self._paths = {number: path for path, number in ids_by_path.items()}
        self._rightful = {number for path, number in ids.items() if number is not None and ids_by_path.get(path) == number}

    def _fault(self, code: str, path: str, message: str, fix: str) -> None:
        self.faults.append(Fault(code, path, message, fix))

    # ------------------------------------------------------------ fields

    def match_fields(self, fields: tuple[Field, ...], wanted: tuple[Field, ...], path: str) -> tuple[Field, ...]:
        """Return the fields of the frame that the table has, under the ids that they have there."""
        wanted_by_name = {field.name: field for field in wanted}
        names = {field.name for field in fields}
        for field in wanted:
            if field.name not in names:
                self.note_missing(field, _joined(path, field.name))
        matched = []
        for field in fields:
            if field.name in wanted_by_name:
                matched.append(self._match_field(field, wanted_by_name[field.name], _joined(path, field.name)))
            else:
                self._refuse_unknown(field, wanted_by_name, _joined(path, field.name))
        return tuple(matched)

    def _match_field(self, field: Field, wanted: Field, path: str) -> Field:
        self._check_meaning(path, wanted)
        return Field(wanted.id, field.name, wanted.wire).with_type(self._match_type(field.type, wanted.type, path))

    def note_missing(self, wanted: Field, path: str) -> None:
        """Note a column of the table that the frame does not have; it is a fault if nothing can stand in it."""
        if wanted.default is not None:
            default = wanted.default
            message = f"the frame has no such column, and the table has the default {default} for it, which only a writer can fill in."
            self._fault("spark.default", path, message, _FILL)
        elif not wanted.type.nullable:
            self._fault("spark.required", path, "the frame has no such column, and the table has it as NOT NULL.", _FILL)
        else:
            self.notes.append(f"{path} is not in the frame and is written as NULL")

    def _refuse_unknown(self, field: Field, wanted: Mapping[str, Field], path: str) -> None:
        """Note the fault of a field that the table does not have."""
        if path in self._lacking:
            self._fault("spark.type", path, f"Spark cannot hold {self._lacking[path]}.", _NO_TYPE)
            return
        now = self._current_name(field, wanted, path)
        if now:
            self._fault("spark.renamed", path, f"the table calls this column {now}.", f"Rename it to {now} in the frame.")
        else:
            self._fault("spark.extra", path, "the table has no such column.", _NEW)

    def _current_name(self, field: Field, wanted: Mapping[str, Field], path: str) -> str:
        """Return what the table calls the field, by its id, or by a name that differs in case; empty if it has none."""
        number = self._ids.get(path)
        if number is not None and number in self._paths:
            return self._paths[number]
        return next((name for name in wanted if name.lower() == field.name.lower()), "")

    def _check_meaning(self, path: str, wanted: Field) -> None:
        """Note a fault if the id that a column brings along is not that of its name: then the name means something else by now."""
        number = self._ids.get(path)
        if number is None or number == wanted.id:
            return
        if number in self._rightful:
            self.notes.append(f"{path} is a copy of {self._paths[number]}")
            return
        owner = ", which the table does not have any more"
        if number in self._paths:
            owner = f", which is {self._paths[number]} now"
        message = f"it bears the field id {number}{owner}; what the table calls {path} has the id {wanted.id}."
        fix = f"Rename it; or say that it is another column now: .alias({wanted.name!r}, metadata={{}})."
        self._fault("spark.other-field", path, message, fix)

    # ------------------------------------------------------------ types

    def _match_type(self, there: DataType, wanted: DataType, path: str) -> DataType:
        """Return the type in the frame, with the ids of the table inside it."""
        if isinstance(there, RowType) and isinstance(wanted, RowType):
            return RowType(self.match_fields(there.fields, wanted.fields, path))
        pairs = list(zip(children(there), children(wanted), strict=False))
        if there.root is wanted.root and pairs:
            return rebuilt(there, [self._match_part(word, part, wanted_part, path) for (word, part), (_, wanted_part) in pairs])
        if same_type(there, wanted):
            return there
        if lossless(there, wanted.with_nullable(True)):
            self.notes.append(f"{path} is {there} in the frame and is written as {wanted.with_nullable(True)}")
        else:
            self._refuse_lossy(path, there, wanted)
        return there

    def _match_part(self, word: str, there: DataType, wanted: DataType, path: str) -> DataType:
        """Match an element, a key or a value. A key stays what it is: two that become equal would be one."""
        part_path = f"{path}.{word}"
        if word != "key":
            return self._match_type(there, wanted, part_path)
        faults = len(self.faults)
        notes = len(self.notes)
        key = self._match_type(there, wanted, part_path)
        del self.notes[notes:]
        if len(self.faults) == faults and not same_type(key, _nullable(wanted)):
            self._refuse_lossy(part_path, key, wanted)
        return key

    def _refuse_lossy(self, path: str, there: DataType, wanted: DataType) -> None:
        message = f"it is {there} in the frame and {wanted.with_nullable(True)} in the table."
        self._fault("spark.lossy", path, message, _CAST)


# ---------------------------------------------------------------- walks


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _ids_of_fields(fields: Iterable[Field], path: str) -> Iterator[tuple[str, int]]:
    """Yield the path and the id of every field of every level."""
    for field in fields:
        field_path = _joined(path, field.name)
        yield field_path, field.id
        yield from _ids_of_type(field.type, field_path)


def _ids_of_type(data_type: DataType, path: str) -> Iterator[tuple[str, int]]:
    if isinstance(data_type, RowType):
        yield from _ids_of_fields(data_type.fields, path)
        return
    for word, part in children(data_type):
        yield from _ids_of_type(part, f"{path}.{word}")


def _ids_of_frame(value: _Json, path: str) -> Iterator[tuple[str, int | None]]:
    """Yield the same for the JSON of a type: the ids that its fields bring along."""
    if not isinstance(value, Mapping):
        return
    for field in value.get("fields", ()):
        field_path = _joined(path, field["name"])
        number = (field.get("metadata") or {}).get(FIELD_ID)
        yield field_path, number if isinstance(number, int) else None
        yield from _ids_of_frame(field["type"], field_path)
    for key, word in _PARTS.items():
        yield from _ids_of_frame(value.get(key), f"{path}.{word}")


def _nullable(data_type: DataType) -> DataType:
    """Return the type without any NOT NULL."""
    return rebuilt(data_type, [_nullable(part) for _, part in children(data_type)]).with_nullable(True)


def _nullable_fields(fields: Iterable[Field]) -> tuple[Field, ...]:
    return tuple([Field(field.id, field.name, field.wire).with_type(_nullable(field.type)) for field in fields])
