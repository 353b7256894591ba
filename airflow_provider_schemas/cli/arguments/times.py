"""Times as people type them: a day, a time, `09:00`, and `30d` or `12h` from now or until now. All are UTC unless they say otherwise."""

import re
from datetime import UTC, date, datetime, timedelta

from airflow_provider_schemas.core.common.deadlines import begins, readable
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

_SPAN = re.compile(r"([0-9]{1,6})\s*(m|h|d|w)", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}
_FIX = "Write a day (2026-12-31), a time (2026-12-31T09:00Z), 09:00, or a span such as 3d or 12h."


def until(text: str, now: datetime) -> str:
    """Return the end that a text means, as waivers keep it: a day, or a time in UTC."""
    word = text.strip()
    if word.lower() in _DAYS:
        return (now.date() + timedelta(days=_DAYS[word.lower()])).isoformat()
    length = span(word)
    if length is not None:
        return _text(_moved(now, length, text))
    clock = _CLOCK.fullmatch(word)
    if clock:
        return _text(_next(now, int(clock[1]), int(clock[2])))
    if not readable(word):
        raise SchemaError(f"{shown(text)} is no end.", code="cli.time", fix=_FIX)
    return word


def is_relative(text: str) -> bool:
    """Return whether the text means another time at each moment: a span, a clock, a word such as tomorrow."""
    word = text.strip()
    return word.lower() in _DAYS or span(word) is not None or _CLOCK.fullmatch(word) is not None


def since(text: str, now: datetime) -> datetime:
    """Return the beginning that a text means: a span counts backwards, a time without a day is the last such time."""
    word = text.strip()
    if word.lower() in _DAYS:
        return _midnight(now.date() + timedelta(days=_DAYS[word.lower()]))
    length = span(word)
    if length is not None:
        return _moved(now, -length, text)
    clock = _CLOCK.fullmatch(word)
    if clock:
        return _next(now, int(clock[1]), int(clock[2])) - timedelta(days=1)
    if not readable(word):
        raise SchemaError(f"{shown(text)} is no time.", code="cli.time", fix=_FIX)
    return begins(word)


def age(text: str) -> timedelta:
    """Return the age that a text such as `30d` means."""
    length = span(text.strip())
    if length is None:
        raise SchemaError(f"{shown(text)} is no age.", code="cli.time", fix="Write a span such as 30d, 12h or 2w.")
    return length


def span(text: str) -> timedelta | None:
    """Return the length of 30d, 12h, 90m or 2w; None for any other text."""
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    return timedelta(**{_UNITS[match[2].lower()]: int(match[1])})


def in_words(end: str, now: datetime) -> str:
    """Write an end with the day it falls on, so that 09:00 cannot be mistaken: 2026-11-18 09:00 UTC (tomorrow)."""
    moment = begins(end)
    days = (moment.date() - now.date()).days
    day = {0: " (today)", 1: " (tomorrow)"}.get(days, "")
    if len(end) == len("2026-01-01"):
        return f"{end}{day}"
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC{day}"


def _next(now: datetime, hour: int, minute: int) -> datetime:
    """Return the next moment at which the clock shows this time."""
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def _moved(now: datetime, length: timedelta, text: str) -> datetime:
    try:
        return now + length
    except OverflowError:
        raise SchemaError(f"{shown(text)} is further away than any calendar goes.", code="cli.time", fix=_FIX) from None


def _text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
