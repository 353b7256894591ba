"""Numbers out of text, accepted and refused as the parsers of Java do."""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.number_text import parse_decimal, parse_double, parse_integer, parse_single, whole_number
from airflow_provider_schemas.errors import CastError

PARSERS: list[Callable[[str], Any]] = [parse_double, parse_single, parse_decimal, lambda text: parse_integer(text, 32)]

# What Double.parseDouble of java 17.0.15 made of these.
DOUBLES = {
    "1.5": 1.5,
    " \t2.5\n": 2.5,
    "\x001\x1f": 1.0,
    "1.": 1.0,
    ".5": 0.5,
    "+1e3": 1000.0,
    "1E+3": 1000.0,
    "-0": -0.0,
    "1d": 1.0,
    "1e5f": 1e5,
    "1F": 1.0,
    "Infinity": math.inf,
    "-Infinity": -math.inf,
    "1e400": math.inf,
    "1e-400": 0.0,
    "1e99999999999999999999": math.inf,
    "0e99999999999999999999": 0.0,
    "0x1p3": 8.0,
    "0X1.8P0": 1.5,
    "0x.8p1": 1.0,
    "0x1.p1d": 2.0,
    "-0x1p-1075": -0.0,
    "0x1.0000000000000001p-1075": 5e-324,
    "0x1p99999999999999": math.inf,
    "0x0p999999999999": 0.0,
    "2.4703282292062327e-324": 0.0,
    "2.4703282292062328e-324": 5e-324,
}
NO_DOUBLES = [
    "abc",
    ".",
    "-",
    "+",
    "1e",
    "1e+",
    "e5",
    "nan",
    "infinity",
    "NaNd",
    "1L",
    "1_0",
    "1 2",
    "0x1",
    "0x1p",
    "0x.p1",
    "\u00a01",
    "\u0661",
]


class TestFloatingPoint:
    @pytest.mark.parametrize(("text", "value"), DOUBLES.items())
    def test_java_reads_these(self, text: str, value: float) -> None:
        assert repr(parse_double(text)) == repr(value)

    @pytest.mark.parametrize("text", ["NaN", "+NaN", " -NaN "])
    def test_not_a_number_is_one_of_them(self, text: str) -> None:
        assert math.isnan(parse_double(text))

    @pytest.mark.parametrize("text", NO_DOUBLES)
    def test_java_refuses_these(self, text: str) -> None:
        for parse in (parse_double, parse_single):
            with pytest.raises(CastError) as caught:
                parse(text)
            assert caught.value.code == "cast.syntax"

    @pytest.mark.parametrize("text", ["", "  ", "\t"])
    def test_an_empty_text_is_said_to_be_empty(self, text: str) -> None:
        with pytest.raises(CastError) as caught:
            parse_double(text)
        assert caught.value.code == "cast.empty"

    # 16777217 lies halfway between two 32-bit numbers, and so does the last one between the largest and infinity.
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("16777217", 16777216.0),
            ("16777217.00000000000000000000000000001", 16777218.0),
            ("16777216.99999999999999999999999999999", 16777216.0),
            ("0x1000001.00000000000000000000000001p0", 16777218.0),
            ("0x1000000.ffffffffffffffffffffffffffp0", 16777216.0),
            ("-16777217.00000000000000000000000000001", -16777218.0),
            ("7.006492321624085e-46", 0.0),
            ("7.006492321624086e-46", 1.401298464324817e-45),
            ("340282356779733661637539395458142568448", math.inf),
            ("340282356779733661637539395458142568447.9", 3.4028234663852886e38),
            ("0x1.fffffefffffffffffp127", 3.4028234663852886e38),
        ],
    )
    def test_a_number_of_32_bits_is_rounded_once(self, text: str, value: float) -> None:
        assert parse_single(text) == value


