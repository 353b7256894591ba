"""Whether a frame can be written as a version of a table: names and types side by side, at every level, all faults at once.

What loses nothing is told and not refused. Fields are met by name; the ids that a frame brings along from where it was read say
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


class Fit(Struct, frozen=True):
    """How a frame and a version go together."""

    written: tuple[Field, ...]
    """The fields of the frame, under the ids of the table."""
    wanted: tuple[Field, ...]
    """The fields of the table, as Spark holds them."""
    faults: tuple[Fault, ...] = ()
    told: tuple[str, ...] = ()
    """What differs and loses nothing."""
    unmarked: tuple[str, ...] = ()
    """What has no id although something else in the frame has one."""

    @property
    def same(self) -> bool:
        """Whether the frame has these very fields, whatever their order is at the top."""
        return {one.name: one.wire for one in self.written} == {one.name: one.wire for one in self.wanted}


def fit(struct: Mapping[str, Any], head: TableSchema) -> Fit:
    """How the JSON of a StructType goes together with a version of a table."""
    theirs, marks = _without_not_null(as_held(struct_json.of_value(struct).schema.fields)), dict(_marks(struct, ""))
    there = {one.name for one in theirs}
    # A column that Spark cannot hold is no fault of a frame that has none of it.
    asked = [one for one in head.fields if one.name in there or not lacks(one.type)]
    lacking = {one.name: reason for one in asked if (reason := lacks(one.type))}
    ours = as_held(one for one in asked if one.name not in lacking)
    comparer = _Comparer(marks, head, lacking)
    for one in head.fields:
        if one.name not in there and lacks(one.type):
            comparer.missing(one, one.name)
    written = comparer.fields(theirs, ours, "")
    unmarked = [path for path, number in marks.items() if number is None] if any(one is not None for one in marks.values()) else []
    return Fit(written, _without_not_null(ours), tuple(comparer.faults), tuple(comparer.told), tuple(unmarked))


class _Comparer:
    """Collects the faults, and what is told."""

    def __init__(self, marks: Mapping[str, int | None], head: TableSchema, lacking: Mapping[str, str]) -> None:
        self.marks, self.lacking = marks, lacking
        self.faults: list[Fault] = []
        self.told: list[str] = []
        self.named = {number: path for path, number in _paths(head.fields, "")}
        places = dict(_paths(head.fields, ""))
        self.rightful = {number for path, number in marks.items() if number is not None and places.get(path) == number}

    def fault(self, code: str, path: str, message: str, fix: str) -> None:
        self.faults.append(Fault(code, path, message, fix))

    # ------------------------------------------------------------ fields

    def fields(self, theirs: tuple[Field, ...], ours: tuple[Field, ...], path: str) -> tuple[Field, ...]:
        """The fields of the frame that the table has, under the ids that they have there."""
        known, there = {one.name: one for one in ours}, {one.name for one in theirs}
        for one in ours:
            if one.name not in there:
                self.missing(one, _joined(path, one.name))
        return tuple([self.field(one, known[one.name], path) for one in theirs if self.is_known(one, known, path)])

    def field(self, one: Field, ours: Field, path: str) -> Field:
        here = _joined(path, one.name)
        self.check_meaning(here, ours)
        return Field(ours.id, one.name, ours.wire).with_type(self.type(one.type, ours.type, here))

    def missing(self, one: Field, path: str) -> None:
        if one.default is not None:
            message = f"the frame has no such column, and the table has the default {one.default} for it, which only a writer can fill in."
            self.fault("spark.default", path, message, _FILL)
        elif not one.type.nullable:
            self.fault("spark.required", path, "the frame has no such column, and the table has it as NOT NULL.", _FILL)
        else:
            self.told.append(f"{path} is not in the frame and is written as NULL")

    def is_known(self, one: Field, known: Mapping[str, Field], path: str) -> bool:
        here = _joined(path, one.name)
        if one.name in known:
            return True
        if here in self.lacking:
            self.fault("spark.type", here, f"Spark cannot hold {self.lacking[here]}.", _NO_TYPE)
            return False
        mark = self.marks.get(here)
        now = self.named.get(-1 if mark is None else mark) or next((name for name in known if name.lower() == one.name.lower()), "")
        if now:
            self.fault("spark.renamed", here, f"the table calls this column {now}.", f"Rename it to {now} in the frame.")
        else:
            self.fault("spark.extra", here, "the table has no such column.", _NEW)
        return False

    def check_meaning(self, path: str, ours: Field) -> None:
        """The id that a column brings along is that of its name; else the name means something else by now."""
        mark = self.marks.get(path)
        if mark is None or mark == ours.id:
            return
        if mark in self.rightful:
            self.told.append(f"{path} is a copy of {self.named[mark]}")
            return
        owner = f", which is {self.named[mark]} now" if mark in self.named else ", which the table does not have any more"
        message = f"it bears the field id {mark}{owner}; what the table calls {path} has the id {ours.id}."
        fix = f"Rename it; or say that it is another column now: .alias({ours.name!r}, metadata={{}})."
        self.fault("spark.other-field", path, message, fix)

    # ------------------------------------------------------------ types

    def type(self, theirs: DataType, ours: DataType, path: str) -> DataType:
        """The type in the frame, with the ids of the table inside it."""
        if isinstance(theirs, RowType) and isinstance(ours, RowType):
            return RowType(self.fields(theirs.fields, ours.fields, path))
        pairs = list(zip(children(theirs), children(ours), strict=False))
        if theirs.root is ours.root and pairs:
            return rebuilt(theirs, [self.part(word, part, other, path) for (word, part), (_, other) in pairs])
        if same_type(theirs, ours):
            return theirs
        if lossless(theirs, ours.with_nullable(True)):
            self.told.append(f"{path} is {theirs} in the frame and is written as {ours.with_nullable(True)}")
        else:
            self.lossy(path, theirs, ours)
        return theirs

    def part(self, word: str, theirs: DataType, ours: DataType, path: str) -> DataType:
        """An element, a key or a value. A key stays what it is: two that become equal would be one."""
        here = f"{path}.{word}"
        if word != "key":
            return self.type(theirs, ours, here)
        faults, told = len(self.faults), len(self.told)
        kind = self.type(theirs, ours, here)
        del self.told[told:]
        if len(self.faults) == faults and not same_type(kind, _nullable(ours)):
            self.lossy(here, kind, ours)
        return kind

    def lossy(self, path: str, theirs: DataType, ours: DataType) -> None:
        message = f"it is {theirs} in the frame and {ours.with_nullable(True)} in the table."
        self.fault("spark.lossy", path, message, _CAST)


# ---------------------------------------------------------------- walks


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _paths(fields: Iterable[Field], path: str) -> Iterator[tuple[str, int]]:
    """Every field of every level: where it stands, and its id."""
    for one in fields:
        here = _joined(path, one.name)
        yield here, one.id
        yield from _inside(one.type, here)


def _inside(kind: DataType, path: str) -> Iterator[tuple[str, int]]:
    if isinstance(kind, RowType):
        yield from _paths(kind.fields, path)
        return
    for word, part in children(kind):
        yield from _inside(part, f"{path}.{word}")


def _marks(value: Any, path: str) -> Iterator[tuple[str, int | None]]:
    """The same of the JSON of a type: the ids that its fields bring along."""
    if not isinstance(value, Mapping):
        return
    for one in value.get("fields", ()):
        here, number = _joined(path, one["name"]), (one.get("metadata") or {}).get(FIELD_ID)
        yield here, number if isinstance(number, int) else None
        yield from _marks(one["type"], here)
    for key, word in _PARTS.items():
        yield from _marks(value.get(key), f"{path}.{word}")


def _nullable(kind: DataType) -> DataType:
    """The type without any NOT NULL."""
    return rebuilt(kind, [_nullable(part) for _, part in children(kind)]).with_nullable(True)


def _without_not_null(fields: Iterable[Field]) -> tuple[Field, ...]:
    return tuple([Field(one.id, one.name, one.wire).with_type(_nullable(one.type)) for one in fields])
