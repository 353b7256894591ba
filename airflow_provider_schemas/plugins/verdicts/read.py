"""The one module that reads the model of XComs, which is no public interface of Airflow.

What Airflow's release has changed shows at the import: then nothing can be read, and the page says so.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render.verdict.entries import VERDICT_KEY

if TYPE_CHECKING:
    from airflow.models.xcom import XComModel
    from sqlalchemy.orm import Session

CHANGE_KEY = "schema_change"
MAX_GATES = 5_000
_MAX_PAST = 10_000
Gate = tuple[str, str, int]
"""DAG, task and map index."""


class Pushed(Struct, frozen=True):
    """What a task has pushed, and when."""

    dag_id: str
    run_id: str
    task_id: str
    map_index: int
    at: datetime
    value: Any

    @property
    def gate(self) -> Gate:
        """Return the gate that it is of, in whatever run."""
        return (self.dag_id, self.task_id, self.map_index)


def _model() -> "type[XComModel]":
    try:
        from airflow.models.xcom import XComModel
    except ImportError:
        fix = "Use a release of Airflow that the documentation of airflow-provider-schemas names, or read the log of the task."
        raise FormatError("XComs are not readable in this Airflow.", code="page.no-xcoms", fix=fix) from None
    return XComModel


@contextmanager
def _session() -> "Iterator[Session]":
    from airflow.utils.session import create_session

    with create_session(scoped=False) as session:
        yield session


def dag_ids_with_verdicts() -> frozenset[str]:
    """Return the DAGs of which a task has a verdict."""
    from sqlalchemy import select

    model = _model()
    with _session() as session:
        return frozenset(session.scalars(select(model.dag_id).where(model.key == VERDICT_KEY).distinct()))


def task_verdict(dag_id: str, run_id: str, task_id: str, map_index: int) -> Pushed | None:
    """Return the verdict on a task; of several tries the last one, since Airflow takes that of an earlier try away."""
    from sqlalchemy import select

    model = _model()
    columns = _columns(model)
    one = select(*columns).where(
        model.dag_id == dag_id, model.run_id == run_id, model.task_id == task_id, model.map_index == map_index, model.key == VERDICT_KEY
    )
    with _session() as session:
        row = session.execute(one).first()
    return None if row is None else Pushed(*row)


def last_pushed(dag_ids: Collection[str], key: str = VERDICT_KEY) -> list[Pushed]:
    """Return the last value of each task of these DAGs, the newest first."""
    from sqlalchemy import and_, func, select

    model = _model()
    newest = (
        select(model.dag_id, model.task_id, model.map_index, func.max(model.timestamp).label("at"))
        .where(model.key == key, model.dag_id.in_(dag_ids))
        .group_by(model.dag_id, model.task_id, model.map_index)
        .order_by(func.max(model.timestamp).desc())
        .limit(MAX_GATES)
        .subquery()
    )
    same = and_(
        model.dag_id == newest.c.dag_id,
        model.task_id == newest.c.task_id,
        model.map_index == newest.c.map_index,
        model.timestamp == newest.c.at,
    )
    statement = select(*_columns(model)).join(newest, same).where(model.key == key).order_by(model.timestamp.desc())
    with _session() as session:
        return _last_of_each(Pushed(*row) for row in session.execute(statement))


def _last_of_each(rows: Iterable[Pushed]) -> list[Pushed]:
    """Return one of each gate: two runs may have pushed at the same moment."""
    return [*{row.gate: row for row in rows}.values()]


def _columns(model: "type[XComModel]") -> tuple[Any, ...]:
    return (model.dag_id, model.run_id, model.task_id, model.map_index, model.timestamp, model.value)
