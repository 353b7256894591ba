"""Values that do not stand for any value of their type, and texts without an end, are refused in good order."""

import pickle
from decimal import Decimal
from typing import Any

import pytest

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.casts.carriers import check, outer_check
from airflow_provider_schemas.core.casts.cast_value import Timestamp, cast_value, converter
from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError

LTZ = "TIMESTAMP(3) WITH LOCAL TIME ZONE"


def parsed(text: str) -> DataType:
    kind = parse_ddl(text)
    assert isinstance(kind, DataType)
    return kind


def cast(value: Any, source: str, target: str, timezone: str = "UTC") -> Any:
    return cast_value(value, parsed(source), parsed(target), timezone=timezone)


def code(value: Any, source: str, target: str, timezone: str = "UTC") -> str:
    with pytest.raises(CastError) as caught:
        cast(value, source, target, timezone)
    assert caught.value.fix
    return caught.value.code


def has_converter(source: DataType, target: DataType) -> bool:
    try:
        converter(source, target)
    except CastError:
        return False
    return True


def outcome(convert: Any, value: Any) -> str:
    try:
        return repr(convert(value))
    except CastError as error:
        return error.code


class Endless:
    def __repr__(self) -> str:
        raise AssertionError("an error message must not ask for this")

    __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __repr__  # type: ignore[assignment]


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


LOOP: list[Any] = []
LOOP.append(LOOP)

WRONG: list[Any] = [True, 1, 2**80, 10**5000, 1.5, Decimal("1.5"), Decimal("NaN"), Decimal("sNaN"), Decimal("1e999999")]
WRONG += ["1", b"1", "x" * 10**6, b"x" * 10**6, Timestamp(0), memoryview(b"1"), object(), Endless(), int, range(3)]
WRONG += [LOOP, deep(), [1, "x"], [(1,)], [(1, 2, 3)], {"a": 1}, {1}, ()]


SOURCES = ["BOOLEAN", "TINYINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5, 2)", "STRING", "BYTES", "DATE", "TIME(3)", "TIMESTAMP(3)"]
SOURCES += ["ARRAY<INT>", "MAP<INT, INT>", "ROW<a INT, b INT>", "VECTOR<INT, 2>", "MULTISET<INT>", "ARRAY<ARRAY<INT>>"]


# A carrier of every type there is, as docs/reference/reading.md names them.
CARRIERS: dict[str, Any] = {
    "BOOLEAN": True,
    "TINYINT": -128,
    "SMALLINT": 32_767,
    "INT": 1,
    "BIGINT": 2**63 - 1,
    "FLOAT": 1.5,
    "DOUBLE": 0.1,
    "DECIMAL(5, 2)": Decimal("1.50"),
    "CHAR(1)": "x",
    "VARCHAR(3)": "x",
    "BINARY(1)": b"x",
    "VARBINARY(3)": b"x",
    "BLOB": b"x",
    "GEOMETRY": b"x",
    "GEOGRAPHY": b"x",
    "DATE": 20_000,
    "TIME(3)": 86_399_999,
    "TIMESTAMP(3)": Timestamp(0, 0),
    LTZ: Timestamp(-1, 0),
    "VARIANT": {"anything": None},
    "OPAQUE('interval')": {"anything": None},
    "ARRAY<INT>": [1, None],
    "VECTOR<INT, 2>": [1, 2],
    "MAP<INT, INT>": [(1, None), (1, 2)],
    "MULTISET<INT>": [(1, 3)],
    "ROW<a INT, b STRING>": (1, "x"),
}


@pytest.mark.parametrize(("kind", "value"), CARRIERS.items(), ids=CARRIERS)
def test_every_type_takes_its_carriers_and_gives_them_back(kind: str, value: Any) -> None:
    assert check(parsed(kind))(value) == value
    outer_check(parsed(kind))(value)


def test_no_kind_of_type_is_without_carriers() -> None:
    assert {parsed(kind).root for kind in CARRIERS} == set(Root)


class TestBadCarriers:
    @pytest.mark.parametrize("source", SOURCES)
    def test_a_value_of_another_type_is_a_cast_error(self, source: str) -> None:
        kind = parsed(source)
        for target in [kind, STRING]:
            if has_converter(kind, target):
                codes = {outcome(converter(kind, target), value) for value in WRONG}
                assert "cast.bad-carrier" in codes

    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            (True, "INT"),
            (1, "BOOLEAN"),
            (128, "TINYINT"),
            (2**31, "DATE"),
            (1, "DOUBLE"),
            (1.0, "DECIMAL(5, 2)"),
            (Decimal("1.005"), "DECIMAL(5, 2)"),
            (Decimal(1000), "DECIMAL(5, 2)"),
            (Decimal("Infinity"), "DECIMAL(5, 2)"),
            ("x", "BYTES"),
            (b"x", "STRING"),
            (0, "TIMESTAMP(3)"),
            ([1], "VECTOR<INT, 2>"),
            ((1,), "ROW<a INT, b INT>"),
            ([1], "MAP<INT, INT>"),
        ],
    )
    def test_what_does_not_stand_for_a_value_is_refused(self, value: Any, kind: str) -> None:
        assert code(value, kind, kind) == "cast.bad-carrier"

    def test_a_decimal_takes_the_scale_of_its_type(self) -> None:
        assert str(cast(Decimal("1.5"), "DECIMAL(5, 2)", "DECIMAL(5, 2)")) == "1.50"
        assert str(cast(Decimal("-0"), "DECIMAL(5, 2)", "STRING")) == "0.00"

    def test_an_error_in_a_part_says_where(self) -> None:
        with pytest.raises(CastError) as caught:
            cast([[("a", None)], [("b", (1, "x"))]], "ARRAY<MAP<STRING, ROW<n INT, m INT>>>", "STRING")
        assert caught.value.path == "[1][0].m"

    @pytest.mark.parametrize(("millis", "nanos"), [(2**63, 0), (0, -1), (0, 1_000_000), ("1", 0), (0, 1.5), (True, 0)])
    def test_a_timestamp_out_of_range_cannot_be_made(self, millis: Any, nanos: Any) -> None:
        with pytest.raises(CastError, match="out of range"):
            Timestamp(millis, nanos)

    def test_an_error_survives_pickling(self) -> None:
        with pytest.raises(CastError) as caught:
            cast("abc", "STRING", "INT")
        copy = pickle.loads(pickle.dumps(caught.value))
        assert (str(copy), copy.code) == (str(caught.value), "cast.integer-syntax")


def test_a_zone_that_is_no_text_is_unknown() -> None:
    with pytest.raises(CastError, match="'a list' is no time zone"):
        cast_value(1, parsed("INT"), parsed("INT"), timezone=deep())  # type: ignore[arg-type]


TARGETS = ["INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(10, 2)", "BOOLEAN", "DATE", "TIME(3)", "TIMESTAMP(3)", LTZ, "CHAR(5)", "BYTES"]
TARGETS += ["ARRAY<ARRAY<INT>>", "MAP<STRING, ARRAY<INT>>", "ROW<a ROW<b INT>>"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_long_text_is_answered_soon(target: str) -> None:
    for text in ("1" * 10**7, "[" * 10**7, " " * 10**7, "{a->" * 10**6, "1:" * 10**6, "2023-" * 10**6, "[" * 10_000 + "]" * 10_000):
        outcome(converter(STRING, parsed(target)), text)
