"""What a task saw of tables when it was last green: the baseline for those that come without a contract.

Every verdict says in XCom what counts from then on if its task ends in success (`seen`), and what does if it does
not (`before`). So the newest verdict is all that is looked for, however many runs failed since the last green one.

Newest by date is not newest by the clock. A backfill runs the code of today, which was green with the tables of
today, so what was seen last by the clock counts. A run of a bundle of an older version runs the code of then: for
that one counts what a run before it saw, or one of the same version.

Airflow finds earlier runs by their logical dates, and databases put runs without one last (SQLite, MySQL) or first
(PostgreSQL), for ever. So such a run is found under a key of its own, and from runs with a date by a mark that it
leaves at the last green one of those.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from airflow.sdk import TaskInstanceState
from airflow.sdk.execution_time.xcom import XCom
from msgspec import Struct

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.tasks.gate import arguments

VERDICT = arguments.VERDICT
"""The key of the XCom."""
_UNDATED = "schema_verdict_undated"
"""A second key, of runs without a logical date only: among themselves they come in the order of the clock."""
_LATER = "schema_verdict_later"
"""The key of the mark at the last green run with a date: which run without one came after it."""
_GREEN = TaskInstanceState.SUCCESS
# A table that so many runs did not ask about is new to the task.
_STEPS = 10
_ENDED = frozenset({"failed", "skipped", "upstream_failed", "removed"})
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)


class Where(Struct, frozen=True):
    """Where the tables of a task lie."""

    conn_id: str
    branch: str = MAIN

    def holds(self, said: Mapping[str, Any]) -> bool:
        """Whether this is said of a table there: one of the same name in another store, or on another branch, is another."""
        return (said.get("conn_id", self.conn_id), said.get("branch", self.branch)) == (self.conn_id, self.branch)


class Glance(Struct, frozen=True):
    """What one earlier run of the task says."""

    run_id: str
    at: str
    bundle: str
    tables: Mapping[str, Any]
    state: str
    went_on: bool
    """Whether the verdict let the task go on."""
    after: str
    """The run before it."""

    def seen(self, table: str, where: Where) -> tuple[int, str] | None:
        """The version that counts from then on, if one does."""
        said = self.tables.get(table)
        if not isinstance(said, Mapping) or not where.holds(said):
            return None
        if self.state == _GREEN:
            return _version(said.get("seen"))
        # A run that was cleared, and has not ended again, was green or not: then the older one is the safer one.
        open_again = self.state not in _ENDED and self.went_on
        return _version(said.get("before")) or (_version(said.get("seen")) if open_again else None)


def _version(said: Any) -> tuple[int, str] | None:
    if not isinstance(said, Mapping) or not isinstance(said.get("version"), int) or not isinstance(said.get("digest"), str):
        return None
    return said["version"], said["digest"]


class Sight(Struct, frozen=True):
    """The version of each table that was seen; and the run that comes before this one."""

    since: Mapping[str, tuple[int, str]] = {}
    runs: Mapping[str, str] = {}
    """In which run each table was seen."""
    after: str = ""
    forgotten: bool = False
    """Whether the task was green, and what it saw then is kept no more."""


def push(ti: Any, said: Mapping[str, Any], *, by_sight: bool) -> None:
    """Put a verdict where later runs look for it."""
    ti.xcom_push(key=VERDICT, value=said)
    run = _run_of(ti)
    if not by_sight or run is None or run.logical_date is not None:
        return
    mark = {"run": ti.run_id, "at": said["at"], "after": said["after"], "run_after": _clock(run)}
    ti.xcom_push(key=_UNDATED, value=mark)
    if green := _last_green(ti):
        XCom.set(key=_LATER, value=mark, dag_id=ti.dag_id, task_id=ti.task_id, run_id=green.run_id, map_index=_index_of(ti))


def looked_back(ti: Any, tables: Iterable[str], where: Where, kept: Iterable[Mapping[str, Any]] = ()) -> Sight:
    """What the task saw of these tables when it was last green. Kept is what the registry says of it, as verdicts."""
    try:
        return _Past(ti, where).sight(tuple(tables), tuple(kept))
    except (LookupError, TypeError, ValueError, OSError) as error:
        message = f"what this task saw when it was last green cannot be read: {error}."
        fix = "Clear the task to try again, or say in a contract what it needs."
        raise StorageError(message, code="task.last-green", path=VERDICT, fix=fix) from error


class _Past:
    """The earlier runs of a task, as Airflow keeps them."""

    def __init__(self, ti: Any, where: Where) -> None:
        self.ti, self.where = ti, where
        self.bundle = bundle_of(ti)
        self.known: dict[tuple[str, int], Mapping[str, Any]] = {}
        self.index = _index_of(ti)
        self.run = _run_of(ti)
        self.undated = self.run is not None and self.run.logical_date is None
        self.was_green = False
        """Whether any run is green of those that were looked at where nothing came before this one."""

    def sight(self, tables: tuple[str, ...], kept: tuple[Mapping[str, Any], ...] = ()) -> Sight:
        green = _last_green(self.ti)
        marks = [] if green is None or self.undated else self._marks_at(green.run_id)
        before = self._before(marks) or ([] if green else self._of_another_kind())
        runs = [*before, *([green.run_id] if green else []), *(one["run"] for one in marks)]
        glances = list(self._glances(list(dict.fromkeys(runs)), tables))
        counting = [one for one in glances if one.run_id in before or one.bundle == self.bundle]
        in_registry = self._in_registry(kept)
        counting += [one for one in in_registry if one.run_id in before or one.bundle == self.bundle]
        counting += self._further_back(counting, {one for one in tables if not self._newest(counting, one)})
        # A task that was ever green is never new: better what it saw in another version of its bundle.
        newest = {table: found for table in tables if (found := self._newest(counting, table) or self._newest(in_registry, table))}
        return Sight(
            since={table: seen for table, (_, seen) in newest.items()},
            runs={table: run for table, (run, _) in newest.items()},
            after=before[0] if before else "",
            forgotten=(bool(green) or self.was_green) and not glances and not in_registry,
        )

    def _in_registry(self, kept: tuple[Mapping[str, Any], ...]) -> list[Glance]:
        """What the registry keeps of the task: of a mapped task the same index, and all of them of a table that is another's today."""
        own = [one for one in kept if one.get("map_index", -1) == self.index]
        known = {table for one in own for table in one["tables"]}
        counting = own + [one for one in kept if one not in own and not known.intersection(one["tables"])]
        runs = list(dict.fromkeys(str(one["run"]) for one in counting))
        states = self.ti.get_task_states(dag_id=self.ti.dag_id, task_ids=[self.ti.task_id], run_ids=runs) if runs else {}
        return [_glance(str(one["run"]), one, self._state(states.get(str(one["run"])), one)) for one in counting]

    def _further_back(self, glances: list[Glance], tables: set[str]) -> list[Glance]:
        """What earlier runs say of tables that the last one did not ask about: each verdict names the run before it."""
        found, met = [], {one.run_id for one in glances}
        for _ in range(_STEPS):
            runs = [one for one in dict.fromkeys(one.after for one in glances) if one and one not in met]
            if not tables or not runs:
                break
            met.update(runs)
            glances = list(self._glances(runs, tuple(tables)))
            found += glances
            tables = {one for one in tables if not self._newest(found, one)}
        return found

    def _newest(self, glances: Iterable[Glance], table: str) -> tuple[str, tuple[int, str]] | None:
        """The run that saw a table last, by the clock, and what it saw."""
        found = [(one.at, one.run_id, seen) for one in glances if (seen := one.seen(table, self.where))]
        return max(found, key=lambda one: one[0])[1:] if found else None

    def _before(self, marks: Iterable[Mapping[str, Any]]) -> list[str]:
        """The newest run with a verdict, of those that come before this one by their dates; for a mapped task of any index."""
        found = [one for index in dict.fromkeys((self.index, min(self.index, 0))) for one in self._newest_of(index)]
        found += [one for one in marks if self.run is not None and str(one.get("run_after")) <= _clock(self.run)]
        found.sort(key=lambda one: str(one.get("at")), reverse=True)
        runs = [one.get("after") if one.get("run") == self.ti.run_id else one.get("run") for one in found]
        return [one for one in dict.fromkeys(runs) if isinstance(one, str) and one]

    def _newest_of(self, index: int) -> Iterator[Mapping[str, Any]]:
        """The newest verdict before this run, in the order of the database; before a run without a date, of each kind."""
        if found := self._last(index):
            yield found
        # Without any verdict there is none of a kind, and asking for what is not there puts an error into Airflow's own log.
        if not self.undated or not found:
            return
        if isinstance(mark := self._pulled(_UNDATED, index), Mapping):
            yield mark
        dated = self.ti.get_previous_ti(logical_date=self.run.run_after, map_index=index)
        yield from self._all_of(VERDICT, dated.run_id, index) if dated and dated.logical_date else ()

    def _marks_at(self, run: str) -> list[Mapping[str, Any]]:
        return [one for one in _all(self.ti.xcom_pull(key=_LATER, run_id=run)) if isinstance(one.get("run"), str)]

    def _all_of(self, key: str, run: str, index: int) -> list[Mapping[str, Any]]:
        return [one for one in _all(self.ti.xcom_pull(key=key, run_id=run)) if one.get("map_index", -1) == index]

    def _of_another_kind(self) -> list[str]:
        """Before the first run: those that began later, by their dates, or by the clock where it was cleared. Their ids end in a time."""
        if self.run is None:
            return []
        known = self.ti.get_task_states(dag_id=self.ti.dag_id, task_ids=[self.ti.task_id])
        name = self._name(self.index)
        states = {run: found[name] for run, found in known.items() if run != self.ti.run_id and name in found}
        self.was_green = _GREEN in states.values()
        newest_green_first = sorted(states, key=lambda run: (states[run] == _GREEN, run.partition("__")[2]), reverse=True)
        return newest_green_first[:_STEPS]

    def _pulled(self, key: str, index: int) -> Any:
        return self.ti.xcom_pull(key=key, include_prior_dates=True, map_indexes=index)

    def _last(self, index: int) -> Mapping[str, Any] | None:
        said = self._pulled(VERDICT, index)
        if not isinstance(said, Mapping):
            return None
        self.known[str(said.get("run")), index] = said
        return said

    def _own(self, run: str) -> Any:
        found = self.known.get((run, self.index))
        return self.ti.xcom_pull(key=VERDICT, run_id=run, map_indexes=self.index) if found is None else found

    def _glances(self, runs: list[str], tables: tuple[str, ...]) -> Iterator[Glance]:
        """What these runs say: of a mapped task the same index, and all of them if a table is another's today."""
        states = self.ti.get_task_states(dag_id=self.ti.dag_id, task_ids=[self.ti.task_id], run_ids=runs) if runs else {}
        for run in runs:
            said = [one for one in [self._own(run)] if isinstance(one, Mapping)]
            if self.index >= 0 and not (said and all(table in said[0].get("tables", {}) for table in tables)):
                said += _all(self.ti.xcom_pull(key=VERDICT, run_id=run))
            yield from (_glance(run, one, self._state(states.get(run), one)) for one in said)

    def _state(self, states: Any, said: Mapping[str, Any]) -> Any:
        return states.get(self._name(said.get("map_index", -1))) if isinstance(states, Mapping) else None

    def _name(self, index: Any) -> str:
        return self.ti.task_id if index == -1 else f"{self.ti.task_id}_{index}"


