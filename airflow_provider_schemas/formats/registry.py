"""The formats by name: a table of functions, each of which imports the module of a format when it is used."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema, checked_schema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from airflow_provider_schemas.formats.odf.model.schema import DataSchema
    from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf


class Language(Protocol):
    """The functions of the module of a format."""

    def load(self, source: str | bytes) -> Any:
        """Read a schema."""

    def dump(self, schema: Any) -> Dumped:
        """Write a schema."""


def _arrow() -> Language:
    from airflow_provider_schemas.formats.arrow import language

    return language


def _delta() -> Language:
    from airflow_provider_schemas.formats.delta import language

    return language


def _iceberg() -> Language:
    from airflow_provider_schemas.formats.iceberg import language

    return language


def _mini_paimon() -> Language:
    import airflow_provider_schemas.formats.mini_paimon as language

    return language


def _odf_json() -> Language:
    import airflow_provider_schemas.formats.odf.serialization.json_text as language

    return language


def _odf_yaml() -> Language:
    import airflow_provider_schemas.formats.odf.serialization.yaml_text as language

    return language


def _paimon() -> Language:
    import airflow_provider_schemas.formats.paimon as language

    return language


def _parquet_text() -> Language:
    import airflow_provider_schemas.formats.arrow.parquet_text as language

    return language


def _spark_ddl() -> Language:
    import airflow_provider_schemas.formats.spark.ddl as language

    return language


def _spark_json() -> Language:
    import airflow_provider_schemas.formats.spark.struct_json as language

    return language


def _table_file() -> Language:
    from airflow_provider_schemas.formats.table_file import language

    return language


FORMATS: dict[str, Callable[[], Language]] = {
    "arrow": _arrow,
    "delta": _delta,
    "iceberg": _iceberg,
    "mini-paimon": _mini_paimon,
    "odf-json": _odf_json,
    "odf-yaml": _odf_yaml,
    "paimon": _paimon,
    "parquet-text": _parquet_text,
    "spark-ddl": _spark_ddl,
    "spark-json": _spark_json,
    "table-file": _table_file,
}
# The formats whose schemas are DataSchemas of ODF instead of tables.
ODF_FORMATS = ("odf-json", "odf-yaml")


@overload
def load(format: Literal["odf-json", "odf-yaml"], source: str | bytes) -> "LoadedOdf": ...  # type: ignore[overload-overlap]  # a str may be one of these


@overload
def load(format: str, source: str | bytes) -> Loaded: ...


def load(format: str, source: str | bytes) -> Any:  # noqa: A002  # the pinned name
    """Read a schema from a text of this format: of a table, or of ODF where the format is ODF's."""
    return _language(format).load(source)


def dump(format: str, schema: "TableSchema | DataSchema") -> Dumped:  # noqa: A002  # the pinned name
    """Write a schema as a text of this format. A schema of the other model is converted first, and the losses say what that cost."""
    language = _language(format)
    if _is_odf(schema):
        write = _odf_writer(format)
        if write is not None:
            return Dumped(write(schema))
    converted, losses = _as_odf(schema) if format in ODF_FORMATS else _as_table(schema)
    dumped = language.dump(converted)
    return replace(dumped, losses=(*losses, *dumped.losses))


def _odf_writer(format: str) -> "Callable[[DataSchema], str] | None":  # noqa: A002  # as in the functions above
    """Return the function that writes types of ODF in a format without converting them to those of a table; None without one."""
    if format == "arrow":
        from airflow_provider_schemas.formats.odf.arrow.convert import arrow_text

        return arrow_text
    if format == "parquet-text":
        from airflow_provider_schemas.formats.odf.arrow.convert import parquet

        return parquet
    return None


def _as_odf(schema: "TableSchema | DataSchema") -> "tuple[DataSchema, tuple[Loss, ...]]":
    if _is_odf(schema):
        return schema, ()
    from airflow_provider_schemas.formats.odf.table.convert import to_odf

    converted = to_odf(checked_schema(schema))
    return converted.schema, converted.losses


def _as_table(schema: "TableSchema | DataSchema") -> tuple[TableSchema, tuple[Loss, ...]]:
    if not _is_odf(schema):
        return checked_schema(schema), ()
    from airflow_provider_schemas.formats.odf.table.convert import to_table

    converted = to_table(schema)
    return converted.schema, converted.losses


def _is_odf(schema: object) -> "TypeIs[DataSchema]":
    """Return whether it is a schema of ODF. A table's schema is recognized without importing the modules of ODF."""
    if isinstance(schema, TableSchema):
        return False
    from airflow_provider_schemas.formats.odf.model.schema import DataSchema

    return type(schema) is DataSchema


def _language(name: object) -> Language:
    language = FORMATS.get(name) if isinstance(name, str) else None
    if language is None:
        raise FormatError(f"{shown(name)} is no format.", code="format.unknown", fix=f"Use one of {', '.join(FORMATS)}.")
    return language()
