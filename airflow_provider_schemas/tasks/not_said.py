"""What an argument of a task is where its author says nothing. Files of DAGs import this."""

from typing import Any

NOT_SAID: Any = "(not said)"
"""What an argument is where the author says nothing. None, or an empty text, is what a template or a task has come to, and an
error: so this is a text, which stays what it is when it is rendered, serialised, or shown, and is the name of nothing."""


def is_left_out(value: Any) -> bool:
    """Whether the author said nothing."""
    return isinstance(value, str) and value == NOT_SAID
