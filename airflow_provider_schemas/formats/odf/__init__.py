"""Schemas of Open Data Fabric, as RFC-016 defines them: a second document model, kept whole, and usable alone.

A name is imported when it is asked for; pyarrow and flatbuffers when a function needs them.

From the top to the ground:

    chain/           metadata blocks: read, written, and walked from a folder
    table/           to and from the schema of a table
    compatibility/   what differs, and what a chain takes, as a report with our rules
    arrow/  ddl/     to and from Arrow, encodings as attributes | DDL of sources
    serialization/   YAML and JSON: documents, events, manifests, attributes that mean something
    flatbuffer/      vtable slots as data; bounds-checked reading; the one writer
    model/           fields, types, attributes, encodings; the 24 kinds: data

A schema of ODF and a schema of a table are two models, and `table/` is the one bridge; `formats/registry.py` takes the bridge where a
format of the other model is asked for. Arrow's schemas are values of ours (`formats/arrow/model.py`), so that ODF needs no pyarrow. YAML
is read and written by `formats/yaml/`: what the reference does otherwise is a `Dialect` and a `Style`.
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "ArrowSettings": "arrow.writer",
    "Attributes": "model.attributes",
    "BlockTime": "model.block_time",
    "Chain": "chain.history",
    "DataField": "model.types",
    "DataSchema": "model.schema",
    "DataType": "model.types",
    "Declared": "compatibility.succession",
    "Equivalent": "compatibility.comparison",
    "Identical": "compatibility.comparison",
    "Kind": "model.kinds",
    "NonEquivalent": "compatibility.comparison",
    "SetDataSchema": "chain.block",
    "TimeUnit": "model.kinds",
    "Vocabulary": "compatibility.system_columns",
    "arrow_json": "arrow.convert",
    "arrow_text": "arrow.convert",
    "check_system_columns": "compatibility.system_columns",
    "compare": "compatibility.comparison",
    "documents": "serialization.text",
    "from_arrow": "arrow.convert",
    "is_superset_of": "compatibility.comparison",
    "key_warnings": "model.attribute_keys",
    "load": "serialization.text",
    "load_ddl": "ddl.reader",
    "may_follow": "compatibility.succession",
    "parquet": "arrow.convert",
    "parquet_json": "arrow.convert",
    "read_block": "chain.block_reader",
    "read_chain": "chain.history",
    "report": "compatibility.findings",
    "schema_of": "serialization.reader",
    "strip_encoding": "arrow.strip_encodings",
    "to_arrow": "arrow.convert",
    "to_odf": "table.convert",
    "to_table": "table.convert",
    "type_of": "serialization.reader",
    "upgrade": "arrow.convert",
    "with_system_columns": "compatibility.system_columns",
    "write_block": "chain.block_writer",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.odf.arrow.convert import arrow_json as arrow_json
    from airflow_provider_schemas.formats.odf.arrow.convert import arrow_text as arrow_text
    from airflow_provider_schemas.formats.odf.arrow.convert import from_arrow as from_arrow
    from airflow_provider_schemas.formats.odf.arrow.convert import parquet as parquet
    from airflow_provider_schemas.formats.odf.arrow.convert import parquet_json as parquet_json
    from airflow_provider_schemas.formats.odf.arrow.convert import to_arrow as to_arrow
    from airflow_provider_schemas.formats.odf.arrow.convert import upgrade as upgrade
    from airflow_provider_schemas.formats.odf.arrow.strip_encodings import strip_encoding as strip_encoding
    from airflow_provider_schemas.formats.odf.arrow.writer import ArrowSettings as ArrowSettings
    from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema as SetDataSchema
    from airflow_provider_schemas.formats.odf.chain.block_reader import read_block as read_block
    from airflow_provider_schemas.formats.odf.chain.block_writer import write_block as write_block
    from airflow_provider_schemas.formats.odf.chain.history import Chain as Chain
    from airflow_provider_schemas.formats.odf.chain.history import read_chain as read_chain
    from airflow_provider_schemas.formats.odf.compatibility.comparison import Equivalent as Equivalent
    from airflow_provider_schemas.formats.odf.compatibility.comparison import Identical as Identical
    from airflow_provider_schemas.formats.odf.compatibility.comparison import NonEquivalent as NonEquivalent
    from airflow_provider_schemas.formats.odf.compatibility.comparison import compare as compare
    from airflow_provider_schemas.formats.odf.compatibility.comparison import is_superset_of as is_superset_of
    from airflow_provider_schemas.formats.odf.compatibility.findings import report as report
    from airflow_provider_schemas.formats.odf.compatibility.succession import Declared as Declared
    from airflow_provider_schemas.formats.odf.compatibility.succession import may_follow as may_follow
    from airflow_provider_schemas.formats.odf.compatibility.system_columns import Vocabulary as Vocabulary
    from airflow_provider_schemas.formats.odf.compatibility.system_columns import check_system_columns as check_system_columns
    from airflow_provider_schemas.formats.odf.compatibility.system_columns import with_system_columns as with_system_columns
    from airflow_provider_schemas.formats.odf.ddl.reader import load_ddl as load_ddl
    from airflow_provider_schemas.formats.odf.model.attribute_keys import key_warnings as key_warnings
    from airflow_provider_schemas.formats.odf.model.attributes import Attributes as Attributes
    from airflow_provider_schemas.formats.odf.model.block_time import BlockTime as BlockTime
    from airflow_provider_schemas.formats.odf.model.kinds import Kind as Kind
    from airflow_provider_schemas.formats.odf.model.kinds import TimeUnit as TimeUnit
    from airflow_provider_schemas.formats.odf.model.schema import DataSchema as DataSchema
    from airflow_provider_schemas.formats.odf.model.types import DataField as DataField
    from airflow_provider_schemas.formats.odf.model.types import DataType as DataType
    from airflow_provider_schemas.formats.odf.serialization.reader import schema_of as schema_of
    from airflow_provider_schemas.formats.odf.serialization.reader import type_of as type_of
    from airflow_provider_schemas.formats.odf.serialization.text import documents as documents
    from airflow_provider_schemas.formats.odf.serialization.text import load as load
    from airflow_provider_schemas.formats.odf.table.convert import to_odf as to_odf
    from airflow_provider_schemas.formats.odf.table.convert import to_table as to_table
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
