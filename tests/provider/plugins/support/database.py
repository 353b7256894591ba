"""Rows of Airflow's database, as tasks leave them: DAGs, runs, task instances, XComs."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

_ANY = {str: "", bool: False}
START = datetime(2026, 3, 1, 6, tzinfo=UTC)


class Database:
    """Airflow's database of this process."""

    def __init__(self) -> None:
        self._runs: dict[tuple[str, str], int] = {}
        self._tasks: set[tuple[str, str, str, int]] = set()

    def push(
        self,
        value: Any,
        *,
        dag: str = "daily",
        run: str = "run_1",
        task: str = "gate",
        index: int = -1,
        hours: float = 0,
        key: str = "schema_verdict",
    ) -> None:
        """What a task has pushed, so many hours after the start."""
        from airflow.models.xcom import XComModel
        from sqlalchemy import delete

        self.task(dag=dag, run=run, task=task, index=index)
        number = self._runs[dag, run]
        same = (XComModel.dag_run_id == number, XComModel.task_id == task, XComModel.map_index == index, XComModel.key == key)
        row = {"dag_run_id": number, "task_id": task, "map_index": index, "key": key, "dag_id": dag, "run_id": run, "value": value}
        self._do(delete(XComModel).where(*same))
        self._insert(XComModel, **row, timestamp=START + timedelta(hours=hours))

    def task(
        self,
        *,
        dag: str = "daily",
        run: str = "run_1",
        task: str = "gate",
        index: int = -1,
        state: str | None = "success",
        hours: float = 0,
    ) -> None:
        """A task in a run, which is made where it is not there; it ended so many hours after the start."""
        from airflow.models.taskinstance import TaskInstance

        self.run(dag, run)
        if (dag, run, task, index) in self._tasks:
            return
        self._tasks.add((dag, run, task, index))
        row = {"id": uuid4(), "dag_id": dag, "run_id": run, "task_id": task, "map_index": index, "state": state, "try_number": 1}
        self._insert(TaskInstance, **row, pool="default_pool", end_date=START + timedelta(hours=hours))

    def run(self, dag: str, run: str) -> None:
        """A run of a DAG."""
        from airflow.models.dagrun import DagRun

        if (dag, run) in self._runs:
            return
        self.dag(dag)
        number = self._runs[dag, run] = len(self._runs) + 1
        row = {"id": number, "dag_id": dag, "run_id": run, "run_type": "manual", "state": "success"}
        self._insert(DagRun, **row, run_after=START + timedelta(seconds=number))

    def dag(self, dag: str) -> None:
        """A DAG, in the one bundle."""
        from airflow.models.dag import DagModel
        from airflow.models.dagbundle import DagBundleModel
        from sqlalchemy import select

        if not self._rows(select(DagBundleModel.name)):
            self._insert(DagBundleModel, name="dags-folder", active=True)
        if not self._rows(select(DagModel.dag_id).where(DagModel.dag_id == dag)):
            self._insert(DagModel, dag_id=dag, bundle_name="dags-folder", is_paused=False, is_stale=False, fileloc="")

    def empty(self) -> None:
        """Take all of it away."""
        from airflow.models.dag import DagModel
        from airflow.models.dagrun import DagRun
        from airflow.models.taskinstance import TaskInstance
        from airflow.models.xcom import XComModel
        from sqlalchemy import delete

        for model in (XComModel, TaskInstance, DagRun, DagModel):
            self._do(delete(model))
        self._runs.clear()
        self._tasks.clear()

    def _insert(self, model: Any, **row: Any) -> None:
        """Insert a row; what must not be empty and does not matter here is filled."""
        from sqlalchemy import insert

        for column in model.__table__.columns:
            has_default = column.nullable or column.default is not None or column.server_default is not None or column.autoincrement is True
            if not has_default and column.name not in row:
                row[column.name] = _ANY.get(column.type.python_type, 1)
        self._do(insert(model).values(**row))

    def _do(self, statement: Any) -> None:
        from airflow.utils.session import create_session

        with create_session(scoped=False) as session:
            session.execute(statement)

    def _rows(self, statement: Any) -> list[Any]:
        from airflow.utils.session import create_session

        with create_session(scoped=False) as session:
            return [*session.execute(statement)]
