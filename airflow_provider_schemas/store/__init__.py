"""The store: versions of schemas on any storage, committed so that nothing is ever lost, and what hangs on them."""

from airflow_provider_schemas.store.check_tables import Judgement, judge
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.retention.expiry import Expiry
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.changes_since import Movement
from airflow_provider_schemas.store.versions.history import History

__all__ = ["Committed", "Expiry", "History", "Judgement", "Layout", "Movement", "References", "SchemaStore", "Table", "judge"]
