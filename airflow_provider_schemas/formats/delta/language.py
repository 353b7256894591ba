"""The format `delta`: a schema in the JSON of schemaString; read also from a metaData action, or from a commit that has one."""

from typing import Any, Final

import msgspec

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Dumped, Loaded, json_value, text_of
from airflow_provider_schemas.formats.delta import leaf_types
from airflow_provider_schemas.formats.delta.log_actions import Metadata
from airflow_provider_schemas.formats.delta.schema_reader import read_schema
from airflow_provider_schemas.formats.delta.schema_writer import write_schema
from airflow_provider_schemas.formats.delta.table_metadata import DeltaMetadata

# Ours, Delta's, and what comes back.
LOSSY = leaf_types.LOSSY

_ACTION: Final = "metaData"
_SCHEMA: Final = "schemaString"


def load(source: str | bytes) -> Loaded:
    """Read a schema, or the schema in a metaData action."""
    text = text_of(source).removeprefix("\ufeff")
    value = json_value(_line_with_metadata(text))
    if isinstance(value, dict) and isinstance(value.get(_ACTION), dict):
        value = value[_ACTION]
    if isinstance(value, dict) and _SCHEMA in value:
        return Loaded(_read_metadata(value))
    return Loaded(read_schema(value))


def dump(schema: TableSchema) -> Dumped:
    """Write a schema; the partitions and properties of a table have no place in it."""
    return write_schema(schema)


def _line_with_metadata(text: str) -> str:
    """Return the line of a commit that holds its metaData; the whole text, if it is no commit."""
    lines = text.split("\n", 2)
    if len(lines) < 2 or not _is_action(lines[0]):
        return text
    found = [line for line in text.split("\n") if line.startswith(f'{{"{_ACTION}"')]
    if not found:
        raise FormatError(
            "the commit has no metaData.", code="json.missing-key", path=_ACTION, fix="Pass a commit that changes the schema."
        )
    return found[-1]


def _is_action(line: str) -> bool:
    """Return whether a line is a JSON object by itself."""
    return line.startswith("{") and line.rstrip().endswith("}") and not read_json(line).faults


def _read_metadata(value: dict[str, Any]) -> TableSchema:
    try:
        metadata = msgspec.convert(value, Metadata)
    except msgspec.ValidationError as error:
        fix = "Pass the action as the log has it."
        raise FormatError(f"this is no metaData: {error}.", code="json.wrong-type", path=_ACTION, fix=fix) from None
    table = DeltaMetadata(metadata)
    checked = read_json(metadata.schema_string)
    if checked.faults:
        raise FormatError.of(checked.faults)
    return table.schema(0)
