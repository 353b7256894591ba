"""Dates, times and timestamps as text, as Java Paimon reads and prints them."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.carriers import Timestamp
from airflow_provider_schemas.core.casts.time_text import (
    date_of,
    date_text,
    days_of,
    parse_date,
    parse_epoch,
    parse_time,
    parse_timestamp,
    time_text,
    timestamp_text,
)
from airflow_provider_schemas.errors import CastError

DAY = 86_400_000


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal() - date(1970, 1, 1).toordinal()


class TestCalendar:
    @given(st.dates())
    def test_it_is_the_one_of_python_in_the_years_that_python_has(self, one: date) -> None:
        days = one.toordinal() - date(1970, 1, 1).toordinal()
        assert date_of(days) == (one.year, one.month, one.day)
        assert days_of(one.year, one.month, one.day) == days

    @given(st.integers(-(10**12), 10**12))
    def test_it_has_no_end(self, days: int) -> None:
        year, month, of_month = date_of(days)
        assert days_of(year, month, of_month) == days
        assert date_of(days + 146_097) == (year + 400, month, of_month)


class TestDates:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("2023-06-08", day("2023-06-08")),
            ("2023-6-8", day("2023-06-08")),
            ("2023-06", day("2023-06-01")),
            ("2023-06-08 09:30:00.0", day("2023-06-08")),
            ("2023-06-08 whatever", day("2023-06-08")),
            ("2024-02-29", day("2024-02-29")),
            ("0000-01-01", -719_528),
        ],
    )
    def test_a_date_may_leave_out_the_day_and_drag_something_behind(self, text: str, expected: int) -> None:
        assert parse_date(text) == expected

    @pytest.mark.parametrize(("text", "expected"), [("2023", 2023), ("-5", -5), ("0", 0), ("-2147483648", -(2**31)), ("007", 7)])
    def test_a_bare_number_is_days_and_no_year(self, text: str, expected: int) -> None:
        assert parse_date(text) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " ",
            "-",
            "--",
            "2023-02-29",
            "2023-13-01",
            "2023-00-01",
            "2023-06-31",
            "10000-01-01",
            "2023-06-08T10:00",
            "2023-06-08-1",
            "2147483648",
            "a-b-c",
        ],
    )
    def test_other_texts_are_no_dates(self, text: str) -> None:
        with pytest.raises(CastError, match="2023-06-08") as caught:
            parse_date(text)
        assert caught.value.code == "cast.syntax"

    @pytest.mark.parametrize(
        ("days", "text"),
        [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (-719_528, "0000-01-01"),
            (-719_529, "000/-12-31"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "0000-01-01"),
        ],
    )
    def test_a_year_prints_four_characters_whatever_it_is(self, days: int, text: str) -> None:
        assert date_text(days) == text

    @given(st.dates())
    def test_a_printed_date_reads_back(self, one: date) -> None:
        assert parse_date(one.isoformat()) == parse_date(date_text(day(one.isoformat())))


class TestTimes:
    @pytest.mark.parametrize(
        ("text", "millis"),
        [
            ("09:30:00", 34_200_000),
            ("9:30", 34_200_000),
            ("09:30:00.1", 34_200_100),
            ("09:30:00.1234", 34_200_123),
            ("09:30:00.1235", 34_200_124),
            ("23:59:59.9995", DAY),
            ("09:30:00+02:00", 41_400_000),
            ("09:30:00-02", 27_000_000),
            ("00:00:00-01:30", -5_400_000),
            ("25:00:00", 90_000_000),
            (" 9 : 30 : 0 ", 34_200_000),
            ("9", 9),
            ("36000000", 36_000_000),
        ],
    )
    def test_an_offset_is_added_and_nothing_is_checked(self, text: str, millis: int) -> None:
        assert parse_time(text) == millis

    @pytest.mark.parametrize("text", ["", "-5", "a:b", "09:30:00Z", "09:30:00.1x", ":30", "09:", "09:30:00+", "2147483648", "9 30"])
    def test_other_texts_are_no_times(self, text: str) -> None:
        with pytest.raises(CastError) as caught:
            parse_time(text)
        assert caught.value.code == "cast.syntax"

    @pytest.mark.parametrize(
        ("millis", "precision", "text"),
        [
            (36_115_615, 0, "10:01:55"),
            (36_115_615, 2, "10:01:55.61"),
            (36_115_615, 9, "10:01:55.615"),
            (36_115_610, 3, "10:01:55.61"),
            (0, 3, "00:00:00.0"),
            (86_399_999, 1, "23:59:59.9"),
            (90_000_000, 0, "25:00:00"),
        ],
    )
    def test_a_time_prints_the_digits_it_needs_and_one_at_least(self, millis: int, precision: int, text: str) -> None:
        assert time_text(millis, precision) == text

    @given(st.integers(0, DAY - 1))
    def test_a_printed_time_reads_back(self, millis: int) -> None:
        assert parse_time(time_text(millis, 3)) == millis


class TestTimestamps:
    @pytest.mark.parametrize(
        "text",
        [
            *(
                "2017-12-12 09:30:00",
                "2017-12-12 9:30:0",
                "2017-12-12T09:30",
                "2017-12-12T9:30:00",
                "2017-12-12 09:30:00.",
                "2017-12-12T09:30:00.000",
            ),
            *("+02017-12-12T09:30", "2017-12-12 09:30:00.0000000009"[:-1]),
        ],
    )
    def test_a_time_follows_a_blank_or_a_t(self, text: str) -> None:
        assert parse_timestamp(text, 6) == Timestamp(1_513_071_000_000)

    @pytest.mark.parametrize(
        ("precision", "expected"),
        [(0, (0, 0)), (1, (100, 0)), (3, (123, 0)), (4, (123, 400_000)), (6, (123, 456_000)), (9, (123, 456_789))],
    )
    def test_digits_beyond_the_precision_are_cut_off(self, precision: int, expected: tuple[int, int]) -> None:
        assert parse_timestamp("1970-01-01 00:00:00.123456789", precision) == Timestamp(*expected)

    # The JDK's formatter resolves these so, as java 17.0.15 was seen to do.
    @pytest.mark.parametrize(
        ("text", "resolved"),
        [("2023-02-30", "2023-02-28"), ("2024-02-31", "2024-02-29"), ("2023-04-31", "2023-04-30"), ("2023-12-31 24:00:00", "2024-01-01")],
    )
    def test_a_day_that_a_month_lacks_is_its_last(self, text: str, resolved: str) -> None:
        assert parse_timestamp(text, 3) == Timestamp(day(resolved) * DAY)

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "",
                "2017-12-12 09:30",
                "2017-12-12 ",
                "2017-12-12T",
                " 2017-12-12",
                "2017-12-12 09:30:00 ",
                "2017-12-12 09:30:00Z",
                "12-12-2017",
            ),
            *("2017-13-01", "2017-01-32", "2017-01-00", "0000-01-01", "-2017-01-01", "12017-01-01", "+2017-01-01", "2017-1-1 24:00:01"),
            *("2017-1-1 25:00:00", "2017-1-1 1:60:00", "2017-1-1 1:00:60", "2017-1-1 1:0:0.1234567890", "+999999999-01-01", "2017-001-01"),
            "2017-1-1 24:00:00.000000001",
        ],
    )
    def test_other_texts_are_no_timestamps(self, text: str) -> None:
        with pytest.raises(CastError) as caught:
            parse_timestamp(text, 9)
        assert caught.value.code == "cast.syntax"

    @pytest.mark.parametrize(
        ("text", "precision", "expected"),
        [
            ("1700000000", 0, (1_700_000_000_000, 0)),
            ("1700000000", 3, (1_700_000_000, 0)),
            ("1700000000123456", 6, (1_700_000_000_123, 456_000)),
            ("1700000000123456789", 9, (1_700_000_000_123, 456_789)),
            ("-1", 9, (-1, 999_999)),
        ],
    )
    def test_a_bare_number_counts_in_units_of_the_precision(self, text: str, precision: int, expected: tuple[int, int]) -> None:
        assert parse_epoch(text, precision) == Timestamp(*expected)

    @pytest.mark.parametrize(("text", "precision"), [("1", 1), ("1", 4), ("9223372036854775807", 0)])
    def test_a_bare_number_of_other_precisions_is_refused(self, text: str, precision: int) -> None:
        with pytest.raises(CastError, match="precision 0, 3, 6 or 9"):
            parse_epoch(text, precision)

    @pytest.mark.parametrize(
        ("value", "precision", "text"),
        [
            (Timestamp(1_709_528_767_123, 456_789), 0, "2024-03-04 05:06:07.123456789"),
            (Timestamp(1_709_528_767_000), 0, "2024-03-04 05:06:07"),
            (Timestamp(1_709_528_767_000), 3, "2024-03-04 05:06:07.000"),
            (Timestamp(1_709_528_767_120), 6, "2024-03-04 05:06:07.120000"),
            (Timestamp(-1), 5, "1969-12-31 23:59:59.99900"),
        ],
    )
    def test_a_timestamp_prints_the_digits_of_its_precision_and_those_it_needs(self, value: Timestamp, precision: int, text: str) -> None:
        assert timestamp_text(value, precision) == text

    @given(st.datetimes())
    def test_a_printed_timestamp_reads_back(self, one: datetime) -> None:
        micros = (one - datetime(1970, 1, 1)) // timedelta(microseconds=1)  # noqa: DTZ001  # a clock time, in no zone
        value = Timestamp(micros // 1000, micros % 1000 * 1000)
        assert parse_timestamp(timestamp_text(value, 6), 9) == value
        assert timestamp_text(value, 6) == one.isoformat(" ", "microseconds")
