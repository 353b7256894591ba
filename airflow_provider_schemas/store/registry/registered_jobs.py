"""The registered jobs of a table as `core/blame` knows them, and the contracts that cannot be read."""

from collections.abc import Iterator
from datetime import datetime

from airflow_provider_schemas.core.blame.registered_job import RegisteredJob
from airflow_provider_schemas.store.registry.contract_record import PREFIX, Registered
from airflow_provider_schemas.store.registry.contracts import Contracts
from airflow_provider_schemas.store.registry.json_records import Unreadable, at


def of(contracts: Contracts, now: datetime | None = None) -> tuple[RegisteredJob, ...]:
    """Return the jobs of contracts."""
    moment = at(now)
    return tuple(_job(registered, moment) for registered in contracts)


def _job(registered: Registered, now: datetime) -> RegisteredJob:
    return RegisteredJob(
        registered.consumer,
        registered.contract,
        registered.team,
        registered.last_seen,
        registered.stale(now),
        registered.pending,
    )


def doubts(contracts: Contracts) -> tuple[str, ...]:
    """Return which contracts cannot be read: their jobs may use any column."""
    return tuple(_doubts(contracts.unreadable))


def _doubts(unreadable: tuple[Unreadable, ...]) -> Iterator[str]:
    for record in unreadable:
        *_, team, job, file = ("", "", *record.path.split("/"))
        whose = f"The contract of {job} ({team})" if file.startswith(PREFIX) and job else "A contract that names no job"
        yield f"{whose} cannot be read: {record.error.code}."
