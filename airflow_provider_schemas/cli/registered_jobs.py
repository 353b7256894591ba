"""The jobs that are registered for a table, as a check asks them: those that count, those that only warn, those that wait."""

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
    """The contracts of the jobs of a table, by what they do to a verdict."""

    blocking: "tuple[Contract, ...]"
    fitted: "tuple[Contract, ...]"
    """The blocking contracts that do not wait for a later version."""
    stale: tuple["Registered", ...]
    """Contracts that only warn."""
    waiting: tuple[str, ...]
    """Notes about jobs that wait."""
    unreadable: tuple[str, ...]
    """Notes about contracts that cannot be read."""

    def add_warnings(self, report: Report, old: TableSchema | None, new: TableSchema, policy: "Policy | None") -> Report:
        """Return the report with the warnings of stale contracts, and with notes about contracts that cannot be read."""
        from airflow_provider_schemas.store.registry.stale_contracts import with_warnings

        warned = with_warnings(report, self.stale, old, new, policy=policy)
        return msgspec.structs.replace(warned, notes=(*warned.notes, *self.unreadable))


def jobs_of(table: "Table") -> Jobs:
    """Read the jobs of a table."""
    from airflow_provider_schemas.store.registry.contracts import active as active_of

    contracts = table.registered()
    active = active_of(contracts)
    stale = {(contract.team, contract.consumer) for contract in active.stale}
    counting = [contract for contract in contracts if (contract.team, contract.consumer) not in stale]
    return Jobs(
        active.blocking,
        tuple(contract.contract for contract in counting if not contract.pending),
        active.stale,
        tuple(f"{contract} is registered, and waits for what is to come" for contract in counting if contract.pending),
        contracts.said,
    )
