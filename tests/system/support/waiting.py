"""Waiting for something to become true, with an end, and with a message that says how far it got."""

import time
from collections.abc import Callable
from typing import TypeVar

Seen = TypeVar("Seen")


def until(what: str, look: Callable[[], Seen], *, seconds: float, tell: Callable[[], str], every: float = 0.5) -> Seen:
    """What `look` gives once it is something. The seconds are generous: they end a test that would hang, and judge no speed."""
    end = time.monotonic() + seconds
    while True:
        if seen := look():
            return seen
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s in vain until {what}\n{tell()}")
        time.sleep(every)
