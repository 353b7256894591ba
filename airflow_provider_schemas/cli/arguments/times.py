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
    """The end that is meant, as waivers keep it: a day, or a time in UTC."""
    word = text.strip()
    if word.lower() in _DAYS:
        return (now.date() + timedelta(days=_DAYS[word.lower()])).isoformat()
    if span(word) is not None:
        return _text(_moved(now, span(word) or timedelta(), text))
    clock = _CLOCK.fullmatch(word)
    if clock:
        return _text(_next(now, int(clock[1]), int(clock[2])))
    if not readable(word):
        raise SchemaError(f"{shown(text)} is no end.", code="cli.time", fix=_FIX)
    return word


def is_relative(text: str) -> bool:
    """Whether the text means another time at each moment: a span, a clock, a word such as tomorrow."""
    word = text.strip()
    return word.lower() in _DAYS or span(word) is not None or _CLOCK.fullmatch(word) is not None


def since(text: str, now: datetime) -> datetime:
    """The beginning that is meant: a span counts backwards, a time without a day is the last such time."""
    word = text.strip()
    if word.lower() in _DAYS:
        return _midnight(now.date() + timedelta(days=_DAYS[word.lower()]))
    back, clock = span(word), _CLOCK.fullmatch(word)
    if back is not None:
        return _moved(now, -back, text)
    if clock:
        return _next(now, int(clock[1]), int(clock[2])) - timedelta(days=1)
    if not readable(word):
        raise SchemaError(f"{shown(text)} is no time.", code="cli.time", fix=_FIX)
    return begins(word)


def age(text: str) -> timedelta:
    """The age that is meant: `30d`."""
    found = span(text.strip())
    if found is None:
        raise SchemaError(f"{shown(text)} is no age.", code="cli.time", fix="Write a span such as 30d, 12h or 2w.")
    return found


def span(text: str) -> timedelta | None:
    """30d, 12h, 90m, 2w; None for anything else."""
    found = _SPAN.fullmatch(text)
    return timedelta(**{_UNITS[found[2].lower()]: int(found[1])}) if found else None


def in_words(end: str, now: datetime) -> str:
    """An end with the day it falls on, so that 09:00 cannot be mistaken: 2026-11-18 09:00 UTC (tomorrow)."""
    at = begins(end)
    days = (at.date() - now.date()).days
    day = {0: " (today)", 1: " (tomorrow)"}.get(days, "")
    return f"{end}{day}" if len(end) == len("2026-01-01") else f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC{day}"


def _next(now: datetime, hour: int, minute: int) -> datetime:
    found = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return found if found > now else found + timedelta(days=1)


def _moved(now: datetime, by: timedelta, text: str) -> datetime:
    try:
        return now + by
    except OverflowError:
        raise SchemaError(f"{shown(text)} is further away than any calendar goes.", code="cli.time", fix=_FIX) from None


def _text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%MZ}"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
