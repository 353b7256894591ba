"""The fields of one schema as jobs name them: by a path of names, by id, by an alias. Paths pass through lists and map values.

Made once for all contracts on a schema, because a thousand of them look at the same fields.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field, over
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.schema.foreign_attributes import has_ids
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType

Path = tuple[str, ...]
_NOTHING = FieldNames(())
_Find = Callable[[Mapping[str, Field], str], Field | None]


class LocatedField(NamedTuple):
    """A field, its path, and all fields on the way to it, itself last."""

    field: Field
    path: Path
    way: tuple[Field, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(field.id for field in self.way)

    @property
    def nullable(self) -> bool:
        """Whether the field may be NULL, or something that it is inside."""
        return self.field.type.nullable or any(_has_nullable_level(outer.type) for outer in self.way[:-1])

    @property
    def change_path(self) -> Path:
        """The path as a change names it: with the elements and the map values that a job's path passes through."""
        path: list[str] = []
        for outer in self.way[:-1]:
            words, _ = looked_through(outer.type)
            path += [outer.name, *words]
        return (*path, self.field.name)


class Lookup:
    """Finds the fields of one schema."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self._inside: dict[int, Mapping[str, Field]] = {}
        self._in_any_case: dict[int, FieldNames] = {}

    @cached_property
    def has_ids(self) -> bool:
        """Whether ids tell fields apart; else only their names do."""
        return has_ids(self.schema)

    def path(self, name: str, seen: "Lookup | None" = None) -> Path:
        """Return the steps of a name: a column may have a dot in its own name, now or in the schema that the job has seen."""
        if "." not in name or self.schema.field(name) is not None:
            return (name,)
        if seen is not None and seen.schema.field(name) is not None:
            return (name,)
        return tuple(name.split("."))

    def by_name(self, path: Path) -> LocatedField | None:
        """Return the field at this path."""
        return self._walk(path, lambda inner, step: inner.get(step))

    def in_any_case(self, path: Path) -> LocatedField | None:
        """Return the only field at this path in any case of names, as Spark looks for it."""
        return self._walk(path, lambda inner, step: inner.get(step) or self._names(inner).in_any_case(step))

    def called(self, path: Path, now: datetime | None = None) -> LocatedField | None:
        """Return the field that has this name, or keeps it as an alias; with `now`, without aliases that ended."""
        return self._walk(path, lambda inner, step: inner.get(step) or self.aliased(inner.values(), step, now))

    def meant(self, path: Path, now: datetime | None = None) -> LocatedField | None:
        """Return the field at this path as a job of ours finds it, step by step: the exact name, the only one in another case, an alias."""

        def find(inner: Mapping[str, Field], step: str) -> Field | None:
            return inner.get(step) or self._names(inner).in_any_case(step) or self.aliased(inner.values(), step, now)

        return self._walk(path, find)

    def ambiguous(self, located: LocatedField) -> tuple[str, ...]:
        """Return the names beside each other that differ in case only, at the first step on the way to the field that has such."""
        inner = self._columns
        for field in located.way:
            names = self._names(inner).ambiguous(field.name)
            if names:
                return names
            inner = self.inside(field)
        return ()

    def aliased(self, fields: Iterable[Field], name: str, now: datetime | None = None) -> Field | None:
        """Return the field among these that keeps the name as an alias; with `now`, without aliases that ended."""
        ids = {number for number, until in self._aliases.get(name, ()) if now is None or not over(until, now)}
        if not ids:
            return None
        return next((field for field in fields if field.id in ids), None)

    def by_id(self, number: int) -> LocatedField | None:
        """Return the field of this id."""
        column = self.schema.column(number)
        if column is not None:
            return _located_column(column)
        return self._nested.get(number)

    def alias_of(self, number: int) -> Mapping[str, str]:
        """Return the aliases of a field, each with its end."""
        return self._by_field.get(number, {})

    def is_kept_elsewhere(self, name: str, number: int) -> bool:
        """Return whether a field with another id keeps the name as an alias, so that no other field may take it."""
        return any(keeper != number for keeper, _ in self._aliases.get(name, ()))

    def inside(self, outer: Field) -> Mapping[str, Field]:
        """Return the fields inside a field, by name."""
        if type(outer.wire) is str:
            return {}
        fields = self._inside.get(id(outer))
        if fields is None:
            fields = self._inside[id(outer)] = inner(outer.type)
        return fields

    # ------------------------------------------------------------ ways

    def _walk(self, path: Path, find: _Find) -> LocatedField | None:
        way: list[Field] = []
        fields = self._columns
        for step in path:
            field = find(fields, step)
            if field is None:
                return None
            way.append(field)
            fields = self.inside(field)
        return LocatedField(way[-1], tuple([field.name for field in way]), tuple(way))

    def _names(self, inner: Mapping[str, Field]) -> FieldNames:
        """Return the index of fields that are kept here as long as the lookup, so that no other mapping gets their identity."""
        if not inner:
            return _NOTHING
        names = self._in_any_case.get(id(inner))
        if names is None:
            names = self._in_any_case[id(inner)] = FieldNames(inner.values())
        return names

    @cached_property
    def _columns(self) -> Mapping[str, Field]:
        return {column.name: column for column in self.schema.fields}

    @cached_property
    def _by_field(self) -> Mapping[int, Mapping[str, str]]:
        return dict(aliases_by_field(self.schema))

    @cached_property
    def _aliases(self) -> Mapping[str, list[tuple[int, str]]]:
        aliases: dict[str, list[tuple[int, str]]] = {}
        for number, names in self._by_field.items():
            for name, until in names.items():
                aliases.setdefault(name, []).append((number, until))
        return aliases

    @cached_property
    def _nested(self) -> Mapping[int, LocatedField]:
        nested: dict[int, LocatedField] = {}
        for column in self.schema.fields:
            nested.update((located.field.id, located) for located in self._below(_located_column(column)))
        return nested

    def _below(self, outer: LocatedField) -> Iterator[LocatedField]:
        for field in self.inside(outer.field).values():
            located = LocatedField(field, (*outer.path, field.name), (*outer.way, field))
            yield located
            yield from self._below(located)


def _located_column(column: Field) -> LocatedField:
    return LocatedField(column, (column.name,), (column,))


def _has_nullable_level(kind: DataType) -> bool:
    """Return whether the type is nullable, or one inside it that a path passes through."""
    while isinstance(kind, ArrayType | MapType) and not kind.nullable:
        kind = kind.element if isinstance(kind, ArrayType) else kind.value
    return kind.nullable


def inner(kind: DataType) -> Mapping[str, Field]:
    """Return the fields inside a type, through lists and map values."""
    _, innermost = looked_through(kind)
    if not isinstance(innermost, RowType):
        return {}
    return {field.name: field for field in innermost.fields}


def looked_through(kind: DataType) -> tuple[list[str], DataType]:
    """Return the type inside lists and map values, and the words by which a change reaches it."""
    words: list[str] = []
    while isinstance(kind, ArrayType | MapType):
        if isinstance(kind, ArrayType):
            words.append("element")
            kind = kind.element
        else:
            words.append("value")
            kind = kind.value
    return words, kind
