"""The columns of a table as a contract asks for them: its names, its order, the parts that it names, and the types that it names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.contract import Accepts, Need
from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.schema.field_lookup import LocatedField, Lookup
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, array, map_of, row
from airflow_provider_schemas.errors import Fault, ProjectionError


class Way(NamedTuple):
    """A column or field that a contract needs: how the contract calls it, step by step, and where the table has it."""

    need: Need
    path: tuple[str, ...]
    found: LocatedField


class _Position(NamedTuple):
    """A type inside a column: its path in messages, its path in the pins of a contract, and these pins."""

    path: str
    place: str
    pins: Mapping[str, int]

    def inside(self, step: str) -> "_Position":
        """Return the position of the elements or values."""
        return self._replace(path=self.path + MARKS[step], place=f"{self.place}.{step}")

    def field(self, name: str) -> "_Position":
        """Return the position of a field."""
        return self._replace(path=f"{self.path}.{word(name)}", place=f"{self.place}.{word(name)}")


def columns_of(ways: Iterable[Way], there: Lookup, now: datetime | None = None) -> tuple[Field, ...]:
    """Return the columns in the order of the contract, each with the fields that the contract names; raise what is not there."""
    columns = _Columns(there, now)
    given = columns.of(ways, 0)
    if columns.faults:
        raise ProjectionError.of(columns.faults)
    return given


def named_twice(name: str, first: str) -> Fault:
    """Return the fault of a name that differs from an earlier one in case only, and means the same field."""
    message = f"{shown(name)} is asked for twice: {shown(first)} is the same field."
    return Fault("read.column-twice", name, message, "Name each column once.")


def another_field(name: str, pin: int, number: int, there: Lookup) -> Fault:
    """Return the fault of a name that belongs to another field than the contract is pinned to."""
    message = f"the contract means field {pin} by {shown(name)}, and in version {there.schema.id} that is field {number}."
    now = there.by_id(pin)
    fix = f"Field {pin} is called {'.'.join(now.path)} now: ask for that." if now else "That field was dropped: register the job anew."
    return Fault("read.another-column", name, message, fix)


class _Columns:
    """Makes the columns of a contract, and notes what the table does not have."""

    def __init__(self, there: Lookup, now: datetime | None) -> None:
        self._there, self._now = there, now
        self.faults: list[Fault] = []

    # ------------------------------------------------------------ paths

    def of(self, ways: Iterable[Way], depth: int) -> tuple[Field, ...]:
        """Return the fields at this depth; a field that several ways pass through, in whatever case, is one."""
        by_field: dict[tuple[str, int], list[Way]] = {}
        for way in ways:
            by_field.setdefault((way.path[depth].lower(), way.found.way[depth].id), []).append(way)
        return tuple(self._field(some, depth) for some in by_field.values())

    def _field(self, ways: Sequence[Way], depth: int) -> Field:
        """Return the field at this depth of all these ways, under the name that the first has for it."""
        there = ways[0].found.way[depth].with_name(ways[0].path[depth])
        whole = [way for way in ways if len(way.path) == depth + 1]
        if not whole:
            return there.with_type(_with_fields(there.type, self.of(ways, depth + 1)))
        self.faults += [named_twice(way.need.name, whole[0].need.name) for way in whole[1:]]
        need = whole[0].need
        if need.kind is None or need.accepts is Accepts.ANY:
            return there
        return there.with_type(self._typed(there.type, need.kind, _Position(need.name, need.name, need.inner)))

    # ------------------------------------------------------------ types

    def _typed(self, there: DataType, wanted: DataType, position: _Position) -> DataType:
        """Return the wanted type with the ids of the table: fields inside it are known by their names."""
        if isinstance(there, RowType) and isinstance(wanted, RowType):
            return row(list(self._fields(there, wanted, position))).with_nullable(there.nullable)
        if isinstance(there, ArrayType) and isinstance(wanted, ArrayType):
            return array(self._typed(there.element, wanted.element, position.inside("element"))).with_nullable(there.nullable)
        if isinstance(there, MapType) and isinstance(wanted, MapType):
            return map_of(there.key, self._typed(there.value, wanted.value, position.inside("value"))).with_nullable(there.nullable)
        return wanted.with_nullable(there.nullable)

    def _fields(self, there: RowType, wanted: RowType, position: _Position) -> Iterator[Field]:
        names = FieldNames(there.fields)
        given: dict[tuple[str, int], str] = {}
        for field in wanted.fields:
            inner = position.field(field.name)
            mine = names.in_any_case(field.name) or self._there.aliased(there.fields, field.name, self._now)
            if mine is None:
                self.faults.append(self._missing(field.name, there, inner.path))
                continue
            pin = inner.pins.get(inner.place, mine.id)
            if pin != mine.id:
                self.faults.append(another_field(inner.path, pin, mine.id, self._there))
                continue
            first = given.setdefault((field.name.lower(), mine.id), inner.path)
            if first != inner.path:
                self.faults.append(named_twice(inner.path, first))
                continue
            yield mine.with_name(field.name).with_type(self._typed(mine.type, field.type, inner))

    def _missing(self, name: str, there: RowType, path: str) -> Fault:
        message = f"version {self._there.schema.id} has no field {shown(path)}."
        return Fault("read.no-column", path, message, did_you_mean(name, [field.name for field in there.fields]))


def _with_fields(kind: DataType, fields: Sequence[Field]) -> DataType:
    """The type, with these fields in the ROW inside it."""
    if isinstance(kind, ArrayType):
        return array(_with_fields(kind.element, fields)).with_nullable(kind.nullable)
    if isinstance(kind, MapType):
        return map_of(kind.key, _with_fields(kind.value, fields)).with_nullable(kind.nullable)
    return row(fields).with_nullable(kind.nullable)
