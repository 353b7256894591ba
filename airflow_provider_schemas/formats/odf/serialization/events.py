"""Events of a chain as plain values: `SetDataSchema` is read and written, all others pass through untouched."""

import binascii
from base64 import b64decode, b64encode
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined, members, word
from airflow_provider_schemas.formats.odf.serialization.event_kinds import SPELLED_EVENTS, EventKind
from airflow_provider_schemas.formats.odf.serialization.reader import Reader
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema

RAW: Final = "rawArrowSchema"


class PlacedSchema(Struct, frozen=True):
    """A schema, where it stands in its document, and its Arrow schema, in bytes, if it has one of these."""

    path: str
    schema: DataSchema | None
    """None if there is an Arrow schema only."""
    raw_arrow_schema: bytes | None = None


def read_event(value: Any, path: str, reader: Reader) -> PlacedSchema | None:
    """The schema that an event sets; None for every other event, and for one with a fault."""
    if not isinstance(value, dict):
        reader.faults.wrong(value, path, "an event, which is a map")
        return None
    if "kind" not in value:
        reader.faults.add("odf.missing-key", joined(path, "kind"), "the key kind is missing.", "Add kind, with the name of an event.")
        return None
    kind = word(value["kind"], joined(path, "kind"), SPELLED_EVENTS, "the name of an event", reader.faults, code="odf.unknown-kind")
    return _set_data_schema(value, path, reader) if kind is EventKind.SET_DATA_SCHEMA else None


def _set_data_schema(value: dict[str, Any], path: str, reader: Reader) -> PlacedSchema | None:
    members(value, path, ("kind", RAW, "schema"), (), reader.faults)
    written, encoded, here = value.get("schema"), value.get(RAW), joined(path, "schema")
    schema = None if written is None else reader.schema(written, here)
    raw = None if encoded is None else _bytes(encoded, joined(path, RAW), reader)
    if written is None and encoded is None:
        reader.faults.add("odf.no-schema", here, "the event sets no schema.", "Add schema, with a list of fields.")
    if written is not None and encoded is not None:
        reader.warnings.append(Loss(joined(path, RAW), RAW, "there is a schema as well, which alone counts."))
    if schema is None and raw is None:
        return None
    return PlacedSchema(here if schema is not None else joined(path, RAW), schema, raw)


def _bytes(value: Any, path: str, reader: Reader) -> bytes | None:
    if not isinstance(value, str):
        reader.faults.wrong(value, path, "text in base64")
        return None
    try:
        return b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        reader.faults.add("odf.base64", path, "this is no base64.", "Write the bytes with the standard alphabet, padded.")
        return None


def set_data_schema(schema: DataSchema) -> dict[str, Any]:
    """The event that sets a schema."""
    return {"kind": str(EventKind.SET_DATA_SCHEMA), "schema": of_schema(schema)}


def set_raw_schema(raw: bytes) -> dict[str, Any]:
    """The event that sets an Arrow schema, as chains before ODF 0.37 hold it."""
    return {"kind": str(EventKind.SET_DATA_SCHEMA), RAW: b64encode(raw).decode()}
