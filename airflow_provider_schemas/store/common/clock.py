"""The time: of the wall for what is written down, of the process for what is waited for."""

import time
import uuid
from datetime import UTC, datetime


def now_millis() -> int:
    """Milliseconds since 1970, by the clock on the wall, which may jump."""
    return time.time_ns() // 1_000_000


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.fromtimestamp(now_millis() / 1000, UTC)


def monotonic() -> float:
    """Seconds since some moment: a clock that never goes back."""
    return time.monotonic()


def unique() -> str:
    """A text that nobody else has."""
    return uuid.uuid4().hex
