"""The format `iceberg`: a schema in Iceberg's JSON; read also from a whole metadata file, of which it is the current one."""

from typing import Final

import msgspec
from msgspec import Raw, Struct, UnsetType

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss, text_of
from airflow_provider_schemas.formats.iceberg import leaf_types
from airflow_provider_schemas.formats.iceberg.metadata_file import MAX_BYTES, plain_bytes
from airflow_provider_schemas.formats.iceberg.schema_json import decoded
from airflow_provider_schemas.formats.iceberg.schema_reader import read_schema
from airflow_provider_schemas.formats.iceberg.schema_writer import write_schema
from airflow_provider_schemas.formats.iceberg.table_metadata import read_metadata

# Ours, Iceberg's, and what comes back.
LOSSY = leaf_types.LOSSY

# A longer text is read without the search for keys that stand twice, which takes much longer than reading it.
_SEARCHED: Final = 4_000_000


class _Probe(Struct, rename="kebab"):
    """The keys that tell a metadata file from a schema."""

    format_version: Raw | UnsetType = msgspec.UNSET
    last_column_id: Raw | UnsetType = msgspec.UNSET


_PROBE = msgspec.json.Decoder(_Probe)


def load(source: str | bytes) -> Loaded:
    """Read a schema, or the current schema of a metadata file."""
    data = plain_bytes(source) if isinstance(source, bytes | bytearray) else b""
    text = text_of(data or source, MAX_BYTES).removeprefix("\ufeff")
    raw = text.encode()
    probe = decoded(_PROBE, raw, "")
    _check_keys(text)
    if probe.format_version is msgspec.UNSET and probe.last_column_id is msgspec.UNSET:
        return Loaded(read_schema(raw))
    metadata = read_metadata(raw)
    return Loaded(metadata.schema(metadata.current_schema_id), tuple(_other_schemas(metadata.schema_ids, metadata.current_schema_id)))


def dump(schema: TableSchema) -> Dumped:
    """Write a schema; partitions, sort orders and properties of a table have no place in it."""
    return write_schema(schema)


def _check_keys(text: str) -> None:
    """Refuse a text in which a key stands twice in one object: nobody knows which one counts."""
    if len(text) > _SEARCHED:
        return
    answer = read_json(text)
    if answer.faults:
        raise FormatError.of(answer.faults)


def _other_schemas(numbers: tuple[int, ...], current: int) -> list[Loss]:
    others = [str(number) for number in numbers if number != current]
    if not others:
        return []
    shown = ", ".join(others[:20])
    return [Loss("", "schemas", f"the file has {len(others)} other schemas ({shown}), and the current one is read.")]
