"""What the tests of guards share: tasks, and their hooks called as Airflow calls them."""

from collections.abc import Sequence
from typing import Any

from airflow.providers.standard.operators.bash import BashOperator

from tests.provider.conftest import MakeContext

NEEDS = {"shop.orders": "order_id BIGINT NOT NULL, cust_id BIGINT"}


def bash(task_id: str = "daily", **said: Any) -> Any:
    return BashOperator(task_id=task_id, bash_command="true", **said)


# What Airflow knows of earlier runs: nothing.
NO_PAST: dict[str, Any] = {"xcom_pull": lambda **_: None, "get_task_states": lambda **_: {}, "get_previous_ti": lambda **_: None}


def run(operator: Any, context: MakeContext, **ti: Any) -> dict[str, Any]:
    """Call the hooks of a task as Airflow does before it executes; the context, with what was pushed."""
    made = context(operator, **{**NO_PAST, **ti})
    operator._pre_execute_hook(made)
    return made


class Begun:
    """What the server says of a try that goes on."""

    def __init__(self, next_method: str | None = None, task_reschedule_count: int = 0, xcom_keys_to_clear: Sequence[str] = ()) -> None:
        self.next_method, self.task_reschedule_count, self.xcom_keys_to_clear = next_method, task_reschedule_count, xcom_keys_to_clear
