"""The contracts of the jobs that use a table: `contracts/{db}/{table}/{team}/{consumer}/contract-N`, versions like those of a schema.

The highest number counts. A version that says removed takes the contract away, and its history stays. The file `seen` beside them
says when the job was last seen, and is written over at most once a day.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from airflow_provider_schemas.core.common.deadlines import begins
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted
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
from airflow_provider_schemas.store.registry.json_records import LIMIT, Unreadable, at, bytes_of, decoded, encoded, first, stamp
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.numbered_files import Numbered

ONCE_IN = timedelta(days=1)


class Contracts(ShortRepr, Struct, frozen=True):
    """The contracts of a table, and what could not be read: a job may depend on what stands there."""

    registered: tuple[Registered, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()

    def _short_text(self) -> str:
        unreadable = f", {len(self.unreadable):,} unreadable" if self.unreadable else ""
        return f"of {counted(len(self.registered), 'job')}{unreadable}"

    def __iter__(self) -> Iterator[Registered]:
        return iter(self.registered)

    def __len__(self) -> int:
        return len(self.registered)

    @property
    def said(self) -> tuple[str, ...]:
        """The notes for a report about what could not be read."""
        return tuple(f"{unreadable}; whether its reader or writer breaks is not known" for unreadable in self.unreadable)


class Active(Struct, frozen=True):
    """The contracts that count, by what they can do."""

    blocking: tuple[Contract, ...] = ()
    stale: tuple[Registered, ...] = ()
    """Contracts whose jobs have not been seen for so long that they only warn: `stale_contracts.with_warnings` judges them."""


def active(contracts: Contracts, now: datetime | None = None) -> Active:
    """Return which contracts block, and which only warn."""
    moment = at(now)
    blocking: list[Contract] = []
    stale: list[Registered] = []
    for contract in contracts.registered:
        if contract.stale(moment):
            stale.append(contract)
        else:
            blocking.append(contract.contract)
    return Active(tuple(blocking), tuple(stale))


# ---------------------------------------------------------------- listing


class _ContractFolder(Struct):
    """What lies in the folder of one contract."""

    newest: int = -1
    has_seen: bool = False
    """Whether a file says when the job was last seen."""


_Key = tuple[str, str]
"""The team and the name of a job."""


def listed(files: Files, name: TableName, known: Collection[tuple[str, str, int]] = ()) -> Contracts:
    """Return the contracts that jobs have today, by team and job: one walk, and one round of reads.

    Known are contracts by team, job and number that the caller has: those are not read again, and left out.
    """
    folders, misplaced = _sort(files, name, _walk(files, name))
    if not folders and not misplaced:
        return Contracts()
    unknown = {key: folder for key, folder in folders.items() if (*key, folder.newest) not in known}
    read = _read_all(files, name, unknown)
    others = [job for team, job in folders if (team, job) not in unknown]
    return Contracts(_with_teams(read.registered, others), (*read.unreadable, *map(_misplaced, misplaced)))


def _misplaced(path: str) -> Unreadable:
    """Return the error about a contract that lies in no folder of a job: whose it is, is not known."""
    message = "a contract lies here, and whose it is cannot be told."
    fix = "Put it into contracts/DATABASE/TABLE/TEAM/JOB, or take it away."
    return Unreadable(path, ContractError(message, code="contract.misplaced", path=path, fix=fix))


def _with_teams(registered: tuple[Registered, ...], others: Iterable[str]) -> tuple[Registered, ...]:
    """Return the contracts with the team in the names of jobs that share one: what one accepts, the others have not accepted."""
    jobs = Counter(others)
    jobs.update(contract.consumer for contract in registered)
    return tuple(contract if jobs[contract.consumer] == 1 else contract.of_team() for contract in registered)


def _read_all(files: Files, name: TableName, folders: Mapping[_Key, _ContractFolder]) -> Contracts:
    """Read the newest version of each contract, and when its job was last seen."""
    newest: dict[_Key, str] = {}
    seen: dict[_Key, str] = {}
    for key, folder in folders.items():
        path = contract_folder(name, *key)
        newest[key] = joined(path, f"{PREFIX}{folder.newest}")
        if folder.has_seen:
            seen[key] = joined(path, SEEN)
    data = files.read_many([*newest.values(), *seen.values()], LIMIT)
    contracts: list[Registered] = []
    unreadable: list[Unreadable] = []
    for key, path in newest.items():
        last_seen = data[seen[key]] if key in seen else None
        try:
            contract = read(name, key, path, bytes_of(data[path]), last_seen)
        except SchemaError as error:
            unreadable.append(Unreadable(path, error))
            continue
        if not contract.removed:
            contracts.append(contract)
    return Contracts(tuple(contracts), tuple(unreadable))


def _walk(files: Files, name: TableName) -> list[str]:
    """Return the paths of all files below the folder of a table."""
    return [path for path, _ in files.walk(contracts_folder(name))]


def _folders(files: Files, name: TableName, consumer: str = "", team: str = "") -> dict[_Key, _ContractFolder]:
    """Return the folders of contracts, of one job and of one team if they are named."""
    folders = _sort(files, name, _walk(files, name))[0]
    return {key: folder for key, folder in folders.items() if team in ("", key[0]) and consumer in ("", key[1])}


def files_among(files: Files, name: TableName, paths: Iterable[str], consumer: str) -> Iterator[str]:
    """Yield those of the files below the folder of a table that are read for one job; for all jobs, if none is named."""
    for (team, job), folder in _sort(files, name, paths)[0].items():
        if consumer in ("", job):
            path = contract_folder(name, team, job)
            yield joined(path, f"{PREFIX}{folder.newest}")
            if folder.has_seen:
                yield joined(path, SEEN)


def _sort(files: Files, name: TableName, paths: Iterable[str]) -> tuple[dict[_Key, _ContractFolder], list[str]]:
    """Return what lies there, by team and job; and the paths of contracts that lie elsewhere."""
    root = contracts_folder(name)
    numbers = Numbered(files, root, PREFIX)
    folders: dict[_Key, _ContractFolder] = {}
    misplaced: list[str] = []
    for path in paths:
        parts = path.removeprefix(f"{root}/").split("/")
        number = numbers.number(parts[-1])
        if len(parts) != 3:
            if number is not None:
                misplaced.append(path)
            continue
        team, consumer, file = parts
        if number is not None:
            folder = folders.setdefault((team, consumer), _ContractFolder())
            folder.newest = max(folder.newest, number)
        elif file == SEEN:
            folders.setdefault((team, consumer), _ContractFolder()).has_seen = True
    return {key: folder for key, folder in sorted(folders.items()) if folder.newest >= 0}, misplaced


def read(name: TableName, key: _Key, path: str, data: bytes, seen: bytes | SchemaError | None) -> Registered:
    """Return the contract in a file; seen is what lies beside it."""
    record = decoded(ContractRecord, data, path)
    number = int(path.rsplit(PREFIX, 1)[1])
    last = _last_seen(record.at, seen, f"{path.rsplit('/', 1)[0]}/{SEEN}")
    return registered(record, number, data, team=key[0], consumer=key[1], table=str(name), last_seen=last)


def _last_seen(written: str, seen: bytes | SchemaError | None, path: str) -> str:
    """Return when the job was last seen; empty where that cannot be read, so that its contract goes on to block."""
    if seen is None:
        return written
    try:
        last = decoded(SeenRecord, bytes_of(seen), path).at
    except SchemaError:
        return ""
    return max(last, written, key=begins)


def found(files: Files, name: TableName, consumer: str, *, team: str = "", home: str = "") -> Registered:
    """Return the contract of one job; of any team, if it is the only job of that name. Home is the team that counts where it is not."""
    job = checked(consumer, "consumer")
    known_team = checked(team, "team") if team else ""
    contracts = _read_all(files, name, _folders(files, name, job, known_team))
    if contracts.unreadable:
        raise ContractError.of(contracts.unreadable[0].error.faults)
    if not contracts.registered:
        raise not_there(files, name, consumer, team)
    own = [contract for contract in contracts if contract.team == home]
    if len(contracts) > 1 and not own:
        teams = ", ".join(contract.team for contract in contracts)
        message = f"readers or writers of several teams are called {consumer}: those of {teams}."
        raise ContractError(message, code="contract.several-teams", path=str(name), fix="Name the team as well.")
    return (own or contracts.registered)[0]


def teams_of(files: Files, name: TableName, consumer: str) -> tuple[str, ...]:
    """Return the teams that have a job of this name; also where its contract cannot be read."""
    if not consumer:
        return ()
    folders = _folders(files, name, consumer)
    contracts = _read_all(files, name, folders)
    teams = {contract.team for contract in contracts}
    unreadable = {unreadable.path.rpartition("/")[0] for unreadable in contracts.unreadable}
    teams |= {team for team, job in folders if contract_folder(name, team, job) in unreadable}
    return tuple(sorted(teams))


def not_there(files: Files, name: TableName, consumer: str, team: str) -> NotThereError:
    """Return the error about a contract that is not there, which names those that are."""
    others = [f"{job} ({of})" for of, job in _folders(files, name)]
    there = "none is"
    if others:
        there = f"registered are {first(others)}"
    job = f"{consumer} of {team}" if team else consumer
    message = f"no contract of {job} is registered for {name}; {there}."
    fix = f"{_near(consumer, [other for _, other in _folders(files, name)])}Register it, or name one that is there."
    return NotThereError(message, code="contract.not-there", path=str(name), fix=fix)


def _near(consumer: str, known: Sequence[str]) -> str:
    """Return the question about jobs with nearly this name; empty where there are none."""
    from difflib import get_close_matches

    near = get_close_matches(consumer, known, n=2, cutoff=0.6)
    return f"Did you mean {' or '.join(near)}? " if near else ""


# ---------------------------------------------------------------- when a job was last seen


def touch(files: Files, name: TableName, contract: Registered, *, actor: str = "", now: datetime | None = None) -> bool:
    """Record that a job has been seen, unless that was done within a day; return whether it was written."""
    moment = at(now)
    if contract.last_seen and timedelta() <= moment - begins(contract.last_seen) < ONCE_IN:
        return False
    path = joined(contract_folder(name, contract.team or NO_TEAM, contract.consumer), SEEN)
    files.put(path, encoded(SeenRecord(by=actor, at=stamp(moment))))
    return True
