"""Read the container of an Avro file with fastavro: the header, then the blocks, and never more of them than is sane.

The header and the frame of each block are values of Avro, so that fastavro reads them by a schema. The limits are ours: how large the
header is, how many records there are, and how many bytes `codecs` unpacks. The container has no end mark, so that a file cut off
behind a block looks whole: whoever names a file knows its size.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from types import ModuleType
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats.avro.codecs import CODECS, MAX_UNPACKED, Codec, unpack
from airflow_provider_schemas.formats.avro.errors import broken, describe_error, missing_library, no_avro

MAX_RECORDS: Final = 500_000
_MAX_HEADER: Final = 2 * 1024 * 1024
_MAGIC: Final = b"Obj\x01"
_SYNC: Final = {"type": "fixed", "name": "Sync", "size": 16}
_HEADER: Final = {
    "type": "record",
    "name": "Header",
    "fields": [
        {"name": "magic", "type": {"type": "fixed", "name": "Magic", "size": len(_MAGIC)}},
        {"name": "metadata", "type": {"type": "map", "values": "bytes"}},
        {"name": "sync", "type": _SYNC},
    ],
}
_FRAME: Final = {
    "type": "record",
    "name": "Frame",
    "fields": [{"name": "records", "type": "long"}, {"name": "packed", "type": "bytes"}, {"name": "sync", "type": _SYNC}],
}


class Block(NamedTuple):
    """Records, one behind the other."""

    records: int
    data: bytes


class Container(NamedTuple):
    """An Avro file: the text of its schema, and its blocks."""

    schema: bytes
    blocks: Iterator[Block]


def open_container(data: bytes) -> Container:
    """Return the file with these bytes. Its blocks are unpacked one at a time."""
    if not data.startswith(_MAGIC):
        raise no_avro(data)
    stream = BytesIO(data)
    header = _read_header(stream, data)
    metadata = header["metadata"]
    name = metadata.get("avro.codec", b"null").decode("utf-8", "replace")
    codec = CODECS.get(name)
    if codec is None:
        raise broken(f"its codec {shown(name)} is not known")
    if "avro.schema" not in metadata:
        raise broken("it holds no schema")
    return Container(metadata["avro.schema"], _read_blocks(stream, len(data), header["sync"], codec))


def read_header(data: bytes) -> Mapping[str, bytes]:
    """Return what the header of a file says about the file, by name. The bytes may be those of its beginning."""
    if not data.startswith(_MAGIC):
        raise no_avro(data)
    metadata: Mapping[str, bytes] = _read_header(BytesIO(data), data)["metadata"]
    return metadata


def load_fastavro() -> ModuleType:
    """Return the library that reads Avro."""
    try:
        import fastavro
    except ImportError:
        raise missing_library("fastavro") from None
    return fastavro


@cache
def _parse(part: str) -> Mapping[str, Any]:
    """Return the schema of a part of the container, as fastavro wants it."""
    schemas = {"header": _HEADER, "frame": _FRAME}
    parsed: Mapping[str, Any] = load_fastavro().parse_schema(schemas[part])
    return parsed


def _read_header(stream: BytesIO, data: bytes) -> Mapping[str, Any]:
    """Return the header, of a size that is sane; the stream stands behind it then."""
    start = BytesIO(data[:_MAX_HEADER])
    header = _read_part(start, "header", is_limited=len(data) > _MAX_HEADER)
    stream.seek(start.tell())
    return header


def _read_part(stream: BytesIO, part: str, *, is_limited: bool = False) -> Mapping[str, Any]:
    fastavro = load_fastavro()
    schema = _parse(part)
    try:
        value: Mapping[str, Any] = fastavro.schemaless_reader(stream, schema, None)
    except (EOFError, IndexError):
        if is_limited:
            raise broken(f"its header is larger than {_MAX_HEADER} bytes", "avro.too-large") from None
        raise broken("it is cut off") from None
    except UnicodeDecodeError:
        raise broken("its header is no text") from None
    except Exception as error:  # noqa: BLE001  # fastavro raises whatever it meets, and the bytes are anybody's
        raise broken(f"it cannot be read: {describe_error(error)}") from None
    return value


def _read_blocks(stream: BytesIO, size: int, sync: bytes, codec: Codec) -> Iterator[Block]:
    room = MAX_UNPACKED
    records_left = MAX_RECORDS
    while stream.tell() < size:
        frame = _read_part(stream, "frame")
        records = frame["records"]
        if frame["sync"] != sync:
            raise broken("a block of it does not end where it should")
        if not 0 <= records <= records_left:
            raise broken(f"it claims to hold {records} records or more", "avro.too-large")
        block = unpack(frame["packed"], room, codec)
        room -= len(block)
        records_left -= records
        yield Block(records, block)
