"""What a task needs becomes a registered contract of `dag.task`, so that people who change the table hear of it first.

Indexes of a mapped task, and guards of one task, may need different things of one table: then the first keeps that name, and
each of the others registers beside it, under the name with a digest of what it needs (`contract_names`).

A right that is missing, or anything else in the way, is worth one line and no failure: the verdict stands without it.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.registry import contracts as registry
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.gate import contract_names
from airflow_provider_schemas.tasks.gate.contract_names import TaskContract
from airflow_provider_schemas.tasks.gate.request import GateContracts
from airflow_provider_schemas.tasks.task_run import Run

WRITES = ".writes"
"""What a task writes into a table that it reads as well is another contract than what it reads."""


class _Registration(NamedTuple):
    """What has to be said of one contract that was to be registered."""

    refusal: str = ""
    note: str = ""


def register(store: SchemaStore, judgement: Judgement, contracts: GateContracts, run: Run) -> tuple[str, ...]:
    """Register the contracts of tables that fit; return the notes about it."""
    if store.read_only:
        return ()
    fitting = list(_fitting_contracts(store, judgement, contracts, run))
    if not fitting:
        return ()
    at_once = max(store.warehouse.at_once, store.registry.at_once)
    with ThreadPoolExecutor(min(at_once, len(fitting)), "schemas-register") as pool:
        registrations = list(pool.map(lambda contract: _register(store.judging(), contract, run), fitting))
    refusals = [registration.refusal for registration in registrations if registration.refusal]
    notes = [registration.note for registration in registrations if registration.note]
    return (*_refusal_note(refusals, len(fitting)), *notes)


def _fitting_contracts(store: SchemaStore, judgement: Judgement, contracts: GateContracts, run: Run) -> Iterator[TaskContract]:
    """Yield the contracts that the tables on the main branch fit."""
    for answer in judgement.tables:
        contract = contracts.of_tables(writes=answer.writes).get(answer.table)
        if contract is None or answer.version is None or answer.version.branch != MAIN:
            continue
        name = consumer_name(run, contracts, answer.table, writes=answer.writes)
        # Noted also of a contract that does not fit: the name is its own still.
        is_shared = contract_names.is_shared(store, run, answer.table, name, contract)
        if answer.fits:
            yield TaskContract(answer.table, name, contract, contract.owner or run.owner, is_shared)


def _register(store: SchemaStore, contract: TaskContract, run: Run) -> _Registration:
    try:
        return _Registration(note=contract_names.register(store, contract, run))
    except SchemaError as error:
        return _Registration(refusal=error.message)


def _refusal_note(refusals: Sequence[str], count: int) -> tuple[str, ...]:
    """Return the note about contracts that were not registered, if there are any."""
    if not refusals:
        return ()
    subject = f"{len(refusals)} of {count} contracts were" if count > 1 else "the contract was"
    return (f"{subject} not registered, so that nobody who changes the table hears of this task: {refusals[0]}",)


def consumer_name(run: Run, contracts: GateContracts, table: str, *, writes: bool) -> str:
    """Return the name under which a contract about this table is registered, and by which a command asks about it."""
    if writes and table in contracts.reads:
        return f"{run.consumer}{WRITES}"
    return run.consumer


# ---------------------------------------------------------------- the note that a job is in use


def note_job_seen(store: SchemaStore, judgement: Judgement, contracts: GateContracts, run: Run) -> None:
    """Note that the job was seen whose registered contract was judged, once a day; a note that is lost is made the next time.

    A contract that the author wrote and that fits is registered, which says the same.
    """
    if store.read_only:
        return
    for answer in judgement.tables:
        with suppress(SchemaError):
            registered = answer.registered or _registered_unfit(store, answer, contracts, run)
            if registered is not None:
                registry.touch(store.judging().registry, store.table(answer.table).id, registered, actor=store.actor)


def _registered_unfit(store: SchemaStore, answer: TableAnswer, contracts: GateContracts, run: Run) -> Registered | None:
    """Return what is registered for a job whose contract does not fit, and so is not registered again."""
    if answer.fits or answer.version is None or answer.table not in contracts.of_tables(writes=answer.writes):
        return None
    table = store.table(answer.table)
    name = consumer_name(run, contracts, answer.table, writes=answer.writes)
    return registry.found(table.registry, table.id, name, team=store.team or NO_TEAM)
