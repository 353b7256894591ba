"""Tasks whose hooks Airflow never calls before they begin, so that a guard on them is never asked."""

from collections.abc import Mapping
from typing import Any, NamedTuple

Task = Any
"""An operator, or a mapped one; of any provider, and with what only some of them have."""

# What has the scheduler hand an EmptyOperator to a worker.
_EXECUTES = ("on_execute_callback", "on_success_callback", "inlets", "outlets")


class NeverAsked(NamedTuple):
    """Why a guard is never asked, and what to do instead."""

    code: str
    why: str
    fix: str


_EMPTY = NeverAsked(
    "guard.never-executed",
    "is an EmptyOperator, which Airflow marks as success without executing it: nothing would be asked.",
    "Put a SchemaGateOperator there, or guard the tasks behind it.",
)
_ON_TRIGGERER = NeverAsked(
    "guard.starts-on-triggerer",
    "begins on the triggerer (start_from_trigger), before any hook: nothing would be asked.",
    "Put a SchemaGateOperator in front of it, or pass start_from_trigger=False.",
)


def never_asked(task: Task) -> NeverAsked | None:
    """Return why a guard on this task is never asked; None if it is asked."""
    if not is_executed(task):
        return _EMPTY
    if starts_on_triggerer(task):
        return _ON_TRIGGERER
    return None


def is_executed(task: Task) -> bool:
    """Return whether a worker ever gets the task: the scheduler itself marks an EmptyOperator as success that has nothing on it."""
    is_empty = getattr(task, "inherits_from_empty_operator", False) is True
    return not is_empty or any(getattr(task, name, None) for name in _EXECUTES)


def starts_on_triggerer(task: Task) -> bool:
    """Return whether the scheduler hands the task to the triggerer at once."""
    return getattr(task, "start_from_trigger", False) is True and getattr(task, "start_trigger_args", None) is not None


def never_asked_decorated(operator_class: type, arguments: Mapping[str, Any]) -> NeverAsked | None:
    """Return why a guard on a decorated task is never asked, before its call: by its class, and the arguments of the decorator."""
    starts = arguments.get("start_from_trigger", getattr(operator_class, "start_from_trigger", False))
    trigger = arguments.get("start_trigger_args", getattr(operator_class, "start_trigger_args", None))
    if starts is True and trigger is not None:
        return _ON_TRIGGERER
    return None
