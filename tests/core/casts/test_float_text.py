"""FLOAT and DOUBLE print the digits that Java 17 prints, which are not always the fewest."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.casts.float_text import double_text, float_text, to_single

# Printed by java 17.0.15: Double.toHexString and Double.toString of the same value; below, those of Float. In the last lines of
# each, Java's sums overflow.
DOUBLES = """
0x0.0p0 0.0
-0x0.0p0 -0.0
0x1.0p0 1.0
-0x1.0p0 -1.0
0x1.999999999999ap-4 0.1
0x1.3333333333333p-2 0.3
0x1.5555555555555p-2 0.3333333333333333
0x1.5555555555555p-1 0.6666666666666666
0x1.9p6 100.0
0x1.edd2f1a9fbe77p6 123.456
0x1.0624dd2f1a9fcp-10 0.001
0x1.061e273273f09p-10 9.999E-4
0x1.437c5692b3cc5p-10 0.001234
0x1.a36e2eb1c432dp-14 1.0E-4
0x1.312cfep23 9999999.0
0x1.312dp23 1.0E7
0x1.78c29dccccccdp23 1.23456789E7
0x1.bf08ebp33 1.5E10
0x1.b1ae4d6e2ef5p69 1.0E21
0x1.0f0cf064dd592p73 1.0E22
0x1.52d02c7e14af6p76 9.999999999999999E22
0x1.52d02c7e14af6p77 1.9999999999999998E23
0x1.c7e83209e90b2p72 8.409999999999999E21
0x1.0p-1022 2.2250738585072014E-308
0x0.0000000000001p-1022 4.9E-324
0x0.0000000000002p-1022 1.0E-323
0x0.0000000000014p-1022 1.0E-322
0x0.000000000002dp-1022 2.2E-322
0x1.fffffffffffffp1023 1.7976931348623157E308
0x1.0p-44 5.6843418860808015E-14
0x1.0p62 4.6116860184273879E18
0x1.0p63 9.223372036854776E18
0x1.0p53 9.007199254740992E15
0x1.b69b4ba630f34p56 1.23456789012345664E17
0x1.eb5fc6ad801fep62 8.8518093109728358E18
0x1.0p63 9.223372036854776E18
0x1.711947cfa26a2p-17 1.1E-5
0x0.0000000000001p-1022 4.9E-324
0x1.921fb54442d18p1 3.141592653589793
0x1.5bf0a8b145769p1 2.718281828459045
0x1.3333333333334p-2 0.30000000000000004
0x1.0147ae147ae14p0 1.005
0x1.000001p24 1.6777217E7
0x1.d6f34548p26 1.23456789125E8
0x1.1666666666666p2 4.35
0x1.47ae147ae147bp-9 0.0025
0x1.fffffffffffffp62 9.2233720368547748E18
0x1.df2dd00000000p-9 0.0036558452993631363
0x1.650b300000000p+85 5.3954918634681215E25
0x1.d1c4000000000p-8 0.0071070194244384766
"""
FLOATS = """
0x0.0p0 0.0
-0x0.0p0 -0.0
0x1.0p0 1.0
-0x1.0p0 -1.0
0x1.99999ap-4 0.1
0x1.333334p-2 0.3
0x1.555556p-2 0.33333334
0x1.555556p-1 0.6666667
0x1.9p6 100.0
0x1.0624dep-10 0.001
0x1.061e28p-10 9.999E-4
0x1.a36e2ep-14 1.0E-4
0x1.312cfep23 9999999.0
0x1.312dp23 1.0E7
0x1.bf08ecp33 1.50000005E10
0x1.0p24 1.6777216E7
0x1.0p25 3.3554432E7
0x0.000002p-126 1.4E-45
0x1.fffffep127 3.4028235E38
0x1.0p-126 1.17549435E-38
0x1.0p83 9.6714065E24
-0x1.b5e38cp85 -6.6171892E25
0x1.0d06bcp85 4.0654105E25
0x1.0p-126 1.17549435E-38
0x1.faa3b4p34 3.3999999E10
0x1.93e594p99 1.0E30
0x0.000002p-126 1.4E-45
0x1.faa3b4p32 8.4999997E9
0x1.2a05f2p33 1.0E10
0x1.faa3b4p34 3.3999999E10
0x1.0p53 9.0071993E15
0x0.0000c8p-126 1.4E-43
0x1.0p26 6.7108864E7
0x1.0p100 1.2676506E30
0x1.0003580000000p-5 0.031251594
0x1.136a5e0000000p-51 4.7776973E-16
0x1.00001c0000000p-4 0.062500104
"""


def pairs(table: str) -> list[tuple[float, str]]:
    lines = dict.fromkeys(table.strip().splitlines())
    return [(float.fromhex(bits), text) for bits, text in map(str.split, lines)]


@pytest.mark.parametrize(("value", "text"), pairs(DOUBLES))
def test_a_double_prints_as_in_java(value: float, text: str) -> None:
    assert double_text(value) == text


@pytest.mark.parametrize(("value", "text"), pairs(FLOATS))
def test_a_float_prints_as_in_java(value: float, text: str) -> None:
    assert float_text(value) == text


@pytest.mark.parametrize(("value", "text"), [(math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity")])
def test_what_is_no_number_has_a_name(value: float, text: str) -> None:
    assert (double_text(value), float_text(value)) == (text, text)


@given(st.floats(allow_nan=False))
def test_a_double_reads_back_as_the_same_number(value: float) -> None:
    assert float(double_text(value)) == value


@given(st.floats(allow_nan=False, width=32))
def test_a_float_reads_back_as_the_same_number(value: float) -> None:
    assert to_single(float(float_text(value))) == value


@given(st.floats(min_value=1e-3, max_value=1e7, exclude_max=True))
def test_between_a_thousandth_and_ten_million_there_is_no_exponent(value: float) -> None:
    assert "E" not in double_text(value)
    assert "E" in double_text(value * 1e11)


@given(st.floats(allow_nan=False))
def test_a_number_of_32_bits_is_the_nearest_one(value: float) -> None:
    single = to_single(value)
    if math.isinf(single):
        assert abs(value) >= 3.4028235677973366e38
        return
    bits = struct.unpack("<i", struct.pack("<f", abs(single)))[0]
    neighbours = [struct.unpack("<f", struct.pack("<i", max(bits + step, 0)))[0] for step in (-1, 1)]
    assert all(abs(abs(value) - abs(single)) <= abs(abs(value) - other) for other in neighbours)
