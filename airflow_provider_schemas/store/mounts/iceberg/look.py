"""What one look at an Iceberg table found: its metadata, and through it its past and its live files."""

import threading
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_schema, schema_digest
from airflow_provider_schemas.store.mounts.iceberg.finder import FoundMetadata
from airflow_provider_schemas.store.mounts.iceberg.history import KnownHistory, PastFiles, heads
from airflow_provider_schemas.store.mounts.iceberg.live_schemas import KnownManifestSchemas, SchemasInUse, schemas_in_use
from airflow_provider_schemas.store.mounts.iceberg.metadata_faults import faults
from airflow_provider_schemas.store.mounts.source import Heads, LiveSchemas, MountedVersion

_MAIN = "main"
_BRANCH = "branch"


class KnownFiles(Struct, frozen=True):
    """What a mount remembers of files that never change."""

    history: KnownHistory
    manifests: KnownManifestSchemas


class IcebergLook:
    """One look at a table. It does not change; files are read when their content is asked for, each once."""

    def __init__(self, found: FoundMetadata, metadata: IcebergMetadata, known: KnownFiles) -> None:
        self._found = replace(found, data=None)
        self._size = len(found.data or b"")
        self._metadata = metadata
        self._known = known
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"IcebergLook({self.location!r}, head={self.head})"

    @property
    def metadata(self) -> IcebergMetadata:
        """The metadata itself, for who changes the table."""
        return self._metadata

    @property
    def mark(self) -> str:
        return self._found.mark

    @property
    def table_id(self) -> str:
        return self._metadata.uuid

    @property
    def head(self) -> int:
        return self._metadata.current_schema_id

    @property
    def numbers(self) -> tuple[int, ...]:
        return self._metadata.schema_ids

    @property
    def location(self) -> str:
        return self._metadata.location

    @cached_property
    def branches(self) -> tuple[str, ...]:
        return tuple(sorted(name for name, ref in self._metadata.refs.items() if ref.kind == _BRANCH and name != _MAIN))

    def version(self, number: int) -> MountedVersion:
        """Return a schema that the metadata holds, or what was read for `live` and `heads`: a manifest, an older metadata file."""
        if number in self._metadata.duplicate_ids:
            message = f"the metadata holds two schemas of the id {number}, and engines differ in which of them they take."
            fix = "Change the table's schema once more, so that the current one has an id of its own; `inspect` says more."
            raise FormatError(message, code="iceberg.schema-id-twice", path=f"schemas.{number}", fix=fix)
        in_manifests = self._seen_in_manifests
        if number in in_manifests:
            raw = in_manifests[number]
            return MountedVersion(number, schema_digest(raw), read_schema(raw, number))
        dropped = self._dropped(number)
        if dropped is not None:
            return dropped
        return MountedVersion(number, self._metadata.digest(number), self._metadata.schema(number))

    def _dropped(self, number: int) -> MountedVersion | None:
        """Return a schema that only older metadata hold, if these were read: the last of its number that was current."""
        past: Heads | None = vars(self).get("_heads")
        if past is None or number in self._metadata.schema_ids:
            return None
        for head in reversed(past.entries):
            raw = self._known.history.schema(self.table_id, head.digest)
            if (head.number, head.table_id) == (number, self.table_id) and raw is not None:
                return MountedVersion(number, head.digest, self._metadata.read_dropped(raw, number))
        return None

    def heads(self) -> Heads:
        with self._lock:
            return self._heads

    def live(self) -> LiveSchemas:
        with self._lock:
            return self._in_use.live

    def findings(self) -> tuple[Finding, ...]:
        return (*self._found.notes, *self._faults)

    @cached_property
    def _faults(self) -> tuple[Finding, ...]:
        return faults(self._metadata)

    @cached_property
    def _heads(self) -> Heads:
        return heads(self._metadata, PastFiles(self._found.reader, self._known.history, self._resolve, self._size))

    @cached_property
    def _in_use(self) -> SchemasInUse:
        return schemas_in_use(self._metadata, self._found.reader, self._known.manifests, self._resolve)

    @property
    def _seen_in_manifests(self) -> dict[int, bytes]:
        """The schemas that only manifests hold, if these were read."""
        known: SchemasInUse | None = vars(self).get("_in_use")
        return dict(known.only_in_manifests) if known is not None else {}

    def _resolve(self, location: str) -> str:
        """Return where a file lies that the metadata names: where the table is a copy, in the copy."""
        own = self._metadata.location.rstrip("/")
        if self._found.folder and location.startswith(f"{own}/"):
            return self._found.folder.rstrip("/") + location.removeprefix(own)
        return location
