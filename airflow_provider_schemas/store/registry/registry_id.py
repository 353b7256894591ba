"""The id of a registry: a random text in the file `registry-id.json`, which is there before the first record.

Each version that is written names it, so that a registry that is not mounted, or another one, differs from one in which nobody
registered anything. The file is created exclusively: of two writers who come first, one reads what the other wrote.
"""

from typing import Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, StorageError
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.layout.identifiers import is_registry_id as is_id
from airflow_provider_schemas.store.layout.paths import REGISTRY_ID
from airflow_provider_schemas.store.registry.json_records import encoded, object_in
from airflow_provider_schemas.store.storage import commit_steps, exclusive_create
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.files import Files, PathTaken

_LIMIT: Final = 10_000
_KEY: Final = "schemas.registry"
# What is lost with a registry.
_HELD: Final = "its contracts, policies, waivers, plans and bindings and the versions of adopted tables"


def read(files: Files) -> str:
    """Return the id of a registry; empty if it has none. Raise StorageError if the file cannot be understood."""
    try:
        data = files.read(REGISTRY_ID, _LIMIT)
    except NotThereError:
        return ""
    value = object_in(data, f"{files.url}/{REGISTRY_ID}", StorageError).get("id")
    if not is_id(value):
        message = f"{files.url}/{REGISTRY_ID} holds no id of a registry."
        fix = (
            f'Restore the file from a backup. It is one line: {{"id": "..."}}, with the id that the versions of the tables name as {_KEY}.'
        )
        raise StorageError(message, code="registry.unreadable-id", path=REGISTRY_ID, fix=fix)
    return str(value)


def make(files: Files, *, alone: bool = False) -> str:
    """Give a registry an id, and return it; the one that it has, if somebody else was first.

    Empty where nothing may be written: then the registry goes on without.
    """
    made = clock.unique()
    data = encoded({"id": made, "at": clock.now().isoformat(timespec="seconds")})
    try:
        with commit_steps.unheard():
            exclusive_create.create(files, REGISTRY_ID, data, alone=alone)
    except PathTaken:
        return read(files)
    except StorageError as error:
        if error.code == ErrorKind.FORBIDDEN:
            return ""
        raise
    return made


def checked_id(value: object) -> str:
    """Return the id that a caller names, if it can be one; empty if none is named."""
    if value and not is_id(value):
        fix = f"Copy it from {REGISTRY_ID} in the registry, or leave it out."
        raise FormatError(f"{shown(str(value))} cannot be the id of a registry.", code="registry.bad-id", path="registry_id", fix=fix)
    return str(value or "")


# ---------------------------------------------------------------- the registry that is meant


def check_connected(files: Files, there: str, connected: str) -> None:
    """Raise StorageError if the registry is not the one whose id the connection names."""
    if connected != there:
        message = f"{files.url} {_has(there)}, and the connection names the registry {shown(connected)}."
        raise _refused(message, files, there, connected, "correct registry_id in the connection")


def check_named(files: Files, there: str, named: str, table: str) -> None:
    """Raise StorageError if the registry is not the one that the versions of a table name."""
    if named and named != there:
        message = f"{files.url} {_has(there)}, and the versions of {table} name the registry {named}: its contracts and policies count."
        other = ""
        if there:
            other = f"if this is a second registry for the same tables, name it in the connection: registry_id={there}"
        raise _refused(message, files, there, named, other)


def check_remembered(files: Files, there: str, remembered: str) -> None:
    """Raise StorageError if the registry is not the one that the same store has read before."""
    if remembered and remembered != there:
        message = f"{files.url} {_has(there)}, and it was the registry {remembered} when this store looked before."
        raise _refused(message, files, there, remembered, "")


def _has(there: str) -> str:
    if there:
        return f"is the registry {there}"
    return f"is no registry with an id ({REGISTRY_ID} is not there; id: none)"


def _begin_anew(files: Files, wanted: str) -> str:
    file = f"{files.url}/{REGISTRY_ID}"
    again = f'write {{"id": "{wanted}"}} to {file}, and make all of that again before anybody changes a table'
    return f"If the registry is lost, restore it from a backup; without one, {_HELD} are gone: {again}"


def _refused(message: str, files: Files, there: str, wanted: str, other: str) -> StorageError:
    """Return the error about a registry that is not the wanted one, with all ways to put it right."""
    ways = ["Mount the registry, or correct its address"]
    if other:
        ways.append(other)
    if not there and is_id(wanted):
        anew = _begin_anew(files, wanted)
        ways.append(anew[0].lower() + anew[1:])
    fix = f"{'; or '.join(ways)}. Nothing was written."
    return StorageError(message, code="registry.other" if there else "registry.missing", path=files.url, fix=fix)
