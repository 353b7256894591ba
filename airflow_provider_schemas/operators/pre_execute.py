"""Hooks before the execution of a task: those of its author stay, and run first."""

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
        """Run the hooks where one of them yields metadata of assets, as Airflow allows."""
        for hook in self.hooks:
            if isgeneratorfunction(hook):
                yield from hook(context)
            else:
                hook(context)


def hook_on(task: Any, hook: Hook) -> None:
    """Have the hook called before the task is executed, or before each task that is in a group by now; once, however often it is added."""
    if isinstance(task, TaskGroup):
        for member in _executed_tasks(task):
            hook_on(member, hook)
    elif isinstance(task, XComArg):
        for operator, _ in task.iter_references():
            hook_on(operator, hook)
    elif isinstance(task, MappedOperator):
        refuse_never_asked(task)
        task.partial_kwargs[_KEY] = join_hooks(task.partial_kwargs.get(_KEY), hook)
    elif isinstance(task, _TaskDecorator):
        _refuse(never_asked_decorated(task.operator_class, task.kwargs), task.kwargs.get("task_id") or task.function.__name__)
        task.kwargs[_KEY] = join_hooks(task.kwargs.get(_KEY), hook)
    elif isinstance(task, BaseOperator):
        refuse_never_asked(task)
        task._pre_execute_hook = join_hooks(task._pre_execute_hook, hook)
    else:
        fix = "Pass an operator, a mapped one, a decorated task, or a task group."
        raise ContractError(f"a {type(task).__name__} is no task.", code="guard.no-task", path="on", fix=fix)


def refuse_never_asked(task: Any) -> None:
    """Raise an error if Airflow never calls a hook of this operator before it begins."""
    _refuse(never_asked(task), task.task_id)


def _refuse(never: NeverAsked | None, task_id: str) -> None:
    if never is not None:
        raise ContractError(f"{task_id} {never.why}", code=never.code, path="on", fix=never.fix)


def _executed_tasks(group: TaskGroup) -> list[Any]:
    """Return the tasks of a group that are executed; raise if there are none, because those that come later are not known yet."""
    tasks = [task for task in group.iter_tasks() if is_executed(task)]
    if not tasks:
        message = f"the group {group.group_id} has no tasks yet that Airflow executes, so that none would be guarded."
        raise ContractError(message, code="guard.empty-group", path="on", fix="Call .on(group) after all its tasks are in it.")
    return tasks


def join_hooks(present: Any, hook: Hook) -> Any:
    """Return one hook that runs the present one, and then the other."""
    hooks = _split_hooks(present)
    if hook in hooks:
        return present
    if not hooks:
        return hook
    joined = Hooks((*hooks, hook))
    return joined.yielding if any(map(isgeneratorfunction, hooks)) else joined


def _split_hooks(present: Any) -> tuple[Hook, ...]:
    """Return the single hooks of a hook that was joined, or the hook itself."""
    if present is None:
        return ()
    owner = getattr(present, "__self__", None)  # of the method `yielding`
    joined = owner if isinstance(owner, Hooks) else present
    return joined.hooks if isinstance(joined, Hooks) else (present,)


def hooks_on(task: Any) -> tuple[Hook, ...]:
    """Return the hooks of an operator, mapped or not."""
    if isinstance(task, MappedOperator):
        return _split_hooks(task.partial_kwargs.get(_KEY))
    return _split_hooks(getattr(task, "_pre_execute_hook", None))
