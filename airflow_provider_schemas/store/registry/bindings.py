"""Bindings: which folders of data were written with which version of a schema, where the files themselves do not show it.

A folder is a pattern such as `dt=2025-03-1*` below the table's location, or an address. Each binding is one numbered file; of several
about one folder the newest counts.
"""

from datetime import datetime
from typing import Annotated, ClassVar

from msgspec import Struct
from pydantic import Field

from airflow_provider_schemas.core.common.secrets import without_credentials, without_passwords
from airflow_provider_schemas.core.common.short_repr import BoundedRepr
from airflow_provider_schemas.core.common.text import half_pair, shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError, SchemaFileError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import bindings_folder
from airflow_provider_schemas.store.registry.json_records import Record, Shelf, Unreadable, encoded, first, shelf, stamp
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.numbered_files import Numbered

PREFIX = "binding-"
_LONGEST = 1_000


class BindingRecord(Record):
    """A binding in its file."""

    refusal: ClassVar[type[SchemaError]] = SchemaFileError
    noun: ClassVar = "binding"

    folder: str = Field(min_length=1)
    version: Annotated[int, Field(ge=0, strict=True)]
    digest: str = Field(min_length=1)
    removed: Annotated[bool, Field(strict=True)] = False


class Binding(BoundedRepr, Struct, frozen=True):
    """A folder, and the version with which its files were written."""

    folder: str
    version: int
    digest: str
    by: str = ""
    at: str = ""
    number: int = 0
    """Of its file."""

    def __str__(self) -> str:
        return f"{self.folder} was written with version {self.version}"


class Bindings(BoundedRepr, Struct, frozen=True):
    """The bindings of a table, and what could not be read."""

    bindings: tuple[Binding, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.unreadable


def bind(
    files: Files, name: TableName, folder: str, version: Version, *, actor: str = "", alone: bool = False, now: datetime | None = None
) -> Binding:
    """Record with which version the files of a folder were written; what is recorded already is not written again."""
    place = checked_folder(folder)
    for known in listed(files, name).bindings:
        if (known.folder, known.version, known.digest) == (place, version.number, version.digest):
            return known
    record = BindingRecord(folder=place, version=version.number, digest=version.digest, by=actor, at=stamp(now))
    return _binding(_numbered(files, name, alone).add(encoded(record)), record)


def unbind(files: Files, name: TableName, folder: str, *, actor: str = "", alone: bool = False, now: datetime | None = None) -> None:
    """Take a binding back; its file stays."""
    place = checked_folder(folder)
    bound = {binding.folder: binding for binding in listed(files, name).bindings}
    if place not in bound:
        message = f"{shown(place)} of {name} is bound to no version"
        if bound:
            message += f"; bound are {first(bound)}"
        raise NotThereError(f"{message}.", path=str(name), fix="Name a folder that is bound.")
    binding = bound[place]
    record = BindingRecord(folder=place, version=binding.version, digest=binding.digest, by=actor, at=stamp(now), removed=True)
    _numbered(files, name, alone).add(encoded(record))


def listed(files: Files, name: TableName) -> Bindings:
    """Return the bindings that count, oldest first."""
    records: Shelf = shelf(_numbered(files, name), BindingRecord)
    newest = {record.folder: number for number, record in records.records.items()}
    counting = [number for number in sorted(newest.values()) if not records.records[number].removed]
    return Bindings(tuple(_binding(number, records.records[number]) for number in counting), records.unreadable)


def checked_folder(folder: object) -> str:
    """Return the pattern or address of a folder, without a slash at its end."""
    if not isinstance(folder, str) or not folder.strip().strip("/"):
        fix = "Write it as it lies below the table's location, such as dt=2025-03-1*, or as an address."
        raise RefusedNameError(f"{shown(folder)} is no folder.", code="binding.no-folder", fix=fix)
    place = folder.strip().rstrip("/")
    if len(place) > _LONGEST or not place.isprintable() or half_pair(place) or {".", ".."} & set(place.split("/")):
        fix = "Leave out steps such as '..', and what cannot be seen."
        raise RefusedNameError(f"{shown(place)} cannot be a folder.", code="binding.bad-folder", fix=fix)
    if without_passwords(place) != place:
        fix = "Leave the password out; the connection has it."
        raise RefusedNameError(f"{without_credentials(place)} holds a password.", code="binding.secret", fix=fix)
    return place


def _binding(number: int, record: BindingRecord) -> Binding:
    return Binding(record.folder, record.version, record.digest, record.by, record.at, number)


def _numbered(files: Files, name: TableName, alone: bool = False) -> Numbered:
    return Numbered(files, bindings_folder(name), PREFIX, alone=alone)
