"""The type that a job means and the type of the table, compared by one rule for all depths: structs, lists, maps and multisets.

A field may be missing, be there unasked, stand elsewhere, bear another name, be nullable, or have another type. What each means was
executed with Spark 4.3: whoever moves a whole struct, by name or by position, needs exactly its fields; CAST and INSERT by position
go by the order of fields and not by their names; `unionByName` does not look for names inside maps.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.changes.schema_change import RenameColumn
from airflow_provider_schemas.core.contracts.field_match import Match, Matcher, fields_of, out_of_order, same_name, twice
from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.contracts.value_types import assignable, holds_all, misreading, same
from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.engines.readers import describe
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType


class Terms(NamedTuple):
    """How a job takes what it reads or writes."""

    writes: bool
    exact: bool = False
    by_position: bool = False
    whole: bool = True
    """Whether it moves structs as they are, so that a field that it does not know stops it."""
    names_in_maps: bool = False
    """Whether it finds fields by name inside maps as well."""
    engines: tuple[str, ...] = ()
    """The engines that may read the files with a schema of the job."""
    alias: Callable[[Iterable[Field], str], Field | None] | None = None
    """Which of some fields keeps a name as an alias."""
    aliased: bool = False
    """Whether the job finds a field under an alias."""

    @property
    def in_keys(self) -> "Terms":
        """How it takes keys of maps, which nobody takes apart: they come whole, and under the names of the table."""
        return self if self.engines else self._replace(whole=True, aliased=False)


class Place(NamedTuple):
    """A place inside a column: its path, the id of the innermost field, and whether a map is around it."""

    path: str
    id: int
    names: tuple[str, ...] = ()
    """The same path as a change names it in the table; none goes into a key."""
    in_map: bool = False

    def part(self, step: str) -> "Place":
        """The element of a list, or the key or value of a map."""
        names = (*self.names, step) if self.names and step != "key" else ()
        return Place(f"{self.path}{MARKS[step]}", self.id, names, self.in_map or step != "element")

    def field(self, name: str, there: Field) -> "Place":
        """A field of the struct at this place, under the name that the job has for it."""
        return Place(f"{self.path}.{word(name)}", there.id, (*self.names, there.name) if self.names else (), self.in_map)


def unfit_types(mine: DataType, theirs: DataType, before: DataType | None, terms: Terms, place: Place) -> Iterator[Lack]:
    """What does not fit between the type that a job means and that of the table; before is what the table had when the job was written."""
    if isinstance(mine, RowType) and isinstance(theirs, RowType):
        yield from _fields(mine, theirs, fields_of(before), terms, place)
    elif isinstance(mine, ArrayType) and isinstance(theirs, ArrayType):
        was = before.element if isinstance(before, ArrayType) else None
        yield from _part(mine.element, theirs.element, was, terms, place.part("element"))
    elif isinstance(mine, MapType) and isinstance(theirs, MapType) and _alike(mine.key, theirs.key):
        was_key, was_value = (before.key, before.value) if isinstance(before, MapType) else (None, None)
        yield from unfit_types(mine.key, theirs.key, was_key, terms.in_keys, place.part("key"))
        yield from _part(mine.value, theirs.value, was_value, terms, place.part("value"))
    elif isinstance(mine, MultisetType) and isinstance(theirs, MultisetType) and _alike(mine.element, theirs.element):
        was = before.element if isinstance(before, MultisetType) else None
        yield from unfit_types(mine.element, theirs.element, was, terms.in_keys, place.part("key")._replace(path=f"{place.path}[]"))
    else:
        yield from _values(mine, theirs, terms, place)


def _alike(mine: DataType, theirs: DataType) -> bool:
    """Whether keys can be compared: they are never converted, since two of them could become one, and structs are looked into."""
    return (isinstance(mine, RowType) and isinstance(theirs, RowType)) or same(mine, theirs)


def _part(mine: DataType, theirs: DataType, before: DataType | None, terms: Terms, place: Place) -> Iterator[Lack]:
    yield from _nulls(mine, theirs, terms, place)
    yield from unfit_types(mine, theirs, before, terms, place)


def _nulls(mine: DataType, theirs: DataType, terms: Terms, place: Place) -> Iterator[Lack]:
    source, target = (mine, theirs) if terms.writes else (theirs, mine)
    if source.nullable and not target.nullable:
        yield Lack("EXPECT_MAY_BE_NULL", place.path, id=place.id)


# ---------------------------------------------------------------- structs


def _fields(mine: RowType, theirs: RowType, before: tuple[Field, ...], terms: Terms, place: Place) -> Iterator[Lack]:
    alias = terms.alias
    matcher = Matcher(theirs.fields, before, None if alias is None else lambda name: alias(theirs.fields, name))
    matches = [matcher.match(one.name) for one in mine.fields]
    names = {one.name for one in theirs.fields}
    firsts: dict[int, Field] = {}
    for one, meant in zip(mine.fields, matches, strict=True):
        if meant.field is None:
            yield _gone(one, meant, place)
            continue
        first = firsts.setdefault(meant.field.id, one)
        if first is not one and (terms.by_position or same_name(first.name, one.name)):
            yield twice(f"{place.path}.{word(one.name)}", f"{place.path}.{word(first.name)}")
            continue
        valid = terms.aliased and one.name not in names and matcher.alias(one.name) is meant.field
        yield from _field(one, meant.field, meant.before, terms, place, free=one.name not in names, valid=valid)
    there = [one.field for one in matches if one.field is not None]
    taken = {one.id for one in there} | {one.taken.id for one in matches if one.taken is not None}
    extra = [one for one in theirs.fields if one.id not in taken]
    if terms.writes or terms.whole or terms.exact:
        yield from (_unasked(one, mine.fields, terms, place) for one in extra)
    if len(firsts) == len(matches) and terms.whole and (terms.by_position or (place.in_map and not terms.names_in_maps)):
        yield from out_of_order(place.path, [one.name for one in mine.fields], there, theirs.fields)


def _field(mine: Field, theirs: Field, before: Field | None, terms: Terms, place: Place, *, free: bool, valid: bool) -> Iterator[Lack]:
    inner = place.field(mine.name, theirs)
    same_word = same_name(theirs.name, mine.name)
    # An alias alone does not tell a job that goes by position where the field stood.
    unknown = before is None and not same_word
    if theirs.name != mine.name and (unknown or not terms.by_position):
        variant = "alias" if valid else "case" if same_word else ""
        changes = (RenameColumn(inner.names, mine.name),) if inner.names and free and not valid else ()
        yield Lack("EXPECT_FIELD_RENAMED", inner.path, inner.path, f"{place.path}.{word(theirs.name)}", theirs.id, variant, changes)
    yield from _part(mine.type, theirs.type, None if before is None else before.type, terms, inner)


def _gone(mine: Field, meant: Match, place: Place) -> Lack:
    path = f"{place.path}.{word(mine.name)}"
    if meant.taken is None or meant.before is None:
        return Lack("EXPECT_FIELD_MISSING", path)
    return Lack("EXPECT_STALE_PIN", path, str(meant.before.id), str(meant.taken.id), meant.taken.id)


_DOES = {
    False: "moves the whole struct without it. Take {path} into the reader's type, or name the fields that it needs",
    True: "does not write it: Spark takes no struct that has a field less",
}


def _unasked(theirs: Field, mine: Sequence[Field], terms: Terms, place: Place) -> Lack:
    path = f"{place.path}.{word(theirs.name)}"
    because = _DOES[terms.writes].format(path=path)
    fix = "" if terms.writes else _by_paths(mine, place)
    return Lack("EXPECT_EXTRA_FIELD", path, id=theirs.id, new=str(theirs.type), because=because, fix=fix)


def _by_paths(mine: Sequence[Field], place: Place) -> str:
    """How a contract names parts of a struct; it cannot look into keys."""
    if not mine or not place.names:
        return ""
    first = mine[0]
    path = f"{place.path}.{first.name}".replace(MARKS["element"], "").replace(MARKS["value"], "")
    example = f'{{"{path}": "{first.type}"}}' if isinstance(first.type, AtomicType) else f'["{path}"]'
    return f"If the reader needs only parts of the struct, the contract names their paths instead of its type: columns: {example}."


# ---------------------------------------------------------------- values


def _values(mine: DataType, theirs: DataType, terms: Terms, place: Place) -> Iterator[Lack]:
    source, target = (mine, theirs) if terms.writes else (theirs, mine)
    old, new = str(mine.with_nullable(True)), str(theirs.with_nullable(True))
    if not (same(source, target) if terms.exact else holds_all(source, target)):
        rule = "EXPECT_TYPE_UNSAFE" if not terms.exact and assignable(source, target) else "EXPECT_TYPE_MISMATCH"
        yield Lack(rule, place.path, old, new, place.id)
        return
    misread = misreading(source, target, terms.engines) if isinstance(source, AtomicType) and not terms.writes else None
    if misread is not None:
        engine, outcome = misread
        yield Lack("EXPECT_TYPE_UNSAFE", place.path, old, new, place.id, because=f"with a schema of its own, {engine} {describe(outcome)}")
