"""What is asked of every row: conditions in SQL, made of two types side by side, at every level."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, MultisetType, RowType
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.sql import name
from airflow_provider_schemas.spark.validation.value_checks import equal_types, wrongs

NULL: Final = "DATA_NULL"
KEY_NULL: Final = "DATA_MAP_KEY_NULL"
KEY_TWICE: Final = "DATA_MAP_KEY_DUPLICATE"


class Check(Struct, frozen=True):
    """One thing that is asked of every row."""

    rule: str
    path: str
    condition: str
    """The SQL that is TRUE of a row that breaks the rule."""
    column: str
    """The column of the frame that it is about."""
    old: str = ""
    new: str = ""
    id: int | None = None


class Lack(Struct, frozen=True):
    """Something that the frame itself lacks, or has too much, whatever its rows are."""

    rule: str
    path: str
    old: str = ""
    new: str = ""
    id: int | None = None
    variant: str = ""


class Asked(NamedTuple):
    """A place in the frame: its SQL, its path, its column, and what puts a condition about it into one about the row."""

    v: str
    path: str
    column: str
    lift: Callable[[str], str]
    id: int | None = None


def top(column: str, path: str, number: int | None = None) -> Asked:
    """A column of the frame."""
    return Asked(name(column), path, column, lambda condition: condition, number)


def inside(at: Asked, called: str, path: str, number: int | None = None) -> Asked:
    """A field of a struct. NULL inside a struct that is NULL itself is none."""
    return Asked(f"{at.v}.{name(called)}", path, at.column, lambda condition: at.lift(f"{at.v} is not null and ({condition})"), number)


def spelled(wanted: Iterable[str], there: Sequence[str]) -> dict[str, str]:
    """How each is called that is there, by its name; one may be spelled with other letters, large or small."""
    mine, rest = {*wanted} & {*there}, Counter(one.lower() for one in there)
    other = {one.lower(): one for one in there if rest[one.lower()] == 1 and one not in mine}
    return {one: one if one in mine else other[one.lower()] for one in wanted if one in mine or one.lower() in other}


class Walk:
    """Goes through two types side by side."""

    def __init__(self, zone: str, *, closed: bool, exact: bool = False, mend: bool = False) -> None:
        self.zone, self.closed, self.exact, self.mend = zone, closed, exact, mend
        self.depth = 0

    def compared(self, theirs: DataType, wanted: DataType, at: Asked) -> Iterator[Check | Lack]:
        """What has to be asked, and what is wrong whatever the answer; NOT NULL of the wanted type too."""
        if not wanted.nullable:
            yield not_null(at)
        reason = lacks(wanted)
        if isinstance(theirs, RowType) and isinstance(wanted, RowType):
            yield from self._row(theirs, wanted, at)
        elif isinstance(theirs, ArrayType) and isinstance(wanted, ArrayType):
            yield from self._inside(theirs.element, wanted.element, at, at.v, f"{at.path}[]")
        elif isinstance(theirs, MapType) and isinstance(wanted, MapType | MultisetType):
            yield from self._map(theirs, wanted, at)
        else:
            yield from self._leaf(theirs, wanted, at, reason)

    def _leaf(self, theirs: DataType, wanted: DataType, at: Asked, reason: str) -> Iterator[Check | Lack]:
        found = wrongs(at.v, theirs, wanted, self.zone)
        old, new = str(wanted.with_nullable(True)), str(theirs.with_nullable(True))
        if found is None or (self.exact and not equal_types(theirs, wanted)):
            yield Lack("DATA_TYPE_DIFFERS", at.path, old, f"{new} ({reason})" if reason else new, at.id)
            return
        for rule, condition in found:
            yield Check(rule, at.path, at.lift(condition), at.column, old, new, at.id)

    def _row(self, theirs: RowType, wanted: RowType, at: Asked) -> Iterator[Check | Lack]:
        names = spelled([one.name for one in wanted.fields], [one.name for one in theirs.fields])
        if not names and wanted.fields:  # what is left of it would be NULL
            yield Lack("DATA_TYPE_DIFFERS", at.path, str(wanted.with_nullable(True)), str(theirs.with_nullable(True)), at.id)
            return
        there = {one.name: one.type for one in theirs.fields}
        for one in wanted.fields:
            called, path = names.get(one.name), f"{at.path}.{word(one.name)}"
            if called is None:
                yield Lack("DATA_COLUMN_MISSING", path, str(one.type), "", one.id, "nullable" if one.type.nullable else "")
                continue
            if called != one.name:
                yield Lack("DATA_COLUMN_RENAMED", path, one.name, called, one.id)
            if called == one.name or self.mend:
                yield from self.compared(there[called], one.type, inside(at, called, path, one.id))
        for one in theirs.fields if self.closed else ():
            if one.name not in names.values():
                yield Lack("DATA_COLUMN_UNKNOWN", f"{at.path}.{word(one.name)}", "", str(one.type))

    def _inside(self, theirs: DataType, wanted: DataType, at: Asked, items: str, path: str) -> Iterator[Check | Lack]:
        yield from self.compared(theirs, wanted, self.each(at, items, path))

    def each(self, at: Asked, items: str, path: str) -> Asked:
        """The elements of a list. One that is NULL has none."""
        self.depth += 1
        x, lift = f"`one {self.depth}`", at.lift

        def some(condition: str) -> str:
            return lift(f"exists({items}, {x} -> coalesce({condition}, false))")

        return Asked(x, path, at.column, some, at.id)

    def items(self, kind: DataType, at: Asked) -> tuple[DataType, Asked]:
        """What lies in a list, or is the value of a map, however deep; anything else as it is."""
        while isinstance(kind, ArrayType | MapType):
            at = (
                self.each(at, at.v, f"{at.path}[]")
                if isinstance(kind, ArrayType)
                else self.each(at, f"map_values({at.v})", f"{at.path}{{}}")
            )
            kind = kind.element if isinstance(kind, ArrayType) else kind.value
        return kind, at

    def _map(self, theirs: MapType, wanted: MapType | MultisetType, at: Asked) -> Iterator[Check | Lack]:
        key, value = (wanted.key, wanted.value) if isinstance(wanted, MapType) else (wanted.element, None)
        keys, kind = f"map_keys({at.v})", str(wanted.with_nullable(True))
        # Spark takes no key for NULL, and would leave the question out; of fields of a struct it does not know.
        null = f"exists(arrays_zip({keys}), `a key` -> `a key`.`0` is null)"
        yield Check(KEY_NULL, at.path, at.lift(null), at.column, kind, id=at.id)
        twice = f"size(array_distinct({keys})) <> size({keys})"
        yield Check(KEY_TWICE, at.path, at.lift(twice), at.column, kind, id=at.id)
        yield from self._inside(theirs.key, key.with_nullable(True), at, keys, f"{at.path}{{key}}")
        if value is not None:
            yield from self._inside(theirs.value, value, at, f"map_values({at.v})", f"{at.path}{{}}")


def not_null(at: Asked) -> Check:
    """That the place holds a value."""
    return Check(NULL, at.path, at.lift(f"{at.v} is null"), at.column, id=at.id)
