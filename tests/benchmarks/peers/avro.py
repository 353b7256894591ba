"""fastavro, with the schema as an Avro record. Avro knows no changes of a schema, only how one reads data of another."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

from fastavro.schema import fingerprint, parse_schema, to_parsing_canonical_form

from tests.benchmarks.contest import Call, Contestant, Op
from tests.benchmarks.inputs import Input, Json

TYPES: dict[str, str | Json] = {
    "INT": "int",
    "BIGINT": "long",
    "STRING": "string",
    "DECIMAL(10, 2)": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2},
    "DOUBLE": "double",
    "FLOAT": "float",
    "BOOLEAN": "boolean",
    "DATE": {"type": "int", "logicalType": "date"},
    "TIMESTAMP(6)": {"type": "long", "logicalType": "local-timestamp-micros"},
    "BYTES": "bytes",
}


def translated(document: Json) -> str:
    """A Paimon schema file as an Avro record."""
    return json.dumps(_record(document["fields"], count()))


def _record(fields: list[Json], numbers: Iterator[int]) -> Json:
    return {"type": "record", "name": f"record_{next(numbers)}", "fields": [_field(one, numbers) for one in fields]}


def _field(one: Json, numbers: Iterator[int]) -> Json:
    return {"name": one["name"], "type": ["null", _type(one["type"], numbers)], "default": None, "doc": one.get("description")}


def _type(kind: str | Json, numbers: Iterator[int]) -> str | Json:
    if isinstance(kind, str):
        return TYPES[kind]
    if kind["type"] == "ROW":
        return _record(kind["fields"], numbers)
    if kind["type"] == "ARRAY":
        return {"type": "array", "items": ["null", _type(kind["element"], numbers)]}
    return {"type": "map", "values": ["null", _type(kind["value"], numbers)]}


def _decode(one: Input) -> Call:
    text = translated(one.document)
    return lambda: parse_schema(json.loads(text))


def _digest(one: Input) -> Call:
    schema: Any = parse_schema(json.loads(translated(one.document)))
    return lambda: fingerprint(to_parsing_canonical_form(schema), "SHA-256")


_NO_CHANGES = "Avro has no changes of a schema."
_NO_DIFF = "fastavro has no comparison of two schemas."
PEER = Contestant(
    "fastavro",
    {Op.DECODE: _decode, Op.DIGEST: _digest},
    {
        Op.ENCODE: "a schema of fastavro is plain JSON values: see json.dumps.",
        Op.ADD: _NO_CHANGES,
        Op.RENAME: _NO_CHANGES,
        Op.WIDEN: _NO_CHANGES,
        Op.ADD_100: _NO_CHANGES,
        Op.MIXED_100: _NO_CHANGES,
        Op.VALIDITY: "fastavro checks while it reads a schema.",
        Op.DIFF_EQUAL: _NO_DIFF,
        Op.DIFF_1: _NO_DIFF,
        Op.DIFF_100: _NO_DIFF,
        Op.DIFF_FILES: _NO_DIFF,
        Op.VERDICT: "fastavro compares schemas only while it reads data.",
        Op.MERGE: "fastavro has no merge of two schemas.",
        Op.PROJECT: "fastavro matches old and new fields only while it reads data.",
    },
)
