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
from airflow_provider_schemas.spark.conversions.conversion import LONG, Converted, bound, variable
from airflow_provider_schemas.spark.conversions.table import conversion
from airflow_provider_schemas.spark.reading.bad_values import BAD, BAD_VALUES, NOTE_TYPE
from airflow_provider_schemas.spark.session import time_zone
from airflow_provider_schemas.spark.sql import free, literal, name, null

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_FILE: Final = "__file_of_the_row"
_ABOUT_FILES: Final = "_metadata"
_LONGER: Final = 3_000
_SHOWN: Final = 60
_NOTED: Final = 1_000
_REST: Final = "Correct the file, or pass bad_values='null' or 'quarantine' to read the rest"
_FIXES: Final = {"checked": f"{_REST}, or casts='paimon' to take what Java Paimon makes of it. File: ", "paimon": f"{_REST}. File: "}


class _Read(NamedTuple):
    """The SQL of a field, and of the notes on what is bad in it: of one note or NULL, and of arrays of notes."""

    value: str
    note: str = ""
    notes: tuple[str, ...] = ()


def file_of(frame: "DataFrame") -> "Column":
    """The column with the name of the file that a row is from, for a frame of files; whatever columns the frame has by such names."""
    return frame.metadataColumn(_ABOUT_FILES).getField("file_path")


def projected(
    frame: "DataFrame",
    projection: Projection,
    *,
    casts: str | None = None,
    bad_values: str = "error",
    file: "Column | None" = None,
    timezone: str | None = None,
    keep: Sequence[str] = (),
) -> "DataFrame":
    """The frame, which has the names and types of files, as the projection wants it.

    `file` is a column with the name of the file, for messages. Zones matter to instants that become something else: the
    session's, unless another is named. `keep` is SQL of further columns.
    """
    if bad_values not in BAD_VALUES:
        fix = f"Use one of {', '.join(map(repr, BAD_VALUES))}."
        raise ProjectionError(f"{shown(bad_values)} is no way to treat bad values.", code="spark.bad-values", path="bad_values", fix=fix)
    zone = timezone or time_zone(frame.sparkSession)
    carried = _free(projection) if file is not None else ""
    reading = _Reading(casts or projection.casts, zone, bad_values, carried)
    texts = reading.columns(projection)
    if file is not None and reading.failing:
        frame = frame.withColumn(carried, file)
    return frame.selectExpr(*texts, *keep)


def _free(projection: Projection) -> str:
    """A name for the column with the name of the file."""
    return free(_FILE, (one.source or "" for one in projection.fields))


