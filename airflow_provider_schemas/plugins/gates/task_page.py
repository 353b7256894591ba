"""The verdict on one task, out of its XCom alone: no storage is asked, so that it is there when no storage is."""

from collections.abc import Mapping
from enum import StrEnum

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.common.query import map_index, needed
from airflow_provider_schemas.plugins.verdicts.pushed import Pushed
from airflow_provider_schemas.plugins.verdicts.read import TaskState, task_state, task_verdict
from airflow_provider_schemas.render.verdict.entries import VerdictEntry, read_verdict


class WhyNone(StrEnum):
    """Why there is no verdict to show."""

    NO_GATE = "no gate"
    """No run of the task has one: it is no gate, and not guarded."""
    NO_TASK = "no task"
    NOT_RUN = "not run"
    RUNNING = "running"
    MAPPED = "mapped"
    """The indexes of the task have one each."""
    GONE = "gone"
    """Other runs of the task have one: this one could not look, or its XComs are cleaned away."""
    ELSEWHERE = "elsewhere"
    UNREADABLE = "unreadable"


# States of Airflow in which a task has not decided anything yet.
_NOT_RUN = frozenset({None, "none", "scheduled", "queued", "removed", "upstream_failed", "up_for_retry", "restarting"})
_RUNNING = frozenset({"running", "deferred", "up_for_reschedule", "awaiting_input"})


def task_content(asked: Asked) -> Mapping[str, object]:
    """Return the verdict on the task that the query names; or why there is none."""
    dag_id, run_id, task_id = (needed(asked.query, name) for name in ("dag_id", "run_id", "task_id"))
    index = map_index(asked.query)
    pushed = task_verdict(dag_id, run_id, task_id, index)
    verdict, why = _verdict(pushed)
    known = TaskState()
    if pushed is None:
        known = task_state(dag_id, run_id, task_id, index)
        why = _why_none(known, index)
    return {
        "dag_id": dag_id,
        "run_id": run_id,
        "task_id": task_id,
        "map_index": index,
        "verdict": verdict,
        "why": why,
        "known": known,
        "at": None if pushed is None else pushed.at,
    }


def _verdict(pushed: Pushed | None) -> tuple[VerdictEntry | None, WhyNone | None]:
    if pushed is None:
        return None, WhyNone.NO_GATE
    if pushed.lies_elsewhere:
        return None, WhyNone.ELSEWHERE
    try:
        return read_verdict(pushed.value), None
    except FormatError:
        return None, WhyNone.UNREADABLE


def _why_none(known: TaskState, index: int) -> WhyNone:
    """Return why a task has no verdict, by what Airflow knows of it."""
    if index < 0 and known.map_indexes:
        return WhyNone.MAPPED
    if not known.is_known:
        return WhyNone.NO_TASK
    if known.state in _RUNNING:
        return WhyNone.RUNNING
    if known.state in _NOT_RUN:
        return WhyNone.NOT_RUN
    return WhyNone.GONE if known.has_other_verdicts else WhyNone.NO_GATE
