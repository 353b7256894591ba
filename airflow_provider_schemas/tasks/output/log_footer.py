"""The last words of a task's log: lines behind everything that Airflow says itself, outside of its folded groups."""

import logging
from collections.abc import Mapping
from typing import Any

_log = logging.getLogger("airflow.task.schemas")
_END = "::endgroup::"
_CALLBACKS = {"fail": "on_failure_callback", "skip": "on_skipped_callback"}
_LEVELS = {"fail": logging.ERROR, "skip": logging.WARNING, "warn": logging.WARNING, "fits": logging.INFO}


def say(text: str, outcome: str = "fits") -> None:
    """Log a text line by line, as the log shows each."""
    for line in text.split("\n"):
        _log.log(_LEVELS[outcome], "%s", line)


def unfold() -> None:
    """End the group that is open, so that what follows is seen. Where none is, the line says nothing to anybody."""
    _log.info(_END)


def arrange(task: object, outcome: str, text: str) -> None:
    """Have the text said when the task has ended, after the callbacks of its author; once, should it be arranged again."""
    kind = _CALLBACKS[outcome]
    there = getattr(task, kind, None) or ()
    kept = [one for one in (there if isinstance(there, list | tuple) else [there]) if not isinstance(one, LastWords)]
    setattr(task, kind, [*kept, LastWords(text, outcome)])


class LastWords:
    """A callback of a task that says them."""

    def __init__(self, text: str, outcome: str) -> None:
        self.text, self.outcome = text, outcome

    def __call__(self, context: Mapping[str, Any]) -> None:
        unfold()
        say(self.text, self.outcome)
