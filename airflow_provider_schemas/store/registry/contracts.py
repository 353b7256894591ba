"""The contracts of the jobs that use a table: `contracts/{db}/{table}/{team}/{consumer}/contract-N`, versions like those of a schema.

The highest number counts; one that says removed takes the contract away, and its history stays. The file
`seen` beside them says when the job was last seen, and is written over at most once a day.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from airflow_provider_schemas.core.common.deadlines import begins
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import ContractError, NotThereError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName, checked
from airflow_provider_schemas.store.layout.paths import contract_folder, contracts_folder, joined
from airflow_provider_schemas.store.registry.contract_record import (
    NO_TEAM,
    PREFIX,
    SEEN,
    ContractRecord,
    Registered,
    SeenRecord,
    registered,
)
from airflow_provider_schemas.store.registry.json_records import LIMIT, Unreadable, at, bytes_of, decoded, encoded, stamp
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.numbered_files import Numbered

ONCE_IN = timedelta(days=1)


class Contracts(Struct, frozen=True):
    """The contracts of a table, and what could not be read: a job may depend on what stands there."""

    registered: tuple[Registered, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()

    def __iter__(self) -> Iterator[Registered]:
        return iter(self.registered)

    def __len__(self) -> int:
        return len(self.registered)

    @property
    def said(self) -> tuple[str, ...]:
        """What a report has to say besides."""
        return tuple(f"{one}; whether its reader or writer breaks is not known" for one in self.unreadable)


class Active(Struct, frozen=True):
    """The contracts that count, by what they can do."""

    blocking: tuple[Contract, ...] = ()
    stale: tuple[Registered, ...] = ()
    """Nobody has seen their jobs for so long that they only warn: `stale_contracts.with_warnings` judges them."""


def active(contracts: Contracts, now: datetime | None = None) -> Active:
    """Which contracts block, and which only warn."""
    moment = at(now)
    return Active(
        tuple(one.contract for one in contracts if not one.stale(moment)),
        tuple(one for one in contracts if one.stale(moment)),
    )


# ---------------------------------------------------------------- listing


class _Job(Struct):
    """What lies in the folder of one contract."""

    newest: int = -1
    seen: bool = False


def listed(files: Files, name: TableName, known: Collection[tuple[str, str, int]] = ()) -> Contracts:
    """The contracts that jobs have today, by team and job: one walk, and one round of reads.

    Known are contracts by team, job and number that the caller has: those are not read again, and left out.
    """
    jobs, misplaced = _walked(files, name)
    unknown = {key: job for key, job in jobs.items() if (*key, job.newest) not in known}
    found = _of(files, name, unknown)
    others = [job for team, job in jobs if (team, job) not in unknown]
    return Contracts(_told_apart(found.registered, others), (*found.unreadable, *map(_misplaced, misplaced)))


def _misplaced(path: str) -> Unreadable:
    """A contract that lies where nobody would look for it: whose it is, is not known."""
    message = "a contract lies here, and whose it is cannot be told."
    fix = "Put it into contracts/DATABASE/TABLE/TEAM/JOB, or take it away."
    return Unreadable(path, ContractError(message, code="contract.misplaced", path=path, fix=fix))


def _told_apart(registered: tuple[Registered, ...], others: Iterable[str]) -> tuple[Registered, ...]:
    """Jobs of one name bear that of their team as well: what one of them accepts, the others have not accepted."""
    jobs = Counter([*others, *(one.consumer for one in registered)])
    return tuple(one if jobs[one.consumer] == 1 else one.of_team() for one in registered)


def _of(files: Files, name: TableName, jobs: Mapping[tuple[str, str], _Job]) -> Contracts:
    folders = {key: contract_folder(name, *key) for key in jobs}
    newest = {key: joined(folders[key], f"{PREFIX}{one.newest}") for key, one in jobs.items()}
    seen = {key: joined(folders[key], SEEN) for key, one in jobs.items() if one.seen}
    data = files.read_many([*newest.values(), *seen.values()], LIMIT)
    there: list[Registered] = []
    unreadable: list[Unreadable] = []
    for key, path in newest.items():
        try:
            one = read(name, key, path, bytes_of(data[path]), data[seen[key]] if key in seen else None)
        except SchemaError as error:
            unreadable.append(Unreadable(path, error))
        else:
            there += [] if one.removed else [one]
    return Contracts(tuple(there), tuple(unreadable))


def _jobs(files: Files, name: TableName) -> dict[tuple[str, str], _Job]:
    return _walked(files, name)[0]


def _walked(files: Files, name: TableName) -> tuple[dict[tuple[str, str], _Job], list[str]]:
    """What lies there, by team and job; and the paths of contracts that lie elsewhere."""
    return _sorted(files, name, (path for path, _ in files.walk(contracts_folder(name))))


def files_among(files: Files, name: TableName, paths: Iterable[str], consumer: str) -> Iterator[str]:
    """Of the files below the folder of a table those that are read for one job; for all of them, if none is named."""
    for (team, job), one in _sorted(files, name, paths)[0].items():
        if consumer in ("", job):
            folder = contract_folder(name, team, job)
            yield joined(folder, f"{PREFIX}{one.newest}")
            yield from [joined(folder, SEEN)] if one.seen else []


def _sorted(files: Files, name: TableName, paths: Iterable[str]) -> tuple[dict[tuple[str, str], _Job], list[str]]:
    folder = contracts_folder(name)
    numbers = Numbered(files, folder, PREFIX)
    jobs: dict[tuple[str, str], _Job] = {}
    misplaced: list[str] = []
    for path in paths:
        parts = path.removeprefix(f"{folder}/").split("/")
        if len(parts) != 3:
            misplaced += [path] if numbers.number(parts[-1]) is not None else []
            continue
        team, consumer, file = parts
        number = numbers.number(file)
        if number is not None or file == SEEN:
            job = jobs.setdefault((team, consumer), _Job())
            job.newest, job.seen = max(job.newest, -1 if number is None else number), job.seen or file == SEEN
    return {key: job for key, job in sorted(jobs.items()) if job.newest >= 0}, misplaced


def read(name: TableName, key: tuple[str, str], path: str, data: bytes, seen: bytes | SchemaError | None) -> Registered:
    """The contract in a file; seen is what lies beside it."""
    record = decoded(ContractRecord, data, path)
    number = int(path.rsplit(PREFIX, 1)[1])
    last = _last_seen(record.at, seen, f"{path.rsplit('/', 1)[0]}/{SEEN}")
    return registered(record, number, data, team=key[0], consumer=key[1], table=str(name), last_seen=last)


def _last_seen(written: str, seen: bytes | SchemaError | None, path: str) -> str:
    """When the job was last seen; empty where nobody can tell, so that its contract goes on to block."""
    if seen is None:
        return written
    try:
        said = decoded(SeenRecord, bytes_of(seen), path).at
    except SchemaError:
        return ""
    return max(said, written, key=begins)


def found(files: Files, name: TableName, consumer: str, *, team: str = "", home: str = "") -> Registered:
    """The contract of one job; of whatever team, if it is the only job of that name. Home is the team that counts where it is not."""
    job, of = checked(consumer, "consumer"), checked(team, "team") if team else ""
    contracts = _of(files, name, {key: one for key, one in _jobs(files, name).items() if key[1] == job and of in ("", key[0])})
    if contracts.unreadable:
        raise ContractError.of(contracts.unreadable[0].error.faults)
    if not contracts.registered:
        raise not_there(files, name, consumer, team)
    own = [one for one in contracts if one.team == home]
    if len(contracts) > 1 and not own:
        teams = ", ".join(one.team for one in contracts)
        message = f"readers or writers of several teams are called {consumer}: those of {teams}."
        raise ContractError(message, code="contract.several-teams", path=str(name), fix="Name the team as well.")
    return (own or contracts.registered)[0]


def teams_of(files: Files, name: TableName, consumer: str) -> tuple[str, ...]:
    """The teams that have a job of this name; also where its contract cannot be read."""
    keys = {key: one for key, one in _jobs(files, name).items() if key[1] == consumer}
    contracts = _of(files, name, keys)
    unread = {one.path for one in contracts.unreadable}
    lost = [team for team, job in keys if any(path.startswith(f"{contract_folder(name, team, job)}/") for path in unread)]
    return tuple(sorted({*lost, *(one.team for one in contracts)}))


def not_there(files: Files, name: TableName, consumer: str, team: str) -> NotThereError:
    """The error about a contract that is not there, which says what is."""
    others = [f"{job} ({of})" for of, job in _jobs(files, name)]
    there = f"registered are {', '.join(others[:5])}" + (f" and {len(others) - 5} more" if len(others) > 5 else "") if others else "none is"
    whose = f" of {team}" if team else ""
    message = f"no contract of {consumer}{whose} is registered for {name}; {there}."
    return NotThereError(message, code="contract.not-there", path=str(name), fix="Register it, or name one that is there.")


# ---------------------------------------------------------------- when a job was last seen


def touch(files: Files, name: TableName, one: Registered, *, actor: str = "", now: datetime | None = None) -> bool:
    """Write down that a job has been seen, unless that was done within a day; whether it was written."""
    moment = at(now)
    if one.last_seen and timedelta() <= moment - begins(one.last_seen) < ONCE_IN:
        return False
    path = joined(contract_folder(name, one.team or NO_TEAM, one.consumer), SEEN)
    files.put(path, encoded(SeenRecord(by=actor, at=stamp(moment))))
    return True
