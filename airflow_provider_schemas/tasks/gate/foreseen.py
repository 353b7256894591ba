"""What a gate will ask of the storage: of its tables, of the contracts that it registers, and of what it saw when it was green."""

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
from airflow_provider_schemas.tasks.gate.request import Question
from airflow_provider_schemas.tasks.task_run import Run


def foreseen(store: SchemaStore, question: Question, run: Run) -> PrefetchRequest:
    """What will be asked. What it leaves out is asked when it is needed."""
    branch = branch_name(question.branch)
    needs = [*question.reads.items(), *question.writes.items()]
    return PrefetchRequest(
        tuple(dict.fromkeys((table_name(table), branch) for table, _ in needs)),
        contracts=tuple(dict.fromkeys((table_name(table), run.consumer) for table, need in needs if need == REGISTERED)),
        contract_folders=tuple(dict.fromkeys(_contracts(store, question, run))),
        record_folders=tuple(baselines.folder_of(table_name(table), store.team, run.consumer) for table in question.by_sight),
    )


def _contracts(store: SchemaStore, question: Question, run: Run) -> Iterator[str]:
    """The folders of the contracts that will be registered."""
    if store.read_only or not question.register or question.version is not None:
        return
    for writes, contracts in question.contracts.items():
        for table in contracts:
            name = register_contract.name_of(run, question.contracts, table, writes=writes)
            try:
                yield contract_folder(table_name(table), store.team or NO_TEAM, checked(name, "consumer"))
            except RefusedNameError:  # which is told by whoever registers it
                continue
