"""Delta: the actions of its log and its schemas, as a format among others.

In reading order:

    language                       a schema, or the metaData action of a table, read and written: the format `delta`
    log_actions                    the lines of a commit: metaData, protocol and commitInfo; all others are skipped
    checkpoint_rows                the same out of a checkpoint of Parquet
    table_metadata                 a metaData action: its schema, its digest, what is wrong with its column mapping
    features                       what of the protocol a reader of schemas has to know
    schema_reader schema_writer    Delta's schemas to ours, and back
    leaf_types declared_types      types without parts; CHAR and VARCHAR, which stand in the metadata of a column
    column_ids                     ids of columns: given by column mapping, or made of their names
    attributes                     what our types have no place for
    digests                        what tells one schema from another, whoever wrote it
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "Actions": "log_actions",
    "CommitInfo": "log_actions",
    "Metadata": "log_actions",
    "Protocol": "log_actions",
    "DeltaMetadata": "table_metadata",
    "read_actions": "log_actions",
    "read_schema": "schema_reader",
    "schema_digest": "digests",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.delta.digests import schema_digest as schema_digest
    from airflow_provider_schemas.formats.delta.log_actions import Actions as Actions
    from airflow_provider_schemas.formats.delta.log_actions import CommitInfo as CommitInfo
    from airflow_provider_schemas.formats.delta.log_actions import Metadata as Metadata
    from airflow_provider_schemas.formats.delta.log_actions import Protocol as Protocol
    from airflow_provider_schemas.formats.delta.log_actions import read_actions as read_actions
    from airflow_provider_schemas.formats.delta.schema_reader import read_schema as read_schema
    from airflow_provider_schemas.formats.delta.table_metadata import DeltaMetadata as DeltaMetadata
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
