"""The time of a block, to the nanosecond, as people write it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2020-01-01T12:00:00Z", (2020, 1, 43_200, 0)),
        ("2024-12-31T23:59:59.999999999Z", (2024, 366, 86_399, 999_999_999)),
        ("2023-03-01T00:00:00.5Z", (2023, 60, 0, 500_000_000)),
        ("2024-03-01T00:00:00.000001Z", (2024, 61, 0, 1_000)),
        ("2020-01-01T00:30:00+01:00", (2019, 365, 84_600, 0)),
    ],
)
def test_a_time_is_a_day_of_a_year_seconds_and_nanoseconds(text: str, parts: tuple[int, ...]) -> None:
    assert BlockTime.parse(text) == parts


@pytest.mark.parametrize(
    ("nanosecond", "text"),
    [
        (0, "12:00:00Z"),
        (500_000_000, "12:00:00.500Z"),
        (1_000, "12:00:00.000001Z"),
        (1, "12:00:00.000000001Z"),
        (120, "12:00:00.000000120Z"),
    ],
)
def test_fractions_are_written_with_the_fewest_groups_of_three_digits(nanosecond: int, text: str) -> None:
    assert str(BlockTime(2020, 1, 43_200, nanosecond)) == f"2020-01-01T{text}"


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)), st.integers(-23, 23))  # noqa: DTZ001  # the zone comes with the next argument
def test_a_moment_in_any_zone_is_the_same_time(moment: datetime, hours: int) -> None:
    there = moment.replace(tzinfo=timezone(timedelta(hours=hours)))
    found = BlockTime.of(there)
    assert found.moment == there
    assert found.moment.tzinfo is UTC
    assert BlockTime.parse(str(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2020-01-01",
        "2020-01-01T12:00:00",
        "2020-02-30T00:00:00Z",
        "2020-01-01T25:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9" * 200,
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        BlockTime.parse(text)
    assert caught.value.code == "odf.time"


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(FormatError, match="has no zone"):
        BlockTime.of(datetime(2020, 1, 1))  # noqa: DTZ001  # that is what is refused
