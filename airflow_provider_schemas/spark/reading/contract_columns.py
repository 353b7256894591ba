"""The columns of a table as a contract asks for them: its names, its order, the parts that it names, and the types that it names."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.contracts.contract import Accepts, Need
from airflow_provider_schemas.core.schema.field_lookup import Found
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, array, map_of, row


class Way(NamedTuple):
    """A column or field that a contract needs: how the contract calls it, step by step, and where the table has it."""

    need: Need
    path: tuple[str, ...]
    found: Found


def columns_of(ways: Iterable[Way]) -> tuple[Field, ...]:
    """The columns in the order of the contract; of one of which it names fields, these fields alone."""
    by_name: dict[str, list[Way]] = {}
    for one in ways:
        by_name.setdefault(one.path[0], []).append(one)
    return tuple(_asked(name, some, 0) for name, some in by_name.items())


def _asked(name: str, ways: Sequence[Way], depth: int) -> Field:
    """The field at this depth of all these ways, under the name that they have for it."""
    there = ways[0].found.way[depth].with_name(name)
    whole = next((one.need for one in ways if len(one.path) == depth + 1), None)
    if whole is not None:
        return there.with_type(_typed(there.type, whole))
    inside: dict[str, list[Way]] = {}
    for one in ways:
        inside.setdefault(one.path[depth + 1], []).append(one)
    fields = [_asked(step, some, depth + 1) for step, some in inside.items()]
    return there.with_type(_with_fields(there.type, fields))


def _with_fields(kind: DataType, fields: Sequence[Field]) -> DataType:
    """The type, with these fields in the ROW inside it."""
    if isinstance(kind, ArrayType):
        return array(_with_fields(kind.element, fields)).with_nullable(kind.nullable)
    if isinstance(kind, MapType):
        return map_of(kind.key, _with_fields(kind.value, fields)).with_nullable(kind.nullable)
    return row(fields).with_nullable(kind.nullable)


def _typed(there: DataType, need: Need) -> DataType:
    """The type that the contract names, unless it takes any."""
    return there if need.kind is None or need.accepts is Accepts.ANY else _like(there, need.kind)


def _like(there: DataType, wanted: DataType) -> DataType:
    """The wanted type with the ids of the table: fields inside it are known by their names."""
    if isinstance(there, RowType) and isinstance(wanted, RowType):
        mine = {one.name: one for one in there.fields}
        fields = [mine[one.name].with_type(_like(mine[one.name].type, one.type)) for one in wanted.fields if one.name in mine]
        return row(fields).with_nullable(there.nullable)
    if isinstance(there, ArrayType) and isinstance(wanted, ArrayType):
        return array(_like(there.element, wanted.element)).with_nullable(there.nullable)
    if isinstance(there, MapType) and isinstance(wanted, MapType):
        return map_of(there.key, _like(there.value, wanted.value)).with_nullable(there.nullable)
    return wanted.with_nullable(there.nullable)
