"""Did a commit land whose answer was lost?

Our note in the head says so; and where later commits of ours have overwritten it, the metadata files since the base do, which the
metadata log names. If the log was cut, or a file of it cannot be read, nobody can tell: then nothing is tried again.
"""

import time
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import OutcomeUnknownError, StorageError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_metadata
from airflow_provider_schemas.store.mounts.iceberg.evolution.note import has_commit

if TYPE_CHECKING:
    from pyiceberg.table import Table

_PAUSES: Final = (0.0, 0.1, 0.4, 1.0, 2.0)


class Settlement(Enum):
    """What became of a commit."""

    LANDED = "it is written"
    LOST = "it is not written, and cannot be any more"
    OPEN = "it is not written yet: the table is what it was"


class Settled(Struct, frozen=True):
    """What became of a commit, and the metadata that it made."""

    settlement: Settlement
    metadata: IcebergMetadata | None = None


def settle(catalog: Any, base: "Table", commit: str) -> Settled:
    """Return what became of a commit on a base. Raise a StorageError `storage.unclear` if nobody can tell."""
    head = _load(catalog, base)
    if head.metadata.table_uuid != base.metadata.table_uuid:
        raise unclear(base, "the table was replaced by another of its name")
    written = _find(head, base, commit)
    if written is not None:
        return Settled(Settlement.LANDED, written)
    return Settled(Settlement.OPEN if _may_still_land(head, base) else Settlement.LOST)


def _load(catalog: Any, base: "Table") -> "Table":
    """Return the table as it is now; a catalog that has lost an answer may need some seconds."""
    failed: Exception | None = None
    for pause in _PAUSES:
        time.sleep(pause)
        try:
            table: Table = catalog.load_table(base.name())
        except Exception as error:  # noqa: BLE001  # whatever it is: the table could not be looked at
            failed = error
            continue
        return table
    raise unclear(base, f"the catalog does not answer ({type(failed).__name__})") from failed


def _find(head: "Table", base: "Table", commit: str) -> IcebergMetadata | None:
    """Return the metadata that a commit of ours has made; None if it surely made none.

    Later commits of ours list it too: the oldest metadata that names it is its own.
    """
    found: IcebergMetadata | None = None
    if has_commit(head.metadata.properties, commit):
        found = read_metadata(head.metadata.model_dump_json().encode())
    for location in _locations_since(head, base, is_found=found is not None):
        try:
            metadata = read_metadata(_read(head, location))
        except Exception as error:
            if found is not None:
                return found
            raise unclear(base, f"{without_credentials(location)} cannot be read ({type(error).__name__})") from error
        if has_commit(metadata.properties, commit):
            found = metadata
        elif found is not None:
            return found
    return found


def _locations_since(head: "Table", base: "Table", *, is_found: bool) -> list[str]:
    """Return the metadata files between the base and the head, newest first. Raise if the log is cut, and the commit is not found yet."""
    if head.metadata_location == base.metadata_location:
        return []
    log = [entry.metadata_file for entry in head.metadata.metadata_log]
    if base.metadata_location in log:
        return log[: log.index(base.metadata_location) : -1]
    if is_found:
        return []
    raise unclear(base, "the log of its metadata does not reach back to where the change began")


def _read(table: "Table", location: str) -> bytes:
    with table.io.new_input(location).open() as stream:
        return bytes(stream.read())


def _may_still_land(head: "Table", base: "Table") -> bool:
    """Return whether a request that is under way would still be taken: what it asserts still holds."""
    now = head.metadata
    before = base.metadata
    return (now.current_schema_id, now.last_column_id) == (before.current_schema_id, before.last_column_id)


def unclear(base: "Table", reason: str) -> OutcomeUnknownError:
    """Return the error about a commit of which nobody can tell whether it landed: nothing is tried again before somebody has looked."""
    name = ".".join(base.name())
    message = f"whether {name} was changed is not known: the answer of the catalog was lost, and {reason}."
    return OutcomeUnknownError(message, path=name, fix=_look_at(name, "If it is not, ask for the change again."))


def still_open(base: "Table", reason: str) -> StorageError:
    """Return the error about a commit of which nothing has come: to send it again is safe, since at most one of them lands."""
    name = ".".join(base.name())
    message = f"{name} was not changed so far, and the answer of the catalog was lost: {reason}."
    return StorageError(message, code=OutcomeUnknownError.default_code, path=name, fix=_look_at(name, "If it is not, try again."))


def _look_at(name: str, otherwise: str) -> str:
    return f"Look at the schema of {name} and at its property schemas.commits: if the change is there, all is done. {otherwise}"
