"""Register the contract of a job, or take it away. A contract that does not fit is refused, unless it waits for what is to come.

Two jobs that register at once both leave a version, and the later one judged what the earlier one wrote.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from airflow_provider_schemas.core.contracts.check_contract import check_contract, checked_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import TableSchema
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
    of_another_table,
    pins_for,
)
from airflow_provider_schemas.store.registry.contracts import ONCE_IN, not_there, read, touch
from airflow_provider_schemas.store.registry.json_records import LIMIT, at, bytes_of, decoded, encoded, others, stamp
from airflow_provider_schemas.store.storage.files import Files, ListingEntry, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import Numbered, contended, pauses


class _Folder:
    """The versions of one contract."""

    def __init__(self, files: Files, name: TableName, team: str, consumer: str, alone: bool) -> None:
        self.files = files
        self.name = name
        self.team = checked(team or NO_TEAM, "team")
        self.consumer = checked(consumer, "consumer")
        self.folder = contract_folder(name, self.team, self.consumer)
        self.numbered = Numbered(files, self.folder, PREFIX, alone=alone)

    def record(self, newest: tuple[int, bytes] | None) -> ContractRecord | None:
        """Return what counts today; nothing, where it cannot be read: the new contract takes its place."""
        if newest is None:
            return None
        try:
            return decoded(ContractRecord, newest[1], self.numbered.path(newest[0]))
        except SchemaError:
            return None

    def add(self, record: ContractRecord, newest: tuple[int, bytes] | None) -> Registered:
        """Write the version after the newest, and return it. Taken, if another writer was first."""
        data = encoded(record)
        if newest is None:
            self.numbered.create(0, data, None)
            return self.read_seen_at(0, data, "")
        number = newest[0] + 1
        self.numbered.create(number, data, newest[0])
        return self.read_seen_at(number, data, "")

    def read(self, number: int, data: bytes) -> Registered:
        """Return the contract in a file; the file beside it says when the job was last seen."""
        return self._read(number, data, self._read_seen())

    def read_seen_at(self, number: int, data: bytes, seen: str) -> Registered:
        """Return the contract in a file whose job was last seen at this moment; empty for when it was registered."""
        return self._read(number, data, encoded({"at": seen}) if seen else None)

    def _read(self, number: int, data: bytes, seen: bytes | SchemaError | None) -> Registered:
        return read(self.name, (self.team, self.consumer), self.numbered.path(number), data, seen)

    def _read_seen(self) -> bytes | SchemaError | None:
        """Return the file that says when the job was last seen, if there is one."""
        if self._listed_seen() is None:
            return None
        path = joined(self.folder, SEEN)
        data = self.files.read_many([path], LIMIT)[path]
        if isinstance(data, NotThereError):
            return None
        return data

    def lately(self) -> str:
        """Return when the job was last seen, if the listing shows that it was within a day; else empty, and the file has to be read."""
        entry = self._listed_seen()
        if entry is None or entry.modified is None:
            return ""
        written = datetime.fromtimestamp(entry.modified, UTC)
        if timedelta() <= at(None) - written < ONCE_IN:
            return stamp(written)
        return ""

    def _listed_seen(self) -> ListingEntry | None:
        return next((entry for entry in self.files.list(self.folder) if entry.name == SEEN and not entry.folder), None)


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

    The same contract again is no new version, and records that the job was seen. Columns keep the ids to which they
    were pinned; pin again takes those that have the names today, and so does a table that was dropped and made again.
    """
    wanted = _check_wanted(contract, name, consumer)
    folder = _Folder(files, name, team, wanted.name, alone)
    for pause in pauses():
        newest = folder.numbered.newest()
        current = folder.record(newest)
        record = _new_record(wanted, head, current, pin_again=pin_again, max_age=max_age, by=actor, at=stamp(now))
        record = record.model_copy(update={"pending": not _fits(record, head, policy, pending=pending, now=at(now))})
        if newest is not None and current is not None and current.content == record.content:
            return _touch(folder, newest, actor, now)
        try:
            return folder.add(record, newest)
        except PathTaken:
            time.sleep(pause)
    raise contended(files.url, folder.folder)


def pin_by_name(
    files: Files,
    name: TableName,
    registered: Registered,
    head: Version,
    *,
    actor: str = "",
    alone: bool = False,
    now: datetime | None = None,
) -> Registered:
    """Write a contract again with its columns pinned to those that have their names in this version, whether or not the table fits it."""
    folder = _Folder(files, name, registered.team, registered.consumer, alone)
    for pause in pauses():
        newest = folder.numbered.newest()
        current = folder.record(newest)
        if newest is None or current is None or current.removed:
            raise not_there(files, name, folder.consumer, folder.team)
        seen = SeenAt.of(head)
        update = {"pins": pins_for(current.contract, head.schema, {}), "seen": seen, "by": actor, "at": stamp(now)}
        record = current.model_copy(update=update)
        if record.content == current.content and record.seen == current.seen:
            return folder.read(*newest)
        try:
            return folder.add(record, newest)
        except PathTaken:
            time.sleep(pause)
    raise contended(files.url, folder.folder)


