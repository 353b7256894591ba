"""The schema file: bytes to values and back.

Two readers. The strict one decodes what Paimon, pypaimon's fields and we ourselves write, straight into
the values of `core.types`. What it refuses goes to the tolerant one, which accepts what Java accepts and
otherwise names all faults of the file at once. One writer, in Java's key order and layout.
"""

import json
from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.core.common.strict_json import JsonValue, read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.strict_schema_file import KEYS, NEEDED, Decoded, SchemaFile, strictly_decoded
from airflow_provider_schemas.core.types.nested import MAX_FIELDS
from airflow_provider_schemas.core.types.parsing import TypeReader
from airflow_provider_schemas.errors import SchemaFileError

CURRENT_VERSION = 3
FIRST_VERSION = 1  # of files that do not say
# A schema of 10,000 columns is 1.3 MB; a limit bounds what hostile bytes can cost.
MAX_BYTES = 16_000_000


def decode(data: bytes | str) -> Decoded:
    """Read a schema file, or raise a SchemaFileError that names every fault."""
    raw = _check_bytes(data)
    return strictly_decoded(raw) or _read_tolerantly(raw)


def _check_bytes(data: bytes | str) -> bytes:
    if not isinstance(data, bytes | bytearray | memoryview | str):
        raise SchemaFileError(f"{shown(data)} is no schema file.", code="json.wrong-type", fix="Pass its bytes or its text.")
    if len(data) > MAX_BYTES:
        fix = f"Schema files of up to {MAX_BYTES} bytes are read."
        raise SchemaFileError(f"the file has {len(data)} bytes.", code="json.too-large", fix=fix)
    try:
        return data.encode() if isinstance(data, str) else bytes(data)
    except UnicodeEncodeError:
        raise SchemaFileError("the text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.") from None


# ---------------------------------------------------------------- the tolerant reader


def _read_tolerantly(raw: bytes) -> Decoded:
    reader = TypeReader(numbering=False)
    source = _parse(raw, reader)
    if not reader.faults and isinstance(source, dict):
        file = _assemble(source, reader)
        if file is not None and not reader.faults:
            return Decoded(file, unknown=tuple((place, json.dumps(value, ensure_ascii=False)) for place, value in reader.unknown))
    if not reader.faults:
        reader.add_fault("json.invalid", "", f"a schema file is a JSON object, not {shown(source)}.", "Pass the whole file.")
    raise SchemaFileError.of(reader.faults)


def _parse(raw: bytes, reader: TypeReader) -> JsonValue:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        reader.add_fault("json.invalid", "", f"byte {error.start} is no UTF-8.", "Restore the file from a backup or another branch.")
        return None
    value, faults = read_json(text)
    reader.faults += faults
    return value  # type: ignore[no-any-return]  # what comes out of JSON is a JsonValue


def _assemble(source: Mapping[str, Any], reader: TypeReader) -> SchemaFile | None:
    """Return the file from its JSON object; note every fault with the reader."""
    reader.unknown += [((str(key),), value) for key, value in source.items() if key not in KEYS]
    for key in NEEDED:
        if key not in source or (source[key] is None and key != "options"):
            reader.add_fault("json.missing-key", key, f"the schema file has no {key!r}.", "Restore it; no engine can do without.")
    if reader.faults:
        return None
    columns = _read_list(source, "fields", reader)
    if len(columns) > MAX_FIELDS:
        reader.add_fault("fields.too-many", "fields", f"there are {len(columns)} columns.", f"Keep them below {MAX_FIELDS}.")
        return None
    fields = [reader.read_field(entry, "", 0, ("fields", number)) for number, entry in enumerate(columns)]
    numbers = {key: reader.read_integer(source[key], key, key, bits) for key, bits in _NUMBERS.items() if source.get(key) is not None}
    return SchemaFile(
        id=numbers["id"] or 0,
        fields=tuple([field for field in fields if field is not None]),
        highestFieldId=numbers["highestFieldId"] or 0,
        partitionKeys=_read_names(source, "partitionKeys", reader),
        primaryKeys=_read_names(source, "primaryKeys", reader),
        options=_read_options(source["options"], reader),
        version=numbers.get("version", FIRST_VERSION) or 0,
        comment=reader.read_optional_text(source, "comment", "comment"),
        timeMillis=numbers.get("timeMillis", 0) or 0,
    )


_NUMBERS = {"version": 32, "id": 32, "highestFieldId": 32, "timeMillis": 64}


def _read_list(source: Mapping[str, Any], key: str, reader: TypeReader) -> list[Any]:
    value = source[key]
    if isinstance(value, list):
        return value
    reader.add_fault("json.wrong-type", key, f"{key!r} is {shown(value)}.", "Write a list.")
    return []


def _read_names(source: Mapping[str, Any], key: str, reader: TypeReader) -> tuple[str, ...]:
    names = _read_list(source, key, reader)
    for name in names:
        if not isinstance(name, str):
            reader.add_fault("json.wrong-type", key, f"{shown(name)} is no column name.", "Write a list of names.")
    return tuple([name for name in names if isinstance(name, str)])


def _read_options(source: JsonValue, reader: TypeReader) -> dict[str, str]:
    if source is None:
        return {}
    if not isinstance(source, dict):
        reader.add_fault("json.wrong-type", "options", f"'options' is {shown(source)}.", "Write an object of text values.")
        return {}
    return {key: _option_text(value) for key, value in source.items()}


def _option_text(value: JsonValue) -> str:
    """Return the text as which Java reads a JSON value."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        return ""
    return json.dumps(value)
