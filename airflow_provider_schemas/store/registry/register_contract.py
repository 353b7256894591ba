"""Registering the contract of a job, and taking it away. One that does not fit is refused, unless it waits for what is to come.

Two who register at once both leave a version, and the later one judged what the earlier one wrote.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from airflow_provider_schemas.core.contracts.check_contract import check_contract, checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError, NotThereError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName, checked
from airflow_provider_schemas.store.layout.paths import contract_folder, joined
from airflow_provider_schemas.store.registry.contract_record import (
    MAX_AGE,
    NO_TEAM,
    PREFIX,
    SEEN,
    ContractRecord,
    Registered,
    SeenAt,
    pins_for,
)
from airflow_provider_schemas.store.registry.contracts import ONCE_IN, not_there, read, touch
from airflow_provider_schemas.store.registry.json_records import LIMIT, at, bytes_of, decoded, encoded, stamp
from airflow_provider_schemas.store.storage.files import Files, ListingEntry, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import Numbered, contended, pauses


class _Folder:
    """The versions of one contract."""

    def __init__(self, files: Files, name: TableName, team: str, consumer: str, alone: bool) -> None:
        self.files, self.name = files, name
        self.team, self.consumer = checked(team or NO_TEAM, "team"), checked(consumer, "consumer")
        self.folder = contract_folder(name, self.team, self.consumer)
        self.numbered = Numbered(files, self.folder, PREFIX, alone=alone)

    def newest(self) -> tuple[int, bytes] | None:
        return self.numbered.newest()

    def record(self, newest: tuple[int, bytes] | None) -> ContractRecord | None:
        """What counts today; nothing, where it cannot be read: whoever registers puts it right."""
        try:
            return None if newest is None else decoded(ContractRecord, newest[1], self.numbered.path(newest[0]))
        except SchemaError:
            return None

    def add(self, record: ContractRecord, newest: tuple[int, bytes] | None) -> Registered:
        """Write the version after the newest. Taken, if somebody else did."""
        number, data = 0 if newest is None else newest[0] + 1, encoded(record)
        self.numbered.create(number, data, None if newest is None else newest[0])
        return self.read(number, data, seen="")

    def read(self, number: int, data: bytes, *, seen: str | None = None) -> Registered:
        """The contract in a file. Seen is when the job was last seen; empty for when it was registered, None where a file tells."""
        beside = self._beside() if seen is None else encoded({"at": seen}) if seen else None
        return read(self.name, (self.team, self.consumer), self.numbered.path(number), data, beside)

    def _beside(self) -> bytes | SchemaError | None:
        """What lies beside the contract to say when its job was last seen."""
        if self._listed_seen() is None:
            return None
        path = joined(self.folder, SEEN)
        found = self.files.read_many([path], LIMIT)[path]
        return None if isinstance(found, NotThereError) else found

    def lately(self) -> str:
        """When the job was last seen, where the listing says that it was within a day; empty where it does not, and the file tells."""
        entry = self._listed_seen()
        if entry is None or entry.modified is None:
            return ""
        written = datetime.fromtimestamp(entry.modified, UTC)
        return stamp(written) if timedelta() <= at(None) - written < ONCE_IN else ""

    def _listed_seen(self) -> ListingEntry | None:
        return next((one for one in self.files.list(self.folder) if one.name == SEEN and not one.folder), None)


# ---------------------------------------------------------------- registering


def register(
    files: Files,
    name: TableName,
    contract: Contract | Any,
    head: Version | None,
    *,
    team: str = "",
    consumer: str = "",
    pending: bool = False,
    pin_again: bool = False,
    max_age: timedelta | None = None,
    policy: Policy | Mapping[str, Any] | None = None,
    actor: str = "",
    alone: bool = False,
    now: datetime | None = None,
) -> Registered:
    """Register what a job needs of a table whose newest version is the head; refused if it does not fit, unless it is pending.

    The same contract again is no new version, and says that the job was seen. Columns keep the ids to which they
    were pinned; pin again takes those that bear the names today.
    """
    wanted = _wanted(contract, name, consumer)
    folder = _Folder(files, name, team, wanted.name, alone)
    for pause in pauses():
        newest = folder.newest()
        there = folder.record(newest)
        known = None if there is None or there.removed or pin_again else there
        days = _days(max_age) if max_age is not None else MAX_AGE if there is None else there.max_age_days
        record = ContractRecord(
            contract=wanted,
            pins=pins_for(wanted, None if head is None else head.schema, {} if known is None else known.pins),
            seen=None if head is None else SeenAt(number=head.number, digest=head.digest),
            max_age_days=days,
            by=actor,
            at=stamp(now),
        )
        record = record.model_copy(update={"pending": not _fits(record, head, policy, pending=pending, now=at(now))})
        if newest is not None and there is not None and there.content == record.content:
            return _seen(folder, newest, actor, now)
        try:
            return folder.add(record, newest)
        except PathTaken:
            time.sleep(pause)
    raise contended(files.url, folder.folder)


def _seen(folder: _Folder, newest: tuple[int, bytes], actor: str, now: datetime | None) -> Registered:
    """What is there already, with its job seen just now."""
    if now is None and (lately := folder.lately()):
        return folder.read(*newest, seen=lately)
    one = folder.read(*newest)
    return folder.read(*newest) if touch(folder.files, folder.name, one, actor=actor, now=at(now)) else one


def _wanted(contract: Contract | Any, name: TableName, consumer: str) -> Contract:
    found = checked_contract(contract)
    who = consumer or found.name
    if not who:
        fix = "Give it the name of the job, such as dag.task."
        raise ContractError("the contract does not say whose it is.", code="contract.no-name", path=str(name), fix=fix)
    if found.table not in ("", str(name)):
        fix = f"Register it there, or say what the job needs of {name}."
        raise ContractError(f"the contract is about {found.table}, and not about {name}.", code="contract.other-table", path=who, fix=fix)
    if not (found.columns or found.primary_key or found.partitioned_by):
        raise ContractError(f"nothing is needed of {name}.", code="contract.empty", path=who, fix="Name a column.")
    return found.model_copy(update={"name": who, "table": str(name), "last_seen": ""})


def _days(max_age: timedelta) -> int:
    if max_age < timedelta(days=1):
        raise ContractError("a contract lasts a day or longer.", code="contract.max-age", path="max_age", fix="Pass a longer max_age.")
    return max_age.days


def _fits(record: ContractRecord, head: Version | None, policy: Policy | Mapping[str, Any] | None, *, pending: bool, now: datetime) -> bool:
    """Whether the table fits today; if not, and the contract is not to wait, it is refused."""
    job, table = record.contract.name, record.contract.table
    if head is None:
        if pending:
            return False
        fix = "Create the table first, or register with pending=True to wait for it."
        raise NotThereError(f"there is no table {table} that {job} could use.", code="contract.no-table", path=table, fix=fix)
    report = check_contract(head.schema, record.pinned, policy=policy, table=table, version=head.number, now=now)
    if not report.fits and not pending:
        raise refusal(report, job, table, head.number)
    return report.fits


def refusal(report: Report, job: str, table: str, version: int) -> IncompatibleSchemaError:
    """The error about a table that does not fit a job: the first lack in its sentence, and the whole report beside it."""
    lacks = [one for one in report.findings if one.verdict in (Verdict.BREAK, Verdict.INVALID)]
    first = lacks[0]
    more = f" (+{len(lacks) - 1} more)" if len(lacks) > 1 else ""
    message = f"{table} v{version} does not fit {job}: {first.message.rstrip('.')}{more}."
    return IncompatibleSchemaError.about(report, message, fix=f"{first.fix} To wait for it, register with pending=True.".strip())


# ---------------------------------------------------------------- taking away


def remove(
    files: Files,
    name: TableName,
    consumer: str,
    *,
    team: str = "",
    actor: str = "",
    alone: bool = False,
    now: datetime | None = None,
) -> Registered:
    """Take the contract of a job away: a version that says so. What it was stays in its history."""
    folder = _Folder(files, name, team, consumer, alone)
    for pause in pauses():
        newest = folder.newest()
        if newest is None:
            raise not_there(files, name, folder.consumer, folder.team)
        there = folder.record(newest) or ContractRecord(contract=Contract(name=consumer, table=str(name)), at=stamp(now))
        if there.removed:
            return folder.read(*newest)
        try:
            return folder.add(there.model_copy(update={"removed": True, "by": actor, "at": stamp(now)}), newest)
        except PathTaken:
            time.sleep(pause)
    raise contended(files.url, folder.folder)


def versions(files: Files, name: TableName, consumer: str, *, team: str = "") -> tuple[Registered, ...]:
    """Every version of a contract, the oldest first, also those of one that was taken away."""
    folder = _Folder(files, name, team, consumer, alone=False)
    data = folder.numbered.read_many(folder.numbered.numbers(), LIMIT)
    return tuple(folder.read(number, bytes_of(found), seen="") for number, found in data.items())