def _new_record(
    wanted: Contract,
    head: Version | None,
    current: ContractRecord | None,
    *,
    pin_again: bool,
    max_age: timedelta | None,
    by: str,
    at: str,
) -> ContractRecord:
    """Return the record of a contract, with the pins and the age that the current one has, where it has them."""
    pins: Mapping[str, int] = {}
    days = MAX_AGE
    if current is not None:
        is_replaced = head is not None and of_another_table(current.seen, head)
        pins = {} if current.removed or pin_again or is_replaced else current.pins
        days = current.max_age_days
    if max_age is not None:
        days = _days(max_age)
    schema: TableSchema | None = None
    seen: SeenAt | None = None
    if head is not None:
        schema = head.schema
        seen = SeenAt.of(head)
    return ContractRecord(
        contract=wanted,
        pins=pins_for(wanted, schema, pins),
        seen=seen,
        max_age_days=days,
        by=by,
        at=at,
    )


def _touch(folder: _Folder, newest: tuple[int, bytes], actor: str, now: datetime | None) -> Registered:
    """Record that the job of a contract was seen just now, and return the contract."""
    lately = folder.lately() if now is None else ""
    if lately:
        return folder.read_seen_at(*newest, lately)
    contract = folder.read(*newest)
    if touch(folder.files, folder.name, contract, actor=actor, now=at(now)):
        return folder.read(*newest)
    return contract


def _check_wanted(contract: Contract | Any, name: TableName, consumer: str) -> Contract:
    """Return the contract with the names of its job and table; ContractError if it has no job, or needs nothing of this table."""
    wanted = checked_contract(contract)
    job = consumer or wanted.name
    if not job:
        fix = "Give it the name of the job, such as dag.task."
        raise ContractError("the contract does not say whose it is.", code="contract.no-name", path=str(name), fix=fix)
    if wanted.table not in ("", str(name)):
        fix = f"Register it there, or say what the job needs of {name}."
        raise ContractError(f"the contract is about {wanted.table}, and not about {name}.", code="contract.other-table", path=job, fix=fix)
    if not (wanted.columns or wanted.primary_key or wanted.partitioned_by):
        raise ContractError(f"nothing is needed of {name}.", code="contract.empty", path=job, fix="Name a column.")
    return wanted.model_copy(update={"name": job, "table": str(name), "last_seen": ""})


def _days(max_age: timedelta) -> int:
    if max_age < timedelta(days=1):
        raise ContractError("a contract lasts a day or longer.", code="contract.max-age", path="max_age", fix="Pass a longer max_age.")
    return max_age.days


def _fits(record: ContractRecord, head: Version | None, policy: Policy | Mapping[str, Any] | None, *, pending: bool, now: datetime) -> bool:
    """Return whether the table fits today; if not, and the contract is not to wait, raise."""
    job = record.contract.name
    table = record.contract.table
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
    """Return the error about a table that does not fit a job: the first lack in its sentence, and the whole report beside it."""
    lacks = [finding for finding in report.findings if finding.verdict in (Verdict.BREAK, Verdict.INVALID)]
    first = lacks[0]
    message = f"{table} v{version} does not fit {job}: {first.message.rstrip('.')}{others(len(lacks))}."
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
    """Take the contract of a job away with a version that says so. What it was stays in its history."""
    folder = _Folder(files, name, team, consumer, alone)
    for pause in pauses():
        newest = folder.numbered.newest()
        if newest is None:
            raise not_there(files, name, folder.consumer, folder.team)
        current = folder.record(newest) or ContractRecord(contract=Contract(name=consumer, table=str(name)), at=stamp(now))
        if current.removed:
            return folder.read(*newest)
        try:
            return folder.add(current.model_copy(update={"removed": True, "by": actor, "at": stamp(now)}), newest)
        except PathTaken:
            time.sleep(pause)
    raise contended(files.url, folder.folder)


def versions(files: Files, name: TableName, consumer: str, *, team: str = "") -> tuple[Registered, ...]:
    """Return every version of a contract, the oldest first, also those of one that was taken away."""
    folder = _Folder(files, name, team, consumer, alone=False)
    contents = folder.numbered.read_many(folder.numbered.numbers(), LIMIT)
    return tuple(folder.read_seen_at(number, bytes_of(data), "") for number, data in contents.items())
