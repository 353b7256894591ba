"""The type that a job means beside the type of the table, compared by one rule for all depths: structs, lists, maps and multisets.

A field may be missing, be there unexpected, stand elsewhere, have another name, be nullable, or have another type. What each means was
executed with Spark 4.3: a job that moves a whole struct, by name or by position, needs exactly its fields; CAST and INSERT by position
go by the order of fields and not by their names; `unionByName` does not look for names inside maps.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.changes.schema_change import RenameColumn, SchemaChange
from airflow_provider_schemas.core.contracts.field_match import Match, Matcher, case_variant, fields_of, out_of_order, same_name, twice
from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.contracts.value_types import assignable, holds_all, misreading, same
from airflow_provider_schemas.core.contracts.write_ways import writer_lack
from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.engines.readers import describe
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType, children


class AccessMode(NamedTuple):
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
    """Finds the one of some fields that keeps a name as an alias."""
    aliased: bool = False
    """Whether the job finds a field under an alias."""
    writer: str = ""
    """The writer of the values; empty for one that takes them as Spark does."""

    @property
    def in_keys(self) -> "AccessMode":
        """Return how the job takes keys of maps, which nobody takes apart: they come whole, and under the names of the table."""
        if self.engines:
            return self
        return self._replace(whole=True, aliased=False)


class TypeLocation(NamedTuple):
    """Where a type stands inside a column: its path, the id of the innermost field, and whether a map is around it."""

    path: str
    id: int
    names: tuple[str, ...] = ()
    """The same path as a change names it in the table; empty inside a key, which no change goes into."""
    in_map: bool = False

    def part(self, step: str) -> "TypeLocation":
        """Return the location of the element of a list, or of the key or value of a map."""
        names: tuple[str, ...] = ()
        if self.names and step != "key":
            names = (*self.names, step)
        return TypeLocation(f"{self.path}{MARKS[step]}", self.id, names, self.in_map or step != "element")

    def multiset_element(self) -> "TypeLocation":
        """Return the location of the element of a multiset, which is a key that is shown like the element of a list."""
        return self.part("key")._replace(path=f"{self.path}{MARKS['element']}")

    def field(self, name: str, there: Field) -> "TypeLocation":
        """Return the location of a field of the struct at this location, under the name that the job has for it."""
        names = (*self.names, there.name) if self.names else ()
        return TypeLocation(self.field_path(name), there.id, names, self.in_map)

    def field_path(self, name: str) -> str:
        """Return the path of a field of the struct at this location."""
        return f"{self.path}.{word(name)}"


def unfit_types(mine: DataType, theirs: DataType, before: DataType | None, mode: AccessMode, where: TypeLocation) -> Iterator[Lack]:
    """Yield what does not fit between the type that a job means and that of the table.

    Before is the type that the table had when the job was written, if anybody knows it.
    """
    if isinstance(mine, RowType) and isinstance(theirs, RowType):
        yield from _struct_lacks(mine, theirs, fields_of(before), mode, where)
    elif isinstance(mine, ArrayType) and isinstance(theirs, ArrayType):
        yield from _part_lacks(mine.element, theirs.element, _part_of(before, mine.root, "element"), mode, where.part("element"))
    elif isinstance(mine, MapType) and isinstance(theirs, MapType) and _are_comparable_keys(mine.key, theirs.key):
        key_before = _part_of(before, mine.root, "key")
        yield from unfit_types(mine.key, theirs.key, key_before, mode.in_keys, where.part("key"))
        yield from _part_lacks(mine.value, theirs.value, _part_of(before, mine.root, "value"), mode, where.part("value"))
    elif isinstance(mine, MultisetType) and isinstance(theirs, MultisetType) and _are_comparable_keys(mine.element, theirs.element):
        before = _part_of(before, mine.root, "element")
        yield from unfit_types(mine.element, theirs.element, before, mode.in_keys, where.multiset_element())
    else:
        yield from _value_lacks(mine, theirs, mode, where)


def _part_of(before: DataType | None, root: Root, step: str) -> DataType | None:
    """Return a part of the type that the job knew, if that was of the same kind."""
    if before is None or before.root is not root:
        return None
    return dict(children(before))[step]


def _are_comparable_keys(mine: DataType, theirs: DataType) -> bool:
    """Return whether keys can be compared: they are never converted, since two of them could become one, and structs are looked into."""
    return (isinstance(mine, RowType) and isinstance(theirs, RowType)) or same(mine, theirs)


def _part_lacks(mine: DataType, theirs: DataType, before: DataType | None, mode: AccessMode, where: TypeLocation) -> Iterator[Lack]:
    source, target = _direction(mine, theirs, mode)
    if source.nullable and not target.nullable:
        yield Lack("EXPECT_MAY_BE_NULL", where.path, id=where.id)
    yield from unfit_types(mine, theirs, before, mode, where)


def _direction(mine: DataType, theirs: DataType, mode: AccessMode) -> tuple[DataType, DataType]:
    """Return the type that values come from, and the one that has to take them."""
    if mode.writes:
        return mine, theirs
    return theirs, mine


# ---------------------------------------------------------------- structs


def _struct_lacks(mine: RowType, theirs: RowType, before: tuple[Field, ...], mode: AccessMode, where: TypeLocation) -> Iterator[Lack]:
    """Yield what each field that the job names lacks; then fields that it does not know, and those that stand elsewhere."""
    matcher = _matcher(theirs, before, mode)
    matches = [matcher.match(field.name) for field in mine.fields]
    names = {field.name for field in theirs.fields}
    first_names: dict[int, str] = {}
    for field, match in zip(mine.fields, matches, strict=True):
        if match.field is None:
            yield _missing_field(field, match, where)
            continue
        is_first = match.field.id not in first_names
        first = first_names.setdefault(match.field.id, field.name)
        if not is_first and (mode.by_position or same_name(first, field.name)):
            yield twice(where.field_path(field.name), where.field_path(first))
            continue
        is_free = field.name not in names
        is_alias = mode.aliased and is_free and matcher.alias(field.name) is match.field
        yield from _name_lacks(field, match, mode, where, is_free=is_free, is_alias=is_alias)
        yield from _part_lacks(field.type, match.field.type, match.type_before, mode, where.field(field.name, match.field))
    if mode.writes or mode.whole or mode.exact:
        yield from _unknown_fields(mine, theirs, matches, mode, where)
    goes_by_order = mode.by_position or (where.in_map and not mode.names_in_maps)
    if len(first_names) == len(matches) and mode.whole and goes_by_order:
        matched = [match.field for match in matches if match.field is not None]
        yield from out_of_order(where.path, [field.name for field in mine.fields], matched, theirs.fields)


def _matcher(theirs: RowType, before: tuple[Field, ...], mode: AccessMode) -> Matcher:
    alias = mode.alias
    if alias is None:
        return Matcher(theirs.fields, before)
    return Matcher(theirs.fields, before, lambda name: alias(theirs.fields, name))


def _missing_field(mine: Field, match: Match, where: TypeLocation) -> Lack:
    path = where.field_path(mine.name)
    if match.taken is None or match.before is None:
        return Lack("EXPECT_FIELD_MISSING", path)
    return Lack("EXPECT_STALE_PIN", path, str(match.before.id), str(match.taken.id), match.taken.id)


def _name_lacks(mine: Field, match: Match, mode: AccessMode, where: TypeLocation, *, is_free: bool, is_alias: bool) -> Iterator[Lack]:
    """Yield that a field has another name now; free says that no field of the table has the name that the job uses."""
    theirs = match.field
    if theirs is None or theirs.name == mine.name:
        return
    differs_in_case = same_name(theirs.name, mine.name)
    # An alias alone does not tell a job that goes by position where the field stood.
    is_known_place = match.before is not None or differs_in_case
    if mode.by_position and is_known_place:
        return
    inner = where.field(mine.name, theirs)
    variant = "alias" if is_alias else case_variant(differs_in_case)
    changes: tuple[SchemaChange, ...] = ()
    if inner.names and is_free and not is_alias:
        changes = (RenameColumn(inner.names, mine.name),)
    yield Lack("EXPECT_FIELD_RENAMED", inner.path, inner.path, where.field_path(theirs.name), theirs.id, variant, changes)


_READER_MOVES = "moves the whole struct without it. Take {path} into the reader's type, or name the fields that it needs"
_WRITER_LACKS = "does not write it: Spark takes no struct that has a field less"


def _unknown_fields(mine: RowType, theirs: RowType, matches: Sequence[Match], mode: AccessMode, where: TypeLocation) -> Iterator[Lack]:
    """Yield the fields of the table that the job does not know."""
    known: set[int] = set()
    for match in matches:
        known.update(field.id for field in (match.field, match.taken) if field is not None)
    for field in theirs.fields:
        if field.id in known:
            continue
        path = where.field_path(field.name)
        kind = str(field.type)
        if mode.writes:
            yield Lack("EXPECT_EXTRA_FIELD", path, id=field.id, new=kind, because=_WRITER_LACKS)
        else:
            because = _READER_MOVES.format(path=path)
            yield Lack("EXPECT_EXTRA_FIELD", path, id=field.id, new=kind, because=because, fix=_name_paths_fix(mine.fields, where))


def _name_paths_fix(mine: Sequence[Field], where: TypeLocation) -> str:
    """Say how a contract names parts of a struct; empty inside keys, which it cannot look into."""
    if not mine or not where.names:
        return ""
    first = mine[0]
    path = f"{where.path}.{first.name}".replace(MARKS["element"], "").replace(MARKS["value"], "")
    example = f'["{path}"]'
    if isinstance(first.type, AtomicType):
        example = f'{{"{path}": "{first.type}"}}'
    return f"If the reader needs only parts of the struct, the contract names their paths instead of its type: columns: {example}."


# ---------------------------------------------------------------- values


def _writer_sentence(rule: str, reason: str, mine: DataType, theirs: DataType, where: TypeLocation) -> str:
    """Return why a writer's values do not fit, as the sentence of the rule goes on; empty where the rule says it all."""
    if rule == "EXPECT_TYPE_UNSAFE" or not reason:
        return reason
    return f"{where.path} is {_text(theirs)}, and the writer writes {_text(mine)}: {reason}"


def _value_lacks(mine: DataType, theirs: DataType, mode: AccessMode, where: TypeLocation) -> Iterator[Lack]:
    source, target = _direction(mine, theirs, mode)
    if mode.writes and mode.writer:
        lack = writer_lack(mode.writer, source, target, exact=mode.exact)
        if lack is not None:
            rule, reason = lack
            yield Lack(rule, where.path, _text(mine), _text(theirs), where.id, because=_writer_sentence(rule, reason, mine, theirs, where))
        return
    fits = same(source, target) if mode.exact else holds_all(source, target)
    if not fits:
        rule = "EXPECT_TYPE_MISMATCH"
        if not mode.exact and assignable(source, target):
            rule = "EXPECT_TYPE_UNSAFE"
        yield Lack(rule, where.path, _text(mine), _text(theirs), where.id)
        return
    if mode.writes or not isinstance(source, AtomicType):
        return
    misread = misreading(source, target, mode.engines)
    if misread is not None:
        engine, outcome = misread
        because = f"with a schema of its own, {engine} {describe(outcome)}"
        yield Lack("EXPECT_TYPE_UNSAFE", where.path, _text(mine), _text(theirs), where.id, because=because)


def _text(kind: DataType) -> str:
    return str(kind.with_nullable(True))
