"""Events of a chain as plain values: `SetDataSchema` is read and written, all others pass through untouched."""

import binascii
from base64 import b64decode
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.attributes import PlainValue
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import joined, members, word
from airflow_provider_schemas.formats.odf.serialization.event_kinds import SPELLED_EVENTS, EventKind
from airflow_provider_schemas.formats.odf.serialization.reader import DocumentReader
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema

RAW: Final = "rawArrowSchema"


class PlacedSchema(Struct, frozen=True):
    """A schema, its path in the document, and the bytes of an Arrow schema, if the event has one."""

    path: str
    schema: DataSchema | None
    """None if there is an Arrow schema only."""
    raw_arrow_schema: bytes | None = None


def read_event(value: PlainValue, path: str, reader: DocumentReader) -> PlacedSchema | None:
    """Return the schema that an event sets; None for all other events, and for one with a fault."""
    if not isinstance(value, dict):
        reader.faults.wrong(value, path, "an event, which is a map")
        return None
    if "kind" not in value:
        reader.faults.add("odf.missing-key", joined(path, "kind"), "the key kind is missing.", "Add kind, with the name of an event.")
        return None
    kind = word(value["kind"], joined(path, "kind"), SPELLED_EVENTS, "the name of an event", reader.faults, code="odf.unknown-kind")
    if kind is not EventKind.SET_DATA_SCHEMA:
        return None
    return _read_set_data_schema(value, path, reader)


def _read_set_data_schema(event: dict[str, Any], path: str, reader: DocumentReader) -> PlacedSchema | None:
    members(event, path, ("kind", RAW, "schema"), (), reader.faults)
    plain = event.get("schema")
    encoded = event.get(RAW)
    schema_path = joined(path, "schema")
    raw_path = joined(path, RAW)
    schema = None
    if plain is not None:
        schema = reader.schema(plain, schema_path)
    raw = None
    if encoded is not None:
        raw = _read_bytes(encoded, raw_path, reader)
    if plain is None and encoded is None:
        reader.faults.add("odf.no-schema", schema_path, "the event sets no schema.", "Add schema, with a list of fields.")
    if plain is not None and encoded is not None:
        reader.warnings.append(Loss(raw_path, RAW, "there is a schema as well, which alone counts."))
    if schema is not None:
        return PlacedSchema(schema_path, schema, raw)
    if raw is not None:
        return PlacedSchema(raw_path, None, raw)
    return None


def _read_bytes(value: PlainValue, path: str, reader: DocumentReader) -> bytes | None:
    if not isinstance(value, str):
        reader.faults.wrong(value, path, "text in base64")
        return None
    try:
        return b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        reader.faults.add("odf.base64", path, "this is no base64.", "Write the bytes with the standard alphabet, padded.")
        return None


def set_data_schema(schema: DataSchema) -> dict[str, Any]:
    """Return the event that sets a schema."""
    return {"kind": str(EventKind.SET_DATA_SCHEMA), "schema": of_schema(schema)}
