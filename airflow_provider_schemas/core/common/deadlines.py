"""Ends and beginnings that people write: a day, which lasts until its last second in UTC, or a time."""

from datetime import UTC, date, datetime, timedelta

from airflow_provider_schemas.core.common.text import shown

_DAY = 10


def moment_text(value: object) -> str:
    """Return a day or a time as text; a ValueError says what else it is."""
    if isinstance(value, datetime | date):
        value = value.isoformat()
    if not isinstance(value, str) or not readable(value):
        what = shown(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
        raise ValueError(f"a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z, instead of {what}")
    return value


def readable(text: str) -> bool:
    """Whether it is a day or a time."""
    try:
        (date if len(text) == _DAY else datetime).fromisoformat(text)
    except ValueError:
        return False
    return len(text) >= _DAY and text[4] == "-"


def begins(moment: str) -> datetime:
    """When a day or time begins."""
    found = datetime.fromisoformat(moment)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def ended(moment: str, now: datetime) -> bool:
    """Whether it is over: a day at its last second."""
    try:
        end = begins(moment) + (timedelta(days=1) if len(moment) == _DAY else timedelta())
    except OverflowError:
        return False
    return end <= now
