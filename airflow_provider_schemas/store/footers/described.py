"""Which tables the store only describes, because their data lie elsewhere in a format that keeps a schema of its own."""

from typing import Final, NamedTuple

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.common.data_location import trimmed
from airflow_provider_schemas.store.layout.paths import Layout

PARQUET: Final = "parquet"
ORC: Final = "orc"
READ: Final = (PARQUET, ORC)
_PAIMON: Final = "paimon"


class Described(NamedTuple):
    """Where the data of such a table lie, and in which format."""

    location: str
    format: str


def described(schema: TableSchema, layout: Layout) -> Described | None:
    """Return where the data lie that the schema describes; None if the schema files themselves are what readers go by, or the metadata."""
    if layout is Layout.MOUNTED:
        return None
    try:
        attributes = schema.table_attributes
    except SchemaError:  # which the check of validity reports
        return None
    location = attributes.get("location")
    kind = attributes.get("format")
    if not isinstance(location, str) or not location:
        return None
    if not isinstance(kind, str):
        kind = PARQUET if layout is Layout.REGISTRY else _PAIMON
    if layout is not Layout.REGISTRY and kind == _PAIMON:
        return None
    return Described(trimmed(location), kind.lower())
