"""Between the carriers of values and what Python programs hold."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from datetime import time as time_of_day
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve, parse_ddl, project
from airflow_provider_schemas.core.casts.cast_value import Timestamp, from_python, to_python
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.errors import CastError
from tests.support.strategies import types, values_of

BERLIN = ZoneInfo("Europe/Berlin")
LTZ = "TIMESTAMP(6) WITH LOCAL TIME ZONE"


def parsed(text: str) -> DataType:
    kind = parse_ddl(text)
    assert isinstance(kind, DataType)
    return kind


def clock(*parts: int) -> datetime:
    """What a clock shows, in no zone."""
    return datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001


BOTH_WAYS = [
    (True, "BOOLEAN", True),
    (5, "INT", 5),
    (1.5, "FLOAT", 1.5),
    (Decimal("1.50"), "DECIMAL(5, 2)", Decimal("1.50")),
    ("abc", "VARCHAR(5)", "abc"),
    (b"abc", "BYTES", b"abc"),
    (date(2024, 2, 29), "DATE", 19_782),
    (time_of_day(10, 1, 55, 615_000), "TIME(3)", 36_115_615),
    (clock(2024, 3, 4, 5, 6, 7, 123_456), "TIMESTAMP(6)", Timestamp(1_709_528_767_123, 456_000)),
    (clock(1969, 12, 31, 23, 59, 59, 999_999), "TIMESTAMP(6)", Timestamp(-1, 999_000)),
    (datetime(2024, 3, 4, 6, 6, 7, tzinfo=BERLIN), LTZ, Timestamp(1_709_528_767_000)),
    ([1, None], "ARRAY<INT>", [1, None]),
    ([1.0, 2.0], "VECTOR<FLOAT, 2>", [1.0, 2.0]),
    ({"a": date(1970, 1, 2)}, "MAP<STRING, DATE>", [("a", 1)]),
    (Counter(["x", "x", "y"]), "MULTISET<STRING>", [("x", 2), ("y", 1)]),
    ({"a": 1, "b": {"c": None}}, "ROW<a INT, b ROW<c DATE>>", (1, (None,))),
    (None, "INT NOT NULL", None),
    ({"free": "form"}, "VARIANT", {"free": "form"}),
]


@pytest.mark.parametrize(("value", "kind", "carrier"), BOTH_WAYS, ids=[f"{kind} {carrier}" for _, kind, carrier in BOTH_WAYS])
def test_a_python_value_has_a_carrier_and_comes_back(value: Any, kind: str, carrier: Any) -> None:
    assert from_python(value, parsed(kind)) == carrier
    assert to_python(carrier, parsed(kind), timezone="Europe/Berlin") == value


@pytest.mark.parametrize(
    ("value", "kind", "carrier"),
    [
        (5, "DECIMAL(5, 2)", Decimal("5.00")),
        (2, "DOUBLE", 2.0),
        (0.1, "FLOAT", 0.10000000149011612),
        ("ab", "CHAR(4)", "ab  "),
        (bytearray(b"ab"), "BINARY(3)", b"ab\0"),
        (memoryview(b"ab"), "BYTES", b"ab"),
        ((1, 2), "ARRAY<INT>", [1, 2]),
        ([(1, 2), (1, 3)], "MAP<INT, INT>", [(1, 2), (1, 3)]),
        ({"b": 1}, "ROW<a INT, b INT>", (None, 1)),
        ((1, 2), "ROW<a INT, b INT>", (1, 2)),
        (10**9, "DATE", 10**9),
        (Timestamp(2**62, 5), "TIMESTAMP(9)", Timestamp(2**62, 5)),
        (datetime(1970, 1, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))), LTZ, Timestamp(0)),
    ],
)
def test_what_python_programs_pass_is_understood(value: Any, kind: str, carrier: Any) -> None:
    found = from_python(value, parsed(kind))
    assert (found, type(found)) == (carrier, type(carrier))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "BOOLEAN"),
        (128, "TINYINT"),
        ("5", "INT"),
        (10**400, "DOUBLE"),
        (1.5, "DECIMAL(5, 2)"),
        pytest.param(10**5000, "DECIMAL(38, 0)", id="5000 digits"),
        ("abcdef", "VARCHAR(5)"),
        (b"x", "CHAR(3)"),
        ("x", "BINARY(3)"),
        (datetime(2024, 1, 1, tzinfo=UTC), "DATE"),
        (clock(2024, 1, 1), LTZ),
        (datetime(2024, 1, 1, tzinfo=UTC), "TIMESTAMP(3)"),
        (clock(2024, 1, 1, 0, 0, 0, 1), "TIMESTAMP(3)"),
        (time_of_day(1, 2, 3, 4), "TIME(3)"),
        (time_of_day(1, 2, 3, 4000), "TIME(2)"),
        (time_of_day(1, tzinfo=UTC), "TIME(3)"),
        ("2024-01-01", "DATE"),
        ("ab", "ARRAY<STRING>"),
        ([1], "VECTOR<INT, 2>"),
        ({"a": 1, "x": 2}, "ROW<a INT>"),
        ((1, 2), "ROW<a INT>"),
        ({"a": True}, "MULTISET<STRING>"),
        ({"a": "x"}, "MAP<STRING, INT>"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_never_rounded(value: Any, kind: str) -> None:
    with pytest.raises(CastError, match="is no value of") as caught:
        from_python(value, parsed(kind))
    assert caught.value.code == "cast.bad-carrier"


def test_a_field_that_does_not_fit_is_named() -> None:
    with pytest.raises(CastError) as caught:
        from_python({"a": [{"b": 1}, {"b": "x"}]}, parsed("ROW<a ARRAY<ROW<b INT>>>"))
    assert caught.value.path == ".a[1].b"


@pytest.mark.parametrize(
    ("carrier", "kind"),
    [
        (10**9, "DATE"),
        (-719_529, "DATE"),
        (90_000_000, "TIME(3)"),
        (-1, "TIME(3)"),
        (Timestamp(2**62), "TIMESTAMP(3)"),
        (Timestamp(2**62), LTZ),
        (Timestamp(0, 1), "TIMESTAMP(9)"),
        (Timestamp(253_402_300_799_999), LTZ),
    ],
)
def test_a_carrier_beyond_python_is_refused_and_never_cut(carrier: Any, kind: str) -> None:
    with pytest.raises(CastError) as caught:
        to_python(carrier, parsed(kind), timezone="Asia/Shanghai")
    assert caught.value.code == "cast.no-python-value"


@pytest.mark.parametrize(
    ("pairs", "kind"), [([(1, 2), (1, 3)], "MAP<INT, INT>"), ([([1], 2)], "MAP<ARRAY<INT>, INT>"), ([([1], 2)], "MULTISET<ARRAY<INT>>")]
)
def test_a_map_that_is_no_dict_stays_pairs(pairs: list[Any], kind: str) -> None:
    assert to_python(pairs, parsed(kind)) == pairs


def test_a_projected_row_with_rows_inside_becomes_python_values() -> None:
    schema = TableSchema.create("r ROW<d DATE, rs ARRAY<ROW<d DATE>>, m MAP<STRING, ROW<d DATE>>>")
    row = project(schema, evolve(schema, ["RENAME COLUMN r.d TO e", "ADD COLUMN r.n INT"])).row(
        {"r": {"d": 0, "rs": [(1,), {"d": None}, None], "m": {"x": (2,)}}}
    )
    days = [date(1970, 1, number) for number in (1, 2, 3)]
    kind = parsed("ROW<e DATE, rs ARRAY<ROW<d DATE>>, m MAP<STRING, ROW<d DATE>>, n INT>")
    assert to_python(row["r"], kind) == {"e": days[0], "rs": [{"d": days[1]}, {"d": None}, None], "m": {"x": {"d": days[2]}}, "n": None}
    assert from_python(to_python(row["r"], kind), kind) == (0, [(1,), (None,), None], [("x", (2,))], None)


@pytest.mark.parametrize("row", [{"e": 1}, {"d": 1, "e": 1}, {"d": "x"}, [], 5])
def test_a_row_of_other_fields_or_values_has_no_python_value(row: Any) -> None:
    with pytest.raises(CastError) as caught:
        to_python(row, parsed("ROW<d DATE>"))
    assert caught.value.code == "cast.bad-carrier"


def test_the_nanoseconds_of_other_datetimes_are_kept() -> None:
    class Precise(datetime):
        nanosecond = 7

    assert from_python(Precise(1970, 1, 1), parsed("TIMESTAMP(9)")) == Timestamp(0, 7)  # a clock time
    with pytest.raises(CastError, match="more digits"):
        from_python(Precise(1970, 1, 1), parsed("TIMESTAMP(6)"))


@given(st.data(), types(4), st.sampled_from(["UTC", "America/New_York", "+05:30"]))
def test_what_python_can_hold_comes_back_as_the_same_carrier(data: st.DataObject, kind: DataType, zone: str) -> None:
    carrier = data.draw(values_of(kind))
    try:
        value = to_python(carrier, kind, timezone=zone)
    except CastError as error:
        # Only what Python has no value for may be refused here.
        kept = error.code
    else:
        kept = repr(from_python(value, kind, timezone=zone))
    assert kept in (repr(carrier), "cast.no-python-value")


@given(st.from_type(object) | st.text() | st.integers() | st.lists(st.none() | st.dates()), types(4))
def test_any_python_value_has_a_carrier_or_is_refused(value: Any, kind: DataType) -> None:
    for convert in (from_python, to_python):
        try:
            convert(value, kind)
        except CastError as error:
            refused = error.fix
        else:
            refused = "nothing"
        assert refused
