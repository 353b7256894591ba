"""Time zones for values that lie anywhere on the time line.

A zone turns an instant into what its clocks show, and back, as Java does: a clock time that was skipped
moves forward by the gap, one that came twice means the earlier instant. The standard library knows the
rules of a zone for the years 1 to 9999 only; the calendar repeats every 400 years, so any other year
has one in that range whose rules are the same.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import CastError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CYCLE = 146_097 * 86_400
# The years 2 to 9998: no offset leads from there to where datetime ends.
_FIRST = (datetime(2, 1, 1, tzinfo=UTC) - _EPOCH).days * 86_400
_LAST = (datetime(9999, 1, 1, tzinfo=UTC) - _EPOCH).days * 86_400

_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])([0-9]{1,2})(?::?([0-9]{2})(?::?([0-9]{2}))?)?")
_MOST = 18 * 3600


class Zone(NamedTuple):
    """A zone by its offset in seconds: at an instant, and at a time its clocks show, both in seconds since 1970."""

    at_instant: Callable[[int], int]
    at_clock: Callable[[int], int]
    rules: tzinfo

    def clock(self, millis: int) -> int:
        """Return what the clocks of the zone show at the instant."""
        return millis + 1000 * self.at_instant(millis // 1000)

    def instant(self, millis: int) -> int:
        """Return the instant at which the clocks of the zone show this."""
        return millis - 1000 * self.at_clock(millis // 1000)


def zone(name: str) -> Zone:
    """Return the zone of this name, such as Asia/Shanghai, or of a fixed offset, such as +08:00."""
    if not isinstance(name, str):
        raise _unknown(f"a {type(name).__name__}")
    return _zone(name)


@lru_cache(maxsize=256)
def _zone(name: str) -> Zone:
    if name in ("UTC", "Z", "GMT", "UT"):
        return _fixed_zone(0)
    offset = _read_offset(name)
    if offset is not None:
        return _fixed_zone(offset)
    return _zone_of_rules(_load_rules(name))


def _unknown(name: str) -> CastError:
    fix = "Use a name such as Asia/Shanghai, or an offset such as +08:00; named zones need the system's zone files or the package tzdata."
    return CastError(f"{shown(name[:60])} is no time zone.", code="cast.unknown-timezone", fix=fix)


def _read_offset(name: str) -> int | None:
    match = _OFFSET.fullmatch(name)
    if match is None:
        return None
    sign, *parts = match.groups()
    hours, minutes, seconds = (int(part or "0") for part in parts)
    offset = 3600 * hours + 60 * minutes + seconds
    if minutes > 59 or seconds > 59 or offset > _MOST:
        raise _unknown(name)
    return -offset if sign == "-" else offset


def _load_rules(name: str) -> tzinfo:
    # Importing it reads the build configuration of Python, and most programs never name a zone.
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise _unknown(name) from None


def _fixed_zone(offset: int) -> Zone:
    def at(_: int) -> int:
        return offset

    return Zone(at, at, timezone(timedelta(seconds=offset)))


def _zone_of_rules(rules: tzinfo) -> Zone:
    def at_instant(seconds: int) -> int:
        return _offset_seconds((_EPOCH + timedelta(seconds=_within_datetime(seconds))).astimezone(rules))

    def at_clock(seconds: int) -> int:
        return _offset_seconds((_EPOCH + timedelta(seconds=_within_datetime(seconds))).replace(tzinfo=rules))

    return Zone(at_instant, at_clock, rules)


def _offset_seconds(time: datetime) -> int:
    offset = time.utcoffset()
    if not offset:
        return 0
    return offset.days * 86_400 + offset.seconds


def _within_datetime(seconds: int) -> int:
    """Return the same place of the 400-year cycle within the years that datetime knows."""
    if _FIRST <= seconds < _LAST:
        return seconds
    start = _FIRST if seconds < _FIRST else _LAST - _CYCLE
    return start + (seconds - start) % _CYCLE
