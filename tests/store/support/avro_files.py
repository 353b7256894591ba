"""Avro files as writers of Paimon make them, and as nobody should: bytes for tests of manifests."""

import io
import json
from collections import Counter
from typing import Any

import fastavro

from tests.support.paimon.made_by_pypaimon import made

CODECS = ("null", "deflate", "zstd", "bzip2", "xz")
STATS = {"type": "record", "name": "Stats", "fields": [{"name": "_NULL_COUNTS", "type": ["null", {"type": "array", "items": "long"}]}]}
FILE = {
    "type": "record",
    "name": "File",
    "fields": [
        {"name": "_FILE_NAME", "type": "string"},
        {"name": "_KEY_STATS", "type": STATS},
        {"name": "_VALUE_STATS", "type": "Stats"},
        {"name": "_SCHEMA_ID", "type": "long"},
        {"name": "_EXTERNAL_PATH", "type": ["null", "string"]},
    ],
}
MANIFEST: dict[str, Any] = {
    "type": "record",
    "name": "Entry",
    "fields": [{"name": "_KIND", "type": "int"}, {"name": "_FILE", "type": FILE}],
}

PART = {**MANIFEST, "fields": [{"name": "_FILE", "type": {**FILE, "fields": [{"name": "_SCHEMA_ID", "type": "long"}]}}]}


def entry(schema: int, name: str = "data-1.parquet") -> dict[str, Any]:
    stats = {"_NULL_COUNTS": [0, 1]}
    file = {"_FILE_NAME": name, "_KEY_STATS": stats, "_VALUE_STATS": stats, "_SCHEMA_ID": schema, "_EXTERNAL_PATH": None}
    return {"_KIND": 0, "_FILE": file}


def written(records: list[Any], schema: Any = None, codec: str = "null", **options: Any) -> bytes:
    out = io.BytesIO()
    fastavro.writer(out, fastavro.parse_schema(MANIFEST if schema is None else schema), records, codec=codec, **options)
    return out.getvalue()


def of_fastavro(data: bytes, part: Any = None) -> Counter[int]:
    """Count schema ids in a whole file as fastavro alone reads it, without our limits, and of whole records unless a part is given."""
    records: list[Any] = list(fastavro.reader(io.BytesIO(data), part))
    return Counter(record["_FILE"]["_SCHEMA_ID"] for record in records)


def manifests_of(table: str) -> dict[str, bytes]:
    folder = made().folder / "db.db" / table / "manifest"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def hostile(schema: Any, body: bytes, count: int = 1, codec: str = "null") -> bytes:
    """Return a file with this schema and this block, whatever they are."""
    head = written([], {"type": "record", "name": "Entry", "fields": []})
    sync = head[-16:]
    text = schema if isinstance(schema, bytes) else json.dumps(schema).encode()
    about = {b"avro.schema": text, b"avro.codec": codec.encode()}
    packed = b"".join(varint(len(key)) + key + varint(len(value)) + value for key, value in about.items())
    return b"Obj\x01" + varint(len(about)) + packed + b"\0" + sync + varint(count) + varint(len(body)) + body + sync


def varint(value: int) -> bytes:
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def with_field(kind: Any) -> dict[str, Any]:
    return {**MANIFEST, "fields": [{"name": "evil", "type": kind}, *MANIFEST["fields"]]}
