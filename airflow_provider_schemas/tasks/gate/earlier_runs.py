"""Which runs of a task come before this one. The newest verdict names the run before its own, so one run leads to those before it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from airflow_provider_schemas.tasks.gate.task_history import GREEN, Record, TaskHistory, at_index, run_after_text

MAX_STEPS = 10
"""A table that so many runs did not ask about is new to the task."""


class EarlierRuns(Struct, frozen=True):
    """The ids of runs whose verdicts may count."""

    before: tuple[str, ...] = ()
    """The runs that come before this one, the newest first."""
    beside: tuple[str, ...] = ()
    """The last green run by date, which may come after this one, and runs without a date that came after it."""
    was_green: bool = False
    """Whether any run of the task was green."""


def find_earlier_runs(history: TaskHistory) -> EarlierRuns:
    """Find the runs before this one, by their dates; and the last green one."""
    green = history.last_green()
    if green is None:
        before = _runs_before(history, ())
        if not before:
            return _runs_of_another_kind(history)
        return EarlierRuns(before)
    undated_marks = [] if history.is_undated else history.marks_of_later_undated_runs(green.run_id)
    beside = (green.run_id, *(mark["run"] for mark in undated_marks))
    return EarlierRuns(_runs_before(history, undated_marks), beside, was_green=True)


def _runs_before(history: TaskHistory, undated_marks: Iterable[Record]) -> tuple[str, ...]:
    """Return the runs of the newest verdicts before this run; of a mapped task, those of any index."""
    records: list[Record] = []
    for map_index in dict.fromkeys((history.map_index, min(history.map_index, 0))):
        records += _newest_records(history, map_index)
    if history.dag_run is not None:
        now = run_after_text(history.dag_run)
        records += [mark for mark in undated_marks if str(mark.get("run_after")) <= now]
    records.sort(key=lambda record: str(record.get("at")), reverse=True)
    run_ids: dict[str, None] = {}
    for record in records:
        # A run that was cleared finds its own verdict, and what counts is the run before that.
        is_own = record.get("run") == history.run_id
        run_id = record.get("after" if is_own else "run")
        if run_id and isinstance(run_id, str):
            run_ids[run_id] = None
    return tuple(run_ids)


def _newest_records(history: TaskHistory, map_index: int) -> Iterator[Record]:
    """Yield the newest verdict before this run, in the order of the database.

    Before a run without a date these are the newest verdict of a run with one, and the newest mark of a run without.
    """
    verdict = history.newest_verdict(map_index)
    # Without any verdict there is none of a kind, and asking for what is not there puts an error into Airflow's own log.
    if not verdict:
        return
    yield verdict
    if not history.is_undated or history.dag_run is None:
        return
    mark = history.newest_undated_mark(map_index)
    if mark is not None:
        yield mark
    dated = history.last_before(history.dag_run.run_after, map_index)
    if dated is not None and dated.logical_date:
        yield from at_index(history.verdicts_of_run(dated.run_id), map_index)


def _runs_of_another_kind(history: TaskHistory) -> EarlierRuns:
    """Return runs that began later by their dates, or by the clock where this one was cleared: the ids of runs end in a time."""
    if history.dag_run is None:
        return EarlierRuns()
    name = history.name_at(history.map_index)
    states = {run_id: states[name] for run_id, states in history.read_all_states().items() if run_id != history.run_id and name in states}
    newest_green_first = sorted(states, key=lambda run_id: (states[run_id] == GREEN, run_id.partition("__")[2]), reverse=True)
    return EarlierRuns(tuple(newest_green_first[:MAX_STEPS]), was_green=GREEN in states.values())
