"""The formats by name: a table of strings, each imported when it is used."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from msgspec.structs import replace

from airflow_provider_schemas.core.schema import TableSchema, checked_schema
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.shared import Dumped, Loaded

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.odf.loaded import Loaded as LoadedOdf
    from airflow_provider_schemas.formats.odf.schema import DataSchema

FORMATS = {
    "arrow": "airflow_provider_schemas.formats.arrow.language",
    "mini-paimon": "airflow_provider_schemas.formats.mini_paimon",
    "odf-json": "airflow_provider_schemas.formats.odf.json_text",
    "odf-yaml": "airflow_provider_schemas.formats.odf.yaml_text",
    "paimon": "airflow_provider_schemas.formats.paimon",
    "parquet-text": "airflow_provider_schemas.formats.arrow.parquet_text",
    "spark-ddl": "airflow_provider_schemas.formats.spark.ddl",
    "spark-json": "airflow_provider_schemas.formats.spark.struct_json",
    "table-file": "airflow_provider_schemas.formats.table_file.language",
}
# Those whose schemas are DataSchemas of ODF, and no tables.
ODF_FORMATS = ("odf-json", "odf-yaml")
# What ODF's own types are written as without becoming those of a table.
_STRAIGHT = {"arrow": ("arrow", "arrow_text"), "parquet-text": ("arrow", "parquet")}

_ODF = "airflow_provider_schemas.formats.odf"


@overload
def load(format: Literal["odf-json", "odf-yaml"], source: str | bytes) -> "LoadedOdf": ...  # type: ignore[overload-overlap]  # a str may be one of these


@overload
def load(format: str, source: str | bytes) -> Loaded: ...


def load(format: str, source: str | bytes) -> Any:  # noqa: A002  # the pinned name
    """Read a schema from a text of this format: of a table, or of ODF where the format is ODF's."""
    return _module(format).load(source)


def dump(format: str, schema: "TableSchema | DataSchema") -> Dumped:  # noqa: A002  # the pinned name
    """Write a schema as a text of this format. A schema of the other model is converted first, and the losses say what that cost."""
    module = _module(format)
    if format in _STRAIGHT and _is_odf(schema):
        return Dumped(_bridge(*_STRAIGHT[format])(schema))
    converted = _as_odf(schema) if format in ODF_FORMATS else _as_table(schema)
    dumped: Dumped = module.dump(converted.schema)
    return replace(dumped, losses=(*converted.losses, *dumped.losses))


def _as_odf(schema: Any) -> Any:
    return Loaded(schema) if _is_odf(schema) else _bridge("table", "to_odf")(checked_schema(schema))


def _as_table(schema: Any) -> Any:
    return _bridge("table", "to_table")(schema) if _is_odf(schema) else Loaded(checked_schema(schema))


def _is_odf(schema: object) -> bool:
    """Whether it is a schema of ODF; asked without importing what nobody has imported yet."""
    kind = type(schema)
    return kind.__module__ == f"{_ODF}.schema" and kind.__name__ == "DataSchema"


def _bridge(module: str, name: str) -> Callable[[Any], Any]:
    found: Callable[[Any], Any] = getattr(import_module(f"{_ODF}.{module}"), name)
    return found


def _module(name: object) -> Any:
    path = FORMATS.get(name) if isinstance(name, str) else None
    if path is None:
        raise FormatError(f"{shown(name)} is no format.", code="format.unknown", fix=f"Use one of {', '.join(FORMATS)}.")
    return import_module(path)
