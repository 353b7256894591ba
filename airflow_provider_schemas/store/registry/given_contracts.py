"""Contracts that a caller brings along, as those of files in git: they count as registered, in place of those of the same jobs."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.registry.contracts import Contracts

_NOT_REGISTERED = -1


def with_given(contracts: Contracts, given: Sequence[Contract], team: str = "") -> Contracts:
    """Return the contracts of a table with those that a caller brings along; what a job of the same team had registered is left out.

    Where jobs of several teams have one name, the names say of which team each is.
    """
    if not given:
        return contracts
    home = team or NO_TEAM
    names = {contract.name for contract in given}
    others = [registered for registered in contracts.registered if registered.consumer not in names or registered.team != home]
    shared = {registered.consumer for registered in others} & names
    whole = (
        registered.of_team() if registered.consumer in shared else registered for registered in (*others, *_as_registered(given, home))
    )
    return replace(contracts, registered=tuple(whole))


def _as_registered(given: Iterable[Contract], team: str) -> Iterable[Registered]:
    """Yield contracts as if they were registered: their jobs count as seen, since no registry knows when they were."""
    for contract in given:
        yield Registered(contract, contract, team, contract.name, _NOT_REGISTERED, digest="", by="", at="")
