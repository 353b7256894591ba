"""The last words of a task's log: lines behind everything that Airflow says itself, outside of its folded groups."""

import logging
from collections.abc import Mapping
from typing import Any

_log = logging.getLogger("airflow.task.schemas")
_END_OF_GROUP = "::endgroup::"
_CALLBACKS = {"fail": "on_failure_callback", "skip": "on_skipped_callback"}
_LEVELS = {"fail": logging.ERROR, "skip": logging.WARNING, "warn": logging.WARNING, "fits": logging.INFO}


def log_lines(text: str, outcome: str = "fits") -> None:
    """Log a text line by line, as the log shows each, at the level of the outcome."""
    for line in text.split("\n"):
        _log.log(_LEVELS[outcome], "%s", line)


def end_group() -> None:
    """End the group that is open, so that what follows is seen. Where none is open, the line has no effect."""
    _log.info(_END_OF_GROUP)


def log_at_end(task: object, outcome: str, text: str) -> None:
    """Have the text logged when the task has ended, after the callbacks of its author, and in place of an earlier footer."""
    attribute = _CALLBACKS[outcome]
    callbacks = getattr(task, attribute, None) or ()
    if not isinstance(callbacks, list | tuple):
        callbacks = [callbacks]
    of_author = [callback for callback in callbacks if not isinstance(callback, LogFooter)]
    setattr(task, attribute, [*of_author, LogFooter(text, outcome)])


class LogFooter:
    """A callback of a task that logs the footer."""

    def __init__(self, text: str, outcome: str) -> None:
        self.text = text
        self.outcome = outcome

    def __call__(self, context: Mapping[str, Any]) -> None:
        end_group()
        log_lines(self.text, self.outcome)
