"""What a gate will read of the storage: of its tables, of the contracts that it registers, and of what it saw when it was green.

The storage is asked for all of it at once. What is left out here is asked for when it is needed.
"""

from collections.abc import Iterator

from airflow_provider_schemas.errors import RefusedNameError
from airflow_provider_schemas.store.check_tables import REGISTERED
from airflow_provider_schemas.store.layout.identifiers import branch_name, checked, table_name
from airflow_provider_schemas.store.layout.paths import contract_folder
from airflow_provider_schemas.store.prefetch import PrefetchRequest
from airflow_provider_schemas.store.registry import baselines
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.gate import register_contract
from airflow_provider_schemas.tasks.gate.request import GateRequest
from airflow_provider_schemas.tasks.task_run import Run


def list_reads(store: SchemaStore, request: GateRequest, run: Run) -> PrefetchRequest:
    """Return what the gate will read."""
    branch = branch_name(request.branch)
    tables = {name: table_name(name) for name, _ in request.tables()}
    registered = (name for name, need in request.tables() if need == REGISTERED)
    return PrefetchRequest(
        tuple((table, branch) for table in tables.values()),
        contracts=tuple((tables[name], run.consumer) for name in dict.fromkeys(registered)),
        contract_folders=tuple(dict.fromkeys(_contract_folders(store, request, run))),
        record_folders=tuple(baselines.folder_of(tables[name], store.team, run.consumer) for name in request.uncontracted_tables),
    )


def _contract_folders(store: SchemaStore, request: GateRequest, run: Run) -> Iterator[str]:
    """Yield the folders of the contracts that will be registered."""
    if store.read_only or not request.register or request.version is not None:
        return
    contracts = request.contracts
    for writes in (False, True):
        for table in contracts.of_tables(writes=writes):
            name = register_contract.consumer_name(run, contracts, table, writes=writes)
            try:
                yield contract_folder(table_name(table), store.team or NO_TEAM, checked(name, "consumer"))
            except RefusedNameError:  # raised again where the contract is registered
                continue
