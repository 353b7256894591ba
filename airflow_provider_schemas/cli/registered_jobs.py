"""The jobs that are registered for a table, as far as a check asks them: those that count, those that only warn, those that wait."""

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract
    from airflow_provider_schemas.core.policies.policy import Policy
    from airflow_provider_schemas.store.registry.contract_record import Registered
    from airflow_provider_schemas.store.table import Table


class Jobs(NamedTuple):
    """What jobs need of a table."""

    blocking: "tuple[Contract, ...]"
    fitted: "tuple[Contract, ...]"
    """Those of them that do not wait for what is to come."""
    stale: tuple["Registered", ...]
    waiting: tuple[str, ...]
    unreadable: tuple[str, ...]

    def told(self, report: Report, old: TableSchema | None, new: TableSchema, policy: "Policy | None") -> Report:
        """The report, with what those lack that only warn, and with what could not be read."""
        from airflow_provider_schemas.store.registry.stale_contracts import with_warnings

        found = with_warnings(report, self.stale, old, new, policy=policy)
        return msgspec.structs.replace(found, notes=(*found.notes, *self.unreadable))


def of(table: "Table") -> Jobs:
    """The jobs of a table."""
    from airflow_provider_schemas.store.registry.contracts import active as active_of

    found = table.registered()
    active = active_of(found)
    stale = {(one.team, one.consumer) for one in active.stale}
    counting = [one for one in found if (one.team, one.consumer) not in stale]
    return Jobs(
        active.blocking,
        tuple(one.contract for one in counting if not one.pending),
        active.stale,
        tuple(f"{one} is registered, and waits for what is to come" for one in counting if one.pending),
        found.said,
    )
