"""The store: versions of schemas on any storage, committed so that nothing is ever lost, and what hangs on them."""

from airflow_provider_schemas.store.commit import Committed
from airflow_provider_schemas.store.expiry import Expiry
from airflow_provider_schemas.store.history import History
from airflow_provider_schemas.store.judge import Judgement, judge
from airflow_provider_schemas.store.layout import Layout
from airflow_provider_schemas.store.movement import Movement
from airflow_provider_schemas.store.references import References
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.warehouse import SchemaStore

__all__ = ["Committed", "Expiry", "History", "Judgement", "Layout", "Movement", "References", "SchemaStore", "Table", "judge"]
