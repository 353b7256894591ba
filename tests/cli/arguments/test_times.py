"""Times as people type them."""

from datetime import UTC, datetime, timedelta

import pytest

from airflow_provider_schemas.cli.arguments import times
from airflow_provider_schemas.core.common.deadlines import readable
from airflow_provider_schemas.errors import SchemaError

NOW = datetime(2026, 11, 18, 9, 30, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("2026-12-31", "2026-12-31"),
        ("2026-12-31T09:00Z", "2026-12-31T09:00Z"),
        ("2026-12-31T09:00+02:00", "2026-12-31T09:00+02:00"),
        ("10:00", "2026-11-18T10:00Z"),
        ("9:30", "2026-11-19T09:30Z"),
        ("09:00", "2026-11-19T09:00Z"),
        ("3d", "2026-11-21T09:30Z"),
        ("12h", "2026-11-18T21:30Z"),
        ("90 m", "2026-11-18T11:00Z"),
        ("2W", "2026-12-02T09:30Z"),
        ("tomorrow", "2026-11-19"),
    ],
)
def test_an_end_is_a_day_or_a_time_in_utc(typed: str, end: str) -> None:
    assert times.until(typed, NOW) == end
    assert readable(end)


@pytest.mark.parametrize("typed", ["", "later", "25:00", "3", "3y", "999999w", "31.12.2026", "2026-13-01", "\x00", "٣d"])
def test_what_is_no_time_is_refused(typed: str) -> None:
    with pytest.raises(SchemaError, match=r"2026-12-31"):
        times.until(typed, NOW)
    with pytest.raises(SchemaError):
        times.since(typed, NOW)


@pytest.mark.parametrize(
    ("typed", "start"),
    [
        ("7d", NOW - timedelta(days=7)),
        ("10:00", datetime(2026, 11, 17, 10, tzinfo=UTC)),
        ("09:00", datetime(2026, 11, 18, 9, tzinfo=UTC)),
        ("yesterday", datetime(2026, 11, 17, tzinfo=UTC)),
        ("2026-11-01", datetime(2026, 11, 1, tzinfo=UTC)),
    ],
)
def test_a_beginning_lies_in_the_past(typed: str, start: datetime) -> None:
    assert times.since(typed, NOW) == start


def test_an_age_is_a_span() -> None:
    assert times.age("30d") == timedelta(days=30)
    for wrong in ("30", "d", "-1d", "2026-12-31"):
        with pytest.raises(SchemaError, match="30d"):
            times.age(wrong)


def test_an_end_says_on_which_day_it_falls() -> None:
    assert times.in_words("2026-11-18T10:00Z", NOW) == "2026-11-18 10:00 UTC (today)"
    assert times.in_words("2026-11-19T09:00Z", NOW) == "2026-11-19 09:00 UTC (tomorrow)"
    assert times.in_words("2026-12-31", NOW) == "2026-12-31"
    assert times.in_words("2026-12-31T02:00+04:00", NOW) == "2026-12-30 22:00 UTC"
