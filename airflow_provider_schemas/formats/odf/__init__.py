"""Schemas of Open Data Fabric, as RFC-016 defines them: a second document model, kept whole, and usable alone.

A name is imported when it is asked for; pyarrow and flatbuffers when a function needs them.
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "ArrowSettings": "arrow_writing",
    "Attributes": "attributes",
    "BlockTime": "block_time",
    "Chain": "chain",
    "DataField": "types",
    "DataSchema": "schema",
    "DataType": "types",
    "Declared": "succession",
    "Equivalent": "comparison",
    "Identical": "comparison",
    "Kind": "kinds",
    "NonEquivalent": "comparison",
    "SetDataSchema": "blocks",
    "TimeUnit": "kinds",
    "Vocabulary": "system_columns",
    "arrow_json": "arrow",
    "arrow_text": "arrow",
    "check_system_columns": "system_columns",
    "compare": "comparison",
    "documents": "text",
    "from_arrow": "arrow",
    "is_superset_of": "comparison",
    "key_warnings": "attribute_keys",
    "load": "text",
    "load_ddl": "ddl",
    "may_follow": "succession",
    "parquet": "arrow",
    "parquet_json": "arrow",
    "read_block": "block_reading",
    "read_chain": "chain",
    "report": "findings",
    "schema_of": "reading",
    "strip_encoding": "stripping",
    "to_arrow": "arrow",
    "to_odf": "table",
    "to_table": "table",
    "type_of": "reading",
    "upgrade": "arrow",
    "with_system_columns": "system_columns",
    "write_block": "block_writing",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.odf.arrow import arrow_json as arrow_json
    from airflow_provider_schemas.formats.odf.arrow import arrow_text as arrow_text
    from airflow_provider_schemas.formats.odf.arrow import from_arrow as from_arrow
    from airflow_provider_schemas.formats.odf.arrow import parquet as parquet
    from airflow_provider_schemas.formats.odf.arrow import parquet_json as parquet_json
    from airflow_provider_schemas.formats.odf.arrow import to_arrow as to_arrow
    from airflow_provider_schemas.formats.odf.arrow import upgrade as upgrade
    from airflow_provider_schemas.formats.odf.arrow_writing import ArrowSettings as ArrowSettings
    from airflow_provider_schemas.formats.odf.attribute_keys import key_warnings as key_warnings
    from airflow_provider_schemas.formats.odf.attributes import Attributes as Attributes
    from airflow_provider_schemas.formats.odf.block_reading import read_block as read_block
    from airflow_provider_schemas.formats.odf.block_time import BlockTime as BlockTime
    from airflow_provider_schemas.formats.odf.block_writing import write_block as write_block
    from airflow_provider_schemas.formats.odf.blocks import SetDataSchema as SetDataSchema
    from airflow_provider_schemas.formats.odf.chain import Chain as Chain
    from airflow_provider_schemas.formats.odf.chain import read_chain as read_chain
    from airflow_provider_schemas.formats.odf.comparison import Equivalent as Equivalent
    from airflow_provider_schemas.formats.odf.comparison import Identical as Identical
    from airflow_provider_schemas.formats.odf.comparison import NonEquivalent as NonEquivalent
    from airflow_provider_schemas.formats.odf.comparison import compare as compare
    from airflow_provider_schemas.formats.odf.comparison import is_superset_of as is_superset_of
    from airflow_provider_schemas.formats.odf.ddl import load_ddl as load_ddl
    from airflow_provider_schemas.formats.odf.findings import report as report
    from airflow_provider_schemas.formats.odf.kinds import Kind as Kind
    from airflow_provider_schemas.formats.odf.kinds import TimeUnit as TimeUnit
    from airflow_provider_schemas.formats.odf.reading import schema_of as schema_of
    from airflow_provider_schemas.formats.odf.reading import type_of as type_of
    from airflow_provider_schemas.formats.odf.schema import DataSchema as DataSchema
    from airflow_provider_schemas.formats.odf.stripping import strip_encoding as strip_encoding
    from airflow_provider_schemas.formats.odf.succession import Declared as Declared
    from airflow_provider_schemas.formats.odf.succession import may_follow as may_follow
    from airflow_provider_schemas.formats.odf.system_columns import Vocabulary as Vocabulary
    from airflow_provider_schemas.formats.odf.system_columns import check_system_columns as check_system_columns
    from airflow_provider_schemas.formats.odf.system_columns import with_system_columns as with_system_columns
    from airflow_provider_schemas.formats.odf.table import to_odf as to_odf
    from airflow_provider_schemas.formats.odf.table import to_table as to_table
    from airflow_provider_schemas.formats.odf.text import documents as documents
    from airflow_provider_schemas.formats.odf.text import load as load
    from airflow_provider_schemas.formats.odf.types import DataField as DataField
    from airflow_provider_schemas.formats.odf.types import DataType as DataType
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
