"""A contract that was to wait, and that a version of its table has fulfilled since: it waits no more, and counts as any other.

Nothing is written: whoever looks finds it out again, and the job writes it down when it registers again.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.registry.contract_record import Registered, pinned, pins_for
from airflow_provider_schemas.store.registry.contracts import Contracts

Fitting = Callable[[], Policy | Mapping[str, Any] | None]


def settled(found: Contracts, versions: Callable[[], Iterable[Version]], policy: Fitting = lambda: None) -> Contracts:
    """Return the contracts; those that waited as the first version that fulfilled them had them registered.

    Versions, the oldest first, and policy are only asked for where a contract waits.
    """
    if not any(one.pending for one in found):
        return found
    there, rules = tuple(versions()), policy()
    return replace(found, registered=tuple(fulfilled(one, there, rules) for one in found))


def fulfilled(one: Registered, versions: Iterable[Version], policy: Policy | Mapping[str, Any] | None = None) -> Registered:
    """Return a contract that waits as the first version after its registration that fulfils it has it registered, if there is one."""
    if not one.pending:
        return one
    since = -1 if one.seen is None else one.seen[0]
    later = (version for version in versions if version.number > since)
    first = next((version for version in later if check_contract(version.schema, one.contract, policy=policy).fits), None)
    if first is None:
        return one
    needs = pinned(one.contract, pins_for(one.contract, first.schema, {}))
    return replace(one, contract=needs, pending=False, fulfilled=first.number, seen=(first.number, first.digest))


def as_fulfilled(
    one: Registered, head: Version, versions: Callable[[], Iterable[Version]], policy: Policy, now: datetime | None = None
) -> tuple[Registered, tuple[str, ...]]:
    """Return the contract as the first version that fulfilled it has it, and what to say, where it waits and the head does not fit."""
    if not one.pending or check_contract(head.schema, one.contract, policy=policy, now=now).fits:
        return one, ()
    found = fulfilled(one, versions(), policy)
    if found.pending:
        return found, (f"{one} waits for what is to come: no version has fitted it",)
    return found, (f"{one} waited until version {found.fulfilled} fitted it",)
