"""Records of the registry: one JSON object a file, with who wrote it and when.

A key that this release does not know stays in the record; anything else that is odd makes it unreadable, and
what is unreadable is handed to the caller, never left out.
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
    """What every record says."""

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
    """The moment at which something is done; the present, unless one is given."""
    return present() if now is None else moment(now)


def stamp(now: datetime | None) -> str:
    """The same, as records keep it."""
    return at(now).isoformat(timespec="seconds")


# ---------------------------------------------------------------- bytes


def encoded(value: Record | Mapping[str, Any]) -> bytes:
    """The record as a file."""
    plain = value.model_dump(mode="json", exclude_none=True) if isinstance(value, Record) else value
    return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode()


def decoded(model: type[R], data: bytes, path: str) -> R:
    """The record in a file, or the record's own error, which names the file and every fault."""
    found = object_in(data, path, model.refusal)
    try:
        return model.read(found)
    except SchemaError as error:
        raise model.refusal.of(_placed(error.faults, path)) from None


def object_in(data: bytes, path: str, refusal: type[SchemaError]) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise refusal("the file is no UTF-8.", code="registry.unreadable", path=path, fix=_FIX) from None
    found = read_json(text)
    if found.faults:
        raise refusal.of(_placed(found.faults, path))
    if not isinstance(found.value, dict):
        raise refusal("the file holds no JSON object.", code="registry.unreadable", path=path, fix=_FIX)
    return found.value


def _placed(faults: Iterable[Fault], path: str) -> list[Fault]:
    return [fault._replace(path=f"{path} {fault.path}".rstrip(), fix=fault.fix or _FIX) for fault in faults]


# ---------------------------------------------------------------- numbered files of one folder


class Shelf(NamedTuple):
    """The records of one folder by their numbers, what could not be read, and all names that are there."""

    records: dict[int, Any]
    unreadable: tuple[Unreadable, ...]
    names: frozenset[str]


def shelf(numbered: Numbered, model: type[R], *, without: str = "") -> Shelf:
    """All records of a folder, in one listing and one round of reads. Without: not those that have a file of this end beside them."""
    names = frozenset(one.name for one in numbered.files.list(numbered.folder) if not one.folder)
    found = sorted((number, name) for name in names if (number := numbered.number(name)) is not None)
    wanted = [number for number, name in found if not without or f"{name}{without}" not in names]
    records: dict[int, R] = {}
    unreadable: list[Unreadable] = []
    for number, data in numbered.read_many(wanted, LIMIT).items():
        path = numbered.path(number)
        try:
            records[number] = decoded(model, bytes_of(data), path)
        except SchemaError as error:
            unreadable.append(Unreadable(path, error))
    return Shelf(records, tuple(unreadable), names)


def bytes_of(data: bytes | SchemaError) -> bytes:
    """What was read, or the error that was met instead."""
    if isinstance(data, SchemaError):
        raise data
    return data


def first(some: Iterable[str], most: int = 5) -> str:
    """The first few of some names, as a sentence has them."""
    names = list(some)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
