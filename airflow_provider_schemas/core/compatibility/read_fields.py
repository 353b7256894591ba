"""Which fields of a table registered contracts read: a dropped field that none of them reads breaks nobody."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.compatibility.broken_contracts import top
from airflow_provider_schemas.core.contracts.roles import Accepts
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.schema.field_lookup import Lookup
from airflow_provider_schemas.core.types.field_ids import all_ids

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract


class ReadFields:
    """The fields of the old schema that contracts read."""

    def __init__(self, old: Lookup, contracts: "Sequence[Contract]") -> None:
        self._old = old
        self._contracts = contracts

    def include(self, dropped: Observation) -> bool:
        """Return whether a contract reads a dropped field, by its id, or by the name of its column."""
        if dropped.id in self._ids:
            return True
        if len(dropped.where.steps) > 1:
            return False
        column = top(dropped.path)
        return any(column in contract.names for contract in self._contracts)

    @cached_property
    def _ids(self) -> frozenset[int]:
        """Return the ids of the fields; a contract that takes a whole struct, of whatever type, reads every field of it."""
        ids = set[int]()
        whole = set[int]()
        for contract in self._contracts:
            for need in contract.columns:
                target = self._old.by_id(need.id) if need.id is not None else self._old.called(self._old.path(need.name))
                if target is None:
                    continue
                ids.update(target.ids)
                if target.field.id not in whole and (need.kind is None or need.accepts is Accepts.ANY):
                    whole.add(target.field.id)
                    ids.update(all_ids([target.field]))
        return frozenset(ids)
