"""Numbers out of text, by the rules of the Java parsers that read old values.

Four parsers with four grammars of numbers: Paimon's own for integers, the JDK's for floating point and
for decimals, and the JDK's for the plain whole numbers inside dates. All are linear in the length of any
text.
"""

import math
import re
from collections.abc import Callable
from decimal import Decimal

from airflow_provider_schemas.core.casts.float_text import to_single
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import CastError

# What Java's trim() takes off both ends: every character up to the blank.
BLANKS = "".join(map(chr, range(33)))

# Every repetition is possessive (the second +): with backtracking, a long text would take its length squared.
_SIGN_AND_DIGITS = re.compile(r"([+-]?)([0-9]*+)")
_DROPPED_FRACTION = re.compile(r"(?:\.[0-9]*+)?")
_FLOATING = re.compile(r"([+-]?)(?:(NaN)|(Infinity)|((?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)[fFdD]?)")
_HEXADECIMAL = re.compile(r"([+-]?)0[xX](?:([0-9a-fA-F]++)\.?|([0-9a-fA-F]*+)\.([0-9a-fA-F]++))[pP]([+-]?[0-9]++)[fFdD]?")
_DECIMAL = re.compile(r"[+-]?(?:\d++(?:\.(\d*+))?|\.(\d++))(?:[eE]([+-]?)(\d++))?")

# The next 32-bit number after the largest, if there were one: used for infinity as one of two neighbours.
_BEYOND_SINGLE = 2.0**128


def fault(text: str, kind: str, code: str, fix: str) -> CastError:
    """Return the error for a text that is no value of this kind."""
    excerpt = text if len(text) <= 70 else f"{text[:60]}..."
    return CastError(f"{shown(excerpt)} is no {kind}.", code=code, fix=fix)


def whole_number(text: str, bits: int) -> int | None:
    """Return the value of ASCII digits, with a minus or without, that fit so many bits; None for any other text."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    number = _read_bounded(digits)
    if text.startswith("-"):
        number = -number
    if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        return number
    return None


def parse_integer(text: str, bits: int) -> int:
    """Read a signed whole number of that many bits; digits behind a point are checked, then dropped."""
    match = _SIGN_AND_DIGITS.match(text)
    sign, digits = match.groups() if match else ("", "")
    if len(text) <= len(sign):
        code = "cast.sign-only" if text else "cast.empty"
        raise fault(text, "whole number", code, "Write at least one digit.")
    # Smaller types are read as 32 bits first, which decides what is reported.
    wide = max(bits, 32)
    number = _read_bounded(digits)
    if number > 2 ** (wide - 1):
        raise _overflow(text, bits)
    if not _DROPPED_FRACTION.fullmatch(text, len(sign) + len(digits)):
        raise fault(text, "whole number", "cast.integer-syntax", "Use digits only, with an optional sign in front.")
    signed = -number if sign == "-" else number
    if not -(2 ** (bits - 1)) <= signed < 2 ** (bits - 1):
        raise _overflow(text, bits)
    return signed


def _read_bounded(digits: str) -> int:
    """Return the number, or one too large for any integer type; Python takes long to read long numbers."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) < 20 else 10**20


def _overflow(text: str, bits: int) -> CastError:
    most = 2 ** (bits - 1) - 1
    return fault(text, f"whole number of {bits} bits", "cast.integer-overflow", f"Use a number from {-most - 1} to {most}.")


# ---------------------------------------------------------------- floating point


def parse_double(text: str) -> float:
    """Read a 64-bit number."""
    return _parse_floating(text, single=False)


def parse_single(text: str) -> float:
    """Read a 32-bit number, rounded once: going through 64 bits can end one step off."""
    return _parse_floating(text, single=True)


def _parse_floating(text: str, *, single: bool) -> float:
    trimmed = text.strip(BLANKS)
    if not trimmed:
        raise fault(text, "number", "cast.empty", "Write a number such as 1.5.")
    if match := _FLOATING.fullmatch(trimmed):
        value = _read_floating(match, single)
    elif match := _HEXADECIMAL.fullmatch(trimmed):
        value = _read_hexadecimal(match, single)
    else:
        raise fault(text, "number", "cast.syntax", "Write a number such as 1.5 or 2e10, NaN or Infinity.")
    return -value if match[1] == "-" else value


def _read_floating(match: re.Match[str], single: bool) -> float:
    _, not_a_number, infinite, digits = match.groups()
    if not_a_number:
        return math.nan
    if infinite:
        return math.inf
    value = float(digits)
    if not single:
        return value
    return _round_to_single(value, lambda: _compare(Decimal(digits), Decimal(value)))


def _read_hexadecimal(match: re.Match[str], single: bool) -> float:
    _, whole, front, back, exponent = match.groups()
    digits = whole or front + back
    power = _read_exponent(exponent) - 4 * len(back or "")
    try:
        value = float.fromhex(f"0x{digits}p{power}")
    except OverflowError:
        return math.inf
    if not single:
        return value
    return _round_to_single(value, lambda: _compare_hexadecimal(digits, power, value))


def _read_exponent(text: str) -> int:
    """Return the exponent, or 10**12 for a longer one: no text has enough zeros to make up for it."""
    digits = text.lstrip("+-0")
    exponent = int(digits or "0") if len(digits) < 12 else 10**12
    return -exponent if text.startswith("-") else exponent


def _compare_hexadecimal(digits: str, power: int, value: float) -> int:
    whole, parts = value.as_integer_ratio()
    return _compare(int(digits, 16) * parts << max(power, 0), whole << max(-power, 0))


def _compare(first: Decimal | int, second: Decimal | int) -> int:
    return (first > second) - (first < second)


def _round_to_single(value: float, compare: Callable[[], int]) -> float:
    """Return the 32-bit number nearest to a text whose 64-bit number is given; `compare` compares text and number.

    Only a number halfway between two neighbours needs the comparison.
    """
    below = min(to_single(math.nextafter(value, -math.inf)), _BEYOND_SINGLE)
    above = min(to_single(math.nextafter(value, math.inf)), _BEYOND_SINGLE)
    if (below + above) / 2 != value or below == above:
        return to_single(value)
    side = compare()
    if side == 0:
        return to_single(value)
    return to_single(above if side > 0 else below)


# ---------------------------------------------------------------- decimals


def parse_decimal(text: str) -> Decimal:
    """Read a decimal number of any size, digits of any script, as the JDK's BigDecimal does."""
    match = _DECIMAL.fullmatch(text)
    if match is None or not _is_readable(text, match):
        code = "cast.decimal-syntax" if text else "cast.empty"
        raise fault(text, "decimal number", code, "Write digits with an optional point, such as 12.50, and no blanks.")
    return Decimal(text)


def _is_readable(text: str, match: re.Match[str]) -> bool:
    """Return whether exponent and scale fit 32 bits; Java reads a character of two halves as two characters."""
    behind, only_behind, sign, digits = match.groups()
    if not text.isascii() and max(text) > "\uffff":
        return False
    digits = (digits or "").lstrip("0")
    if len(digits) > 10:
        return False
    exponent = int(digits or "0")
    if sign == "-":
        exponent = -exponent
    return exponent < 2**31 and -(2**31) <= len(behind or only_behind or "") - exponent < 2**31
