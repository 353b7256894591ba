"""The hook: from an Airflow connection to the store that it names.

What is here:

    schema_store                         the light door
    connection_settings find_connection open_store   the fields of a connection, the connection, the store
    mount_settings mounts                the databases that a connection mounts; their catalogs, by Airflow's own Iceberg hook
"""

from airflow_provider_schemas import _airflow  # noqa: F401  # names the range before anything of Airflow is imported
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook

__all__ = ["BadConnectionError", "SchemaStoreHook"]
