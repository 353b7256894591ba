"""Under which name a contract is registered where `dag.task` may be that of another one already.

| who gives another contract of the table | what is done |
|---|---|
| the task, since its author changed it | it replaces what was registered |
| another index of a mapped task, another guard of this try | it is registered beside it, as `dag.task@digest` |
| a task of another DAG whose name joins to the same | it replaces it, and the verdict says so |

The digest is of what is needed, so that the same index finds its own again in any order. What no index gives any more
grows stale as any contract does, and is then taken away by whoever comes new.
"""

import hashlib
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import ContractError, NotThereError, SchemaError
from airflow_provider_schemas.store.registry import contracts, register_contract
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks.task_run import Run

BESIDE = "@"
_SHOWN = 8
# Who gives it and where it lies says this; it is no need.
_ABOUT = frozenset({"name", "table", "owner", "contact", "last_seen"})
_OF_ONE_TRY: dict[tuple[str, str, int], dict[tuple[str, str], str]] = {}
"""What the try that runs in this process asked by first: needs by table and name. Of one try only."""


class Given(NamedTuple):
    """A contract of a table that fits it."""

    table: str
    consumer: str
    contract: Contract
    owner: str
    shared: bool = False
    """Whether others may need something else under this name."""


def register(store: SchemaStore, given: Given, run: Run) -> str:
    """Register a contract without taking away what others need; what has to be said of it."""
    if given.shared:
        _beside(store, given)
        return ""
    note = _taken_over(store, given, run) if "." in run.dag_id or "." in run.task_id else ""
    _register(store, given)
    return note


def needed(contract: Contract) -> str:
    """A digest of what is needed, whoever needs it."""
    return hashlib.sha256(contract.model_dump_json(exclude=set(_ABOUT)).encode()).hexdigest()


def name_beside(given: Given) -> str:
    return f"{given.consumer}{BESIDE}{needed(given.contract)[:_SHOWN]}"


def is_shared(store: SchemaStore, run: Run, table: str, consumer: str, contract: Contract) -> bool:
    """Whether this is an index of a mapped task, or its try has asked by another contract of the table before. Remembers this one."""
    key = (store.url, run.text, run.try_number)
    if key not in _OF_ONE_TRY:
        _OF_ONE_TRY.clear()
    first = _OF_ONE_TRY.setdefault(key, {}).setdefault((table, consumer), needed(contract))
    return run.map_index >= 0 or first != needed(contract)


def _register(store: SchemaStore, given: Given) -> Registered:
    return store.table(given.table).register(given.contract, consumer=given.consumer, owner=given.owner)


# ---------------------------------------------------------------- beside another


def _beside(store: SchemaStore, given: Given) -> None:
    """Under the name of the task, where that is free; else beside it."""
    table = store.table(given.table)
    known = _known(table, given.consumer, _team(store))
    if known is None or _is_gone(known) or _is_same(known, given):
        _restore(store, given, _register(store, given), known)
        return
    own = given._replace(consumer=name_beside(given))
    is_new = _known(table, own.consumer, _team(store)) is None
    _register(store, own)
    if is_new:
        _tidy(store, given)


def _restore(store: SchemaStore, given: Given, mine: Registered, known: Registered | None) -> None:
    """Two indexes that come first at once both find the name free: the later one registers anew what it has written over."""
    if mine.number == 0 or (known is not None and mine.number == known.number):
        return
    history = {one.number: one for one in _history(store.table(given.table), given.consumer, _team(store))}
    lost = history.get(mine.number - 1)
    if lost is not None and not lost.removed and not _is_gone(lost) and not _is_same(lost, given):
        theirs = given._replace(contract=lost.given, owner=lost.given.owner)
        _register(store, theirs._replace(consumer=name_beside(theirs)))


def _tidy(store: SchemaStore, given: Given) -> None:
    """Take away what lies beside and is stale: it holds nobody up any more. Who may not is not stopped by it."""
    table = store.table(given.table)
    with suppress(SchemaError):
        for one in table.registered():
            if one.consumer.startswith(f"{given.consumer}{BESIDE}") and one.team == _team(store) and _is_gone(one):
                table.remove_contract(one.consumer, team=one.team)


def _is_gone(one: Registered) -> bool:
    return one.stale(datetime.now(UTC))


def _is_same(one: Registered, given: Given) -> bool:
    return needed(one.given) == needed(given.contract)


# ---------------------------------------------------------------- of another DAG


def _taken_over(store: SchemaStore, given: Given, run: Run) -> str:
    """What is said where the name may be that of another task as well: dots join to one name what are two DAGs."""
    table = store.table(given.table)
    known = _known(table, given.consumer, _team(store))
    if known is None or _is_gone(known) or _is_same(known, given):
        return ""
    again = any(_is_same(one, given) for one in _history(table, given.consumer, _team(store)) if one.number < known.number)
    if not again and known.given.owner == given.owner:
        return ""
    whose = f" of {known.given.owner}" if known.given.owner not in ("", given.owner) else ""
    return (
        f"another contract{whose} was registered for {given.table} as {given.consumer}, and this one has replaced it: if a task of another "
        f"DAG than {run.dag_id} joins to that name as well, rename one of them, for only the last to run is told of changes"
    )


# ---------------------------------------------------------------- what is registered


def _team(store: SchemaStore) -> str:
    return store.team or NO_TEAM


def _known(table: Table, consumer: str, team: str) -> Registered | None:
    """What is registered under a name; None where nothing is, or what nobody can read: whoever registers puts that right."""
    try:
        return contracts.found(table.registry, table.id, consumer, team=team)
    except (NotThereError, ContractError):
        return None


def _history(table: Table, consumer: str, team: str) -> tuple[Registered, ...]:
    try:
        return register_contract.versions(table.registry, table.id, consumer, team=team)
    except ContractError:
        return ()
