"""Hooks before the execution of a task: what is there already stays, and runs first."""

from collections.abc import Callable, Iterator, Mapping
from inspect import isgeneratorfunction
from typing import Any

from airflow.sdk import BaseOperator, TaskGroup, XComArg
from airflow.sdk.bases.decorator import _TaskDecorator
from airflow.sdk.definitions.mappedoperator import MappedOperator
from msgspec import Struct

from airflow_provider_schemas.errors import ContractError

Hook = Callable[[Any], Any]
_KEY = "pre_execute"


class Hooks(Struct, frozen=True):
    """Several hooks, one after the other."""

    hooks: tuple[Hook, ...]

    def __call__(self, context: Mapping[str, Any]) -> None:
        for hook in self.hooks:
            hook(context)

    def yielding(self, context: Mapping[str, Any]) -> Iterator[Any]:
        """The same where one yields metadata of assets, as Airflow lets a hook do."""
        for hook in self.hooks:
            if isgeneratorfunction(hook):
                yield from hook(context)
            else:
                hook(context)


def hook_on(task: Any, hook: Hook) -> None:
    """Have the hook called before the task is executed; before each that is in a group by now. Once, however often it is asked."""
    if isinstance(task, TaskGroup):
        for one in _tasks_of(task):
            hook_on(one, hook)
    elif isinstance(task, XComArg):
        for one, _ in task.iter_references():
            hook_on(one, hook)
    elif isinstance(task, BaseOperator | MappedOperator) and not _is_executed(task):
        message = f"{task.task_id} is an EmptyOperator, which Airflow marks as success without executing it: nothing would be asked."
        fix = "Put a SchemaGateOperator there, or guard the tasks behind it."
        raise ContractError(message, code="guard.never-executed", path="on", fix=fix)
    elif isinstance(task, MappedOperator):
        task.partial_kwargs[_KEY] = joined(task.partial_kwargs.get(_KEY), hook)
    elif isinstance(task, _TaskDecorator):
        task.kwargs[_KEY] = joined(task.kwargs.get(_KEY), hook)
    elif isinstance(task, BaseOperator):
        task._pre_execute_hook = joined(task._pre_execute_hook, hook)
    else:
        fix = "Pass an operator, a mapped one, a decorated task, or a task group."
        raise ContractError(f"a {type(task).__name__} is no task.", code="guard.no-task", path="on", fix=fix)


def _tasks_of(group: TaskGroup) -> list[Any]:
    """The tasks of a group that are executed, of which there must be some: those that come later are not known yet."""
    tasks = [one for one in group.iter_tasks() if _is_executed(one)]
    if not tasks:
        message = f"the group {group.group_id} has no tasks yet that Airflow executes, so that none would be guarded."
        raise ContractError(message, code="guard.empty-group", path="on", fix="Call .on(group) after all its tasks are in it.")
    return tasks


def _is_executed(task: Any) -> bool:
    """Whether a worker ever gets the task: the scheduler itself marks an EmptyOperator as success that has nothing on it."""
    said = ("on_execute_callback", "on_success_callback", "inlets", "outlets")
    return not task.inherits_from_empty_operator or any(getattr(task, one, None) for one in said)


def joined(there: Any, hook: Hook) -> Any:
    """What is there, and then the hook."""
    known = hooks_of(there)
    if hook in known:
        return there
    if not known:
        return hook
    both = Hooks((*known, hook))
    return both.yielding if any(isgeneratorfunction(one) for one in known) else both


def hooks_of(there: Any) -> tuple[Hook, ...]:
    """The single hooks of what stands there."""
    owner = getattr(there, "__self__", None)
    found = owner if isinstance(owner, Hooks) else there
    return found.hooks if isinstance(found, Hooks) else () if found is None else (found,)


def hooks_on(task: Any) -> tuple[Hook, ...]:
    """The hooks of an operator, mapped or not."""
    if isinstance(task, MappedOperator):
        return hooks_of(task.partial_kwargs.get(_KEY))
    return hooks_of(getattr(task, "_pre_execute_hook", None))
