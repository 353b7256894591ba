"""What Avro's own Python reader makes of a row that the old record wrote, read as the new one.

A checker that says `compatible` promises that this works; the run looks whether it does.
"""

import importlib
import io
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

# A value for each type, as the library wants it; times of a zone are times there, and local ones plain numbers.
_SAMPLES: Mapping[str, Any] = {
    "boolean": True,
    "int": 7,
    "long": 7,
    "float": 0.5,
    "double": 0.5,
    "string": "text",
    "bytes": b"text",
    "date": date(2024, 1, 2),
    "decimal": Decimal("0.07"),
    "timestamp-micros": datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC),
}


def sample(kind: Any) -> Any:
    """A value of an Avro type, written as JSON; not NULL where that can be helped."""
    if isinstance(kind, list):
        return sample(next(one for one in kind if one != "null"))
    if isinstance(kind, str):
        return _SAMPLES[kind]
    if kind["type"] == "record":
        return {one["name"]: sample(one["type"]) for one in kind["fields"]}
    if kind["type"] == "array":
        return [sample(kind["items"])]
    if kind["type"] == "map":
        return {"key": sample(kind["values"])}
    return _SAMPLES.get(kind.get("logicalType", ""), _SAMPLES[kind["type"]])


def refusal(row: Any, writer: Any, reader: Any) -> str:
    """Why a row of one parsed schema cannot be read as another; empty where it can."""
    avro_io = importlib.import_module("avro.io")
    buffer = io.BytesIO()
    avro_io.DatumWriter(writer).write(row, avro_io.BinaryEncoder(buffer))
    buffer.seek(0)
    try:
        avro_io.DatumReader(writer, reader).read(avro_io.BinaryDecoder(buffer))
    except importlib.import_module("avro.errors").SchemaResolutionException as error:
        return "its own reader refuses: " + str(error).splitlines()[0].rstrip(".")
    return ""
