"""What a reader sees of an old value after the type of its column changed, as in Java Paimon."""

import math
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.casts.cast_rules import MATRIX, convertible, same_type
from airflow_provider_schemas.core.casts.cast_value import Timestamp, cast_value, converter, default_value
from airflow_provider_schemas.core.types.atomic import STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError, SchemaError
from tests.support import damaged
from tests.support.strategies import BITS, atoms, printed, types, values_of

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


def at(text: str) -> Timestamp:
    """The timestamp of an ISO text."""
    micros = (datetime.fromisoformat(text).replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    return Timestamp(micros // 1000, micros % 1000 * 1000)


class TestNumbers:
    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            (383, "INT", "TINYINT", 127),
            (2147483648, "BIGINT", "INT", -2147483648),
            (-129, "SMALLINT", "TINYINT", 127),
            (-5, "TINYINT", "BIGINT", -5),
            (1e10, "DOUBLE", "INT", 2147483647),
            (-1e30, "DOUBLE", "BIGINT", -(2**63)),
            (1e30, "DOUBLE", "TINYINT", -1),
            (70000.9, "DOUBLE", "SMALLINT", 4464),
            (-1.9, "FLOAT", "INT", -1),
            (math.nan, "DOUBLE", "BIGINT", 0),
            (-math.inf, "FLOAT", "INT", -2147483648),
            (Decimal("12345678.99"), "DECIMAL(10, 2)", "TINYINT", 78),
            (Decimal("-1.99"), "DECIMAL(10, 2)", "INT", -1),
            (Decimal(36893488147419103233), "DECIMAL(38, 0)", "BIGINT", 1),
            (True, "BOOLEAN", "BIGINT", 1),
            (-5, "INT", "BOOLEAN", True),
            (0, "BIGINT", "BOOLEAN", False),
        ],
    )
    def test_integers_wrap_and_floating_point_saturates(self, value: Any, source: str, target: str, expected: int) -> None:
        found = cast(value, source, target)
        assert (found, type(found)) == (expected, type(expected))

    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            (9007199254740993, "BIGINT", "DOUBLE", 9007199254740992.0),
            (16777217, "INT", "FLOAT", 16777216.0),
            # Between 2^62 and the next 32-bit number, a little more than half way: rounding twice ends below.
            (2**62 + 2**38 + 1, "BIGINT", "FLOAT", float(2**62 + 2**39)),
            (-(2**62) - 2**38, "BIGINT", "FLOAT", -float(2**62)),
            (0.1, "DOUBLE", "FLOAT", 0.10000000149011612),
            (0.10000000149011612, "FLOAT", "DOUBLE", 0.10000000149011612),
            (1e300, "DOUBLE", "FLOAT", math.inf),
            (Decimal("1.99"), "DECIMAL(10, 2)", "DOUBLE", 1.99),
            (Decimal("12345678901234567890.5"), "DECIMAL(38, 1)", "DOUBLE", 12345678901234567000.0),
            (True, "BOOLEAN", "FLOAT", 1.0),
        ],
    )
    def test_floating_point_is_rounded_once(self, value: Any, source: str, target: str, expected: float) -> None:
        found = cast(value, source, target)
        assert (found, type(found)) == (expected, float)

    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            (Decimal("1.25"), "DECIMAL(10, 2)", "DECIMAL(5, 1)", "1.3"),
            (Decimal("-1.25"), "DECIMAL(10, 2)", "DECIMAL(5, 1)", "-1.3"),
            (Decimal("1.25"), "DECIMAL(10, 2)", "DECIMAL(20, 4)", "1.2500"),
            (Decimal("123.45"), "DECIMAL(10, 2)", "DECIMAL(4, 2)", "None"),
            (12345, "INT", "DECIMAL(10, 2)", "12345.00"),
            (12345, "INT", "DECIMAL(5, 2)", "None"),
            (1.005, "DOUBLE", "DECIMAL(10, 2)", "1.01"),
            (0.1, "FLOAT", "DECIMAL(20, 10)", "0.1000000015"),
            (1e300, "DOUBLE", "DECIMAL(38, 0)", "None"),
            (-0.001, "DOUBLE", "DECIMAL(10, 2)", "0.00"),
            (True, "BOOLEAN", "DECIMAL(3, 1)", "1.0"),
            (True, "BOOLEAN", "DECIMAL(2, 2)", "None"),
            ("1e2", "STRING", "DECIMAL(5, 2)", "100.00"),
            ("999.999", "STRING", "DECIMAL(5, 2)", "None"),
            ("1e2147483647", "STRING", "DECIMAL(5, 2)", "None"),
            ("1e-2147483647", "STRING", "DECIMAL(5, 2)", "0.00"),
        ],
    )
    def test_decimals_round_half_up_and_are_null_when_too_large(self, value: Any, source: str, target: str, expected: str) -> None:
        assert str(cast(value, source, target)) == expected

    @pytest.mark.parametrize("value", [math.nan, math.inf])
    def test_what_is_no_number_is_no_decimal(self, value: float) -> None:
        assert code(value, "DOUBLE", "DECIMAL(5, 2)") == "cast.decimal-syntax"

    @given(st.data(), st.sampled_from(list(BITS)), st.sampled_from(list(BITS)))
    def test_an_integer_keeps_its_low_bits(self, data: st.DataObject, source: Root, target: Root) -> None:
        value = data.draw(values_of(atomic(source, nullable=False)))
        found = cast_value(value, atomic(source), atomic(target))
        assert found % 2 ** BITS[target] == value % 2 ** BITS[target]
        assert -(2 ** (BITS[target] - 1)) <= found < 2 ** (BITS[target] - 1)


