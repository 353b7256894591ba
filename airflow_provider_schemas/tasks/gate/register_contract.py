"""What a task needs becomes a registered contract of `dag.task`, so that whoever changes the table hears of it first.

Indexes of a mapped task, and guards of one task, may need different things of one table: then the first keeps that name, and
each of the others registers beside it, under the name with a digest of what it needs (`contract_names`).

A right that is missing, or anything else in the way, is worth one line and no failure: the verdict stands without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.registry import contracts as registry
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.gate import contract_names
from airflow_provider_schemas.tasks.task_run import Run

WRITES = ".writes"
"""What a task writes into a table that it reads as well is another contract than what it reads."""


Contracts = Mapping[bool, Mapping[str, Contract]]
"""The contracts of a task by table, and by whether it writes the table."""


class _Told(NamedTuple):
    """What has to be said of one contract."""

    refusal: str = ""
    note: str = ""


def register(store: SchemaStore, judgement: Judgement, contracts: Contracts, run: Run) -> tuple[str, ...]:
    """Register the contracts of tables that fit; what has to be said of it."""
    given = [] if store.read_only else list(_given(store, judgement, contracts, run))
    if not given:
        return ()
    at_once = max(store.warehouse.at_once, store.registry.at_once)
    with ThreadPoolExecutor(min(at_once, len(given)), "schemas-register") as pool:
        told = list(pool.map(lambda one: _told(store.judging(), one, run), given))
    return (*_said([one.refusal for one in told if one.refusal], len(given)), *(one.note for one in told if one.note))


def renew(store: SchemaStore, judgement: Judgement, contracts: Contracts, run: Run) -> None:
    """Note that the job was seen whose registered contract was judged, once a day; a note that is lost is made the next time.

    What was given and fits is registered, which says the same.
    """
    if store.read_only:
        return
    for one in judgement.tables:
        with suppress(SchemaError):
            registered = one.registered or _unfit(store, one, contracts, run)
            if registered is not None:
                registry.touch(store.judging().registry, store.table(one.table).id, registered, actor=store.actor)


def _unfit(store: SchemaStore, answer: TableAnswer, contracts: Contracts, run: Run) -> Registered | None:
    """What is registered for a job whose contract does not fit, so that it is not registered again."""
    if answer.fits or answer.version is None or answer.table not in contracts[answer.writes]:
        return None
    table, name = store.table(answer.table), name_of(run, contracts, answer.table, writes=answer.writes)
    return registry.found(table.registry, table.id, name, team=store.team or NO_TEAM)


def _given(store: SchemaStore, judgement: Judgement, contracts: Contracts, run: Run) -> Iterator[contract_names.Given]:
    for one in judgement.tables:
        contract = contracts[one.writes].get(one.table)
        if contract is None or one.version is None or one.version.branch != MAIN:
            continue
        name = name_of(run, contracts, one.table, writes=one.writes)
        shared = contract_names.is_shared(store, run, one.table, name, contract)  # also where it does not fit: the name is its own still
        if one.fits:
            yield contract_names.Given(one.table, name, contract, contract.owner or run.owner, shared)


def name_of(run: Run, contracts: Contracts, table: str, *, writes: bool) -> str:
    """The name under which a contract about this table is registered, and by which a command asks about it."""
    return f"{run.consumer}{WRITES}" if writes and table in contracts[False] else run.consumer


def _told(store: SchemaStore, given: contract_names.Given, run: Run) -> _Told:
    try:
        return _Told(note=contract_names.register(store, given, run))
    except SchemaError as error:
        return _Told(refusal=error.message)


def _said(refused: Sequence[str], asked: int) -> tuple[str, ...]:
    if not refused:
        return ()
    many = f"{len(refused)} of {asked} contracts were" if asked > 1 else "the contract was"
    return (f"{many} not registered, so that nobody who changes the table hears of this task: {refused[0]}",)
