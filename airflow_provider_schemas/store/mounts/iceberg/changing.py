"""What an `IcebergMount` does when a table is changed through it: looks on one side, metadata and a catalog of pyiceberg on the other."""

from collections.abc import Sequence
from typing import Any

from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata
from airflow_provider_schemas.store.mounts.iceberg.evolution import commit as sending
from airflow_provider_schemas.store.mounts.iceberg.evolution import note, refusals, restore
from airflow_provider_schemas.store.mounts.iceberg.look import IcebergLook
from airflow_provider_schemas.store.mounts.source import MountedVersion, PastCommit, SchemaAttempt, SchemaStep, TableLook


def refused(look: TableLook, step: SchemaStep) -> tuple[Fault, ...]:
    """Return why Iceberg, or readers of the table, cannot bear a step."""
    metadata = _metadata(look)
    if step.back_to is not None:
        return tuple(restore.misread(metadata, step.back_to))
    return tuple(refusals.unbearable(metadata, step.judged, step.changes))


def commit(
    catalog: Any, identifier: Sequence[str], look: TableLook, step: SchemaStep, earlier: SchemaAttempt, *, where: str
) -> SchemaAttempt:
    """Try to carry out a step on what the look has found."""
    attempted = sending.commit(catalog, identifier, _metadata(look), step, where=where, open_base=earlier.base)
    written = None if attempted.metadata is None else _current(attempted.metadata)
    return SchemaAttempt(written, attempted.unclear, attempted.base)


def last_note(look: TableLook) -> Provenance | None:
    """Return the note of our last commit, as long as the schema that it made is the current one."""
    return note.note_of_current(_metadata(look))


def past_commit(look: TableLook, *, key: str | None = None, commit: str | None = None) -> PastCommit | None:
    """Return a commit of ours by its key or its id; the newest, where several have the key."""
    metadata = _metadata(look)
    sign = note.key_hash(key)
    for entry in reversed(note.entries_of(metadata.properties)):
        if (sign and entry.key == sign) or (commit and entry.commit == commit):
            return PastCommit(_number_of(metadata, entry.digest), entry.changes)
    return None


def _number_of(metadata: IcebergMetadata, digest: str) -> int | None:
    """Return the number of the schema with a digest; the current one first, since writers may add a schema twice."""
    numbers = (metadata.current_schema_id, *reversed(metadata.schema_ids))
    return next((number for number in numbers if metadata.digest(number) == digest), None)


def _current(metadata: IcebergMetadata) -> MountedVersion:
    number = metadata.current_schema_id
    return MountedVersion(number, metadata.digest(number), metadata.schema(number))


def _metadata(look: TableLook) -> IcebergMetadata:
    if not isinstance(look, IcebergLook):
        raise TypeError(f"{type(look).__name__} is no look at an Iceberg table")
    return look.metadata


def no_catalog(url: str) -> FormatError:
    """Return the error about a folder that is to be changed: without a catalog, of two writers neither loses."""
    message = f"{url} is read without a catalog that takes commits, and only such a one can refuse the second of two writers."
    fix = "Mount the catalog that keeps the tables to change them, or leave evolve out."
    return FormatError(message, code="mount.cannot-evolve", path="evolve", fix=fix)
