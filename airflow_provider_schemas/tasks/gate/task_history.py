"""What Airflow keeps of the runs of a task: the state of each run, and the verdict that it left in XCom.

Airflow finds earlier runs by their logical dates, and databases put runs without one last (SQLite, MySQL) or first
(PostgreSQL), for ever. So a run without a date leaves a mark under a key of its own, by which other such runs find it,
and a second mark at the last green run that has a date, by which runs with a date find it.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from airflow.sdk import TaskInstanceState
from airflow.sdk.execution_time.xcom import XCom

from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.tasks.task_run import bundle_version

Record = Mapping[str, Any]
"""A verdict as it lies in XCom, or the mark of a run without a date. Others may push such keys, so anything can be in it."""
States = Mapping[str, Mapping[str, Any]]
"""The states of the task by run, and by name: that of the task, with its map index if it is mapped."""

_MARK_OF_UNDATED = "schema_verdict_undated"
"""The key of a mark at the run without a date itself: among themselves such runs come in the order of the clock."""
_MARK_AT_DATED = "schema_verdict_later"
"""The key of a mark at the last green run with a date: which run without one came after it."""
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)

GREEN = TaskInstanceState.SUCCESS


class DagRun(Protocol):
    """A run of a DAG, as the server describes it when a task begins."""

    @property
    def logical_date(self) -> datetime | None: ...

    @property
    def run_after(self) -> datetime: ...


class EarlierTask(Protocol):
    """The task in an earlier run."""

    @property
    def run_id(self) -> str: ...

    @property
    def logical_date(self) -> datetime | None: ...


class TaskInstance(Protocol):
    """The task in the run that asks, as far as its past is concerned."""

    @property
    def dag_id(self) -> str: ...

    @property
    def task_id(self) -> str: ...

    @property
    def run_id(self) -> str: ...

    @property
    def map_index(self) -> int | None: ...

    def xcom_pull(self, *arguments: Any, **options: Any) -> Any: ...

    def get_previous_ti(self, *arguments: Any, **options: Any) -> Any: ...

    def get_task_states(self, *arguments: Any, **options: Any) -> Any: ...


class RunningTask(TaskInstance, Protocol):
    """The task in the run that asks, which may leave something for later runs."""

    def xcom_push(self, key: str, value: Any) -> None: ...


def push_verdict(ti: RunningTask, verdict: Record, *, is_baseline: bool) -> None:
    """Put a verdict into XCom. If it is the baseline of later runs, and this run has no date, leave the marks by which they find it."""
    ti.xcom_push(key=VERDICT, value=verdict)
    dag_run = _dag_run(ti)
    if is_baseline and dag_run is not None and dag_run.logical_date is None:
        _leave_marks(ti, verdict, dag_run)


def _leave_marks(ti: RunningTask, verdict: Record, dag_run: DagRun) -> None:
    """Leave the marks of a run without a date: one at itself, and one at the last green run that has a date, if there is one."""
    mark = {"run": ti.run_id, "at": verdict["at"], "after": verdict["after"], "run_after": run_after_text(dag_run)}
    ti.xcom_push(key=_MARK_OF_UNDATED, value=mark)
    green = _last_green(ti)
    if green is not None:
        XCom.set(key=_MARK_AT_DATED, value=mark, dag_id=ti.dag_id, task_id=ti.task_id, run_id=green.run_id, map_index=_map_index(ti))


def run_after_text(dag_run: DagRun) -> str:
    """Return when a run of a DAG may begin, as text that sorts."""
    return dag_run.run_after.astimezone(UTC).isoformat(timespec="microseconds")


class TaskHistory:
    """The runs of one task, as Airflow tells of them to one of its runs."""

    def __init__(self, ti: TaskInstance) -> None:
        self.run_id = ti.run_id
        self.map_index = _map_index(ti)
        self.bundle = bundle_version(ti)
        self.dag_run = _dag_run(ti)
        self.is_undated = self.dag_run is not None and self.dag_run.logical_date is None
        self._ti = ti
        self._pulled: dict[tuple[str, int], Record] = {}
        """The verdicts that were pulled as the newest, by run and map index."""

    # ------------------------------------------------------------ runs and their states

    def last_green(self) -> EarlierTask | None:
        """Return the newest green run by date, also if it comes after this one."""
        return _last_green(self._ti)

    def last_before(self, moment: datetime, map_index: int) -> EarlierTask | None:
        """Return the newest run with a date before a moment."""
        previous: EarlierTask | None = self._ti.get_previous_ti(logical_date=moment, map_index=map_index)
        return previous

    def read_states(self, run_ids: list[str]) -> States:
        """Read the states of the task in these runs."""
        if not run_ids:
            return {}
        states: States = self._ti.get_task_states(dag_id=self._ti.dag_id, task_ids=[self._ti.task_id], run_ids=run_ids)
        return states

    def read_all_states(self) -> States:
        """Read the states of the task in all of its runs."""
        states: States = self._ti.get_task_states(dag_id=self._ti.dag_id, task_ids=[self._ti.task_id])
        return states

    def name_at(self, map_index: Any) -> str:
        """Return the name by which states know the task at a map index."""
        return self._ti.task_id if map_index == -1 else f"{self._ti.task_id}_{map_index}"

    # ------------------------------------------------------------ what runs left in XCom

    def newest_verdict(self, map_index: int) -> Record | None:
        """Return the newest verdict before this run, in the order of the database."""
        verdict = self._pull_newest(VERDICT, map_index)
        if verdict is not None:
            self._pulled[str(verdict.get("run")), map_index] = verdict
        return verdict

    def newest_undated_mark(self, map_index: int) -> Record | None:
        """Return the newest mark that a run without a date left."""
        return self._pull_newest(_MARK_OF_UNDATED, map_index)

    def own_verdict(self, run_id: str) -> Record | None:
        """Return the verdict of a run at the map index of this task."""
        known = self._pulled.get((run_id, self.map_index))
        if known is not None:
            return known
        verdict = self._ti.xcom_pull(key=VERDICT, run_id=run_id, map_indexes=self.map_index)
        return verdict if isinstance(verdict, Mapping) else None

    def verdicts_of_run(self, run_id: str) -> list[Record]:
        """Return the verdicts of a run at all map indexes."""
        return _as_records(self._ti.xcom_pull(key=VERDICT, run_id=run_id))

    def marks_of_later_undated_runs(self, run_id: str) -> list[Record]:
        """Return the marks that runs without a date left at a green run with one, after which they came."""
        marks = _as_records(self._ti.xcom_pull(key=_MARK_AT_DATED, run_id=run_id))
        return [mark for mark in marks if isinstance(mark.get("run"), str)]

    def _pull_newest(self, key: str, map_index: int) -> Record | None:
        record = self._ti.xcom_pull(key=key, include_prior_dates=True, map_indexes=map_index)
        return record if isinstance(record, Mapping) else None


def at_index(records: Iterable[Record], map_index: int) -> list[Record]:
    """Return the verdicts of one map index."""
    return [record for record in records if record.get("map_index", -1) == map_index]


def _as_records(values: object) -> list[Record]:
    """Return the values of all map indexes: one alone comes without a list around it."""
    if not isinstance(values, list | tuple):
        values = [values]
    return [value for value in values if isinstance(value, Mapping)]


def _last_green(ti: TaskInstance) -> EarlierTask | None:
    green: EarlierTask | None = ti.get_previous_ti(state=GREEN, logical_date=_FOR_EVER, map_index=_map_index(ti))
    return green


def _map_index(ti: TaskInstance) -> int:
    if not isinstance(ti.map_index, int):
        return -1
    return max(ti.map_index, -1)


def _dag_run(ti: TaskInstance) -> DagRun | None:
    """Return the run of the DAG, as the server told of it when the task began."""
    return getattr(getattr(ti, "_ti_context_from_server", None), "dag_run", None)