class _Reading:
    """How the fields of one projection are read."""

    def __init__(self, casts: str, zone: str, bad_values: str, file: str) -> None:
        self.casts, self.zone, self.bad_values = casts, zone, bad_values
        self.file = name(file) if file else "cast(null as string)"
        self.failing = False
        self.faults: list[Fault] = []
        # The way back needs the new value more often, and Spark does not see what is the same within what is bound.
        self.long = LONG if casts == "checked" else _LONGER

    def columns(self, projection: Projection) -> list[str]:
        found = [(one, self.field(one, name(one.source or ""))) for one in projection.fields]
        if self.faults:
            raise ProjectionError.of(self.faults)
        columns = [f"{read.value} as {name(one.name)}" for one, read in found]
        if self.bad_values != "quarantine":
            return columns
        if any(one.name == BAD for one, _ in found):
            fix = "Read it with bad_values='null', or rename the column."
            raise ProjectionError(f"a column is called {BAD}, as the notes on bad values are.", code="spark.bad-column", path=BAD, fix=fix)
        return [*columns, f"{_joined([read for _, read in found])} as {name(BAD)}"]

    def field(self, one: ProjectedField, v: str) -> _Read:
        if one.how is ReadMode.ABSENT or one.source_type is None:
            return _Read(null(one.target))
        if one.how is ReadMode.CONVERT:
            return self.converted(one, v)
        if one.how is ReadMode.SAME:
            return _Read(v)
        if isinstance(one.target, RowType):
            return self.row(one, v)
        return self.map(one, v) if isinstance(one.target, MapType) else self.array(one, v)

    def converted(self, one: ProjectedField, v: str) -> _Read:
        try:
            done = conversion(one.source_type, one.target, self.zone, self.casts)(v)
        except ProjectionError as error:
            self.faults += [fault.at(one.path) for fault in error.faults]
            return _Read(null(one.target))
        return self.settled(one, v, done) if done.fails else _Read(done.value)

    def settled(self, one: ProjectedField, v: str, done: Converted) -> _Read:
        self.failing = True
        fails = done.fails or str
        if self.bad_values == "error":
            return _Read(bound(done.value, lambda new: f"if({fails(new)}, raise_error({self.message(one, v, new)}), {new})", self.long))
        value = bound(done.value, lambda new: f"if({fails(new)}, null, {new})", self.long)
        if self.bad_values == "null":
            return _Read(value)
        return _Read(value, f"if({bound(done.value, fails)}, {self.note(one, v)}, null)")

    def note(self, one: ProjectedField, v: str) -> str:
        """What stands in the column of notes on one bad value."""
        value, kind = _shown(v, one.source_type or one.target, _NOTED), literal(brief(one.target))
        return f"named_struct('column', {literal(one.path)}, 'value', {value}, 'type', {kind}, 'file', {self.file})"

    def message(self, one: ProjectedField, v: str, new: str) -> str:
        """What the error says: column, value, both types, and the file."""
        source, target = one.source_type or one.target, one.target
        value = f"concat({literal(f'{one.path}: ')}, {_shown(v, source, _SHOWN)})"
        lost = literal(f", {brief(source)} in the files, does not survive as {brief(target)}: it would read as ")
        unread = literal(f", {brief(source)} in the files, cannot be read as {brief(target)}. ")
        became = f"coalesce(concat({lost}, {_shown(new, target, _SHOWN)}, '. '), {unread})"
        return f"concat({value}, {became}, {literal(_FIXES[self.casts])}, coalesce({self.file}, 'not known'), '.')"

    # ------------------------------------------------------------ containers

    def row(self, one: ProjectedField, v: str) -> _Read:
        found = [(part, self.field(part, f"{v}.{name(part.source or '')}")) for part in one.children]
        parts = ", ".join(f"{literal(part.name)}, {read.value}" for part, read in found)
        reads = [read for _, read in found if read.note or read.notes]
        return _Read(f"if({v} is null, null, named_struct({parts}))", notes=(_all_notes(reads),) if reads else ())

    def array(self, one: ProjectedField, v: str) -> _Read:
        x = variable()
        read = self.field(one.children[0], x)
        notes = (f"flatten(transform({v}, {x} -> {_all_notes([read])}))",) if read.note or read.notes else ()
        return _Read(f"transform({v}, {x} -> {read.value})", notes=notes)

    def map(self, one: ProjectedField, v: str) -> _Read:
        key, x = variable(), variable()
        read = self.field(one.children[1], x)
        notes = (f"flatten(transform(map_values({v}), {x} -> {_all_notes([read])}))",) if read.note or read.notes else ()
        return _Read(f"transform_values({v}, ({key}, {x}) -> {read.value})", notes=notes)


def _shown(v: str, kind: DataType, length: int) -> str:
    """The beginning of a value, as people read it."""
    if kind.root in (Root.BINARY, Root.VARBINARY):
        return f"concat('0x', hex(substring({v}, 1, {length // 2})))"
    return f"substring(cast({v} as string), 1, {length})"


def _all_notes(reads: list[_Read]) -> str:
    """An array of the notes on some fields, without NULLs; never NULL itself."""
    plain = [read.note for read in reads if read.note]
    arrays = [f"array({', '.join(plain)})"] if plain else []
    arrays += [f"coalesce({notes}, cast(array() as ARRAY<{NOTE_TYPE}>))" for read in reads for notes in read.notes]
    return f"filter(concat({', '.join(arrays)}), `a note` -> `a note` is not null)"


def _joined(reads: list[_Read]) -> str:
    """The notes of a row, or NULL if there are none."""
    noted = [read for read in reads if read.note or read.notes]
    return f"nullif({_all_notes(noted)}, array())" if noted else f"cast(null as ARRAY<{NOTE_TYPE}>)"
