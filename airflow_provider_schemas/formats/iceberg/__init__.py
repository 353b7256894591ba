"""Iceberg: its metadata files and its schemas, as a format among others.

In reading order:

    language                           a schema, or the current one of a whole metadata file, read and written: the format `iceberg`
    table_metadata                     a metadata file: its schemas, each decoded when it is asked for, and what stands around them
    metadata_file                      the shape of the file, its limits and its faults
    partitioning                       partition specs and sort orders
    schema_reader schema_writer        Iceberg's schemas to ours, and back
    leaf_types defaults attributes     types without parts; default values; what our types cannot hold
    schema_json                        the shape of a schema
    promotions                         which type may follow another under one id
    digests                            what tells one schema from another, whoever wrote it
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "LogEntry": "table_metadata",
    "Ref": "table_metadata",
    "SnapshotFacts": "table_metadata",
    "IcebergMetadata": "table_metadata",
    "read_metadata": "table_metadata",
    "read_schema": "schema_reader",
    "schema_digest": "digests",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.iceberg.digests import schema_digest as schema_digest
    from airflow_provider_schemas.formats.iceberg.schema_reader import read_schema as read_schema
    from airflow_provider_schemas.formats.iceberg.table_metadata import IcebergMetadata as IcebergMetadata
    from airflow_provider_schemas.formats.iceberg.table_metadata import LogEntry as LogEntry
    from airflow_provider_schemas.formats.iceberg.table_metadata import Ref as Ref
    from airflow_provider_schemas.formats.iceberg.table_metadata import SnapshotFacts as SnapshotFacts
    from airflow_provider_schemas.formats.iceberg.table_metadata import read_metadata as read_metadata
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
