"""A guard for the whole fleet: the file goes to $AIRFLOW_HOME/config/, and every task that names a table as its inlet is guarded.

Begin with on_incompatible="warn", which stops nothing, and read the logs for a week. With "fail", as here, a task whose table broke
fails before it starts.
"""

from airflow.sdk import BaseOperator

from airflow_provider_schemas.operators import guard_by_inlets


def task_policy(task: BaseOperator) -> None:
    """What Airflow asks for every task that it reads."""
    guard_by_inlets(task, on_incompatible="fail")