class TestText:
    @pytest.mark.parametrize(
        ("value", "source", "expected"),
        [
            (12345, "INT", "12345"),
            (1.0, "DOUBLE", "1.0"),
            (1e10, "DOUBLE", "1.0E10"),
            (1.5e10, "FLOAT", "1.50000005E10"),
            (-0.0, "FLOAT", "-0.0"),
            (math.nan, "DOUBLE", "NaN"),
            (Decimal("1.50"), "DECIMAL(10, 2)", "1.50"),
            (Decimal("1e-20"), "DECIMAL(38, 20)", "0.00000000000000000001"),
            (False, "BOOLEAN", "false"),
            (b"\xffabc", "BYTES", "\ufffdabc"),
            (19_516, "DATE", "2023-06-08"),
            (36_115_615, "TIME(3)", "10:01:55.615"),
            (at("2024-03-04T05:06:07"), "TIMESTAMP(3)", "2024-03-04 05:06:07.000"),
        ],
    )
    def test_values_print_as_in_java(self, value: Any, source: str, expected: str) -> None:
        assert cast(value, source, "STRING") == expected

    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            ("abcdef", "STRING", "VARCHAR(3)", "abc"),
            ("abc", "STRING", "CHAR(5)", "abc  "),
            ("", "STRING", "CHAR(2)", "  "),
            ("🙂🙃x", "STRING", "VARCHAR(2)", "🙂🙃"),
            ("ab  ", "CHAR(4)", "VARCHAR(3)", "ab "),
            (12345, "INT", "VARCHAR(3)", "123"),
            (True, "BOOLEAN", "CHAR(6)", "true  "),
            (b"12345678", "BYTES", "CHAR(5)", "12345678"),
            (b"12", "BYTES", "CHAR(5)", "12"),
        ],
    )
    def test_texts_are_cut_and_padded_to_code_points_unless_they_were_bytes(
        self, value: Any, source: str, target: str, expected: str
    ) -> None:
        assert cast(value, source, target) == expected

    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            ("größe", "STRING", "BYTES", "größe".encode()),
            ("größe", "STRING", "VARBINARY(3)", "größe".encode()[:3]),
            ("ab", "STRING", "BINARY(4)", b"ab\0\0"),
            ("\ud800", "STRING", "BYTES", b"?"),
            (b"123456", "BYTES", "BINARY(5)", b"12345"),
            (b"12", "VARBINARY(5)", "BINARY(3)", b"12\0"),
            (b"12\0", "BINARY(3)", "VARBINARY(5)", b"12\0"),
        ],
    )
    def test_bytes_are_cut_and_padded_with_zeros(self, value: Any, source: str, target: str, expected: bytes) -> None:
        assert cast(value, source, target) == expected

    @pytest.mark.parametrize("target", ["CHAR(2147483647)", "BINARY(2147483647)"])
    def test_padding_does_not_fill_the_memory(self, target: str) -> None:
        assert code("a", "STRING", target) == "cast.padding"

    @pytest.mark.parametrize("text", "t T true TRUE y Yes 1".split())
    def test_these_are_true(self, text: str) -> None:
        assert cast(text, "STRING", "BOOLEAN") is True

    @pytest.mark.parametrize("text", "f False n NO 0".split())
    def test_these_are_false(self, text: str) -> None:
        assert cast(text, "STRING", "BOOLEAN") is False

    @pytest.mark.parametrize("text", ["", " true", "true ", "on", "2", "truetrue", "x" * 10**6])
    def test_nothing_else_is_true_or_false(self, text: str) -> None:
        assert code(text, "STRING", "BOOLEAN") == "cast.boolean-syntax"

    @given(damaged.mostly(atoms().filter(lambda kind: convertible(STRING, kind)), atoms()), st.data())
    def test_any_text_becomes_a_value_or_a_cast_error(self, target: DataType, data: st.DataObject) -> None:
        text = data.draw(damaged.mostly(damaged.texts(printed(target), st.text(max_size=3)), st.text()))
        try:
            found = cast_value(text, STRING, target)
        except SchemaError:
            return
        assert cast_value(found, target, target) == found or found != found  # noqa: PLR0124  # only NaN differs from itself


