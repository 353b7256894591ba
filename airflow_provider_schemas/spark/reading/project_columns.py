"""A projection of old data as the columns of a frame: renamed, converted, rebuilt where parts differ, in Spark's own SQL.

The frame that comes in has the names and types of the files, the one that goes out those that are wanted, in their order.
Only what differs is touched, so that Spark prunes columns and pushes filters through what is merely renamed.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.projection.projection import ProjectedField, Projection, ReadMode
from airflow_provider_schemas.core.projection.rows import brief
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MapType, RowType
from airflow_provider_schemas.errors import Fault, ProjectionError
from airflow_provider_schemas.spark.conversions.conversion import LONG, Fails, bind, new_variable
from airflow_provider_schemas.spark.conversions.table import find_conversion
from airflow_provider_schemas.spark.reading.bad_values import BAD, BAD_VALUES, NOTE_TYPE
from airflow_provider_schemas.spark.session import time_zone
from airflow_provider_schemas.spark.sql import free, literal, name, null

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_FILE: Final = "__file_of_the_row"
_ABOUT_FILES: Final = "_metadata"
# What is longer than this is bound to a name where values are not checked.
_LONG_UNCHECKED: Final = 3_000
_SHOWN: Final = 60
_NOTED: Final = 1_000
_REST: Final = "Correct the file, or pass bad_values='null' or 'quarantine' to read the rest"
_FIXES: Final = {"checked": f"{_REST}, or casts='paimon' to take what Java Paimon makes of it. File: ", "paimon": f"{_REST}. File: "}


class _FieldSql(NamedTuple):
    """The SQL of a field, and of the notes on what is bad in it."""

    value: str
    note: str = ""
    """A note or NULL."""
    inner_notes: tuple[str, ...] = ()
    """Arrays of notes on what is inside."""

    @property
    def has_notes(self) -> bool:
        """Return whether anything in the field may be bad."""
        return bool(self.note or self.inner_notes)


def file_of(frame: "DataFrame") -> "Column":
    """Return the column with the name of the file that a row is from, for a frame of files; whatever columns have such names."""
    return frame.metadataColumn(_ABOUT_FILES).getField("file_path")


def apply_projection(
    frame: "DataFrame",
    projection: Projection,
    *,
    casts: str | None = None,
    bad_values: str = "error",
    file: "Column | None" = None,
    timezone: str | None = None,
    keep: Sequence[str] = (),
) -> "DataFrame":
    """Return the frame, which has the names and types of files, as the projection wants it.

    `file` is a column with the name of the file, for messages. Zones matter to instants that become something else: the
    session's, unless another is named. `keep` is SQL of further columns.
    """
    if bad_values not in BAD_VALUES:
        fix = f"Use one of {', '.join(map(repr, BAD_VALUES))}."
        raise ProjectionError(f"{shown(bad_values)} is no way to treat bad values.", code="spark.bad-values", path="bad_values", fix=fix)
    zone = timezone or time_zone(frame.sparkSession)
    file_column = "" if file is None else free(_FILE, (field.source or "" for field in projection.fields))
    writer = _SqlWriter(casts or projection.casts, zone, bad_values, file_column)
    texts = writer.columns(projection)
    if file is not None and writer.may_fail:
        frame = frame.withColumn(file_column, file)
    return frame.selectExpr(*texts, *keep)


class _Conversion(NamedTuple):
    """A value that is converted: its column, both types, and its SQL in the file."""

    path: str
    source: DataType
    target: DataType
    value: str


class _SqlWriter:
    """Writes the SQL of the fields of one projection."""

    def __init__(self, casts: str, zone: str, bad_values: str, file_column: str) -> None:
        self.may_fail = False
        self._casts = casts
        self._zone = zone
        self._bad_values = bad_values
        self._file = name(file_column) if file_column else "cast(null as string)"
        self._faults: list[Fault] = []
        # The way back needs the new value more often, and Spark does not see what is the same within what is bound.
        self._long = LONG if casts == "checked" else _LONG_UNCHECKED

    def columns(self, projection: Projection) -> list[str]:
        """Write all columns, and that of the notes where bad values are put aside; raise what no SQL can be written for."""
        fields = [self._field(field, name(field.source or "")) for field in projection.fields]
        if self._faults:
            raise ProjectionError.of(self._faults)
        names = [field.name for field in projection.fields]
        columns = [f"{field.value} as {name(column)}" for column, field in zip(names, fields, strict=True)]
        if self._bad_values != "quarantine":
            return columns
        if BAD in names:
            fix = "Read it with bad_values='null', or rename the column."
            raise ProjectionError(f"a column is called {BAD}, as the notes on bad values are.", code="spark.bad-column", path=BAD, fix=fix)
        return [*columns, f"{_notes_of_row(fields)} as {name(BAD)}"]

    def _field(self, field: ProjectedField, value: str) -> _FieldSql:
        """Write a field, whose SQL in the file is `value`."""
        if field.how is ReadMode.ABSENT or field.source_type is None:
            return _FieldSql(null(field.target))
        if field.how is ReadMode.CONVERT:
            return self._converted(field, field.source_type, value)
        if field.how is ReadMode.SAME:
            return _FieldSql(value)
        if isinstance(field.target, RowType):
            return self._row(field, value)
        if isinstance(field.target, MapType):
            return self._map(field, value)
        return self._array(field, value)

    def _converted(self, field: ProjectedField, source: DataType, value: str) -> _FieldSql:
        try:
            converted = find_conversion(source, field.target, self._zone, self._casts)(value)
        except ProjectionError as error:
            self._faults += [fault.at(field.path) for fault in error.faults]
            return _FieldSql(null(field.target))
        if converted.fails is None:
            return _FieldSql(converted.value)
        self.may_fail = True
        return self._with_failures(_Conversion(field.path, source, field.target, value), converted.value, converted.fails)

    def _with_failures(self, what: _Conversion, value: str, fails: Fails) -> _FieldSql:
        """Write a value with what becomes of one that cannot be converted."""
        if self._bad_values == "error":
            return _FieldSql(bind(value, lambda new: f"if({fails(new)}, raise_error({self._message(what, new)}), {new})", self._long))
        null_where_bad = bind(value, lambda new: f"if({fails(new)}, null, {new})", self._long)
        if self._bad_values == "null":
            return _FieldSql(null_where_bad)
        return _FieldSql(null_where_bad, f"if({bind(value, fails)}, {self._note(what)}, null)")

    def _note(self, what: _Conversion) -> str:
        """Write what stands in the column of notes on one bad value."""
        value = _shown(what.value, what.source, _NOTED)
        return (
            f"named_struct('column', {literal(what.path)}, 'value', {value}, 'type', {literal(brief(what.target))}, 'file', {self._file})"
        )

    def _message(self, what: _Conversion, new: str) -> str:
        """Write what the error says: column, value, both types, and the file."""
        value = f"concat({literal(f'{what.path}: ')}, {_shown(what.value, what.source, _SHOWN)})"
        types = (brief(what.source), brief(what.target))
        lost = literal(f", {types[0]} in the files, does not survive as {types[1]}: it would read as ")
        unread = literal(f", {types[0]} in the files, cannot be read as {types[1]}. ")
        became = f"coalesce(concat({lost}, {_shown(new, what.target, _SHOWN)}, '. '), {unread})"
        return f"concat({value}, {became}, {literal(_FIXES[self._casts])}, coalesce({self._file}, 'not known'), '.')"

    # ------------------------------------------------------------ containers

    def _row(self, field: ProjectedField, value: str) -> _FieldSql:
        parts: list[str] = []
        noted: list[_FieldSql] = []
        for child in field.children:
            part = self._field(child, f"{value}.{name(child.source or '')}")
            parts.append(f"{literal(child.name)}, {part.value}")
            if part.has_notes:
                noted.append(part)
        notes = (_notes_of_fields(noted),) if noted else ()
        return _FieldSql(f"if({value} is null, null, named_struct({', '.join(parts)}))", inner_notes=notes)

    def _array(self, field: ProjectedField, value: str) -> _FieldSql:
        element = new_variable()
        part = self._field(field.children[0], element)
        return _FieldSql(f"transform({value}, {element} -> {part.value})", inner_notes=_notes_of_elements(value, element, part))

    def _map(self, field: ProjectedField, value: str) -> _FieldSql:
        key = new_variable()
        element = new_variable()
        part = self._field(field.children[1], element)
        notes = _notes_of_elements(f"map_values({value})", element, part)
        return _FieldSql(f"transform_values({value}, ({key}, {element}) -> {part.value})", inner_notes=notes)


def _shown(value: str, data_type: DataType, length: int) -> str:
    """Write the beginning of a value, as people read it."""
    if data_type.root in (Root.BINARY, Root.VARBINARY):
        return f"concat('0x', hex(substring({value}, 1, {length // 2})))"
    return f"substring(cast({value} as string), 1, {length})"


def _notes_of_elements(array: str, element: str, part: _FieldSql) -> tuple[str, ...]:
    """Write the notes on the elements of an array, if there may be any."""
    if not part.has_notes:
        return ()
    return (f"flatten(transform({array}, {element} -> {_notes_of_fields([part])}))",)


def _notes_of_fields(fields: list[_FieldSql]) -> str:
    """Write an array of the notes on some fields, without NULLs; never NULL itself."""
    notes = [field.note for field in fields if field.note]
    arrays = [f"array({', '.join(notes)})"] if notes else []
    for field in fields:
        arrays += [f"coalesce({inner}, cast(array() as ARRAY<{NOTE_TYPE}>))" for inner in field.inner_notes]
    return f"filter(concat({', '.join(arrays)}), `a note` -> `a note` is not null)"


def _notes_of_row(fields: list[_FieldSql]) -> str:
    """Write the notes of a row, or NULL if there are none."""
    noted = [field for field in fields if field.has_notes]
    if not noted:
        return f"cast(null as ARRAY<{NOTE_TYPE}>)"
    return f"nullif({_notes_of_fields(noted)}, array())"
