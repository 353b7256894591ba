"""Read which schemas of a table were current, and since when, out of the metadata files that its metadata log names.

Each commit leaves a metadata file, most of them by writers of data: neighbours with the same schema are one entry. Metadata files never
change, so that each is read once in the life of a mount.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, LogEntry, read_metadata
from airflow_provider_schemas.store.mounts.iceberg.evolution.note import note_of_current
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader
from airflow_provider_schemas.store.mounts.source import Head, Heads

_MOST_FILES: Final = 1_000
"""As many older files are read; writers keep a hundred unless they are told otherwise."""
_MOST_KNOWN: Final = 100_000
_MOST_BYTES: Final = 16 * 1024 * 1024
"""As many bytes of schemas are remembered that were current once: a writer that tidies up drops them from the newest metadata."""
_AT_ONCE: Final = 64
_BYTES_AT_ONCE: Final = 256 * 1024 * 1024
"""As many bytes of metadata are held in memory: the files of a table have about one size."""

Resolve = Callable[[str], str]
"""Returns where a file lies that the metadata names."""


class _Moment(Struct, frozen=True):
    """What a metadata file says about the schema that was current."""

    head: Head
    is_first: bool
    """Whether no file was before this one."""


class KnownHistory:
    """What the metadata files of the tables of a mount said, by the id of the table and their location."""

    def __init__(self) -> None:
        self._moments: OrderedDict[tuple[str, str], _Moment] = OrderedDict()
        self._schemas: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type["KnownHistory"], tuple[()]]:
        return KnownHistory, ()  # another process reads for itself

    def get(self, table_id: str, location: str) -> _Moment | None:
        """Return what a file said, if it was read."""
        return self._moments.get((table_id, location))

    def schema(self, table_id: str, digest: str) -> bytes | None:
        """Return a schema that was current once, by its digest; None where nobody remembers it."""
        return self._schemas.get((table_id, digest))

    def learn_schema(self, table_id: str, digest: str, raw: bytes) -> None:
        """Remember a schema that was current, each once."""
        with self._lock:
            if (table_id, digest) in self._schemas:
                return
            self._schemas[table_id, digest] = raw
            self._bytes += len(raw)
            while self._bytes > _MOST_BYTES:
                self._bytes -= len(self._schemas.popitem(last=False)[1])

    def learn(self, table_id: str, location: str, moment: _Moment) -> None:
        """Remember what a file said."""
        with self._lock:
            self._moments[table_id, location] = moment
            while len(self._moments) > _MOST_KNOWN:
                self._moments.popitem(last=False)


class PastFiles(Struct, frozen=True):
    """What is needed to read the older metadata files of one table."""

    reader: LocationReader
    known: KnownHistory
    resolve: Resolve
    size: int
    """The bytes of the newest metadata file."""

    @property
    def at_once(self) -> int:
        """How many files are read at once."""
        return max(1, min(_AT_ONCE, _BYTES_AT_ONCE // max(1, self.size)))


def heads(metadata: IcebergMetadata, files: PastFiles) -> Heads:
    """Return the schemas that were current, oldest first. Of a log with a gap, what came after the gap."""
    log = metadata.metadata_log[-_MOST_FILES:]
    past = _read_log(log, metadata.uuid, files)
    moments: list[_Moment] = []
    whole = len(log) == len(metadata.metadata_log)
    for entry in log:
        moment = past.get(entry.metadata_file)
        if moment is None:
            moments = []
            whole = False
        else:
            moments.append(_dated(moment, entry))
    moments.append(_moment_of(metadata))
    return Heads(_collapse([moment.head for moment in moments]), whole and moments[0].is_first)


def _read_log(log: Sequence[LogEntry], table_id: str, files: PastFiles) -> Mapping[str, _Moment]:
    """Return what each file of a log said; nothing for files that are gone or cannot be read."""
    moments: dict[str, _Moment] = {}
    unknown: list[str] = []
    for entry in log:
        moment = files.known.get(table_id, entry.metadata_file)
        if moment is None:
            unknown.append(entry.metadata_file)
        else:
            moments[entry.metadata_file] = moment
    for start in range(0, len(unknown), files.at_once):
        for location, moment in _read_files(unknown[start : start + files.at_once], files).items():
            files.known.learn(table_id, location, moment)
            moments[location] = moment
    return moments


def _read_files(locations: Sequence[str], files: PastFiles) -> Mapping[str, _Moment]:
    places = {location: files.resolve(location) for location in locations}
    contents = files.reader.read_many(places.values())
    moments: dict[str, _Moment] = {}
    for location, place in places.items():
        moment = _read_moment(contents[place], files.known)
        if moment is not None:
            moments[location] = moment
    return moments


def _read_moment(content: bytes | SchemaError, known: KnownHistory) -> _Moment | None:
    """Return what a file says; None if it is gone or no metadata. Raise what a further try may mend: a past must not depend on it."""
    if isinstance(content, SchemaError):
        if content.code in _GONE:
            return None
        raise content
    try:
        metadata = read_metadata(content)
        moment = _moment_of(metadata)
        known.learn_schema(moment.head.table_id, moment.head.digest, metadata.raw_schema(moment.head.number))
    except SchemaError:
        return None
    return moment


_GONE: Final = frozenset({"storage.not-there", "storage.no-bucket", "storage.too-large", "storage.refused-path", "storage.no-address"})


def _moment_of(metadata: IcebergMetadata) -> _Moment:
    number = metadata.current_schema_id
    head = Head(number, metadata.digest(number), metadata.last_updated_ms, metadata.uuid, note=note_of_current(metadata))
    # A first file has one schema; one without a log and with several was registered, or had its log taken away.
    return _Moment(head, not metadata.metadata_log and len(metadata.schema_ids) == 1)


def _dated(moment: _Moment, entry: LogEntry) -> _Moment:
    """Return what a file said with the moment in the log, where the file itself has none."""
    if moment.head.moment is not None:
        return moment
    head = moment.head
    return _Moment(Head(head.number, head.digest, entry.timestamp_ms, head.table_id, note=head.note), moment.is_first)


def _collapse(entries: Sequence[Head]) -> tuple[Head, ...]:
    """Return the heads without those that repeat the one before them."""
    kept: list[Head] = []
    for head in entries:
        if not kept or _identity(kept[-1]) != _identity(head):
            kept.append(head)
    return tuple(kept)


def _identity(head: Head) -> tuple[int, str, str]:
    return head.number, head.digest, head.table_id
