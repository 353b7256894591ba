"""Find out under which schemas the live data files of a table were written, from the headers of its manifests.

The id of a schema in a snapshot says which schema was current at a commit, not which one its files were written with. The header of a
manifest says what its writer had. A manifest that was rewritten carries files of older manifests under a new header: then every schema of
the table may have files.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata
from airflow_provider_schemas.store.mounts.iceberg.history import Resolve
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader
from airflow_provider_schemas.store.mounts.iceberg.manifests import (
    HEADER_BYTES,
    ManifestSchema,
    NamedManifest,
    read_manifest_list,
    read_schema_of,
)
from airflow_provider_schemas.store.mounts.source import LiveSchemas

_MOST_MANIFESTS: Final = 20_000
_MOST_KNOWN: Final = 200_000


class SchemasInUse(NamedTuple):
    """The schemas that live files were written with, and those of them that only the manifests hold."""

    live: LiveSchemas
    only_in_manifests: Mapping[int, bytes]


class KnownManifestSchemas:
    """The schemas in the headers of manifests, by the id of their table and their location. A manifest never changes."""

    def __init__(self) -> None:
        self._schemas: dict[tuple[str, str], ManifestSchema] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type["KnownManifestSchemas"], tuple[()]]:
        return KnownManifestSchemas, ()  # another process reads for itself

    def get(self, table_id: str, location: str) -> ManifestSchema | None:
        """Return the schema of a manifest, if it was read."""
        return self._schemas.get((table_id, location))

    def learn(self, table_id: str, location: str, schema: ManifestSchema) -> None:
        """Remember the schema of a manifest; forget everything first where that becomes too much."""
        with self._lock:
            if len(self._schemas) >= _MOST_KNOWN:
                self._schemas = {}
            self._schemas[table_id, location] = schema


class _Unknown(Exception):  # noqa: N818  # an answer and not a fault
    """Why nobody knows which schemas are in use."""


class _Reading(Struct, frozen=True):
    """What is needed to read the manifests of one table."""

    metadata: IcebergMetadata
    reader: LocationReader
    known: KnownManifestSchemas
    resolve: Resolve


def schemas_in_use(metadata: IcebergMetadata, reader: LocationReader, known: KnownManifestSchemas, resolve: Resolve) -> SchemasInUse:
    """Return the schemas of all files that a branch or a tag holds."""
    reading = _Reading(metadata, reader, known, resolve)
    try:
        return _in_use(reading)
    except _Unknown as unknown:
        return SchemasInUse(LiveSchemas(None, str(unknown)), {})


def _in_use(reading: _Reading) -> SchemasInUse:
    holders: dict[int, set[str]] = defaultdict(set)
    reasons: list[str] = []
    manifests = _manifests_by_holder(reading)
    schemas = _read_headers(reading, {manifest.location for group in manifests.values() for manifest in group})
    for holder, group in manifests.items():
        for manifest in group:
            numbers, reason = _numbers(reading, manifest, schemas[manifest.location])
            reasons.extend(filter(None, [reason]))
            for number in numbers:
                holders[number].add(holder)
    held = {number: tuple(sorted(names)) for number, names in sorted(holders.items())}
    return SchemasInUse(LiveSchemas(frozenset(held), _joined(reasons), held), _foreign(reading, schemas.values()))


def _manifests_by_holder(reading: _Reading) -> Mapping[str, Sequence[NamedManifest]]:
    """Return the manifests that hold live files, by the branch or tag that needs them."""
    snapshots = {snapshot.snapshot_id: snapshot for snapshot in reading.metadata.snapshots}
    lists: dict[str, str] = {}
    manifests: dict[str, Sequence[NamedManifest]] = {}
    for name, ref in reading.metadata.refs.items():
        holder = f"{ref.kind} {name}"
        snapshot = snapshots.get(ref.snapshot_id)
        if snapshot is None:
            raise _Unknown(f"the metadata lacks the snapshot of {ref.kind} {shown(name)}")
        if snapshot.manifest_list is None:
            manifests[holder] = [NamedManifest(location, None, None) for location in snapshot.manifests]
        else:
            lists[holder] = snapshot.manifest_list
    read = _read_lists(reading, set(lists.values()))
    manifests.update((holder, read[location]) for holder, location in lists.items())
    return manifests


def _read_lists(reading: _Reading, locations: Iterable[str]) -> Mapping[str, Sequence[NamedManifest]]:
    places = {location: reading.resolve(location) for location in locations}
    contents = reading.reader.read_many(places.values())
    lists: dict[str, Sequence[NamedManifest]] = {}
    for location, place in places.items():
        content = contents[place]
        if isinstance(content, SchemaError):
            _raise_unread(location, content)
        try:
            lists[location] = [manifest for manifest in read_manifest_list(content) if not manifest.is_empty]
        except FormatError as error:
            _raise_unread(location, error)
    return lists


def _raise_unread(location: str, error: SchemaError) -> NoReturn:
    """Raise what a further try may mend as it is; else say why nobody knows."""
    if isinstance(error, NotThereError | FormatError):
        name = location.rpartition("/")[2]
        raise _Unknown(f"{shown(name)} cannot be read: {error.message} {error.fix}".strip()) from error
    raise error


def _read_headers(reading: _Reading, locations: set[str]) -> Mapping[str, ManifestSchema]:
    """Return the schemas of manifests, each read once; a longer part of those whose header is long."""
    if len(locations) > _MOST_MANIFESTS:
        raise _Unknown(f"the table has {len(locations):,} manifests, and no more than {_MOST_MANIFESTS:,} are read: rewrite its manifests")
    table_id = reading.metadata.uuid
    schemas: dict[str, ManifestSchema] = {}
    unread: dict[str, str] = {}
    for location in sorted(locations):
        schema = reading.known.get(table_id, location)
        if schema is None:
            unread[location] = reading.resolve(location)
        else:
            schemas[location] = schema
    starts = reading.reader.start_many(unread.values(), HEADER_BYTES)
    for location, place in unread.items():
        schemas[location] = _read_header(reading, location, starts[place])
        reading.known.learn(table_id, location, schemas[location])
    return schemas


def _read_header(reading: _Reading, location: str, start: bytes | SchemaError) -> ManifestSchema:
    if isinstance(start, SchemaError):
        _raise_unread(location, start)
    try:
        return read_schema_of(start)
    except FormatError as error:
        if len(start) < HEADER_BYTES:
            _raise_unread(location, error)
    try:
        return read_schema_of(reading.reader.read(reading.resolve(location)))
    except SchemaError as error:
        _raise_unread(location, error)


def _numbers(reading: _Reading, manifest: NamedManifest, schema: ManifestSchema) -> tuple[Iterable[int], str]:
    """Return the schemas that files of a manifest may have, and why there may be several."""
    every = reading.metadata.schema_ids
    if manifest.is_rewritten:
        numbers = every if schema.number is None else {*every, schema.number}
        return numbers, "manifests were rewritten, so that files of any schema of the table may be in them"
    if schema.number is None:
        return every, "an old writer has not said which schema it had"
    return [schema.number], ""


def _foreign(reading: _Reading, schemas: Iterable[ManifestSchema]) -> Mapping[int, bytes]:
    """Return the schemas that the metadata does not hold any more."""
    held = set(reading.metadata.schema_ids)
    return {schema.number: schema.raw for schema in schemas if schema.number is not None and schema.number not in held}


def _joined(reasons: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(reasons))
