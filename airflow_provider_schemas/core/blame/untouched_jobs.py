"""Which jobs the step from one version to the next cannot touch, so that they need not be judged again."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from airflow_provider_schemas.core.contracts.roles import Shape
from airflow_provider_schemas.core.schema.field_attributes import aliases_by_field
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.field_ids import all_ids

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class TouchedColumns(Struct, frozen=True):
    """The columns that differ between two versions."""

    names: frozenset[str]
    """Their names and aliases in both versions, in lower case: Spark looks for names in any case."""
    ids: frozenset[int]
    """Their ids, and those of the fields inside them."""
    is_whole_table: bool
    """Whether keys or options differ, so that any job may be touched."""

    @classmethod
    def between(cls, old: TableSchema, new: TableSchema) -> Self:
        """Return what differs between two versions, and the columns of these names in another case: Spark may not tell them apart."""
        before = set(old.fields)
        after = set(new.fields)
        names = {column.name.lower() for column in before ^ after}
        touched = [column for column in (*old.fields, *new.fields) if column.name.lower() in names]
        ids = frozenset(all_ids(touched))
        names.update(_aliases(old, ids), _aliases(new, ids))
        return cls(frozenset(names), ids, _about_table(old) != _about_table(new))

    def touches(self, contract: "Contract") -> bool:
        """Return whether the step may make another verdict on a job. The order of columns matters only to jobs that take all of them."""
        if self.is_whole_table or contract.shape is not Shape.OPEN or contract.writes:
            return True
        if not self.names.isdisjoint(name.lower() for name in contract.names):
            return True
        return not self.ids.isdisjoint(_pins(contract))


def _about_table(schema: TableSchema) -> tuple[object, ...]:
    return (schema.primary_keys, schema.partition_keys, schema.options)


def _aliases(schema: TableSchema, ids: frozenset[int]) -> Iterator[str]:
    for number, names in aliases_by_field(schema):
        if number in ids:
            yield from (name.lower() for name in names)


def _pins(contract: "Contract") -> set[int]:
    """Return the fields that a contract is pinned to, at all depths."""
    pins = set(contract.pins)
    for need in contract.columns:
        pins.update(need.inner.values())
    return pins
