"""Tell the time: that of the wall for what is recorded, that of the process for waiting."""

import time
import uuid
from datetime import UTC, datetime


def now_millis() -> int:
    """Return the milliseconds since 1970, by the clock on the wall, which may jump."""
    return time.time_ns() // 1_000_000


def now() -> datetime:
    """Return the time of day, in UTC."""
    return datetime.fromtimestamp(now_millis() / 1000, UTC)


def monotonic() -> float:
    """Return the seconds since some moment, by a clock that never goes back."""
    return time.monotonic()


def unique() -> str:
    """Return a text that nobody else has."""
    return uuid.uuid4().hex
