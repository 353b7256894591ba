"""The last values that tasks have pushed, and what is known of the tasks: a few SELECTs each, however many gates there are."""

from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.plugins.verdicts import models
from airflow_provider_schemas.plugins.verdicts.pushed import Pushed
from airflow_provider_schemas.render.verdict.entries import VERDICT_KEY

MAX_GATES = 2_000
_MAX_SIBLINGS = 200
_Run = tuple[str, str, str]
"""DAG, task, run."""


class TaskState(Struct, frozen=True):
    """What Airflow knows of a task in a run, without its values."""

    state: str | None = None
    try_number: int = 0
    map_indexes: tuple[int, ...] = ()
    """The indexes of a mapped task that have a verdict in this run."""
    has_other_verdicts: bool = False
    """Whether the task has a verdict in another run."""
    is_known: bool = False


def dag_ids_with_verdicts() -> frozenset[str]:
    """Return the DAGs of which a task has a verdict."""
    from sqlalchemy import select

    model = models.xcoms()
    with models.reading() as session:
        return frozenset(session.scalars(select(model.dag_id).where(model.key == VERDICT_KEY).distinct()))


def task_verdict(dag_id: str, run_id: str, task_id: str, map_index: int) -> Pushed | None:
    """Return the verdict on a task; of several tries the last one, since Airflow takes that of an earlier try away."""
    from sqlalchemy import select

    model = models.xcoms()
    statement = select(*_columns(model)).where(
        model.dag_id == dag_id, model.run_id == run_id, model.task_id == task_id, model.map_index == map_index, model.key == VERDICT_KEY
    )
    with models.reading() as session:
        row = session.execute(statement).first()
    return None if row is None else Pushed(*row)


class LastPushed(Struct, frozen=True):
    """The last values of tasks, the newest first."""

    values: tuple[Pushed, ...] = ()
    is_cut: bool = False
    """Whether there are more, which are older."""


def last_pushed(dag_ids: Collection[str], key: str = VERDICT_KEY) -> LastPushed:
    """Return the last value of each task of these DAGs, the newest first."""
    from sqlalchemy import and_, func, select

    model = models.xcoms()
    of_gate = (model.dag_id, model.task_id, model.map_index)
    # Two runs may have pushed at the same moment: the number of the run decides.
    place = func.row_number().over(partition_by=of_gate, order_by=(model.timestamp.desc(), model.dag_run_id.desc())).label("place")
    ranked = (
        select(model.dag_run_id, model.task_id, model.map_index, model.timestamp, place)
        .where(model.key == key, model.dag_id.in_(sorted(dag_ids)))
        .subquery()
    )
    newest = select(ranked).where(ranked.c.place == 1).order_by(ranked.c.timestamp.desc()).limit(MAX_GATES + 1).subquery()
    # Values are large: only those of the newest are read, by the primary key.
    same = and_(model.dag_run_id == newest.c.dag_run_id, model.task_id == newest.c.task_id, model.map_index == newest.c.map_index)
    statement = select(*_columns(model)).join(newest, same).where(model.key == key).order_by(model.timestamp.desc())
    with models.reading() as session:
        rows = [Pushed(*row) for row in session.execute(statement)]
    return LastPushed(tuple(_without_former_indexes(rows[:MAX_GATES])), is_cut=len(rows) > MAX_GATES)


def task_state(dag_id: str, run_id: str, task_id: str, map_index: int) -> TaskState:
    """Return what Airflow knows of a task that has no verdict."""
    from sqlalchemy import select

    task, xcom = models.tasks(), models.xcoms()
    of_task = (xcom.dag_id == dag_id, xcom.task_id == task_id, xcom.key == VERDICT_KEY)
    with models.reading() as session:
        known = session.execute(
            select(task.state, task.try_number).where(
                task.dag_id == dag_id, task.run_id == run_id, task.task_id == task_id, task.map_index == map_index
            )
        ).first()
        indexes = session.scalars(
            select(xcom.map_index).where(*of_task, xcom.run_id == run_id).order_by(xcom.map_index).limit(_MAX_SIBLINGS)
        ).all()
        other = session.scalar(select(xcom.run_id).where(*of_task, xcom.run_id != run_id).limit(1))
    state, tries = (known.state, known.try_number) if known is not None else (None, 0)
    return TaskState(state, tries, tuple(indexes), other is not None, known is not None)


def _without_former_indexes(rows: list[Pushed]) -> list[Pushed]:
    """Leave out indexes that the newest run of their task has no more: their last verdict would stay for ever."""
    newest: dict[tuple[str, str], Pushed] = {}
    for row in rows:
        known = newest.setdefault((row.dag_id, row.task_id), row)
        if row.at > known.at:
            newest[row.dag_id, row.task_id] = row
    older = [row for row in rows if row.run_id != newest[row.dag_id, row.task_id].run_id]
    if not older:
        return rows
    there = _indexes_of({_run_of(newest[row.dag_id, row.task_id]) for row in older})
    former = {row.gate for row in older if (*_run_of(newest[row.dag_id, row.task_id]), row.map_index) not in there}
    return [row for row in rows if row.gate not in former]


def _run_of(row: Pushed) -> _Run:
    return (row.dag_id, row.task_id, row.run_id)


def _indexes_of(runs: Iterable[_Run]) -> set[tuple[str, str, str, int]]:
    """Return which indexes these tasks have in these runs."""
    from sqlalchemy import select, tuple_

    task = models.tasks()
    named = tuple_(task.dag_id, task.task_id, task.run_id).in_(sorted(runs))
    with models.reading() as session:
        rows = session.execute(select(task.dag_id, task.task_id, task.run_id, task.map_index).where(named)).all()
    return {(dag_id, task_id, run_id, index) for dag_id, task_id, run_id, index in rows}


def _columns(model: Any) -> tuple[Any, ...]:
    return (model.dag_id, model.run_id, model.task_id, model.map_index, model.timestamp, model.value)
