"""Under which name a contract is registered where `dag.task` may be that of another one already.

| who gives another contract of the table | what is done |
|---|---|
| the task, since its author changed it | it replaces what was registered |
| another index of a mapped task, another guard of this try | it is registered beside it, as `dag.task@digest` |
| a task of another DAG whose name joins to the same | it replaces it, and the verdict says so |

The digest is of what is needed, so that the same index finds its own again in any order. What no index gives any more
grows stale as any contract does, and is then taken away by the next index that is new.
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
_DIGEST_LENGTH = 8
# Who gives a contract and where it lies is no need.
_NOT_NEEDS = frozenset({"name", "table", "owner", "contact", "last_seen"})
_CURRENT_TRY: dict[tuple[str, str, int], dict[tuple[str, str], str]] = {}
"""The first digest of each table and name in the try that runs in this process. It holds one try only."""


class TaskContract(NamedTuple):
    """A contract of a task, about a table that fits it."""

    table: str
    consumer: str
    contract: Contract
    owner: str
    is_shared: bool = False
    """Whether others may need something else under this name."""


def register(store: SchemaStore, contract: TaskContract, run: Run) -> str:
    """Register a contract without taking away what others need; return a note about it, or an empty text."""
    if contract.is_shared:
        _register_beside(store, contract)
        return ""
    note = ""
    if "." in run.dag_id or "." in run.task_id:
        note = _note_of_replaced(store, contract, run)
    _register(store, contract)
    return note


def is_shared(store: SchemaStore, run: Run, table: str, consumer: str, contract: Contract) -> bool:
    """Return whether another contract may bear this name, and remember this one.

    That is so for an index of a mapped task, and if the try has asked by another contract of the table before.
    """
    current_try = (store.url, run.text, run.try_number)
    if current_try not in _CURRENT_TRY:
        _CURRENT_TRY.clear()
    digest = digest_of_needs(contract)
    first = _CURRENT_TRY.setdefault(current_try, {}).setdefault((table, consumer), digest)
    return run.map_index >= 0 or first != digest


def digest_of_needs(contract: Contract) -> str:
    """Return a digest of what is needed, which is the same for all tasks that need it."""
    return hashlib.sha256(contract.model_dump_json(exclude=set(_NOT_NEEDS)).encode()).hexdigest()


def name_beside(contract: TaskContract) -> str:
    """Return the name under which a contract is registered where another one has the name of the task."""
    return f"{contract.consumer}{BESIDE}{digest_of_needs(contract.contract)[:_DIGEST_LENGTH]}"


def _register(store: SchemaStore, contract: TaskContract) -> Registered:
    return store.table(contract.table).register(contract.contract, consumer=contract.consumer, owner=contract.owner)


# ---------------------------------------------------------------- beside another


def _register_beside(store: SchemaStore, contract: TaskContract) -> None:
    """Register a contract under the name of the task, if that is free, and else beside it."""
    table = store.table(contract.table)
    known = _known(table, contract.consumer, _team(store))
    if known is None or _is_stale(known) or _needs_same(known, contract):
        mine = _register(store, contract)
        _restore_overwritten(store, contract, mine, known)
        return
    own = contract._replace(consumer=name_beside(contract))
    is_new = _known(table, own.consumer, _team(store)) is None
    _register(store, own)
    if is_new:
        _remove_stale(store, contract)


def _restore_overwritten(store: SchemaStore, contract: TaskContract, mine: Registered, known: Registered | None) -> None:
    """Register anew what was overwritten: two indexes that come first at once both find the name free, and the later one does this."""
    if mine.number == 0 or (known is not None and mine.number == known.number):
        return
    table = store.table(contract.table)
    history = {registered.number: registered for registered in _history(table, contract.consumer, _team(store))}
    lost = history.get(mine.number - 1)
    if lost is None or lost.removed or _is_stale(lost) or _needs_same(lost, contract):
        return
    theirs = contract._replace(contract=lost.given, owner=lost.given.owner)
    _register(store, theirs._replace(consumer=name_beside(theirs)))


def _remove_stale(store: SchemaStore, contract: TaskContract) -> None:
    """Remove stale contracts beside this one, which hold nobody up any more. A missing right to do so stops nobody."""
    table = store.table(contract.table)
    prefix = f"{contract.consumer}{BESIDE}"
    with suppress(SchemaError):
        for registered in table.registered():
            if registered.consumer.startswith(prefix) and registered.team == _team(store) and _is_stale(registered):
                table.remove_contract(registered.consumer, team=registered.team)


def _is_stale(registered: Registered) -> bool:
    return registered.stale(datetime.now(UTC))


def _needs_same(registered: Registered, contract: TaskContract) -> bool:
    return digest_of_needs(registered.given) == digest_of_needs(contract.contract)


# ---------------------------------------------------------------- of another DAG


def _note_of_replaced(store: SchemaStore, contract: TaskContract, run: Run) -> str:
    """Return the note that this contract replaces one that may be of another task: dots join two DAGs to one name."""
    table = store.table(contract.table)
    known = _known(table, contract.consumer, _team(store))
    if known is None or _is_stale(known) or _needs_same(known, contract):
        return ""
    earlier = (registered for registered in _history(table, contract.consumer, _team(store)) if registered.number < known.number)
    has_returned = any(_needs_same(registered, contract) for registered in earlier)
    if not has_returned and known.given.owner == contract.owner:
        return ""
    whose = f" of {known.given.owner}" if known.given.owner not in ("", contract.owner) else ""
    return (
        f"another contract{whose} was registered for {contract.table} as {contract.consumer}, and this one has replaced it: if a task of "
        f"another DAG than {run.dag_id} joins to that name as well, rename one of them, for only the last to run is told of changes"
    )


# ---------------------------------------------------------------- what is registered


def _team(store: SchemaStore) -> str:
    return store.team or NO_TEAM


def _known(table: Table, consumer: str, team: str) -> Registered | None:
    """Return what is registered under a name; None where nothing is, or what nobody can read: registering puts that right."""
    try:
        return contracts.found(table.registry, table.id, consumer, team=team)
    except (NotThereError, ContractError):
        return None


def _history(table: Table, consumer: str, team: str) -> tuple[Registered, ...]:
    """Return all contracts that were registered under a name; none if they cannot be read."""
    try:
        return register_contract.versions(table.registry, table.id, consumer, team=team)
    except ContractError:
        return ()
