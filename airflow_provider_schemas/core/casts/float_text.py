"""FLOAT and DOUBLE as text, digit for digit as Java 17 prints them.

Python prints the shortest text that reads back as the same number. Java up to 18 computes digits until
the rest is below half the step to the next number, stops a little late or early where its own sums
overflow, and so prints 1e23 as 9.999999999999999E22. A reader sees these digits when a number became
text, so that they must be computed in the same way here.
"""

import math
import struct
from collections.abc import Iterator
from typing import NamedTuple

_FLOAT = struct.Struct("<f")


class _Width(NamedTuple):
    """How many bits a number has, and the exponent of the smallest one."""

    bits: int
    lowest: int


_SINGLE = _Width(24, -149)
_WIDE = _Width(53, -1074)

# From here on Java prints an exponent: below 0.001 and from ten million.
_PLAIN_POINTS = range(-2, 8)
# Java decides a little differently whether one digit is enough.
_PLAIN_EXPONENTS = range(-3, 8)


def float_text(value: float) -> str:
    """Return the text of a 32-bit number."""
    return _text(value, _SINGLE)


def double_text(value: float) -> str:
    """Return the text of a 64-bit number."""
    return _text(value, _WIDE)


def to_single(value: float) -> float:
    """Return the nearest 32-bit number; a number beyond the largest becomes infinite."""
    try:
        return float(_FLOAT.unpack(_FLOAT.pack(value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _text(value: float, width: _Width) -> str:
    if math.isnan(value):
        return "NaN"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if math.isinf(value):
        return f"{sign}Infinity"
    digits, point = _digits(abs(value), width) if value else ("0", 1)
    return sign + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    """Return the digits with a point behind that many of them, or with an exponent."""
    exponent = ""
    if point not in _PLAIN_POINTS:
        exponent = f"E{point - 1}"
        point = 1
    padded = "0" * (1 - point) + digits
    whole = max(point, 1)
    padded = padded.ljust(whole, "0")
    return f"{padded[:whole]}.{padded[whole:] or '0'}{exponent}"


def _digits(value: float, width: _Width) -> tuple[str, int]:
    """Return the decimal digits of a positive number, and how many of them are before the point."""
    top = math.frexp(value)[1] - 1
    held = min(width.bits, top - width.lowest + 1)
    whole, parts = value.as_integer_ratio()
    if parts == 1 and top <= 62:
        return _integer_digits(whole, max(top - held - 1, 0))
    return _compute_digits(value, top, held)


def _integer_digits(number: int, spare_bits: int) -> tuple[str, int]:
    """Return the digits of a whole number, without those that its spare low bits do not determine."""
    spare = len(str(1 << spare_bits)) - 1
    kept, rest = divmod(number, 10**spare)
    text = str(kept + (2 * rest >= 10**spare if spare else 0))
    return text.rstrip("0"), len(text) + spare


class _Ratio(NamedTuple):
    """number / unit is the value divided by a power of ten; half is half a step, scaled alike."""

    number: int
    unit: int
    half: int
    word: int


def _compute_digits(value: float, top: int, held: int) -> tuple[str, int]:
    """Compute digit after digit, until the rest is less than half a step."""
    exponent = _estimate_exponent(value, top)
    ratio = _ratio(value, top, held, exponent)
    steps = _steps(ratio)
    digit, rest, low, high = next(steps)
    digits = [digit] if digit or high else []
    exponent -= not digits
    # With an exponent there is always a digit behind the point, so the first one never ends it.
    ended = (low or high) and exponent in _PLAIN_EXPONENTS
    while not ended:
        digit, rest, low, high = next(steps)
        digits.append(digit)
        ended = low or high
    text = "".join(map(str, digits))
    if high and (not low or (2 * rest, digit % 2) > (10 * ratio.unit, 0)):
        return _raise_last_digit(text, exponent + 1)
    return text, exponent + 1


def _steps(ratio: _Ratio) -> Iterator[tuple[int, int, bool, bool]]:
    """Yield each digit with the rest after it (times ten), and whether stopping here, or one up, is near enough."""
    number, unit, half, word = ratio
    while True:
        digit, rest = divmod(number, unit)
        number = 10 * rest
        half = _wrap(10 * half, word)
        over = _wrap(number + half, word) - 10 * unit
        # Java stops on an exact hit only where it computes with big integers.
        high = over > 0 or (over == 0 and not word)
        yield digit, number, number < half or half <= 0, high or half <= 0


def _wrap(number: int, word: int) -> int:
    """Return what a machine word keeps of the number: Java's own sums overflow here, and that shows in the digits."""
    if not word:
        return number
    return (number + (1 << word - 1)) % (1 << word) - (1 << word - 1)


def _raise_last_digit(text: str, point: int) -> tuple[str, int]:
    """Return the digits with one more in the last place, as many as before."""
    up = str(int(text) + 1).rjust(len(text), "0")
    return up[: len(text)], point + len(up) - len(text)


def _estimate_exponent(value: float, top: int) -> int:
    """Return the power of ten below the value, or one too many: a straight line in place of the logarithm."""
    mantissa = 2 * math.frexp(value)[0]
    return math.floor((mantissa - 1.5) * 0.289529654 + 0.176091259 + top * 0.301029995663981)


def _ratio(value: float, top: int, held: int, exponent: int) -> _Ratio:
    """Return the value as a fraction of whole numbers, without common powers of two."""
    whole, parts = value.as_integer_ratio()
    zeros = (whole & -whole).bit_length() - 1
    odd = whole >> zeros
    below = max(0, -exponent)
    above = max(0, exponent)
    number_twos = zeros + below
    unit_twos = parts.bit_length() - 1 + above
    # Below a power of two the steps are half as long.
    half_twos = below + parts.bit_length() - 1 + top - held - (odd == 1)
    shared = min(number_twos, unit_twos, half_twos)
    number_twos -= shared
    unit_twos -= shared
    half_twos -= shared
    number_bits = odd.bit_length() + number_twos + _five_bits(below)
    unit_bits = unit_twos + 1 + _five_bits(above + 1)
    word = next((word for word in (32, 64) if max(number_bits, unit_bits) < word), 0)
    return _Ratio(odd * 5**below << number_twos, 5**above << unit_twos, 5**below << half_twos, word)


def _five_bits(power: int) -> int:
    return (5**power).bit_length() if power else 0
