"""The baseline of a task: the versions that it saw when it was last green. Tables without a contract are judged against it.

One baseline is put together from many records: the verdicts in XCom, and what `store/registry/baselines.py` keeps of each table.

Every verdict says in XCom what counts from then on if its task ends in success (`seen`), and what does if it does
not (`before`). So the newest verdict is all that is looked for, however many runs failed since the last green one.

Newest by date is not newest by the clock. A backfill runs the code of today, which was green with the tables of
today, so what was seen last by the clock counts. A run of a bundle of an older version runs the code of then: for
that one counts what a run before it saw, or one of the same version.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.tasks.gate.earlier_runs import MAX_STEPS, EarlierRuns, find_earlier_runs
from airflow_provider_schemas.tasks.gate.earlier_verdicts import EarlierVerdict, StoreBranch, kept_verdicts, read_verdicts
from airflow_provider_schemas.tasks.gate.task_history import Record, TaskHistory, TaskInstance
from airflow_provider_schemas.triggers.seen_versions import SeenVersion

# What a backend of XCom may raise for a value that it has lost, and Python for a value of another shape.
_UNREADABLE = (LookupError, TypeError, ValueError, OSError)


class TaskBaseline(Struct, frozen=True):
    """The version of each table that the task saw when it was last green."""

    since: Mapping[str, SeenVersion] = {}
    runs: Mapping[str, str] = {}
    """The run in which each table was seen."""
    moments: Mapping[str, str] = {}
    """When that run had its verdict."""
    after: str = ""
    """The run that comes before this one."""
    forgotten: bool = False
    """Whether the task was green, and what it saw then is kept no more."""


def find_baseline(ti: TaskInstance, tables: Iterable[str], store_branch: StoreBranch, kept: Iterable[Record] = ()) -> TaskBaseline:
    """Find the baseline of these tables. `kept` is what the registry keeps of the task, in the form of verdicts."""
    try:
        return _Search(TaskHistory(ti), tuple(tables), store_branch).baseline(tuple(kept))
    except _UNREADABLE as error:
        message = f"what this task saw when it was last green cannot be read: {error}."
        fix = "Clear the task to try again, or say in a contract what it needs."
        raise StorageError(message, code="task.last-green", path=VERDICT, fix=fix) from error


class _Search:
    """The search for the version of each table that a task saw last."""

    def __init__(self, history: TaskHistory, tables: tuple[str, ...], store_branch: StoreBranch) -> None:
        self._history = history
        self._tables = tables
        self._store_branch = store_branch

    def baseline(self, kept: tuple[Record, ...]) -> TaskBaseline:
        """Find the newest verdict about each table: in XCom, in the registry, and then further back."""
        runs = find_earlier_runs(self._history)
        in_xcom = list(read_verdicts(self._history, list(dict.fromkeys((*runs.before, *runs.beside))), self._tables))
        in_registry = kept_verdicts(self._history, kept)
        counting = [verdict for verdict in (*in_xcom, *in_registry) if self._counts(verdict, runs)]
        counting += self._further_back(counting)
        newest: dict[str, _Sight] = {}
        for table in self._tables:
            # A task that was ever green is never new: better what it saw in another version of its bundle.
            last = self._last_seen(counting, table) or self._last_seen(in_registry, table)
            if last:
                newest[table] = last
        return TaskBaseline(
            since={table: last.version for table, last in newest.items()},
            runs={table: last.run_id for table, last in newest.items()},
            moments={table: last.at for table, last in newest.items()},
            after=next(iter(runs.before), ""),
            forgotten=runs.was_green and not in_xcom and not in_registry,
        )

    def _counts(self, verdict: EarlierVerdict, runs: EarlierRuns) -> bool:
        """Return whether a verdict counts for this run: it comes before it, or judged the same code."""
        return verdict.run_id in runs.before or verdict.bundle == self._history.bundle

    def _further_back(self, counting: list[EarlierVerdict]) -> list[EarlierVerdict]:
        """Return the verdicts about tables that the last runs did not ask about: each verdict names the run before it."""
        missing = self._without_version(self._tables, counting)
        known_runs = {verdict.run_id for verdict in counting}
        newest = counting
        older: list[EarlierVerdict] = []
        for _ in range(MAX_STEPS):
            before = dict.fromkeys(verdict.after for verdict in newest)
            run_ids = [run_id for run_id in before if run_id and run_id not in known_runs]
            if not missing or not run_ids:
                break
            known_runs.update(run_ids)
            newest = list(read_verdicts(self._history, run_ids, missing))
            older += newest
            missing = self._without_version(missing, older)
        return older

    def _without_version(self, tables: Iterable[str], verdicts: list[EarlierVerdict]) -> list[str]:
        """Return the tables of which none of these verdicts has a version."""
        return [table for table in tables if not self._last_seen(verdicts, table)]

    def _last_seen(self, verdicts: Iterable[EarlierVerdict], table: str) -> "_Sight | None":
        """Return the version of a table that was seen last, by the clock, and in which run."""
        last: _Sight | None = None
        for verdict in verdicts:
            version = verdict.seen_version(table, self._store_branch)
            if version is not None and (last is None or verdict.at > last.at):
                last = _Sight(verdict.run_id, version, verdict.at)
        return last


class _Sight(Struct, frozen=True):
    """A version of a table that a run saw, and when."""

    run_id: str
    version: SeenVersion
    at: str
