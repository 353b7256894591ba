"""Hooks before the execution of a task: what is there already stays, and runs first."""

from collections.abc import Callable, Iterator, Mapping
from inspect import isgeneratorfunction
from typing import Any

from airflow.sdk import BaseOperator, TaskGroup, XComArg
from airflow.sdk.bases.decorator import _TaskDecorator
from airflow.sdk.definitions.mappedoperator import MappedOperator
from msgspec import Struct

from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.tasks.gate.never_asked import NeverAsked, is_executed, never_asked, never_asked_decorated

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
    elif isinstance(task, MappedOperator):
        refuse_never_asked(task)
        task.partial_kwargs[_KEY] = joined(task.partial_kwargs.get(_KEY), hook)
    elif isinstance(task, _TaskDecorator):
        _refuse(never_asked_decorated(task.operator_class, task.kwargs), task.kwargs.get("task_id") or task.function.__name__)
        task.kwargs[_KEY] = joined(task.kwargs.get(_KEY), hook)
    elif isinstance(task, BaseOperator):
        refuse_never_asked(task)
        task._pre_execute_hook = joined(task._pre_execute_hook, hook)
    else:
        fix = "Pass an operator, a mapped one, a decorated task, or a task group."
        raise ContractError(f"a {type(task).__name__} is no task.", code="guard.no-task", path="on", fix=fix)


def refuse_never_asked(task: Any) -> None:
    """Raise an error if Airflow never calls a hook of this operator before it begins."""
    _refuse(never_asked(task), task.task_id)


def _refuse(never: NeverAsked | None, task_id: str) -> None:
    if never is not None:
        raise ContractError(f"{task_id} {never.why}", code=never.code, path="on", fix=never.fix)


def _tasks_of(group: TaskGroup) -> list[Any]:
    """The tasks of a group that are executed, of which there must be some: those that come later are not known yet."""
    tasks = [one for one in group.iter_tasks() if is_executed(one)]
    if not tasks:
        message = f"the group {group.group_id} has no tasks yet that Airflow executes, so that none would be guarded."
        raise ContractError(message, code="guard.empty-group", path="on", fix="Call .on(group) after all its tasks are in it.")
    return tasks


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