class TestTimes:
    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            (-1, "DATE", "TIMESTAMP(3)", Timestamp(-86_400_000)),
            (36_115_615, "TIME(3)", "TIMESTAMP(0)", Timestamp(36_115_615)),
            (Timestamp(-1), "TIMESTAMP(6)", "DATE", -1),
            (Timestamp(-1), "TIMESTAMP(6)", "TIME(3)", 86_399_999),
            (Timestamp(-1), "TIMESTAMP(6)", "BIGINT", 0),
            (Timestamp(-1001), "TIMESTAMP(6)", "INT", -1),
            (Timestamp(2**31 * 1000), "TIMESTAMP(6)", "INT", -(2**31)),
            (-1, "BIGINT", "TIMESTAMP(3)", Timestamp(-1000)),
            (Timestamp(123, 456_789), "TIMESTAMP(9)", "TIMESTAMP(6)", Timestamp(123, 456_000)),
            (Timestamp(123, 456_789), "TIMESTAMP(9)", "TIMESTAMP(2)", Timestamp(120)),
            (Timestamp(-1), "TIMESTAMP(6)", "TIMESTAMP(0)", Timestamp(0)),
            (Timestamp(-1, 456_789), "TIMESTAMP(9)", "TIMESTAMP(4)", Timestamp(-1, 400_000)),
            (Timestamp(123, 456_789), "TIMESTAMP(3)", "TIMESTAMP(6)", Timestamp(123, 456_789)),
        ],
    )
    def test_days_floor_seconds_and_digits_go_towards_zero(self, value: Any, source: str, target: str, expected: Any) -> None:
        assert cast(value, source, target) == expected

    @pytest.mark.parametrize(
        ("value", "source", "target", "expected"),
        [
            (at("2024-03-04T05:06:07"), "TIMESTAMP(3)", LTZ, at("2024-03-03T21:06:07")),
            (at("2024-03-04T05:06:07"), LTZ, "TIMESTAMP(3)", at("2024-03-04T13:06:07")),
            (at("1969-12-31T23:59:59.999"), LTZ, "DATE", 0),
            (at("1969-12-31T23:59:59.999"), LTZ, "TIME(3)", 28_799_999),
            (at("1969-12-31T23:59:59.999"), LTZ, "STRING", "1970-01-01 07:59:59.999"),
            (at("1970-01-01T00:00:01"), LTZ, "BIGINT", 1),
            (-1, "DATE", LTZ, Timestamp(-115_200_000)),
            (0, "BIGINT", LTZ, Timestamp(28_800_000)),
            (36_115_615, "TIME(3)", LTZ, Timestamp(36_115_615)),
            ("2017-12-12 09:30:00", "STRING", LTZ, at("2017-12-12T01:30:00")),
        ],
    )
    def test_shanghai_is_eight_hours_ahead(self, value: Any, source: str, target: str, expected: Any) -> None:
        for timezone in ("Asia/Shanghai", "+08:00", "GMT+8", "UTC+0800"):
            assert cast(value, source, target, timezone) == expected

    def test_the_digits_are_cut_after_the_zone_was_applied(self) -> None:
        assert cast(Timestamp(-1), "TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP(0)", "Asia/Shanghai") == Timestamp(28_799_000)

    @pytest.mark.parametrize(
        ("clock", "instant"),
        [("2024-03-31T02:30:00", "2024-03-31T01:30:00"), ("2024-10-27T02:30:00", "2024-10-27T00:30:00")],
    )
    def test_a_skipped_hour_moves_on_and_a_repeated_one_is_the_first(self, clock: str, instant: str) -> None:
        assert cast(at(clock), "TIMESTAMP(3)", LTZ, "Europe/Berlin") == at(instant)

    @pytest.mark.parametrize("name", ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"])
    @given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)))  # noqa: DTZ001  # clock times
    def test_clocks_show_what_python_says(self, name: str, one: datetime) -> None:
        shown = at(one.isoformat())
        instant = at(one.replace(tzinfo=ZoneInfo(name)).astimezone(UTC).replace(tzinfo=None).isoformat())
        assert cast(shown, "TIMESTAMP(6)", "TIMESTAMP(6) WITH LOCAL TIME ZONE", name) == instant

    @given(st.integers(-(2**61), 2**61), st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Shanghai"]))
    def test_the_calendar_of_a_zone_repeats_for_ever(self, millis: int, name: str) -> None:
        cycle = 146_097 * 86_400_000
        # Rules of the future, which no longer change; and a past before there were any.
        anchor = 10**13 + millis % cycle if millis > 0 else -(10**14) + millis % cycle
        near, far = (cast(Timestamp(one), LTZ, "TIMESTAMP(3)", name) for one in (anchor, anchor + (1000 if millis > 0 else -1000) * cycle))
        assert far.millis - near.millis == (1000 if millis > 0 else -1000) * cycle

    @pytest.mark.parametrize(
        "name", ["Nowhere", "", "+25:00", "+18:30", "+08:60", "../etc/passwd", "/etc/passwd", "a\0b", "x" * 5000, "America", "ütc"]
    )
    def test_an_unknown_zone_is_named(self, name: str) -> None:
        assert code(1, "INT", "BIGINT", name) == "cast.unknown-timezone"


class TestEveryPair:
    def test_a_type_has_a_converter_exactly_where_the_matrix_has_one(self) -> None:
        samples: list[DataType] = [
            atomic(root) for root in Root if root not in (Root.ARRAY, Root.VECTOR, Root.MULTISET, Root.MAP, Root.ROW, Root.OPAQUE)
        ]
        samples += [STRING, *map(parsed, ["ARRAY<INT>", "VECTOR<INT, 2>", "MULTISET<INT>", "MAP<INT, INT>", "ROW<a INT>"])]
        wrong = [
            f"{source} -> {target}"
            for source in samples
            for target in samples
            if has_converter(source, target) != (convertible(source, target) or same_type(source, target))
        ]
        assert wrong == []
        assert len(MATRIX) == 26 * 20

    @given(st.data(), types(4))
    def test_null_stays_null(self, data: st.DataObject, source: DataType) -> None:
        target = data.draw(types(4) | st.just(source) | st.just(STRING))
        if has_converter(source, target):
            assert cast_value(None, source, target) is None

    @given(st.data(), types(4))
    def test_a_value_stays_what_it_is_under_its_own_type(self, data: st.DataObject, kind: DataType) -> None:
        value = data.draw(values_of(kind))
        assert repr(cast_value(value, kind, kind.with_nullable(True))) == repr(value)

    @given(st.data(), types(3))
    def test_a_converter_says_the_same_for_many_values(self, data: st.DataObject, source: DataType) -> None:
        target = data.draw(types(1) | st.just(source) | st.just(STRING))
        values = data.draw(st.lists(values_of(source), max_size=3))
        zone = data.draw(st.sampled_from(["UTC", "Asia/Shanghai", "-03:30"]))
        if has_converter(source, target):
            convert = converter(source, target, zone)
            assert [outcome(convert, value) for value in values] == [
                outcome(lambda one: cast_value(one, source, target, timezone=zone), value) for value in values
            ]

    @pytest.mark.parametrize(
        ("source", "target"), [("INT", "DATE"), ("TIME(3)", "TIME(0)"), ("VECTOR<INT, 2>", "VECTOR<INT, 3>"), ("BLOB", "BYTES")]
    )
    def test_a_pair_without_a_converter_is_refused(self, source: str, target: str) -> None:
        assert code(None, source, target) == "cast.unsupported"


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


class TestDefaults:
    @pytest.mark.parametrize(
        ("text", "kind", "expected"),
        [
            ("5", "INT", 5),
            ("'5'", "INT", 5),
            ("'x y'", "STRING", "x y"),
            ("''", "STRING", ""),
            ("'it''s'", "STRING", "it''s"),
            ("'a", "STRING", "'a"),
            ("abc", "BYTES", b"abc"),
            ("abcdef", "VARCHAR(3)", "abc"),
            ("[1, 2]", "ARRAY<INT>", [1, 2]),
            ("2024-01-01", "DATE NOT NULL", 19_723),
        ],
    )
    def test_outer_quotes_are_cut_and_nothing_else(self, text: str, kind: str, expected: Any) -> None:
        assert default_value(text, parsed(kind)) == expected

    @pytest.mark.parametrize(
        ("text", "kind", "expected"),
        [
            ("abc", "INT", "cast.integer-syntax"),
            ("'", "STRING", "cast.syntax"),
            *[("1", kind, "cast.unsupported") for kind in ("VARIANT", "BLOB", "GEOMETRY", "MULTISET<INT>", "VECTOR<INT, 2>")],
        ],
    )
    def test_a_default_that_is_no_value_of_the_type_is_refused(self, text: str, kind: str, expected: str) -> None:
        with pytest.raises(CastError) as caught:
            default_value(text, parsed(kind))
        assert caught.value.code == expected

    def test_a_default_is_read_in_the_zone_of_the_writer(self) -> None:
        assert default_value("1970-01-01 08:00:00", parsed(LTZ), timezone="Asia/Shanghai") == Timestamp(0)
