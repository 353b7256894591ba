"""The value of an argument that an author leaves out. Files of DAGs import this."""

from typing import Any

NOT_SAID: Any = "(not said)"
"""The default of arguments that may be left out. None and an empty text are no defaults: a template or a task that came out empty
gives those, which is an error. A text stays the same when it is rendered, serialised or shown, and this one names nothing."""


def is_left_out(value: Any) -> bool:
    """Return whether the author left the argument out."""
    return isinstance(value, str) and value == NOT_SAID