class TestIntegers:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("0", 0),
            ("+1", 1),
            ("-1", -1),
            ("1.9", 1),
            ("-1.9", -1),
            ("1.", 1),
            (".5", 0),
            ("-.5", 0),
            (".", 0),
            ("007", 7),
            ("0" * 9000 + "5", 5),
        ],
    )
    def test_a_sign_and_a_fraction_are_allowed(self, text: str, value: int) -> None:
        assert parse_integer(text, 32) == value

    @pytest.mark.parametrize("text", ["abc", " 1", "1 ", "1e3", "1.2.3", "--1", "1-", "0x1", "\u0661", "1,000", "1.5x"])
    def test_nothing_else_is(self, text: str) -> None:
        assert self.code(text, 32) == "cast.integer-syntax"

    @pytest.mark.parametrize(("text", "code"), [("", "cast.empty"), ("+", "cast.sign-only"), ("-", "cast.sign-only")])
    def test_what_is_missing_is_said(self, text: str, code: str) -> None:
        assert self.code(text, 32) == code

    @pytest.mark.parametrize("bits", [8, 16, 32, 64])
    def test_the_ends_of_the_type_are_the_ends(self, bits: int) -> None:
        least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        assert (parse_integer(str(least), bits), parse_integer(f"{most}.99", bits)) == (least, most)
        assert {self.code(text, bits) for text in (str(least - 1), str(most + 1), str(10 * most), "9" * 5000)} == {"cast.integer-overflow"}

    @staticmethod
    def code(text: str, bits: int) -> str:
        with pytest.raises(CastError) as caught:
            parse_integer(text, bits)
        return caught.value.code

    @given(st.integers(), st.sampled_from([8, 16, 32, 64]))
    def test_a_whole_number_is_read_if_it_fits(self, number: int, bits: int) -> None:
        fits = -(2 ** (bits - 1)) <= number < 2 ** (bits - 1)
        assert whole_number(str(number), bits) == (number if fits else None)


class TestDecimals:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("1.50", "1.50"),
            ("+1e2", "1E+2"),
            ("1.", "1"),
            (".5", "0.5"),
            ("1E-3", "0.001"),
            ("\u0661\u0662.\u0663", "12.3"),
            ("\uff11e\u0662", "1E+2"),
        ],
    )
    def test_java_reads_these_with_digits_of_any_script(self, text: str, value: str) -> None:
        assert str(parse_decimal(text)) == str(Decimal(value))

    # Java counts exponent and scale in 32 bits, and looks at a character outside of the first plane by halves.
    @pytest.mark.parametrize(
        "text",
        [" 1", "1 ", "abc", ".", "+", "NaN", "Infinity", "1e", "1_0", "1e2147483648", "1e-2147483648", "1e99999999999", "\U0001d7d8", "1f"],
    )
    def test_java_refuses_these(self, text: str) -> None:
        with pytest.raises(CastError) as caught:
            parse_decimal(text)
        assert caught.value.code == "cast.decimal-syntax"

    def test_an_empty_text_is_said_to_be_empty(self) -> None:
        with pytest.raises(CastError) as caught:
            parse_decimal("")
        assert caught.value.code == "cast.empty"

    def test_the_largest_exponent_is_still_read(self) -> None:
        assert parse_decimal("1e2147483647").adjusted() == 2147483647
        assert parse_decimal("1e00000000000000005") == 100000


def refusal(parse: Callable[[str], Any], text: str) -> CastError | None:
    try:
        parse(text)
    except CastError as error:
        return error
    return None


@given(st.text() | st.text("0123456789.eE+-xXpPfd \u0661"), st.sampled_from(PARSERS))
def test_any_text_is_read_or_refused_with_advice(text: str, parse: Callable[[str], Any]) -> None:
    error = refusal(parse, text)
    assert error is None or error.fix


LONG = {
    "digits": "1" * 10**7,
    "digits and a letter": "9" * 10**7 + "x",
    "zeros behind the point": "0." + "0" * 10**7 + "1",
    "points": "1." * 10**6,
    "blanks": " " * 10**7,
    "signs": "-" * 10**7,
    "exponent": "1e" + "9" * 10**7,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.parametrize("parse", PARSERS, ids=["double", "single", "decimal", "integer"])
def test_a_text_of_ten_million_characters_is_answered_soon_enough(parse: Callable[[str], Any], text: str) -> None:
    error = refusal(parse, text)
    assert len(str(error)) < 500
