"""A metadata file of a table: which schemas it has, which is the current one, and what stands around them.

A schema is decoded when it is asked for, and remembered. Schemas keep the numbers of the file; the current one need not be the highest.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from airflow_provider_schemas.core.schema.foreign_attributes import LOCATION, PARTITION_TRANSFORMS
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError, NotThereError
from airflow_provider_schemas.formats.iceberg import attributes, schema_json
from airflow_provider_schemas.formats.iceberg.digests import schema_digest
from airflow_provider_schemas.formats.iceberg.metadata_file import MetadataFile, decode_file
from airflow_provider_schemas.formats.iceberg.partitioning import Partitioning, partitioning
from airflow_provider_schemas.formats.iceberg.promotions import TypeStep, refused_steps
from airflow_provider_schemas.formats.iceberg.schema_json import decoded, given
from airflow_provider_schemas.formats.iceberg.schema_reader import TableFacts, read_schema

MAIN: Final = "main"
_MOST_COMPARED: Final = 1024 * 1024
"""As many bytes of schemas are compared with the current one, so that a look stays cheap."""


class LogEntry(Struct, frozen=True, rename="kebab"):
    """An earlier metadata file of the table, and when it was the newest."""

    timestamp_ms: int
    metadata_file: str


class Ref(Struct, frozen=True):
    """A branch or a tag, and the snapshot that it names."""

    kind: str = msgspec.field(name="type")
    snapshot_id: int = msgspec.field(name="snapshot-id")


class SnapshotFacts(Struct, frozen=True, rename="kebab"):
    """A snapshot: where its manifests are, and which schema was current when it was made, if the writer says so."""

    snapshot_id: int
    schema_id: int | None = None
    manifest_list: str | None = None
    manifests: tuple[str, ...] = ()
    timestamp_ms: int | None = None


class _SchemaId(Struct, rename="kebab"):
    schema_id: schema_json.Id | None = None


_SCHEMA_ID = msgspec.json.Decoder(_SchemaId)
_LOG = msgspec.json.Decoder(tuple[LogEntry, ...])
_REFS = msgspec.json.Decoder(dict[str, Ref])
_SNAPSHOTS = msgspec.json.Decoder(tuple[SnapshotFacts, ...])
_PROPERTIES = msgspec.json.Decoder(dict[str, Any])
# A key of this name stands nowhere but where a field, an element, a key or a value has its id.
_FIELD_ID: Final = re.compile(rb'"(?:element-|key-|value-)?id"\s*:\s*([0-9]{1,10})')


def read_metadata(data: bytes) -> "IcebergMetadata":
    """Read a metadata file, plain or compressed by gzip, or raise a FormatError that names its faults."""
    file = decode_file(data)
    schemas = _schemas(file)
    current = file.current_schema_id
    if current is None:
        current = _only_number(schemas)
    metadata = IcebergMetadata(file, tuple(schemas), current)
    if current not in metadata.schema_ids:
        message = f"the current schema is {current}, and the file has {_listed(metadata.schema_ids)}."
        fix = "Repair the table with the engine that wrote it."
        raise FormatError(message, code="iceberg.no-current-schema", path="current-schema-id", fix=fix)
    return metadata


def _schemas(file: MetadataFile) -> list[tuple[int, Raw]]:
    """Return the schemas with their numbers, in the order of the file."""
    sources = file.schemas or []
    path = "schemas"
    if not sources:
        only = given(file.schema)
        if only is None:
            fix = "Restore the file, or read the newest one of the table."
            raise FormatError("the file has no schema.", code="json.missing-key", path=path, fix=fix)
        sources = [only]
        path = "schema"
    found = [decoded(_SCHEMA_ID, raw, path).schema_id for raw in sources]
    return [(number or 0, raw) for number, raw in zip(found, sources, strict=True)]


def _only_number(schemas: list[tuple[int, Raw]]) -> int:
    numbers = {number for number, _ in schemas}
    if len(numbers) > 1:
        fix = "Restore the file, or read the newest one of the table."
        message = "the file has several schemas, and does not say which is the current one."
        raise FormatError(message, code="json.missing-key", path="current-schema-id", fix=fix)
    return schemas[0][0]


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[:20]))
    return f"{shown} ..." if len(numbers) > 20 else shown


class IcebergMetadata(Struct, frozen=True, dict=True, eq=False):
    """What a metadata file says."""

    file: MetadataFile
    schemas: tuple[tuple[int, Raw], ...]
    current_schema_id: int

    # ------------------------------------------------------------ the table

    @property
    def uuid(self) -> str:
        """The identity of the table; empty in files of the first version that have none."""
        return self.file.table_uuid or ""

    @property
    def format_version(self) -> int:
        return self.file.format_version

    @property
    def location(self) -> str:
        return self.file.location

    @property
    def last_column_id(self) -> int:
        return self.file.last_column_id

    @property
    def last_updated_ms(self) -> int | None:
        return self.file.last_updated_ms

    @cached_property
    def properties(self) -> Mapping[str, str]:
        raw = given(self.file.properties)
        if raw is None:
            return MappingProxyType({})
        values = decoded(_PROPERTIES, raw, "properties")
        return MappingProxyType({key: _property_text(value) for key, value in values.items() if value is not None})

    # ------------------------------------------------------------ schemas

    @cached_property
    def _raw(self) -> Mapping[int, Raw]:
        """The schemas by number. Of two with one number the first counts, as for pyiceberg; `duplicate_ids` reports them."""
        return MappingProxyType(dict(reversed(self.schemas)))

    @cached_property
    def schema_ids(self) -> tuple[int, ...]:
        """The numbers of the schemas, lowest first."""
        return tuple(sorted(self._raw))

    @cached_property
    def duplicate_ids(self) -> tuple[int, ...]:
        """The numbers that several schemas have which are not the same."""
        counts = Counter([number for number, _ in self.schemas])
        several = [number for number, count in counts.items() if count > 1]
        return tuple(sorted([number for number in several if len(self._digests_of(number)) > 1]))

    def _digests_of(self, number: int) -> set[str]:
        return {schema_digest(raw) for other, raw in self.schemas if other == number}

    def schema(self, number: int) -> TableSchema:
        """Return a schema as one of ours; its id is the number."""
        known: dict[int, TableSchema] = vars(self).setdefault("_read", {})
        if number not in known:
            known[number] = self._read_schema(number)
        return known[number]

    def _read_schema(self, number: int) -> TableSchema:
        raw = self._raw_schema(number)
        return read_schema(raw, number, msgspec.structs.replace(self._facts, highest_id=self._highest(number)))

    def raw_schema(self, number: int) -> bytes:
        """Return a schema as it stands in the file."""
        return bytes(self._raw_schema(number))

    def read_dropped(self, raw: bytes, number: int) -> TableSchema:
        """Return a schema of this table that the metadata hold no more."""
        highest = max(map(int, _FIELD_ID.findall(raw)), default=-1)
        return read_schema(raw, number, msgspec.structs.replace(self._facts, highest_id=min(highest, 2**31 - 1)))

    def digest(self, number: int) -> str:
        """Return the digest of a schema as the table's writers spell it."""
        known: dict[int, str] = vars(self).setdefault("_digests", {})
        if number not in known:
            known[number] = schema_digest(self._raw_schema(number))
        return known[number]

    def _raw_schema(self, number: int) -> Raw:
        raw = self._raw.get(number)
        if raw is None:
            fix = f"The metadata holds {_listed(self.schema_ids)}: writers drop schemas that no snapshot needs any more."
            raise NotThereError(f"the table has no schema {number}.", path=str(number), fix=fix)
        return raw

    @cached_property
    def _facts(self) -> TableFacts:
        parts = self._partitioning
        about: dict[str, Any] = {LOCATION: self.location}
        if parts.transforms:
            about[PARTITION_TRANSFORMS] = list(parts.transforms)
        if parts.order:
            about[attributes.SORT_ORDER] = list(parts.order)
        return TableFacts(attributes=about, partition_keys=parts.identity, comment=self.properties.get("comment"))

    @cached_property
    def _partitioning(self) -> Partitioning:
        file = self.file
        return partitioning(file.partition_specs, file.partition_spec, file.default_spec_id, file.sort_orders, file.default_sort_order_id)

    def _highest(self, number: int) -> int:
        """Return the highest id that was given when a schema was made; for the current schema, the highest that was ever given."""
        if number == self.current_schema_id:
            return self.last_column_id
        return self._highest_ids[number]

    @cached_property
    def _highest_ids(self) -> Mapping[int, int]:
        """The highest id in each schema and in those before it: ids are given once, and a schema may have lost the newest field."""
        highest = -1
        found: dict[int, int] = {}
        for number in self.schema_ids:
            ids = map(int, _FIELD_ID.findall(bytes(self._raw[number])))
            highest = max(highest, max(ids, default=-1))
            found[number] = min(highest, 2**31 - 1)
        return found

    @property
    def highest_given_id(self) -> int:
        """Return the highest id of a field in any of the schemas, which `last_column_id` should not be below."""
        return max(self._highest_ids.values())

    def refused_steps(self) -> Iterator[TypeStep]:
        """Yield the fields whose type may not follow the one that they have in another schema. The newest schemas are compared."""
        others: list[tuple[int, bytes]] = []
        left = _MOST_COMPARED
        numbers = list(reversed(self.schema_ids))
        while numbers:
            raw = bytes(self._raw[numbers[0]])
            left -= len(raw)
            if left < 0:
                break
            number = numbers.pop(0)
            if number != self.current_schema_id:
                others.append((number, raw))
        unread = tuple(number for number in numbers if number != self.current_schema_id)  # which may hold the type, too
        for step in refused_steps(self.raw_schema(self.current_schema_id), others):
            yield step._replace(numbers=(*step.numbers, *unread))

    # ------------------------------------------------------------ the past, and what hangs on it

    @cached_property
    def metadata_log(self) -> tuple[LogEntry, ...]:
        """The metadata files before this one, oldest first; writers cut the log."""
        raw = given(self.file.metadata_log)
        return () if raw is None else decoded(_LOG, raw, "metadata-log")

    @cached_property
    def refs(self) -> Mapping[str, Ref]:
        """The branches and tags by name. A table with a snapshot always has the branch main."""
        raw = given(self.file.refs)
        refs = {} if raw is None else decoded(_REFS, raw, "refs")
        current = self.file.current_snapshot_id
        if MAIN not in refs and current is not None and current != -1:
            refs[MAIN] = Ref("branch", current)
        return MappingProxyType(refs)

    @cached_property
    def snapshots(self) -> tuple[SnapshotFacts, ...]:
        raw = given(self.file.snapshots)
        return () if raw is None else decoded(_SNAPSHOTS, raw, "snapshots")


def _property_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
