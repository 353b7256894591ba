"""The shape of a metadata file, its limits, and its faults.

Schemas, snapshots, logs and specs stay text until somebody asks for them: the head of a table of a thousand snapshots is looked at
without decoding one of them.
"""

import zlib
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.base import Faults
from airflow_provider_schemas.formats.iceberg.schema_json import Id, json_fault

# A table of a thousand schemas of a thousand columns has 61 MB; a limit bounds what hostile bytes can cost.
MAX_BYTES: Final = 256_000_000
VERSIONS: Final = (1, 2, 3)

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
# Writers compress a file as one part; each further one costs a copy of the rest.
_MAX_PARTS: Final = 16
_Millis = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class MetadataFile(Struct, rename="kebab"):
    """The members of a metadata file that we read. The first version has one schema, and may have no uuid."""

    format_version: int
    location: str
    last_column_id: Id
    table_uuid: str | None = None
    last_updated_ms: _Millis | None = None
    schemas: list[Raw] | None = None
    schema: Raw | UnsetType = UNSET
    current_schema_id: Id | None = None
    properties: Raw | UnsetType = UNSET
    current_snapshot_id: int | None = None
    snapshots: Raw | UnsetType = UNSET
    metadata_log: Raw | UnsetType = UNSET
    refs: Raw | UnsetType = UNSET
    partition_specs: Raw | UnsetType = UNSET
    partition_spec: Raw | UnsetType = UNSET
    default_spec_id: int | None = None
    sort_orders: Raw | UnsetType = UNSET
    default_sort_order_id: int | None = None


_FILE = msgspec.json.Decoder(MetadataFile)
_MEMBERS = msgspec.json.Decoder(dict[str, Raw])


def decode_file(data: bytes) -> MetadataFile:
    """Return the members of a metadata file, plain or compressed, or raise a FormatError that names its faults."""
    text = plain_bytes(data)
    try:
        file = _FILE.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise FormatError.of(_faults(text, error)) from None
    if file.format_version not in VERSIONS:
        message = f"the file has version {file.format_version} of Iceberg's format, and versions 1 to 3 are read."
        fix = "Update airflow-provider-schemas."
        raise FormatError(message, code="iceberg.unknown-version", path="format-version", fix=fix)
    return file


def plain_bytes(data: object) -> bytes:
    """Return the text of a metadata file, decompressed, within the limit."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise FormatError(f"{shown(data)} is no metadata file.", code="format.wrong-type", fix="Pass the bytes of the file.")
    text = bytes(data)
    if len(text) > MAX_BYTES:
        raise _too_large()
    if text.startswith(_ZSTD):
        fix = "Set the table property write.metadata.compression-codec to gzip or none, and commit once more."
        raise FormatError("the file is compressed by zstd, which is not read.", code="format.encoding", fix=fix)
    if text.startswith(_GZIP):
        text = _decompressed(text)
    return text.removeprefix(b"\xef\xbb\xbf")


def _decompressed(data: bytes) -> bytes:
    """Return what gzip compressed; no more than the limit is decompressed."""
    parts: list[bytes] = []
    room = MAX_BYTES
    try:
        while data:
            if len(parts) == _MAX_PARTS:
                raise _broken(f"it has more than {_MAX_PARTS} parts")
            inflate = zlib.decompressobj(wbits=31)
            parts.append(inflate.decompress(data, room + 1))
            room -= len(parts[-1])
            if room < 0:
                raise _too_large()
            if not inflate.eof:
                raise _broken("it breaks off")
            data = inflate.unused_data.lstrip(b"\x00")
    except zlib.error as error:
        raise _broken(str(error)) from None
    return b"".join(parts)


def _too_large() -> FormatError:
    fix = "Expire snapshots and old metadata with the engine that writes the table."
    return FormatError(f"the metadata file has more than {MAX_BYTES:,} bytes.", code="format.too-large", fix=fix)


def _broken(what: str) -> FormatError:
    return FormatError(f"the file is compressed by gzip, and {what}.", code="format.encoding", fix="Read the whole file again.")


def _faults(text: bytes, error: Exception) -> list[Fault]:
    """Return the faults of all members of a file that cannot be decoded; that of the whole where it is no JSON object."""
    try:
        members = _MEMBERS.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as whole:
        return [json_fault(whole, "")]
    faults = Faults()
    for member in msgspec.structs.fields(MetadataFile):
        raw = members.get(member.encode_name)
        if raw is not None:
            faults.extend(_member_faults(raw, member.type, member.encode_name))
        elif member.required:
            message = f"object missing required field `{member.encode_name}`."
            faults.append(Fault("json.missing-key", member.encode_name, message, "Restore the file, or read the newest one of the table."))
    return faults or [json_fault(error, "")]


def _member_faults(raw: Raw, kind: Any, path: str) -> list[Fault]:
    try:
        msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError) as error:
        return [json_fault(error, path)]
    return []
