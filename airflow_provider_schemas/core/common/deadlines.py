"""Deadlines that users write: a day, which lasts until its last second in UTC, or a time."""

from datetime import UTC, date, datetime, timedelta

from airflow_provider_schemas.core.common.text import shown

_LENGTH_OF_A_DAY = len("2026-12-31")


def moment_text(value: object) -> str:
    """Return a day or a time as text; refuse any other value with a ValueError."""
    if isinstance(value, datetime | date):
        value = value.isoformat()
    if not isinstance(value, str) or not readable(value):
        raise ValueError(f"a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z, instead of {_describe(value)}")
    return value


def _describe(value: object) -> str:
    if isinstance(value, str | int | float | None):
        return shown(value)
    return f"a {type(value).__name__}"


def readable(text: str) -> bool:
    """Return whether the text is a day or a time."""
    moment_class = date if _is_day(text) else datetime
    try:
        moment_class.fromisoformat(text)
    except ValueError:
        return False
    return len(text) >= _LENGTH_OF_A_DAY and text[4] == "-"


def begins(moment: str) -> datetime:
    """Return when a day or a time begins."""
    start = datetime.fromisoformat(moment)
    if start.tzinfo:
        return start
    return start.replace(tzinfo=UTC)


def ended(moment: str, now: datetime) -> bool:
    """Return whether a day or a time is over at `now`; a day ends with its last second."""
    try:
        end = begins(moment)
        if _is_day(moment):
            end += timedelta(days=1)
    except OverflowError:
        return False
    return end <= now


def _is_day(moment: str) -> bool:
    return len(moment) == _LENGTH_OF_A_DAY
