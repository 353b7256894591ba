"""The policy of the fleet in the system test: every task that names a table as its inlet is guarded."""

from airflow.sdk import BaseOperator

from airflow_provider_schemas.operators import guard_by_inlets


def task_policy(task: BaseOperator) -> None:
    """What Airflow asks for every task that it reads."""
    guard_by_inlets(task, on_incompatible="fail")
