"""The store: versions of schemas on any storage, committed so that nothing is ever lost, and what hangs on them."""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "Committed": "commit.commit",
    "Expiry": "retention.expiry",
    "History": "versions.history",
    "Judgement": "check_tables",
    "Layout": "layout.paths",
    "Movement": "versions.changes_since",
    "References": "retention.references",
    "SchemaStore": "schema_store",
    "Table": "table",
    "judge": "check_tables",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.store.check_tables import Judgement as Judgement
    from airflow_provider_schemas.store.check_tables import judge as judge
    from airflow_provider_schemas.store.commit.commit import Committed as Committed
    from airflow_provider_schemas.store.layout.paths import Layout as Layout
    from airflow_provider_schemas.store.retention.expiry import Expiry as Expiry
    from airflow_provider_schemas.store.retention.references import References as References
    from airflow_provider_schemas.store.schema_store import SchemaStore as SchemaStore
    from airflow_provider_schemas.store.table import Table as Table
    from airflow_provider_schemas.store.versions.changes_since import Movement as Movement
    from airflow_provider_schemas.store.versions.history import History as History
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
