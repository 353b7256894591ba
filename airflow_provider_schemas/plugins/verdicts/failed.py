"""Later runs of a task that failed without a verdict: its last verdict says nothing of them."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from airflow_provider_schemas.plugins.verdicts import models
from airflow_provider_schemas.plugins.verdicts.pushed import Gate, Pushed
from airflow_provider_schemas.render.verdict.entries import VERDICT_KEY

_FAILED = ("failed", "up_for_retry")


def failed_without_verdict(pushed: Collection[Pushed]) -> Mapping[Gate, datetime]:
    """Return when the last run of each of these gates failed that has no verdict, among those that ended after their verdicts."""
    if not pushed:
        return {}
    with models.reading() as session:
        rows = session.execute(_statement(pushed)).all()
    last = {(dag_id, task_id, map_index): at for dag_id, task_id, map_index, at in rows}
    return {value.gate: last[value.gate] for value in pushed if value.gate in last and last[value.gate] > value.at}


def _statement(pushed: Collection[Pushed]) -> Any:
    from sqlalchemy import exists, func, select

    task, xcom = models.tasks(), models.xcoms()
    same_task = (xcom.dag_id == task.dag_id, xcom.run_id == task.run_id, xcom.task_id == task.task_id, xcom.map_index == task.map_index)
    has_verdict = exists().where(*same_task, xcom.key == VERDICT_KEY)
    # Two lists, as for the past of gates: some rows too many come along.
    of_gates = (task.dag_id.in_(sorted({value.dag_id for value in pushed})), task.task_id.in_(sorted({value.task_id for value in pushed})))
    oldest = min(value.at for value in pushed)
    return (
        select(task.dag_id, task.task_id, task.map_index, func.max(task.end_date))
        .where(task.state.in_(_FAILED), *of_gates, task.end_date > oldest, ~has_verdict)
        .group_by(task.dag_id, task.task_id, task.map_index)
    )
