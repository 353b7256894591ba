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


class NeededField(NamedTuple):
    """A column or field that a contract needs: how the contract calls it, step by step, and where the table has it."""

    need: Need
    path: tuple[str, ...]
    found: LocatedField


class _Position(NamedTuple):
    """A type inside a column."""

    path: str
    """As messages show it."""
    place: str
    """As the pins of a contract name it."""
    pins: Mapping[str, int]

    def inside(self, step: str) -> "_Position":
        """Return the position of the elements or values."""
        return self._replace(path=self.path + MARKS[step], place=f"{self.place}.{step}")

    def field(self, name: str) -> "_Position":
        """Return the position of a field."""
        return self._replace(path=f"{self.path}.{word(name)}", place=f"{self.place}.{word(name)}")


def columns_of(needed: Iterable[NeededField], there: Lookup, now: datetime | None = None) -> tuple[Field, ...]:
    """Return the columns in the order of the contract, each with the fields that the contract names; raise what is not there."""
    builder = _ColumnBuilder(there, now)
    columns = builder.build(needed, 0)
    if builder.faults:
        raise ProjectionError.of(builder.faults)
    return columns


def twice_fault(name: str, first: str) -> Fault:
    """Return the fault of a name that differs from an earlier one in case only, and means the same field."""
    message = f"{shown(name)} is asked for twice: {shown(first)} is the same field."
    return Fault("read.column-twice", name, message, "Name each column once.")


def other_field_fault(name: str, pin: int, number: int, there: Lookup) -> Fault:
    """Return the fault of a name that belongs to another field than the contract is pinned to."""
    message = f"the contract means field {pin} by {shown(name)}, and in version {there.schema.id} that is field {number}."
    now = there.by_id(pin)
    fix = "That field was dropped: register the job anew."
    if now is not None:
        fix = f"Field {pin} is called {'.'.join(now.path)} now: ask for that."
    return Fault("read.another-column", name, message, fix)


class _ColumnBuilder:
    """Builds the columns of a contract, and notes what the table does not have."""

    def __init__(self, there: Lookup, now: datetime | None) -> None:
        self.faults: list[Fault] = []
        self._there = there
        self._now = now

    # ------------------------------------------------------------ paths

    def build(self, needed: Iterable[NeededField], depth: int) -> tuple[Field, ...]:
        """Return the fields at this depth; a field that several paths pass through, in whatever case, is one."""
        by_field: dict[tuple[str, int], list[NeededField]] = {}
        for field in needed:
            by_field.setdefault((field.path[depth].lower(), field.found.way[depth].id), []).append(field)
        return tuple(self._build_field(group, depth) for group in by_field.values())

    def _build_field(self, needed: Sequence[NeededField], depth: int) -> Field:
        """Return the field at this depth of all these paths, under the name that the first has for it."""
        there = needed[0].found.way[depth].with_name(needed[0].path[depth])
        whole = [field.need for field in needed if len(field.path) == depth + 1]
        if not whole:
            return there.with_type(_with_fields(there.type, self.build(needed, depth + 1)))
        first, *others = whole
        self.faults += [twice_fault(need.name, first.name) for need in others]
        if first.kind is None or first.accepts is Accepts.ANY:
            return there
        return there.with_type(self._build_type(there.type, first.kind, _Position(first.name, first.name, first.inner)))

    # ------------------------------------------------------------ types

    def _build_type(self, there: DataType, wanted: DataType, position: _Position) -> DataType:
        """Return the wanted type with the ids of the table: fields inside it are known by their names."""
        built = wanted
        if isinstance(there, RowType) and isinstance(wanted, RowType):
            built = row(list(self._build_fields(there, wanted, position)))
        elif isinstance(there, ArrayType) and isinstance(wanted, ArrayType):
            built = array(self._build_type(there.element, wanted.element, position.inside("element")))
        elif isinstance(there, MapType) and isinstance(wanted, MapType):
            built = map_of(there.key, self._build_type(there.value, wanted.value, position.inside("value")))
        return built.with_nullable(there.nullable)

    def _build_fields(self, there: RowType, wanted: RowType, position: _Position) -> Iterator[Field]:
        """Yield the fields of a ROW that are there, as they are wanted."""
        names = FieldNames(there.fields)
        paths: dict[tuple[str, int], str] = {}
        for field in wanted.fields:
            inner = position.field(field.name)
            own = names.in_any_case(field.name) or self._there.aliased(there.fields, field.name, self._now)
            if own is None:
                self.faults.append(self._missing_fault(field.name, there, inner.path))
                continue
            pin = inner.pins.get(inner.place, own.id)
            if pin != own.id:
                self.faults.append(other_field_fault(inner.path, pin, own.id, self._there))
                continue
            first = paths.setdefault((field.name.lower(), own.id), inner.path)
            if first != inner.path:
                self.faults.append(twice_fault(inner.path, first))
                continue
            yield own.with_name(field.name).with_type(self._build_type(own.type, field.type, inner))

    def _missing_fault(self, name: str, there: RowType, path: str) -> Fault:
        message = f"version {self._there.schema.id} has no field {shown(path)}."
        return Fault("read.no-column", path, message, did_you_mean(name, [field.name for field in there.fields]))


def _with_fields(data_type: DataType, fields: Sequence[Field]) -> DataType:
    """Return the type, with these fields in the ROW inside it."""
    if isinstance(data_type, ArrayType):
        return array(_with_fields(data_type.element, fields)).with_nullable(data_type.nullable)
    if isinstance(data_type, MapType):
        return map_of(data_type.key, _with_fields(data_type.value, fields)).with_nullable(data_type.nullable)
    return row(fields).with_nullable(data_type.nullable)
