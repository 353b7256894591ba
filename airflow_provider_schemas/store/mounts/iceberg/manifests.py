"""Read which manifests a snapshot of an Iceberg table has, and under which schema each was written.

A manifest list names the manifests of a snapshot; the header of a manifest holds the schema that its writer had. Both are Avro files
whose names are never used again, so that what was read stays true.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct, field

from airflow_provider_schemas.formats.avro.container import read_header
from airflow_provider_schemas.formats.avro.errors import broken
from airflow_provider_schemas.formats.avro.records import Record, WantedField, read_records

HEADER_BYTES: Final = 64 * 1024
"""As much of a manifest as its header usually takes."""
_MAX_ID: Final = 2**31 - 1

_LIST: Final = (
    WantedField("manifest_path", "string"),
    WantedField("added_files_count", "int", optional=True),
    WantedField("existing_files_count", "int", optional=True),
    WantedField("added_data_files_count", "int", optional=True),
    WantedField("existing_data_files_count", "int", optional=True),
)
# The names of these counts in the first release of the format, and since.
_ADDED: Final = ("added_files_count", "added_data_files_count")
_EXISTING: Final = ("existing_files_count", "existing_data_files_count")


class NamedManifest(Struct, frozen=True):
    """A manifest as the list that names it describes it."""

    location: str
    added: int | None
    """How many files the snapshot added; None where the list does not say."""
    existing: int | None
    """How many files were carried over from older manifests, whatever schema these were written under."""

    @property
    def is_empty(self) -> bool:
        """Return whether no file in it is live."""
        return self.added == 0 and self.existing == 0

    @property
    def is_rewritten(self) -> bool:
        """Return whether it may hold files of other schemas than that in its header."""
        return self.existing is None or self.existing > 0


class ManifestSchema(Struct, frozen=True):
    """The schema in the header of a manifest."""

    number: int | None
    """None where an old writer has not named it."""
    raw: bytes


class _SchemaId(Struct):
    """The id of a schema."""

    number: int | None = field(name="schema-id", default=None)


_SCHEMA_ID: Final = msgspec.json.Decoder(_SchemaId)


def read_manifest_list(data: bytes) -> tuple[NamedManifest, ...]:
    """Return the manifests that the list with these bytes names."""
    return tuple(_read_entry(record) for record in read_records(data, _LIST))


def _read_entry(record: Record) -> NamedManifest:
    return NamedManifest(record["manifest_path"], _count(record, _ADDED), _count(record, _EXISTING))


def _count(record: Record, names: tuple[str, ...]) -> int | None:
    counts = [record[name] for name in names if record[name] is not None]
    return counts[0] if counts else None


def read_schema_of(data: bytes) -> ManifestSchema:
    """Return the schema in the header of the manifest that begins with these bytes."""
    header = read_header(data)
    raw = header.get("schema")
    if raw is None:
        raise broken("its header holds no schema of the table")
    return ManifestSchema(_number(header, raw), raw)


def _number(header: Mapping[str, bytes], raw: bytes) -> int | None:
    """Return the id of the schema: in the schema itself, or beside it."""
    try:
        inside = _SCHEMA_ID.decode(raw).number
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise broken("the schema in its header cannot be read") from None
    if inside is not None:
        return _checked(inside)
    beside = header.get("schema-id", b"").decode("ascii", "replace")
    return _checked(int(beside)) if beside.isdecimal() and len(beside) <= 10 else None


def _checked(number: int) -> int:
    if not 0 <= number <= _MAX_ID:
        raise broken(f"it names {number} as the id of a schema")
    return number
