"""Snapshots and tags of a Paimon table and the manifests that they name, for everything that needs to know which files there are.

The callers differ in what they read from a manifest. How manifests are found, fetched a few at a time, and named in
errors is the same for all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.formats.avro.errors import broken
from airflow_provider_schemas.store.layout.paths import branch_folder, joined
from airflow_provider_schemas.store.paimon.manifests import NamedFile
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind, read_anchor
from airflow_provider_schemas.store.retention.schema_ids_in_use import MANIFESTS
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table_location import TablePlace

ADDED: Final = 0
_REMOVED: Final = 1
# By the kind of an entry: how it changes the count of a file.
STEPS: Final[Mapping[int, int]] = {ADDED: 1, _REMOVED: -1}
_ATTEMPTS: Final = 5
_BATCH: Final = 64
_BATCH_BYTES: Final = 64 * 1024 * 1024

Content = TypeVar("Content")


def numbered_snapshots(place: TablePlace, branch: str) -> Numbered:
    """Return the snapshots of a branch."""
    return Numbered(place.files, joined(branch_folder(place.folder, branch), AnchorKind.SNAPSHOT), "snapshot-")


def read_named(files: Files, kind: AnchorKind, name: str, path: str) -> Anchor:
    """Read the snapshot or the tag in this file; raise NotThereError if there is none."""
    data = files.read(path)
    try:
        return read_anchor(kind, name, data)
    except SchemaError as error:
        raise located(error, f"{files.url}/{path}") from None


def with_newest(place: TablePlace, branch: str, table: str, call: Callable[[int | None], Content]) -> Content:
    """Call with the number of the newest snapshot, or with None if there is none; again where it expired while it was read."""
    snapshots = numbered_snapshots(place, branch)
    newest = max(snapshots.entries(), default=None)
    for _ in range(_ATTEMPTS):
        try:
            return call(newest)
        except NotThereError:
            before = newest
            newest = max(snapshots.entries(), default=None)
            if newest == before:
                raise
    raise StorageError(f"the snapshots of {table} change faster than they can be read.", fix="Try again.")


def list_manifests(place: TablePlace, anchor: Anchor, read: Callable[[bytes], tuple[NamedFile, ...]]) -> dict[str, NamedFile]:
    """Return the manifests of a snapshot's base and of what it added, none of its changelog, by name."""
    lists = [mention.file for mention in anchor.lists if mention.must]
    manifests: dict[str, NamedFile] = {}
    for _, listed in read_each(place, lists, read):
        manifests.update((manifest.name, manifest) for manifest in listed)
    return manifests


def manifest_size(record: Mapping[str, Any]) -> int:
    """Return the size of the manifest that a record of a list names."""
    size: int = record["_FILE_SIZE"]
    if size < 0:
        raise broken("it names a manifest of less than nothing")
    return size


def read_each(place: TablePlace, files: Iterable[NamedFile], read: Callable[[bytes], Content]) -> Iterator[tuple[str, Content]]:
    """Yield the content of each of these files, which are manifests or lists of them, by name."""
    for batch in _batches(files):
        contents = _read_batch(place, batch)
        for file in batch:
            yield file.name, _parse(contents[file.name], file, read)


def check_version(record: Mapping[str, Any], what: str, known: int) -> None:
    """Refuse a record of an unknown version: each record has its own."""
    if record["_VERSION"] != known:
        message = f"it is {what} of version {shown(record['_VERSION'])}, and only version {known} is known."
        fix = "Update this package, or read the table with Paimon's own connector."
        raise FormatError(message, code="live.manifest-version", fix=fix)


def located(error: SchemaError, where: str) -> SchemaError:
    """Return the error with the file that it is about."""
    return type(error).of(fault._replace(path=where) for fault in error.faults)


def _read_batch(place: TablePlace, files: Iterable[NamedFile]) -> Mapping[str, bytes]:
    paths = {file.name: joined(place.folder, MANIFESTS, file.name) for file in files}
    answers = place.files.read_many(list(paths.values()))
    contents: dict[str, bytes] = {}
    for name, path in paths.items():
        answer = answers[path]
        if isinstance(answer, SchemaError):
            raise answer
        contents[name] = answer
    return contents


def _parse(data: bytes, file: NamedFile, read: Callable[[bytes], Content]) -> Content:
    """Parse a file; raise an error that names the file if it is another one than was meant, or cannot be parsed."""
    try:
        if file.size not in {-1, len(data)}:
            raise broken(f"it has {len(data)} bytes and should have {file.size}")
        return read(data)
    except NotThereError:
        raise
    except SchemaError as error:
        raise located(error, file.name) from None


def _batches(files: Iterable[NamedFile]) -> Iterator[list[NamedFile]]:
    """Split the files into batches that the memory holds."""
    batch: list[NamedFile] = []
    size = 0
    for file in files:
        if batch and (len(batch) == _BATCH or size + file.size > _BATCH_BYTES):
            yield batch
            batch = []
            size = 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch
