"""A snapshot or a tag of a Paimon table and the manifests that it names, read by whoever asks which files are there.

What the manifests are asked for differs from asker to asker; how they are found, fetched a few at a time, and how an
error says which of them it is about, does not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.layout.paths import branch_folder, joined
from airflow_provider_schemas.store.paimon.avro_container import broken
from airflow_provider_schemas.store.paimon.manifests import Named
from airflow_provider_schemas.store.paimon.snapshots import Anchor, Kind, read_anchor
from airflow_provider_schemas.store.retention.schema_ids_in_use import MANIFESTS
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table_location import TablePlace

_ATTEMPTS: Final = 5
_BATCH: Final = 64
_BATCH_BYTES: Final = 64 * 1024 * 1024

Said = TypeVar("Said")


def snapshots(place: TablePlace, branch: str) -> Numbered:
    """The snapshots of a branch."""
    return Numbered(place.files, joined(branch_folder(place.folder, branch), Kind.SNAPSHOT), "snapshot-")


def read_named(files: Files, kind: Kind, name: str, path: str) -> Anchor:
    """The snapshot or the tag in this file; NotThereError if there is none."""
    data = files.read(path)
    try:
        return read_anchor(kind, name, data)
    except SchemaError as error:
        raise located(error, f"{files.url}/{path}") from None


def of_newest(place: TablePlace, branch: str, table: str, call: Callable[[int | None], Said]) -> Said:
    """The answer about the newest snapshot, None if there is none; asked again where that expired while it was read."""
    found = snapshots(place, branch)
    newest = max(found.entries(), default=None)
    for _ in range(_ATTEMPTS):
        try:
            return call(newest)
        except NotThereError:
            before, newest = newest, max(found.entries(), default=None)
            if newest == before:
                raise
    raise StorageError(f"the snapshots of {table} change faster than they can be read.", fix="Try again.")


def listed(place: TablePlace, anchor: Anchor, read: Callable[[bytes], tuple[Named, ...]]) -> dict[str, Named]:
    """The manifests of a snapshot's base and of what it added, none of its changelog, by name."""
    lists = [one.file for one in anchor.lists if one.must]
    return {one.name: one for _, found in read_each(place, lists, read) for one in found}


def read_each(place: TablePlace, wanted: Iterable[Named], read: Callable[[bytes], Said]) -> Iterator[tuple[str, Said]]:
    """What each of these files says, by name: manifests, or lists of them."""
    for batch in _batches(wanted):
        found = _contents(place, batch)
        for one in batch:
            yield one.name, _told(found[one.name], one, read)


def check_version(one: Mapping[str, Any], what: str, known: int) -> None:
    """Refuse a record of a version that is not known: each says its own."""
    if one["_VERSION"] != known:
        message = f"it is {what} of version {shown(one['_VERSION'])}, and only version {known} is known."
        fix = "Update this package, or read the table with Paimon's own connector."
        raise FormatError(message, code="live.manifest-version", fix=fix)


def located(error: SchemaError, where: str) -> SchemaError:
    """The error, saying which file it is about."""
    return type(error).of(fault._replace(path=where) for fault in error.faults)


def _contents(place: TablePlace, wanted: Iterable[Named]) -> Mapping[str, bytes]:
    paths = {one.name: joined(place.folder, MANIFESTS, one.name) for one in wanted}
    found = place.files.read_many(list(paths.values()))
    for path in paths.values():
        if isinstance(error := found[path], SchemaError):
            raise error
    return {name: data for name, path in paths.items() if isinstance(data := found[path], bytes)}


def _told(data: bytes, named: Named, read: Callable[[bytes], Said]) -> Said:
    """What a file says; an error that names it if it is not the one that was meant, or cannot be read."""
    try:
        if named.size not in {-1, len(data)}:
            raise broken(f"it has {len(data)} bytes and should have {named.size}")
        return read(data)
    except NotThereError:
        raise
    except SchemaError as error:
        raise located(error, named.name) from None


def _batches(wanted: Iterable[Named]) -> Iterator[list[Named]]:
    """Few enough at once that the memory holds them."""
    batch: list[Named] = []
    for one in wanted:
        if batch and (len(batch) == _BATCH or sum(known.size for known in batch) + one.size > _BATCH_BYTES):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch
