"""What a task needs becomes a registered contract of `dag.task`, so that whoever changes the table hears of it first.

A right that is missing, or anything else in the way, is worth one line and no failure: the verdict stands without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.judge import Judgement
from airflow_provider_schemas.store.names import MAIN
from airflow_provider_schemas.store.warehouse import SchemaStore
from airflow_provider_schemas.tasks.run import Run

_AT_ONCE = 8
WRITES = ".writes"
"""What a task writes into a table that it reads as well is another contract than what it reads."""


Contracts = Mapping[bool, Mapping[str, Contract]]
"""The contracts of a task by table, and by whether it writes the table."""


class _Given(NamedTuple):
    """A contract of a table that fits it."""

    table: str
    consumer: str
    contract: Contract
    owner: str


def register(store: SchemaStore, judgement: Judgement, contracts: Contracts, run: Run) -> tuple[str, ...]:
    """Register the contracts of tables that fit; what has to be said of it."""
    given = [] if store.read_only else list(_given(judgement, contracts, run))
    if not given:
        return ()
    with ThreadPoolExecutor(min(_AT_ONCE, len(given)), "schemas-register") as pool:
        refused = [one for one in pool.map(lambda one: _refusal(store, one), given) if one]
    return _said(refused, len(given))


def _given(judgement: Judgement, contracts: Contracts, run: Run) -> Iterator[_Given]:
    for one in judgement.tables:
        contract = contracts[one.writes].get(one.table)
        if contract is not None and one.fits and one.version is not None and one.version.branch == MAIN:
            yield _Given(one.table, name_of(run, contracts, one.table, writes=one.writes), contract, contract.owner or run.owner)


def name_of(run: Run, contracts: Contracts, table: str, *, writes: bool) -> str:
    """The name under which a contract about this table is registered."""
    return f"{run.consumer}{WRITES}" if writes and table in contracts[False] else run.consumer


def _refusal(store: SchemaStore, given: _Given) -> SchemaError | None:
    try:
        store.table(given.table).register(given.contract, consumer=given.consumer, owner=given.owner)
    except SchemaError as error:
        return error
    return None


def _said(refused: Sequence[SchemaError], asked: int) -> tuple[str, ...]:
    if not refused:
        return ()
    many = f"{len(refused)} of {asked} contracts were" if asked > 1 else "the contract was"
    return (f"{many} not registered, so that nobody who changes the table hears of this task: {refused[0].message}",)
