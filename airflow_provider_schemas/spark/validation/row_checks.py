"""What is asked of every row: conditions in SQL, made of two types side by side, at every level."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.sql import name
from airflow_provider_schemas.spark.validation.value_checks import equal_types, find_violations

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


class FormIssue(Struct, frozen=True):
    """Something that the frame itself lacks, or has too much, whatever its rows are."""

    rule: str
    path: str
    old: str = ""
    new: str = ""
    id: int | None = None
    variant: str = ""


class ValuePlace(NamedTuple):
    """A place in the frame: its SQL, its path, its column, and what puts a condition about it into one about the row."""

    sql: str
    path: str
    column: str
    lift: Callable[[str], str]
    id: int | None = None


def top(column: str, path: str, number: int | None = None) -> ValuePlace:
    """Return the place of a column of the frame."""
    return ValuePlace(name(column), path, column, lambda condition: condition, number)


def inside(place: ValuePlace, field: str, path: str, number: int | None = None) -> ValuePlace:
    """Return the place of a field of a struct. NULL inside a struct that is NULL itself is none."""

    def lift(condition: str) -> str:
        return place.lift(f"{place.sql} is not null and ({condition})")

    return ValuePlace(f"{place.sql}.{name(field)}", path, place.column, lift, number)


def match_spelling(wanted: Collection[str], present: Sequence[str]) -> dict[str, str]:
    """Return what each wanted name is called that is present; it may be spelled with other letters, large or small."""
    same = {*wanted} & {*present}
    counts = Counter(spelling.lower() for spelling in present)
    others = {spelling.lower(): spelling for spelling in present if counts[spelling.lower()] == 1 and spelling not in same}
    found = {}
    for spelling in wanted:
        if spelling in same:
            found[spelling] = spelling
        elif spelling.lower() in others:
            found[spelling] = others[spelling.lower()]
    return found


class Walk:
    """Goes through two types side by side."""

    def __init__(self, zone: str, *, closed: bool, exact: bool = False, adjusts: bool = False) -> None:
        self.zone = zone
        self.closed = closed
        self.exact = exact
        self.adjusts = adjusts
        self.depth = 0

    def compare(self, theirs: DataType, wanted: DataType, place: ValuePlace) -> Iterator[Check | FormIssue]:
        """Yield what has to be asked of rows, and what is wrong whatever their values; NOT NULL of the wanted type too."""
        if not wanted.nullable:
            yield not_null(place)
        if isinstance(theirs, RowType) and isinstance(wanted, RowType):
            yield from self._compare_rows(theirs, wanted, place)
        elif isinstance(theirs, ArrayType) and isinstance(wanted, ArrayType):
            yield from self.compare(theirs.element, wanted.element, self._enter(place, place.sql, f"{place.path}[]"))
        elif isinstance(theirs, MapType) and isinstance(wanted, MapType | MultisetType):
            yield from self._compare_maps(theirs, wanted, place)
        else:
            yield from self._compare_values(theirs, wanted, place)

    def _compare_values(self, theirs: DataType, wanted: DataType, place: ValuePlace) -> Iterator[Check | FormIssue]:
        old = str(wanted.with_nullable(True))
        new = str(theirs.with_nullable(True))
        violations = find_violations(place.sql, theirs, wanted, self.zone)
        if violations is None or (self.exact and not equal_types(theirs, wanted)):
            reason = lacks(wanted)
            yield FormIssue("DATA_TYPE_DIFFERS", place.path, old, f"{new} ({reason})" if reason else new, place.id)
            return
        for rule, condition in violations:
            yield Check(rule, place.path, place.lift(condition), place.column, old, new, place.id)

    def _compare_rows(self, theirs: RowType, wanted: RowType, place: ValuePlace) -> Iterator[Check | FormIssue]:
        names = match_spelling([field.name for field in wanted.fields], [field.name for field in theirs.fields])
        if not names and wanted.fields:  # what is left of it would be NULL
            yield FormIssue("DATA_TYPE_DIFFERS", place.path, str(wanted.with_nullable(True)), str(theirs.with_nullable(True)), place.id)
            return
        types = {field.name: field.type for field in theirs.fields}
        for field in wanted.fields:
            found = names.get(field.name)
            yield from self._compare_fields(types.get(found or ""), found, field, place)
        if self.closed:
            yield from _find_unknown(theirs, names.values(), place)

    def _compare_fields(self, kind: DataType | None, found: str | None, wanted: Field, place: ValuePlace) -> Iterator[Check | FormIssue]:
        """Compare a field of a struct with the one of this type that was found for it, under this name."""
        path = f"{place.path}.{word(wanted.name)}"
        if found is None or kind is None:
            variant = "nullable" if wanted.type.nullable else ""
            yield FormIssue("DATA_COLUMN_MISSING", path, str(wanted.type), "", wanted.id, variant)
            return
        if found != wanted.name:
            yield FormIssue("DATA_COLUMN_RENAMED", path, wanted.name, found, wanted.id)
        if found == wanted.name or self.adjusts:
            yield from self.compare(kind, wanted.type, inside(place, found, path, wanted.id))

    def _enter(self, place: ValuePlace, elements: str, path: str) -> ValuePlace:
        """Return the place of the elements of a list. A list that is NULL has none."""
        self.depth += 1
        element = f"`one {self.depth}`"

        def lift(condition: str) -> str:
            return place.lift(f"exists({elements}, {element} -> coalesce({condition}, false))")

        return ValuePlace(element, path, place.column, lift, place.id)

    def enter_elements(self, kind: DataType, place: ValuePlace) -> tuple[DataType, ValuePlace]:
        """Return what lies in a list, or is the value of a map, however deep, and its place; anything else as it is."""
        while isinstance(kind, ArrayType | MapType):
            if isinstance(kind, ArrayType):
                place = self._enter(place, place.sql, f"{place.path}[]")
                kind = kind.element
            else:
                place = self._enter(place, f"map_values({place.sql})", f"{place.path}{{}}")
                kind = kind.value
        return kind, place

    def _compare_maps(self, theirs: MapType, wanted: MapType | MultisetType, place: ValuePlace) -> Iterator[Check | FormIssue]:
        keys = f"map_keys({place.sql})"
        kind = str(wanted.with_nullable(True))
        # Spark takes no key for NULL, and would leave the question out; of fields of a struct it does not know.
        null = f"exists(arrays_zip({keys}), `a key` -> `a key`.`0` is null)"
        yield Check(KEY_NULL, place.path, place.lift(null), place.column, kind, id=place.id)
        twice = f"size(array_distinct({keys})) <> size({keys})"
        yield Check(KEY_TWICE, place.path, place.lift(twice), place.column, kind, id=place.id)
        key = wanted.key if isinstance(wanted, MapType) else wanted.element
        yield from self.compare(theirs.key, key.with_nullable(True), self._enter(place, keys, f"{place.path}{{key}}"))
        if isinstance(wanted, MapType):
            yield from self.compare(theirs.value, wanted.value, self._enter(place, f"map_values({place.sql})", f"{place.path}{{}}"))


def _find_unknown(theirs: RowType, known: Collection[str], place: ValuePlace) -> Iterator[FormIssue]:
    """Yield the fields of a struct that nobody expects."""
    for field in theirs.fields:
        if field.name not in known:
            yield FormIssue("DATA_COLUMN_UNKNOWN", f"{place.path}.{word(field.name)}", "", str(field.type))


def not_null(place: ValuePlace) -> Check:
    """Return the check that the place holds a value."""
    return Check(NULL, place.path, place.lift(f"{place.sql} is null"), place.column, id=place.id)
