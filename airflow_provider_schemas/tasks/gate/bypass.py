"""Which tasks behind a gate run although it has stopped: those whose trigger rule does not wait for its success.

Measured with every rule that there is, behind a gate of its own, a mapped gate, and in mapped task groups, which
all gave the same: `tests/provider/tasks/gate/test_bypass.py` measures them again.
"""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from airflow_provider_schemas.tasks.gate.never_asked import never_asked

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


def notes(task: Any, outcomes: Collection[str], *, mapped: bool = False) -> tuple[str, ...]:
    """A note for each task directly behind the gate that one of these outcomes would not stop, and that has no guard.

    Mapped is whether the gate is one of several of its kind, of which another one may succeed.
    """
    return tuple(
        f"{GATE_BYPASSED}: {other} runs even if this task {' or '.join(how)}: its trigger rule is {rule}. {fix}"
        for other, rule, how, fix in _bypassing(task, outcomes, mapped)
    )


def _bypassing(task: Any, outcomes: Collection[str], mapped: bool) -> Iterator[tuple[str, str, list[str], str]]:
    for other in _behind(task):
        rule = str(getattr(other.trigger_rule, "value", other.trigger_rule))
        if getattr(other, "is_teardown", False) or _is_guarded(other):
            continue
        beside = len(other.upstream_task_ids) > 1 or (mapped and not _together(task, other))
        how = [word for outcome, word in _STOPPED.items() if outcome in outcomes and _runs(rule, outcome, beside)]
        if how:
            yield other.task_id, rule, how, _WAIT if never_asked(other) else _GUARD_OR_WAIT


def _runs(rule: str, outcome: str, beside: bool) -> bool:
    known = TRIGGER_RULES.get(rule)
    return known is None or bool(getattr(known, f"{outcome}_beside" if beside else outcome))


def _behind(task: Any) -> list[Any]:
    """The tasks directly behind it, in the order of their names."""
    dag = getattr(task, "dag", None)
    known = getattr(dag, "task_dict", {})
    own = known.get(task.task_id, task)
    return [known[one] for one in sorted(getattr(own, "downstream_task_ids", ())) if one in known]


def _together(task: Any, other: Any) -> bool:
    """Whether both lie in one mapped task group, so that each is behind a gate of its own."""
    group = _group(task)
    return group is not None and group is _group(other)


def _group(task: Any) -> Any:
    """The mapped task group in which a task lies, if it does."""
    find = getattr(task, "get_closest_mapped_task_group", None)
    return find() if callable(find) else None


def _is_guarded(task: Any) -> bool:
    """Whether a guard is asked before the task; of one that is mapped it is among the arguments that all of them share."""
    if never_asked(task):
        return False
    hooks = [getattr(task, "_pre_execute_hook", None), (getattr(task, "partial_kwargs", None) or {}).get("pre_execute")]
    joined = [getattr(hook, "__self__", hook) for hook in hooks]  # several in one are a method of theirs, or a thing to call
    return any(getattr(inner, "is_schema_guard", False) for hook in joined for inner in (hook, *getattr(hook, "hooks", ())))
