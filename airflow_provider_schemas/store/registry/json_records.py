"""Records of the registry: one JSON object a file, with who wrote it and when.

A key that this release does not know stays in the record. Any other fault makes the record unreadable, and what is unreadable is
handed to the caller, never left out.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, NamedTuple, TypeVar

from msgspec import Struct
from pydantic import ConfigDict

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.user_document import Moment, UserDocument
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.store.common.clock import now as present
from airflow_provider_schemas.store.storage.numbered_files import Numbered

LIMIT = 16 * 1024 * 1024
_FIX = "Restore the file from a backup, or write the record again."


class Record(UserDocument):
    """What every record says: who wrote it, and when."""

    model_config = ConfigDict(extra="allow")
    noun: ClassVar = "record"

    by: str = ""
    at: Moment


R = TypeVar("R", bound=Record)


class Unreadable(Struct, frozen=True):
    """A file of the registry that cannot be read, and why."""

    path: str
    error: SchemaError

    def __str__(self) -> str:
        return f"{self.path} cannot be read: {self.error.message}"


def at(now: datetime | None) -> datetime:
    """Return the moment at which something is done; the present, unless one is given."""
    return present() if now is None else moment(now)


def stamp(now: datetime | None) -> str:
    """Return the moment as records keep it."""
    return at(now).isoformat(timespec="seconds")


# ---------------------------------------------------------------- bytes


def encoded(value: Record | Mapping[str, Any]) -> bytes:
    """Return the bytes of a record."""
    if isinstance(value, Record):
        value = value.model_dump(mode="json", exclude_none=True)
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def decoded(model: type[R], data: bytes, path: str) -> R:
    """Return the record in a file, or raise the record's own error, which names the file and every fault."""
    value = object_in(data, path, model.refusal)
    try:
        return model.read(value)
    except SchemaError as error:
        raise model.refusal.of(_placed(error.faults, path)) from None


def object_in(data: bytes, path: str, refusal: type[SchemaError]) -> dict[str, Any]:
    """Return the JSON object in a file."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise refusal("the file is no UTF-8.", code="registry.unreadable", path=path, fix=_FIX) from None
    read = read_json(text)
    if read.faults:
        raise refusal.of(_placed(read.faults, path))
    if not isinstance(read.value, dict):
        raise refusal("the file holds no JSON object.", code="registry.unreadable", path=path, fix=_FIX)
    return read.value


def _placed(faults: Iterable[Fault], path: str) -> list[Fault]:
    """Return the faults with the file in front of their paths."""
    return [fault._replace(path=f"{path} {fault.path}".rstrip(), fix=fault.fix or _FIX) for fault in faults]


# ---------------------------------------------------------------- numbered files of one folder


class Shelf(NamedTuple):
    """The records of one folder by their numbers, what could not be read, and all names that are there."""

    records: dict[int, Any]
    unreadable: tuple[Unreadable, ...]
    names: frozenset[str]


def shelf(numbered: Numbered, model: type[R], *, without: str = "") -> Shelf:
    """Return all records of a folder, in one listing and one round of reads; without those that have a file of this end beside them."""
    names = frozenset(entry.name for entry in numbered.files.list(numbered.folder) if not entry.folder)
    wanted: list[int] = []
    for name in names:
        number = numbered.number(name)
        if number is not None and not (without and f"{name}{without}" in names):
            wanted.append(number)
    records: dict[int, R] = {}
    unreadable: list[Unreadable] = []
    for number, data in numbered.read_many(sorted(wanted), LIMIT).items():
        path = numbered.path(number)
        try:
            records[number] = decoded(model, bytes_of(data), path)
        except SchemaError as error:
            unreadable.append(Unreadable(path, error))
    return Shelf(records, tuple(unreadable), names)


def bytes_of(data: bytes | SchemaError) -> bytes:
    """Return what was read, or raise the error that was met instead."""
    if isinstance(data, SchemaError):
        raise data
    return data


def others(count: int) -> str:
    """Return how many there are besides the one that a sentence names: ` (+2 more)`."""
    return f" (+{count - 1} more)" if count > 1 else ""


def first(names: Iterable[str], most: int = 5) -> str:
    """Return the first few of some names, as a sentence has them."""
    known = list(names)
    text = ", ".join(known[:most])
    if len(known) > most:
        text += f" and {len(known) - most} more"
    return text
