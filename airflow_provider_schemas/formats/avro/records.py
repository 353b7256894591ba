"""Read a few fields of the records in an Avro file, wherever their writer put them, and skip the rest.

fastavro reads all records of a block in one call, through a schema that has only these fields.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.avro.container import Block, load_fastavro, open_container
from airflow_provider_schemas.formats.avro.errors import broken, describe_error
from airflow_provider_schemas.formats.avro.schema import JsonValue, check_safety, read_schema

Record = Mapping[str, Any]
"""The fields of a record by name: numbers, texts, bytes and records, as their writer has put them."""


class WantedField(NamedTuple):
    """A field that is read: of a simple type, or a record of which some fields are read."""

    name: str
    type: str = ""
    fields: tuple["WantedField", ...] = ()
    optional: bool = False
    """Whether it may be null, or missing because the writer was older: None then."""
    many: bool = False
    """Whether it is a list of these."""


class _SchemaPair(NamedTuple):
    """The schema by which records were written, and the one by which they are read."""

    writer: Mapping[str, Any]
    reader: Mapping[str, Any]


def read_records(data: bytes, fields: tuple[WantedField, ...]) -> Iterator[Record]:
    """Yield these fields of every record in the file with these bytes."""
    container = open_container(data)
    schemas = _read_schemas(container.schema, fields)
    for block in container.blocks:
        yield from _read_block(block, schemas)


def _read_block(block: Block, schemas: _SchemaPair) -> list[Record]:
    """Return the records of a block: with their count before and a zero behind them, they are one list of Avro, read in one go."""
    if not block.records and not block.data:
        return []
    if not 0 < block.records <= len(block.data):
        raise broken("a block of it holds another number of records than it says")
    stream = BytesIO(b"".join((_encode_long(block.records), block.data, b"\0")))
    size = len(stream.getbuffer())
    records = _read_list(stream, schemas)
    if len(records) != block.records or stream.tell() != size:
        raise broken("a block of it holds another number of records than it says")
    if not all(isinstance(record, dict) for record in records):
        raise broken("a record of it is empty")
    return records


def _read_list(stream: BytesIO, schemas: _SchemaPair) -> list[Any]:
    fastavro = load_fastavro()
    try:
        return list(fastavro.schemaless_reader(stream, schemas.writer, schemas.reader))
    except Exception as error:  # noqa: BLE001  # fastavro raises whatever it meets, and the bytes are anybody's
        raise broken(f"its records cannot be read: {describe_error(error)}") from None


def _encode_long(number: int) -> bytes:
    number <<= 1
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


# ---------------------------------------------------------------- schemas


@lru_cache(maxsize=64)
def _read_schemas(text: bytes, fields: tuple[WantedField, ...]) -> _SchemaPair:
    """Return how to read records of this schema. The manifests of a table share one, and it takes longer to read than they do."""
    fastavro = load_fastavro()
    schema = read_schema(text)
    try:
        writer = fastavro.parse_schema({"type": "array", "items": schema})
        check_safety(writer)
        reader = fastavro.parse_schema({"type": "array", "items": _project(writer["items"], fields)})
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001  # likewise
        raise broken(f"its schema cannot be read: {describe_error(error)}") from None
    return _SchemaPair(writer, reader)


def _project(schema: JsonValue, fields: tuple[WantedField, ...]) -> dict[str, JsonValue]:
    """Return the record with these fields alone, under the name that its writer gave it."""
    record = _find_record(schema)
    return {"type": "record", "name": record["name"], "fields": [_project_field(record, field) for field in fields]}


def _project_field(record: Mapping[str, JsonValue], field: WantedField) -> dict[str, JsonValue]:
    column: JsonValue = field.type or _project(_find_type(record, field.name), field.fields)
    if field.many:
        column = {"type": "array", "items": column}
    if field.optional:
        return {"name": field.name, "type": ["null", column], "default": None}
    return {"name": field.name, "type": column}


def _find_record(schema: JsonValue) -> dict[str, JsonValue]:
    """Return the record that this is, or that it may be besides null: so writes Rust."""
    options = schema if isinstance(schema, list) else [schema]
    for option in options:
        if isinstance(option, dict) and option.get("type") == "record":
            return option
    raise broken("its schema is not that of a manifest: where a record should be there is none")


def _find_type(record: Mapping[str, JsonValue], name: str) -> JsonValue:
    for field in record["fields"]:
        if field["name"] == name:
            return field["type"]
    raise broken(f"its schema is not that of a manifest: {name} is missing")
