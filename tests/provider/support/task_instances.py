"""What Airflow keeps of the runs of a task, and answers a task instance: XComs, states and earlier runs, as its server finds them.

Three things decide what is found, and each of them is as in Airflow 3.3: an XCom belongs to one map index, and without `map_indexes` those
of all of them come, one alone without a list around it; earlier runs are found by their logical date; and where a run has none, the
database puts it last (SQLite, MySQL) or first (PostgreSQL).
"""

import itertools
import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, NamedTuple

from airflow.sdk.definitions._internal.types import NOTSET

_FIRST = datetime(2026, 3, 1, tzinfo=UTC)
_TODAY = datetime(2026, 11, 1, tzinfo=UTC)


class Run:
    """One run of the DAG: its dates, and of the task at each map index the state and what it has pushed."""

    def __init__(self, run_id: str, logical_date: datetime | None, run_after: datetime) -> None:
        self.run_id, self.logical_date, self.run_after = run_id, logical_date, run_after
        self.states: dict[int, str] = {}
        self.xcoms: dict[tuple[str, str, int], tuple[int, Any]] = {}
        """Values by task, key and map index, each with its place in the order in which they were written."""

    @property
    def date(self) -> datetime:
        """The date by which runs come before each other."""
        return self.logical_date or self.run_after

    def values(self, task_id: str, key: str) -> "list[Value]":
        """What the task has pushed under a key, at all map indexes."""
        return [Value(self, index, *kept) for (task, name, index), kept in self.xcoms.items() if (task, name) == (task_id, key)]


class Kept:
    """The database of Airflow, as far as one task is concerned."""

    def __init__(self, task_id: str = "gate", dag_id: str = "reports", *, undated_first: bool = False) -> None:
        self.task_id, self.dag_id, self.undated_first = task_id, dag_id, undated_first
        self.runs: dict[str, Run] = {}
        self._order = itertools.count()

    def begin(self, day: int | None, *, now: int, run_id: str = "", index: int = -1, bundle: str | None = None) -> "Instance":
        """The task instance of a run, so many minutes after today begins; for a day counted from the first of March, or without a date."""
        run_after = _TODAY + timedelta(minutes=now)
        run_id = run_id or f"manual__{run_after.isoformat()}"
        logical_date = None if day is None else _FIRST + timedelta(days=day)
        run = self.runs.setdefault(run_id, Run(run_id, logical_date, run_after))
        run.states[index] = "running"
        return Instance(self, run, index, bundle)

    def set(self, *, key: str, value: Any, task_id: str, run_id: str, map_index: int = -1, **_: Any) -> None:
        """As `XCom.set` does, also for other runs."""
        plain = json.loads(json.dumps(value, allow_nan=False))  # what is no plain JSON does not come back
        self.runs[run_id].xcoms[task_id, key, map_index] = (next(self._order), plain)

    def pull(self, task_id: str, key: str, run: Run, indexes: Any, *, prior: bool) -> list[Any]:
        """The values of one task, None for each index that has none."""
        runs = [one for one in self.runs.values() if one.date <= run.date] if prior else [run]
        found = [value for one in runs for value in one.values(task_id, key)]
        if indexes is NOTSET:
            return [one.value for one in sorted(found, key=lambda one: one.map_index)] or [None]
        return [self._newest([one for one in found if one.map_index == (-1 if index is None else index)]) for index in indexes]

    def _newest(self, values: list["Value"]) -> Any:
        return max(values, key=lambda one: (*self._rank(one.run), one.order)).value if values else None

    def previous(self, before: datetime | None, state: str | None, index: int) -> Run | None:
        """The newest run before a date in which the task has this state; without a date, of all of them."""
        runs = [one for one in self.runs.values() if index in one.states and state in (None, one.states[index])]
        if before is not None:
            runs = [one for one in runs if one.logical_date is not None and one.logical_date < before]
        return max(runs, key=self._rank, default=None)

    def _rank(self, run: Run) -> tuple[bool, datetime]:
        return ((run.logical_date is None) is self.undated_first, run.logical_date or _FIRST)

    def states(self, run_ids: Iterable[str] | None) -> dict[str, dict[str, str]]:
        """The states of the task, by run and by name: with its map index, where it has one."""
        wanted = self.runs if run_ids is None else [one for one in run_ids if one in self.runs]
        return {run_id: {self._name(index): state for index, state in self.runs[run_id].states.items()} for run_id in wanted}

    def _name(self, index: int) -> str:
        return self.task_id if index < 0 else f"{self.task_id}_{index}"


class Value(NamedTuple):
    """A value that was pushed."""

    run: Run
    map_index: int
    order: int
    value: Any


class Instance:
    """A task instance that runs, with the calls that tasks make of it."""

    def __init__(self, kept: Kept, run: Run, index: int, bundle: str | None) -> None:
        self.kept, self.run, self.map_index = kept, run, index
        self.dag_id, self.task_id, self.run_id = kept.dag_id, kept.task_id, run.run_id
        self.bundle_instance = SimpleNamespace(version=bundle)
        self._ti_context_from_server = SimpleNamespace(dag_run=run)

    def ends(self, state: str) -> None:
        self.run.states[self.map_index] = state

    def xcom_push(self, key: str, value: Any) -> None:
        self.kept.set(key=key, value=value, task_id=self.task_id, run_id=self.run_id, map_index=self.map_index)

    def xcom_pull(
        self,
        task_ids: str | Iterable[str] | None = None,
        key: str = "return_value",
        include_prior_dates: bool = False,
        *,
        map_indexes: Any = NOTSET,
        run_id: str | None = None,
    ) -> Any:
        single_task = task_ids is None or isinstance(task_ids, str)
        single_index = map_indexes is None or isinstance(map_indexes, int)
        tasks = [self.task_id if task_ids is None else task_ids] if single_task else list(task_ids or ())
        indexes = [map_indexes] if single_index else map_indexes
        assert run_id is None or run_id, "no run is called so"
        run = self.kept.runs.get(self.run_id if run_id is None else run_id) or Run("purged", None, _FIRST)
        found = [value for task in tasks for value in self.kept.pull(str(task), key, run, indexes, prior=include_prior_dates)]
        if single_task and (single_index or (indexes is NOTSET and len(found) == 1)):
            return found[0]
        return found

    def get_previous_ti(self, state: str | None = None, logical_date: datetime | None = None, map_index: int = -1) -> Run | None:
        return self.kept.previous(logical_date or self.run.logical_date, state, map_index)

    def get_task_states(self, *, dag_id: str, task_ids: list[str], run_ids: list[str] | None = None) -> dict[str, dict[str, str]]:
        assert (dag_id, task_ids) == (self.dag_id, [self.task_id])
        return self.kept.states(run_ids)
