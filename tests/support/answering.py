"""The side of a companion process: questions come in on its standard input, answers go out on its standard output, one after the other.

They are pickled, so that decimals, times and bytes arrive as what they are; both sides are ours. Whatever a
library prints goes where errors go.
"""

import os
import pickle
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any


def serve(answers: Mapping[str, Callable[..., Any]]) -> None:
    """Answer questions by these functions until nobody asks any more."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while True:
        try:
            what, about = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer: tuple[bool, Any] = (True, plain(answers[what](**about)))
        except Exception as error:  # noqa: BLE001  # whoever asked is told
            answer = (False, f"{type(error).__name__}: {error}")
        pickle.dump(pickle.dumps(answer), out)
        out.flush()


def plain(value: Any) -> Any:
    """The value without zones from libraries that only this side has."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    return value
