"""The formats by name: a table of strings, each imported when it is used."""

from importlib import import_module
from typing import Any

from airflow_provider_schemas.core.schema import TableSchema, checked_schema
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.shared import Dumped, Loaded

FORMATS = {
    "mini-paimon": "airflow_provider_schemas.formats.mini_paimon",
    "paimon": "airflow_provider_schemas.formats.paimon",
    "spark-ddl": "airflow_provider_schemas.formats.spark.ddl",
    "spark-json": "airflow_provider_schemas.formats.spark.struct_json",
    "table-file": "airflow_provider_schemas.formats.table_file.language",
}


def load(format: str, source: str | bytes) -> Loaded:  # noqa: A002  # the pinned name
    """Read a schema from a text of this format."""
    loaded: Loaded = _module(format).load(source)
    return loaded


def dump(format: str, schema: TableSchema) -> Dumped:  # noqa: A002  # the pinned name
    """Write a schema as a text of this format."""
    dumped: Dumped = _module(format).dump(checked_schema(schema))
    return dumped


def _module(name: object) -> Any:
    path = FORMATS.get(name) if isinstance(name, str) else None
    if path is None:
        raise FormatError(f"{shown(name)} is no format.", code="format.unknown", fix=f"Use one of {', '.join(FORMATS)}.")
    return import_module(path)
