"""The fields of one schema as jobs name them: by a path of names, by id, by an alias. Lists and map values are looked through.

Made once for all contracts that are asked about a schema, because a thousand of them look at the same fields.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field, over
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType

Path = tuple[str, ...]
_NOTHING = FieldNames(())
_Find = Callable[[Mapping[str, Field], str], Field | None]


class Found(NamedTuple):
    """A field, where it is now, and all fields on the way to it, itself last."""

    field: Field
    path: Path
    way: tuple[Field, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(one.id for one in self.way)

    @property
    def nullable(self) -> bool:
        """Whether it may be NULL, or something that it is inside."""
        return any(kind.nullable for outer in self.way[:-1] for kind in _levels(outer.type)) or self.field.type.nullable

    @property
    def change_path(self) -> Path:
        """The path as a change names it: with the elements and the map values that a job looks through."""
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

    def path(self, name: str, seen: "Lookup | None" = None) -> Path:
        """The steps of a name: a column may have a dot in its own name, or may have had."""
        whole = "." not in name or self.schema.field(name) is not None or (seen is not None and seen.schema.field(name) is not None)
        return (name,) if whole else tuple(name.split("."))

    def by_name(self, path: Path) -> Found | None:
        """The field at this path."""
        return self._walk(path, lambda inner, step: inner.get(step))

    def in_any_case(self, path: Path) -> Found | None:
        """The only field at this path, whatever the case of names, as Spark looks for it."""
        return self._walk(path, lambda inner, step: inner.get(step) or self._names(inner).in_any_case(step))

    def called(self, path: Path, now: datetime | None = None) -> Found | None:
        """The field that is called so, or was and keeps the name as an alias; now leaves out aliases that ended."""
        return self._walk(path, lambda inner, step: inner.get(step) or self._aliased(inner, step, now))

    def meant(self, path: Path, now: datetime | None = None) -> Found | None:
        """Return the field at this path as a job of ours finds it, step by step: the exact name, the only one in another case, an alias."""
        return self._walk(
            path, lambda inner, step: inner.get(step) or self._names(inner).in_any_case(step) or self._aliased(inner, step, now)
        )

    def ambiguous(self, found: Found) -> tuple[str, ...]:
        """Return the names beside each other that differ in case only, at the first step on the way to the field that has such."""
        inner = self._columns
        for field in found.way:
            names = self._names(inner).ambiguous(field.name)
            if names:
                return names
            inner = self.inside(field)
        return ()

    def aliased(self, fields: Iterable[Field], name: str, now: datetime | None = None) -> Field | None:
        """Return the one of these fields that keeps the name as an alias; now leaves out aliases that ended."""
        ids = {number for number, until in self._aliases.get(name, ()) if now is None or not over(until, now)}
        return next((field for field in fields if field.id in ids), None) if ids else None

    def by_id(self, number: int) -> Found | None:
        """The field of this id."""
        column = self.schema.column(number)
        return Found(column, (column.name,), (column,)) if column is not None else self._nested.get(number)

    def alias_of(self, number: int) -> Mapping[str, str]:
        """The aliases of a field, each with its end."""
        return self._by_field.get(number, {})

    def is_kept_elsewhere(self, name: str, number: int) -> bool:
        """Return whether a field with another id keeps the name as an alias, so that it is not to be given away."""
        return any(keeper != number for keeper, _ in self._aliases.get(name, ()))

    def inside(self, one: Field) -> Mapping[str, Field]:
        """The fields inside a field, by name."""
        if type(one.wire) is str:
            return {}
        found = self._inside.get(id(one))
        if found is None:
            found = self._inside[id(one)] = inner(one.type)
        return found

    # ------------------------------------------------------------ ways

    def _walk(self, path: Path, find: _Find) -> Found | None:
        found = find(self._columns, path[0])
        passed = [] if found is None else [found]
        for step in path[1:]:
            found = find(self.inside(found), step) if found is not None else None
            passed += [] if found is None else [found]
        return None if found is None else Found(found, tuple(one.name for one in passed), tuple(passed))

    def _names(self, inner: Mapping[str, Field]) -> FieldNames:
        """Return the index of fields that are kept here as long as the lookup, so that their identity stays theirs."""
        if not inner:
            return _NOTHING
        found = self._in_any_case.get(id(inner))
        if found is None:
            found = self._in_any_case[id(inner)] = FieldNames(inner.values())
        return found

    def _aliased(self, there: Mapping[str, Field], step: str, now: datetime | None) -> Field | None:
        return self.aliased(there.values(), step, now)

    @cached_property
    def _columns(self) -> Mapping[str, Field]:
        return {one.name: one for one in self.schema.fields}

    @cached_property
    def _by_field(self) -> Mapping[int, Mapping[str, str]]:
        return dict(aliases_by_field(self.schema))

    @cached_property
    def _aliases(self) -> Mapping[str, list[tuple[int, str]]]:
        found: dict[str, list[tuple[int, str]]] = {}
        for number, names in self._by_field.items():
            for name, until in names.items():
                found.setdefault(name, []).append((number, until))
        return found

    @cached_property
    def _nested(self) -> Mapping[int, Found]:
        return {one.field.id: one for column in self.schema.fields for one in self._below(Found(column, (column.name,), (column,)))}

    def _below(self, outer: Found) -> Iterator[Found]:
        for one in self.inside(outer.field).values():
            found = Found(one, (*outer.path, one.name), (*outer.way, one))
            yield found
            yield from self._below(found)


def _levels(kind: DataType) -> Iterator[DataType]:
    """The type, and those inside it that a path looks through."""
    yield kind
    while isinstance(kind, ArrayType | MapType):
        kind = kind.element if isinstance(kind, ArrayType) else kind.value
        yield kind


def inner(kind: DataType) -> Mapping[str, Field]:
    """The fields inside a type, looking through lists and map values."""
    _, whole = looked_through(kind)
    return {one.name: one for one in whole.fields} if isinstance(whole, RowType) else {}


def looked_through(kind: DataType) -> tuple[list[str], DataType]:
    """Return the type inside lists and map values, and the words by which a change reaches it."""
    words = []
    while isinstance(kind, ArrayType | MapType):
        word = "element" if isinstance(kind, ArrayType) else "value"
        words.append(word)
        kind = getattr(kind, word)
    return words, kind
