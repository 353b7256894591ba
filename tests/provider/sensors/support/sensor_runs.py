"""Sensors as Airflow runs them: begun, deferred, resumed, with what earlier runs of the task have left behind."""

from typing import Any

import pytest
from airflow.sdk.exceptions import TaskDeferred
from airflow.sdk.serde import deserialize, serialize

from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from tests.provider.support.trigger_runs import ends_with


class Earlier:
    """A green run of the task before this one, and what its verdict says."""

    run_id = "manual__2026-02-28"

    def __init__(self, verdict: dict[str, Any] | None) -> None:
        self.verdict = None if verdict is None else {**verdict, "run": self.run_id}

    def as_ti(self) -> dict[str, Any]:
        """What a task instance answers about it."""
        return {
            "get_previous_ti": lambda **_: None if self.verdict is None else self,
            "get_task_states": lambda **_: {self.run_id: {"wait": "success"}},
            "xcom_pull": lambda key="", **_: self.verdict if key == VERDICT else None,
        }


NOBODY = Earlier(None).as_ti()


def deferred(sensor: Any, context: dict[str, Any]) -> TaskDeferred:
    """How a sensor goes to sleep."""
    with pytest.raises(TaskDeferred) as caught:
        sensor.execute(context)
    return caught.value


def resumed(sensor: Any, context: dict[str, Any], sleep: TaskDeferred, event: Any = None) -> Any:
    """What a sensor makes of the event of its trigger, which runs until it has one; what was kept went through the database."""
    sent: Any = serialize(sleep.kwargs)
    kept: Any = deserialize(sent)
    event = ends_with(sleep.trigger) if event is None else event
    return sensor.resume_execution(sleep.method_name, {**kept, "event": event}, context)
