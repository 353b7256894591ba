"""A contract that was to wait, and that a version of its table has fulfilled since: it waits no more, and counts as any other.

Nothing is written: it is found out again at each look, and recorded when the job registers again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.registry.contract_record import Registered, pinned, pins_for
from airflow_provider_schemas.store.registry.contracts import Contracts

Fitting = Callable[[], Policy | Mapping[str, Any] | None]


def settled(contracts: Contracts, versions: Callable[[], Iterable[Version]], policy: Fitting = lambda: None) -> Contracts:
    """Return the contracts; those that waited as the first version that fulfilled them had them registered.

    Versions, the oldest first, and policy are only asked for where a contract waits.
    """
    if not any(contract.pending for contract in contracts):
        return contracts
    known = tuple(versions())
    rules = policy()
    return replace(contracts, registered=tuple(fulfilled(contract, known, rules) for contract in contracts))


def fulfilled(contract: Registered, versions: Iterable[Version], policy: Policy | Mapping[str, Any] | None = None) -> Registered:
    """Return a contract that waits as the first version after its registration that fulfils it has it registered, if there is one."""
    if not contract.pending:
        return contract
    for version in _versions_after(contract.seen, tuple(versions)):
        if check_contract(version.schema, contract.contract, policy=policy).fits:
            needs = pinned(contract.contract, pins_for(contract.contract, version.schema, {}))
            seen = (version.number, version.digest)
            return replace(contract, contract=needs, pending=False, fulfilled=version.number, seen=seen)
    return contract


def _versions_after(seen: tuple[int, str] | None, versions: Sequence[Version]) -> Sequence[Version]:
    """Return the versions after the one that a contract was registered against, in the order in which they were current.

    In a table that others keep, a version may stand there again, and its number tells nothing.
    """
    places = [place for place, version in enumerate(versions) if (version.number, version.digest) == seen]
    if places:
        return versions[places[-1] + 1 :]
    since = -1 if seen is None else seen[0]
    return [version for version in versions if version.number > since]


def as_fulfilled(
    contract: Registered, head: Version, versions: Callable[[], Iterable[Version]], policy: Policy, now: datetime | None = None
) -> tuple[Registered, tuple[str, ...]]:
    """Return the contract as the first version that fulfilled it has it, and notes, where it waits and the head does not fit."""
    if not contract.pending or check_contract(head.schema, contract.contract, policy=policy, now=now).fits:
        return contract, ()
    settled_contract = fulfilled(contract, versions(), policy)
    if settled_contract.pending:
        return settled_contract, (f"{contract} waits for what is to come: no version has fitted it",)
    return settled_contract, (f"{contract} waited until version {settled_contract.fulfilled} fitted it",)
