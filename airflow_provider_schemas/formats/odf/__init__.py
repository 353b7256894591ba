"""Schemas of Open Data Fabric, as RFC-016 defines them: a second document model, kept whole, and usable alone.

A name is imported when it is asked for; pyarrow and flatbuffers when a function needs them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.odf.arrow import arrow_json, arrow_text, from_arrow, parquet, parquet_json, to_arrow, upgrade
    from airflow_provider_schemas.formats.odf.arrow_writing import ArrowSettings
    from airflow_provider_schemas.formats.odf.attribute_keys import key_warnings
    from airflow_provider_schemas.formats.odf.attributes import Attributes
    from airflow_provider_schemas.formats.odf.block_reading import read_block
    from airflow_provider_schemas.formats.odf.block_time import BlockTime
    from airflow_provider_schemas.formats.odf.block_writing import write_block
    from airflow_provider_schemas.formats.odf.blocks import SetDataSchema
    from airflow_provider_schemas.formats.odf.chain import Chain, read_chain
    from airflow_provider_schemas.formats.odf.comparison import Equivalent, Identical, NonEquivalent, compare, is_superset_of
    from airflow_provider_schemas.formats.odf.ddl import load_ddl
    from airflow_provider_schemas.formats.odf.findings import report
    from airflow_provider_schemas.formats.odf.kinds import Kind, TimeUnit
    from airflow_provider_schemas.formats.odf.reading import schema_of, type_of
    from airflow_provider_schemas.formats.odf.schema import DataSchema
    from airflow_provider_schemas.formats.odf.stripping import strip_encoding
    from airflow_provider_schemas.formats.odf.succession import Declared, may_follow
    from airflow_provider_schemas.formats.odf.system_columns import Vocabulary, check_system_columns, with_system_columns
    from airflow_provider_schemas.formats.odf.table import to_odf, to_table
    from airflow_provider_schemas.formats.odf.text import documents, load
    from airflow_provider_schemas.formats.odf.types import DataField, DataType

_OF = {
    "arrow": ("arrow_json", "arrow_text", "from_arrow", "parquet", "parquet_json", "to_arrow", "upgrade"),
    "arrow_writing": ("ArrowSettings",),
    "attribute_keys": ("key_warnings",),
    "attributes": ("Attributes",),
    "block_reading": ("read_block",),
    "block_time": ("BlockTime",),
    "block_writing": ("write_block",),
    "blocks": ("SetDataSchema",),
    "chain": ("Chain", "read_chain"),
    "comparison": ("Equivalent", "Identical", "NonEquivalent", "compare", "is_superset_of"),
    "ddl": ("load_ddl",),
    "findings": ("report",),
    "kinds": ("Kind", "TimeUnit"),
    "reading": ("schema_of", "type_of"),
    "schema": ("DataSchema",),
    "stripping": ("strip_encoding",),
    "succession": ("Declared", "may_follow"),
    "system_columns": ("Vocabulary", "check_system_columns", "with_system_columns"),
    "table": ("to_odf", "to_table"),
    "text": ("documents", "load"),
    "types": ("DataField", "DataType"),
}
_MODULES = {name: module for module, names in _OF.items() for name in names}

__all__ = [
    "ArrowSettings",
    "Attributes",
    "BlockTime",
    "Chain",
    "DataField",
    "DataSchema",
    "DataType",
    "Declared",
    "Equivalent",
    "Identical",
    "Kind",
    "NonEquivalent",
    "SetDataSchema",
    "TimeUnit",
    "Vocabulary",
    "arrow_json",
    "arrow_text",
    "check_system_columns",
    "compare",
    "documents",
    "from_arrow",
    "is_superset_of",
    "key_warnings",
    "load",
    "load_ddl",
    "may_follow",
    "parquet",
    "parquet_json",
    "read_block",
    "read_chain",
    "report",
    "schema_of",
    "strip_encoding",
    "to_arrow",
    "to_odf",
    "to_table",
    "type_of",
    "upgrade",
    "with_system_columns",
    "write_block",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
