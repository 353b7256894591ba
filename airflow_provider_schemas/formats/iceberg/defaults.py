"""Default values of new rows: Iceberg's JSON of a value, and the text that the default of our column is.

This is data: the types whose JSON is a text that we understand as they mean it. Bytes are hexadecimal in Iceberg, times with a zone and
nested values have a form of their own: these stay Iceberg's JSON, in an attribute.
"""

import json
from typing import Any, Final

from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root

_NUMBERS: Final = frozenset({Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE})
_TEXTS: Final = frozenset({Root.VARCHAR, Root.DATE, Root.TIME, Root.DECIMAL})


def default_text(kind: DataType, value: object) -> str | None:
    """Return the text of a default; None for a value that only Iceberg's JSON can say."""
    text = _written(kind, value)
    if text is None or default_value(kind, text) != value:
        return None
    return text


def _written(kind: DataType, value: object) -> str | None:
    if kind.root is Root.BOOLEAN and isinstance(value, bool):
        return json.dumps(value)
    if kind.root in _NUMBERS and isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    if not isinstance(value, str):
        return None
    if kind.root is Root.TIMESTAMP:
        return value.replace("T", " ", 1)
    return value if kind.root in _TEXTS else None


def default_value(kind: DataType, text: str) -> Any:
    """Return the JSON value of a default in our spelling; None for one that Iceberg cannot hold."""
    if not isinstance(kind, AtomicType):
        return None
    if kind.root is Root.BOOLEAN:
        return {"true": True, "false": False}.get(text)
    if kind.root in _NUMBERS:
        return _number(kind, text)
    if kind.root is Root.TIMESTAMP:
        return text.replace(" ", "T", 1)
    return text if kind.root in _TEXTS else None


def _number(kind: AtomicType, text: str) -> int | float | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if kind.root in (Root.INTEGER, Root.BIGINT) and not isinstance(value, int):
        return None
    return value
