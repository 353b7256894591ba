"""Waivers: findings of a table that are let through for a reason and until a day, without touching any policy.

One numbered file each. When one has ended, whoever first notices it puts `waiver-N.ended` beside it and says
so; from then on it is not read again.
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
from airflow_provider_schemas.store.registry.json_records import Record, Shelf, Unreadable, at, encoded, shelf, stamp
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
    """The waivers of a table, and what has to be said about them."""

    granted: tuple[Granted, ...] = ()
    notes: tuple[str, ...] = ()
    """What has ended since anybody looked."""
    unreadable: tuple[Unreadable, ...] = ()

    @property
    def waivers(self) -> tuple[Waiver, ...]:
        """Those that count."""
        return tuple(one.waiver for one in self.granted if not one.ended)

    @property
    def said(self) -> tuple[str, ...]:
        """All that a report has to say: what has ended, and what could not be read and therefore lifts nothing."""
        return (*self.notes, *(f"{one}; it lifts nothing" for one in self.unreadable))


# ---------------------------------------------------------------- granting


def waive(
    files: Files, name: TableName, waiver: Waiver | Mapping[str, Any], *, actor: str = "", alone: bool = False, now: datetime | None = None
) -> Granted:
    """Grant a waiver; the same one twice is one."""
    record = _record(waiver, actor, now)
    _refuse(record, now)
    for one in _shelf(files, name, alone, without=ENDED).records.items():  # what was declared ended lifts nothing any more
        if one[1].waiver == record.waiver:
            return _granted(*one, now)
    number = _numbered(files, name, alone).add(encoded(record))
    return _granted(number, record, now)


def _record(waiver: Waiver | Mapping[str, Any], actor: str, now: datetime | None) -> WaiverRecord:
    said = waiver.model_dump(mode="json") if isinstance(waiver, Waiver) else waiver
    record = WaiverRecord.read({**said, "at": stamp(now)})
    return record if record.by else record.model_copy(update={"by": actor})


def _refuse(record: WaiverRecord, now: datetime | None) -> None:
    """All that is wrong with a waiver which can be read."""
    faults: list[Fault] = []
    if record.model_extra:
        faults += [Fault("waiver.unknown-key", key, f"nobody knows the key {shown(key)}.", "Take it out.") for key in record.model_extra]
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
    """All waivers, oldest first, those that have ended among them."""
    found = _shelf(files, name)
    return Waivers(tuple(_granted(number, one, now) for number, one in found.records.items()), unreadable=found.unreadable)


def active(files: Files, name: TableName, *, may_write: bool = True, now: datetime | None = None) -> Waivers:
    """Those that count. Of each that has ended since, one caller is told who may write; who may not is told each time."""
    found = _shelf(files, name, without=ENDED)
    granted = [_granted(number, one, now) for number, one in found.records.items()]
    notes = [_note(one) for one in granted if one.ended and (not may_write or _first_to_say(files, name, one.number, now))]
    return Waivers(tuple(one for one in granted if not one.ended), tuple(notes), found.unreadable)


def files_among(files: Files, name: TableName, listed: Iterable[ListingEntry]) -> Iterator[str]:
    """Of what lies in the folder of a table the files that are read to know which waivers count."""
    there = [*listed]
    names, numbered = {one.name for one in there}, _numbered(files, name)
    yield from (numbered.path(number) for number, one in numbered.among(there).items() if f"{one.name}{ENDED}" not in names)


def _first_to_say(files: Files, name: TableName, number: int, now: datetime | None) -> bool:
    """Whether nobody has said so yet; who cannot write it down says it again."""
    marker = joined(waivers_folder(name), f"{PREFIX}{number}{ENDED}")
    try:
        files.create(marker, encoded({"at": stamp(now)}))
    except PathTaken:
        return False
    except (OutcomeUnclear, SchemaError):
        return True
    return True


def _note(one: Granted) -> str:
    waiver = one.waiver
    return f"the waiver of {waiver.rule} at {waiver.path} has ended ({waiver})"


def _granted(number: int, record: WaiverRecord, now: datetime | None) -> Granted:
    return Granted(record.waiver, number, record.at, record.ended(at(now)))


def _numbered(files: Files, name: TableName, alone: bool = False) -> Numbered:
    return Numbered(files, waivers_folder(name), PREFIX, alone=alone)


def _shelf(files: Files, name: TableName, alone: bool = False, *, without: str = "") -> Shelf:
    return shelf(_numbered(files, name, alone), WaiverRecord, without=without)
