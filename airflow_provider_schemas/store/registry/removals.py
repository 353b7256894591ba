"""Why tables were dropped or renamed although jobs read them: numbered records, by the name that a table had or got.

They outlive the table and stay where they are, so that a new table of the name does not hide them. A record is there before anything
is deleted, and `removal-N.done` beside it when that is over: if the process is killed between, the reason is known, and that the end
was not noted.
"""

import contextlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import ClassVar, Literal

from msgspec import Struct

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError, SchemaFileError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import removals_folder
from airflow_provider_schemas.store.registry.json_records import Record, Unreadable, encoded, first, shelf, stamp
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.numbered_files import Numbered

PREFIX = "removal-"
DONE = ".done"
_SHOWN = 10


class RemovalRecord(Record):
    """A removal in its file."""

    refusal: ClassVar[type[SchemaError]] = SchemaFileError
    noun: ClassVar = "removal"

    action: Literal["drop", "rename"]
    table: str
    to: str = ""
    version: int | None = None
    digest: str = ""
    reason: str
    jobs: tuple[str, ...] = ()
    purge: bool = False


class Removed(Struct, frozen=True):
    """A table that was dropped or renamed for a reason."""

    action: str
    """Drop, or rename."""
    table: str
    to: str
    """The name that it got; empty for a drop."""
    version: int | None
    """Its newest version at that time; None where that could not be read."""
    digest: str
    reason: str
    jobs: tuple[str, ...]
    """The jobs that read it, and what could not be read of them."""
    purge: bool
    by: str
    at: str
    done: bool
    """Whether its end was noted; if not, the process may have been stopped in between."""

    def __str__(self) -> str:
        text = f"{self.table} was dropped" if self.action == "drop" else f"{self.table} was renamed to {self.to}"
        if self.version is not None:
            text += f" at version {self.version}"
        text += f", {datetime.fromisoformat(self.at).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        if self.by:
            text += f" by {self.by}"
        if self.jobs:
            text += f", though {first(self.jobs, _SHOWN)} read it"
        text += f": {self.reason}"
        if not self.done:
            text += "; the end of it was not noted"
        return text


class Removals(Struct, frozen=True):
    """The drops and renames of a name, oldest first."""

    removed: tuple[Removed, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


class Begun(Struct, frozen=True):
    """The records of a drop or rename that is under way."""

    places: tuple[tuple[Numbered, int], ...] = ()

    def note_end(self, files: Files, now: datetime | None = None) -> None:
        """Note that it is done. It is done in any case: where this cannot be written, the record stays without an end."""
        for numbered, number in self.places:
            with contextlib.suppress(SchemaError):
                files.put(f"{numbered.path(number)}{DONE}", encoded({"at": stamp(now)}))

    def take_back(self, files: Files) -> None:
        """Delete the records of what was not done after all."""
        for numbered, number in self.places:
            files.delete(numbered.path(number))


def record_of(
    name: TableName,
    head: Version | None,
    reason: str,
    jobs: Iterable[str],
    *,
    to: TableName | None = None,
    purge: bool = False,
    actor: str = "",
    now: datetime | None = None,
) -> RemovalRecord:
    """Return the record of a drop, or of a rename to another name."""
    record = RemovalRecord(
        action="drop",
        table=str(name),
        reason=reason.strip(),
        jobs=tuple(jobs),
        purge=purge,
        by=actor,
        at=stamp(now),
    )
    if to is not None:
        record = record.model_copy(update={"action": "rename", "to": str(to)})
    if head is not None:
        record = record.model_copy(update={"version": head.number, "digest": head.digest})
    return record


def begin(files: Files, record: RemovalRecord, names: Iterable[TableName], *, alone: bool = False) -> Begun:
    """Write the record under each of the names; one that was left by a process that was stopped is used again."""
    return Begun(tuple(_write(_numbered(files, name, alone), record) for name in names))


def _write(numbered: Numbered, record: RemovalRecord) -> tuple[Numbered, int]:
    """Write a record, unless the same one lies there without an end; return its number."""
    for number, other in shelf(numbered, RemovalRecord, without=DONE).records.items():
        if other.model_copy(update={"at": record.at}) == record:
            return numbered, number
    with commit_steps.unheard():
        return numbered, numbered.add(encoded(record))


def listed(files: Files, name: TableName) -> Removals:
    """Return what was dropped or renamed under this name, and what got it by a rename."""
    records = shelf(_numbered(files, name), RemovalRecord)
    removed = [_removed(record, done=f"{PREFIX}{number}{DONE}" in records.names) for number, record in records.records.items()]
    return Removals(tuple(removed), records.unreadable)


def _removed(record: RemovalRecord, *, done: bool) -> Removed:
    values = {name: getattr(record, name) for name in Removed.__struct_fields__ if name not in ("at", "done")}
    return Removed(**values, at=str(record.at), done=done)


def _numbered(files: Files, name: TableName, alone: bool = False) -> Numbered:
    return Numbered(files, removals_folder(name), PREFIX, alone=alone)
