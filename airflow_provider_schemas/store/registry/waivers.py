"""Waivers: findings of a table that are let through for a reason and until a day, without touching any policy.

Each waiver is one numbered file. The first judgement that finds it ended puts `waiver-N.ended` beside it and notes it; from then on
it is not read again.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar

from msgspec import Struct
from pydantic import ConfigDict

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Waiver
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault, PolicyError, SchemaError
from airflow_provider_schemas.store.layout.identifiers import TableName, checked
from airflow_provider_schemas.store.layout.paths import joined, waivers_folder
from airflow_provider_schemas.store.registry.json_records import Record, Unreadable, at, encoded, shelf, stamp
from airflow_provider_schemas.store.storage.files import Files, ListingEntry, OutcomeUnclear, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import Numbered

PREFIX = "waiver-"
ENDED = ".ended"


class WaiverRecord(Record, Waiver):
    """A waiver in its file."""

    model_config = ConfigDict(extra="allow")  # of its two parents the waiver would win
    refusal: ClassVar[type[SchemaError]] = PolicyError
    noun: ClassVar = "waiver"

    @property
    def waiver(self) -> Waiver:
        return Waiver(rule=self.rule, path=self.path, until=self.until, reason=self.reason, by=self.by, consumer=self.consumer)


class Granted(Struct, frozen=True):
    """A waiver as the registry has it."""

    waiver: Waiver
    number: int
    at: str
    ended: bool = False


class Waivers(Struct, frozen=True):
    """The waivers of a table, and notes about them."""

    granted: tuple[Granted, ...] = ()
    notes: tuple[str, ...] = ()
    """The waivers that have ended since the last look."""
    unreadable: tuple[Unreadable, ...] = ()

    @property
    def waivers(self) -> tuple[Waiver, ...]:
        """The waivers that count."""
        return tuple(granted.waiver for granted in self.granted if not granted.ended)

    @property
    def said(self) -> tuple[str, ...]:
        """The notes for a report: what has ended, and what could not be read and therefore lifts nothing."""
        return (*self.notes, *(f"{unreadable}; it lifts nothing" for unreadable in self.unreadable))


# ---------------------------------------------------------------- granting


def waive(
    files: Files, name: TableName, waiver: Waiver | Mapping[str, Any], *, actor: str = "", alone: bool = False, now: datetime | None = None
) -> Granted:
    """Grant a waiver; the same one twice is one."""
    record = _record(waiver, actor, now)
    _check(record, now)
    numbered = _numbered(files, name, alone)
    for number, known in shelf(numbered, WaiverRecord, without=ENDED).records.items():  # what was declared ended lifts nothing any more
        if known.waiver == record.waiver:
            return _granted(number, known, now)
    return _granted(numbered.add(encoded(record)), record, now)


def _record(waiver: Waiver | Mapping[str, Any], actor: str, now: datetime | None) -> WaiverRecord:
    """Return the record of a waiver, granted by the actor unless it names somebody else."""
    values = waiver.model_dump(mode="json") if isinstance(waiver, Waiver) else waiver
    record = WaiverRecord.read({**values, "at": stamp(now)})
    return record if record.by else record.model_copy(update={"by": actor})


def _check(record: WaiverRecord, now: datetime | None) -> None:
    """Raise PolicyError with all faults of a waiver that can be read."""
    unknown = record.model_extra or ()
    faults = [Fault("waiver.unknown-key", key, f"nobody knows the key {shown(key)}.", "Take it out.") for key in unknown]
    if not record.reason.strip():
        faults.append(Fault("waiver.no-reason", "reason", "a waiver says why.", "Pass a reason, such as the number of the incident."))
    if not record.path.strip():
        faults.append(Fault("waiver.no-path", "path", "a waiver is about a place.", "Name a column, or '*' for the whole table."))
    if record.ended(at(now)):
        faults.append(Fault("waiver.past", "until", f"{record.until} is over.", "Pass a day or a time that is still to come."))
    if RULES[record.rule].letters == "!!!!":
        message = f"no waiver lifts {record.rule}: what it finds makes the schema invalid, for everybody."
        faults.append(Fault("waiver.invalid-stays", "rule", message, "Mend the schema."))
    if faults:
        raise PolicyError.of(faults)
    if record.consumer:
        checked(record.consumer, "consumer")


# ---------------------------------------------------------------- asking


def listed(files: Files, name: TableName, *, now: datetime | None = None) -> Waivers:
    """Return all waivers, oldest first, those that have ended among them."""
    records = shelf(_numbered(files, name), WaiverRecord)
    granted = tuple(_granted(number, record, now) for number, record in records.records.items())
    return Waivers(granted, unreadable=records.unreadable)


def active(files: Files, name: TableName, *, may_write: bool = True, now: datetime | None = None) -> Waivers:
    """Return the waivers that count. The end of a waiver is noted once to a caller who may write, and each time to any other."""
    records = shelf(_numbered(files, name), WaiverRecord, without=ENDED)
    counting: list[Granted] = []
    notes: list[str] = []
    for number, record in records.records.items():
        granted = _granted(number, record, now)
        if not granted.ended:
            counting.append(granted)
        elif not may_write or _mark_ended(files, name, number, now):
            waiver = granted.waiver
            notes.append(f"the waiver of {waiver.rule} at {waiver.path} has ended ({waiver})")
    return Waivers(tuple(counting), tuple(notes), records.unreadable)


def files_among(files: Files, name: TableName, listed: Iterable[ListingEntry]) -> Iterator[str]:
    """Yield those of the entries in the folder of a table that are read to know which waivers count."""
    entries = [*listed]
    names = {entry.name for entry in entries}
    numbered = _numbered(files, name)
    for number, entry in numbered.among(entries).items():
        if f"{entry.name}{ENDED}" not in names:
            yield numbered.path(number)


def _mark_ended(files: Files, name: TableName, number: int, now: datetime | None) -> bool:
    """Write down that a waiver has ended; return whether this is still to be noted, as no other caller wrote it before."""
    marker = joined(waivers_folder(name), f"{PREFIX}{number}{ENDED}")
    try:
        files.create(marker, encoded({"at": stamp(now)}))
    except PathTaken:
        return False
    except (OutcomeUnclear, SchemaError):
        return True
    return True


def _granted(number: int, record: WaiverRecord, now: datetime | None) -> Granted:
    return Granted(record.waiver, number, record.at, record.ended(at(now)))


def _numbered(files: Files, name: TableName, alone: bool = False) -> Numbered:
    return Numbered(files, waivers_folder(name), PREFIX, alone=alone)
