"""Which tasks behind a gate run although it has stopped: those whose trigger rule does not wait for its success.

Measured with every rule that there is, behind a gate of its own, a mapped gate, and in mapped task groups, which
all gave the same: `tests/provider/tasks/gate/test_bypass.py` measures them again.
"""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.tasks.gate.never_asked import Task, never_asked

if TYPE_CHECKING:
    from airflow.sdk.definitions.taskgroup import MappedTaskGroup

GATE_BYPASSED = "GATE_BYPASSED"
_WAIT = "Give it the trigger rule all_success."
_GUARD_OR_WAIT = "Put a schema_guard on it, or give it the trigger rule all_success."
_STOPPED = {"fail": "fails", "skip": "is skipped"}


class RunsAnyway(NamedTuple):
    """Whether a task runs behind a gate that has failed or was skipped: if it has no other upstream, and beside one that succeeds."""

    fail: bool
    skip: bool
    fail_beside: bool
    skip_beside: bool


TRIGGER_RULES: Mapping[str, RunsAnyway] = MappingProxyType({
    "all_success": RunsAnyway(False, False, False, False),
    "all_failed": RunsAnyway(True, False, False, False),
    "all_done": RunsAnyway(True, True, True, True),
    "all_done_min_one_success": RunsAnyway(False, False, True, False),
    "all_skipped": RunsAnyway(False, True, False, False),
    "always": RunsAnyway(True, True, True, True),
    "none_failed": RunsAnyway(False, True, False, True),
    "none_failed_min_one_success": RunsAnyway(False, False, False, True),
    "none_skipped": RunsAnyway(True, False, True, False),
    "one_done": RunsAnyway(True, False, True, True),
    "one_failed": RunsAnyway(True, False, True, False),
    "one_success": RunsAnyway(False, False, True, True),
})  # fmt: skip
"""By trigger rule. A rule that is not here is one that Airflow has got since, and counts as one that runs anyway."""


def write_notes(task: Task, outcomes: Collection[str], *, mapped: bool = False) -> tuple[str, ...]:
    """Write a note for each task directly behind the gate that one of these outcomes would not stop, and that has no guard.

    Mapped is whether the gate is one of several of its kind, of which another one may succeed.
    """
    return tuple(_write_notes(task, outcomes, mapped))


def _write_notes(gate: Task, outcomes: Collection[str], mapped: bool) -> Iterator[str]:
    for task in _downstream_tasks(gate):
        if getattr(task, "is_teardown", False) or _is_guarded(task):
            continue
        rule = str(getattr(task.trigger_rule, "value", task.trigger_rule))
        beside = len(task.upstream_task_ids) > 1 or (mapped and not _are_mapped_together(gate, task))
        endings = [word for outcome, word in _STOPPED.items() if outcome in outcomes and _runs_anyway(rule, outcome, beside)]
        if endings:
            fix = _WAIT if never_asked(task) else _GUARD_OR_WAIT
            yield f"{GATE_BYPASSED}: {task.task_id} runs even if this task {' or '.join(endings)}: its trigger rule is {rule}. {fix}"


def _runs_anyway(rule: str, outcome: str, beside: bool) -> bool:
    """Return whether a task with this trigger rule runs behind a gate with this outcome."""
    known = TRIGGER_RULES.get(rule)
    return known is None or bool(getattr(known, f"{outcome}_beside" if beside else outcome))


def _downstream_tasks(gate: Task) -> list[Task]:
    """Return the tasks directly behind the gate, in the order of their names."""
    dag = getattr(gate, "dag", None)
    tasks = getattr(dag, "task_dict", {})
    own = tasks.get(gate.task_id, gate)  # of a mapped gate, what all of its kind share
    return [tasks[name] for name in sorted(getattr(own, "downstream_task_ids", ())) if name in tasks]


def _are_mapped_together(gate: Task, task: Task) -> bool:
    """Return whether both lie in one mapped task group, so that each task is behind a gate of its own."""
    group = _mapped_group(gate)
    return group is not None and group is _mapped_group(task)


def _mapped_group(task: Task) -> "MappedTaskGroup | None":
    """Return the mapped task group in which a task lies; None if it lies in none."""
    find = getattr(task, "get_closest_mapped_task_group", None)
    return find() if callable(find) else None


def _is_guarded(task: Task) -> bool:
    """Return whether a guard checks before the task executes."""
    if never_asked(task):
        return False
    shared = getattr(task, "partial_kwargs", None) or {}  # of a mapped task, the arguments that all of its kind share
    hooks = (getattr(task, "_pre_execute_hook", None), shared.get("pre_execute"))
    return any(map(_holds_guard, hooks))


def _holds_guard(hook: Any) -> bool:
    """Return whether a hook is a guard, or several hooks in one with a guard among them; also where it is a method of these."""
    owner = getattr(hook, "__self__", hook)
    return any(getattr(inner, "is_schema_guard", False) for inner in (owner, *getattr(owner, "hooks", ())))
