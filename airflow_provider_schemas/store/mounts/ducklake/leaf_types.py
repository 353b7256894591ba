"""Types of DuckLake without parts, and ours. One that is not listed is kept as an opaque type: its text is compared, no more."""

import re
from typing import Final

from airflow_provider_schemas.core.schema.foreign_attributes import UUID
from airflow_provider_schemas.core.types.atomic import atom_text, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import SchemaError

FROM_DUCKLAKE: Final[dict[str, str]] = {
    "boolean": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INT",
    "int64": "BIGINT",
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "date": "DATE",
    "time": "TIME(6)",
    "timestamp": "TIMESTAMP(6)",
    "timestamp_us": "TIMESTAMP(6)",
    "timestamp_s": "TIMESTAMP(0)",
    "timestamp_ms": "TIMESTAMP(3)",
    "timestamp_ns": "TIMESTAMP(9)",
    "timestamptz": "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    "varchar": "STRING",
    "blob": "BYTES",
    "variant": "VARIANT",
    UUID: "BINARY(16)",
}
_DECIMAL: Final = re.compile(r"decimal\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)")


def our_text(text: str) -> str:
    """Return our text for a type of DuckLake."""
    plain = FROM_DUCKLAKE.get(text)
    if plain is not None:
        return plain
    match = _DECIMAL.fullmatch(text)
    if match is not None:
        try:
            return atom_text(atomic(Root.DECIMAL, precision=int(match[1]), scale=int(match[2])))
        except SchemaError:
            return _opaque(text)
    return _opaque(text)


def _opaque(text: str) -> str:
    return atom_text(atomic(Root.OPAQUE, text=text))
