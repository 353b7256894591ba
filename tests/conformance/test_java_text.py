"""The values that vectors write and Java prints: what the harness makes of them is right by itself, not by the library."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Timestamp, parse_ddl
from tests.conformance.paimon.java_dates import date_text, days_of, timestamp_of, timestamp_text
from tests.conformance.paimon.java_text import carrier, cell, leaf, printed

ROW = "ROW<d DATE, m MAP<STRING, INT>, a ARRAY<STRING>, b BYTES, n DECIMAL(5, 2), t TIMESTAMP(3), o BOOLEAN>"
VALUE = ["2024-02-29", [["a", 1], ["b", None]], ["x", None], "abc", "1.5", "1969-12-31T23:59:59.999", True]


@given(st.dates())
def test_dates_are_those_of_the_calendar(day: date) -> None:
    number = day.toordinal() - date(1970, 1, 1).toordinal()
    assert (date_text(number), days_of(day.isoformat())) == (day.isoformat(), number)


@given(st.integers(-(10**9), 10**9))
def test_every_year_has_its_days(number: int) -> None:
    assert days_of(date_text(number)) == number


@given(st.datetimes())
def test_timestamps_are_those_of_the_calendar(moment: datetime) -> None:
    micros = (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)  # noqa: DTZ001 - the calendar, and no zone
    value = Timestamp(micros // 1000, micros % 1000 * 1000)
    assert timestamp_of(moment.isoformat()) == value
    assert timestamp_of(timestamp_text(value)) == value


@pytest.mark.parametrize(
    ("days", "text"), [(-719_529, "-0001-12-31"), (-719_528, "0000-01-01"), (2_932_896, "9999-12-31"), (2_932_897, "+10000-01-01")]
)
def test_years_are_printed_as_java_prints_them(days: int, text: str) -> None:
    assert date_text(days) == text


@pytest.mark.parametrize(
    ("millis", "nanos", "text"),
    [(0, 0, "00:00"), (1000, 0, "00:00:01"), (500, 0, "00:00:00.500"), (60_000, 1000, "00:01:00.000001"), (0, 1, "00:00:00.000000001")],
)
def test_times_are_printed_as_short_as_java_prints_them(millis: int, nanos: int, text: str) -> None:
    assert timestamp_text(Timestamp(millis, nanos)) == f"1970-01-01T{text}"


def test_a_row_is_read_and_printed_in_both_forms() -> None:
    kind = parse_ddl(ROW)
    value = carrier(VALUE, kind)
    assert value == (19782, [("a", 1), ("b", None)], ["x", None], b"abc", Decimal("1.50"), Timestamp(-1, 0), True)
    when = "1969-12-31T23:59:59.999"
    assert printed(value, kind) == f"(2024-02-29 (19782),{{'a'=1, 'b'=null}},['x',null],0x616263,1.50,{when} ms=-1 ns=0,true)"
    pairs = [["a", "1"], ["b", None]]
    assert cell(value, kind) == {
        "d": "2024-02-29", "m": pairs, "a": ["x", None], "b": "0x616263", "n": "1.50", "t": when, "o": "true"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "kind"), [(1, "STRING"), ("1", "INT"), (True, "INT"), (1, "DOUBLE"), (1.5, "DECIMAL(2, 1)"), (0, "BLOB")]
)
def test_a_value_of_another_type_is_not_printed(value: Any, kind: str) -> None:
    with pytest.raises(TypeError):
        leaf(value, parse_ddl(kind))
