"""The notifier: what changed and what broke, in one message to people and channels."""

from airflow_provider_schemas import _airflow  # noqa: F401  # names the range before anything of Airflow is imported
from airflow_provider_schemas.notifications.messages import message_of
from airflow_provider_schemas.notifications.notifier import SchemaNotifier

__all__ = ["SchemaNotifier", "message_of"]
