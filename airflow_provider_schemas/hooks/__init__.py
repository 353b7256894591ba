"""The hook: from an Airflow connection to the store that it names."""

from airflow_provider_schemas import _airflow  # noqa: F401  # names the range before anything of Airflow is imported
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook

__all__ = ["BadConnectionError", "SchemaStoreHook"]
