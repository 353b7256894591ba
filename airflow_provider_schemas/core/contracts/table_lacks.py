"""What a table does not give a job: the columns beside those that it names, their order, and its keys."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.contracts.column_lacks import find_meant
from airflow_provider_schemas.core.contracts.field_match import out_of_order
from airflow_provider_schemas.core.contracts.lack import Lack
from airflow_provider_schemas.core.contracts.roles import Shape
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


def shape_lacks(there: Lookup, contract: "Contract", seen: Lookup | None) -> Iterator[Lack]:
    """Yield columns that the job does not expect, or must send and does not; then those that stand elsewhere."""
    if contract.shape is not Shape.OPEN:
        yield from _unexpected_columns(there, contract, seen)
    elif contract.writes:
        yield from _unsent_columns(there, contract, seen)


def _unexpected_columns(there: Lookup, contract: "Contract", seen: Lookup | None) -> Iterator[Lack]:
    """Yield the columns that a job takes along and does not know; if there are none, those out of their order."""
    columns = _named_columns(there, contract, seen)
    matched = [column for column in columns.values() if column is not None]
    known = {column.id for column in matched} | contract.pins
    extra = False
    for column in there.schema.fields:
        if column.id not in known and not columns.keys() & there.alias_of(column.id).keys():
            extra = True
            yield _extra(column)
    if contract.shape is Shape.POSITIONAL and not extra and len(matched) == len(columns):
        yield from out_of_order("", list(columns), matched, there.schema.fields)


def _unsent_columns(there: Lookup, contract: "Contract", seen: Lookup | None) -> Iterator[Lack]:
    """Yield the columns without which a row cannot be written, and that the job does not send."""
    known = {column.id for column in _named_columns(there, contract, seen).values() if column is not None}
    for column in there.schema.fields:
        if not column.type.nullable and column.default is None and column.id not in known:
            yield _extra(column)


def _extra(column: Field) -> Lack:
    return Lack("EXPECT_EXTRA_FIELD", column.name, id=column.id, new=str(column.type))


def _named_columns(there: Lookup, contract: "Contract", seen: Lookup | None) -> dict[str, Field | None]:
    """Return the columns that a contract names, each with the one of the table that it means, or that has its name."""
    columns: dict[str, Field | None] = {}
    for need in contract.columns:
        path = there.path(need.name, seen)
        number = need.id if len(path) == 1 else None
        meant, same_named = find_meant(there, path[:1], name=path[0], number=number, seen=seen)
        target = meant or same_named
        columns.setdefault(path[0], None if target is None else target.way[0])
    return columns


def key_lacks(schema: TableSchema, contract: "Contract") -> Iterator[Lack]:
    """Yield the keys that a job relies on and the table does not have."""
    if contract.primary_key is not None and set(contract.primary_key) != set(schema.primary_keys):
        yield Lack("EXPECT_KEY_CHANGED", "primaryKeys", ", ".join(contract.primary_key), ", ".join(schema.primary_keys))
    for name in contract.partitioned_by or ():
        if name not in schema.partition_keys:
            yield Lack("EXPECT_PARTITION_MISSING", name)
