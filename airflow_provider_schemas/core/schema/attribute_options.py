"""The options that hold the attributes of fields and of the table: their keys, and the JSON object in each."""

from typing import Any, Final

from airflow_provider_schemas.core.common.strict_json import read_json

_FIELD_ATTRIBUTES: Final = "schemas.field."
_TABLE_ATTRIBUTES: Final = "schemas.table"


def attribute_key(number: int | None) -> str:
    """Return the option that holds the attributes of a field, or of the table."""
    return _TABLE_ATTRIBUTES if number is None else f"{_FIELD_ATTRIBUTES}{number}"


def attribute_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object in an option of attributes, if it holds one."""
    value, faults = read_json(text)
    return value if isinstance(value, dict) and not faults else None