def bundle_of(ti: Any) -> str:
    """The version of the bundle that the task is run from; empty where bundles have none."""
    version = getattr(getattr(ti, "bundle_instance", None), "version", None)
    return version if isinstance(version, str) else ""


def _last_green(ti: Any) -> Any:
    """The newest by date of all green runs that have one, also of those after this one."""
    return ti.get_previous_ti(state=_GREEN, logical_date=_FOR_EVER, map_index=_index_of(ti))


def _index_of(ti: Any) -> int:
    return ti.map_index if isinstance(ti.map_index, int) and ti.map_index >= 0 else -1


def _run_of(ti: Any) -> Any:
    """The run of the DAG, as the server told of it when the task began."""
    return getattr(getattr(ti, "_ti_context_from_server", None), "dag_run", None)


def _clock(run: Any) -> str:
    """When a run of a DAG may begin, as text that sorts."""
    return str(run.run_after.astimezone(UTC).isoformat(timespec="microseconds"))


def _all(found: Any) -> list[Mapping[str, Any]]:
    """The verdicts of all indexes: one alone comes without a list around it."""
    values = found if isinstance(found, list | tuple) else [found]
    return [value for value in values if isinstance(value, Mapping)]


def _glance(run: str, said: Mapping[str, Any], state: Any) -> Glance:
    tables = said.get("tables")
    about = tables if isinstance(tables, Mapping) else {}
    went_on = said.get("outcome") in ("fits", "warn")
    return Glance(run, str(said.get("at", "")), str(said.get("bundle", "")), about, str(state or ""), went_on, str(said.get("after", "")))
