"""Numbers out of text, by the rules of the Java parsers that read old values.

Four parsers with four ideas of what a number looks like: Paimon's own for integers, the JDK's for
floating point and for decimals, and the JDK's for the plain whole numbers inside dates. All are linear
in the length of the text, whatever it holds.
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

# Every repetition is possessive (the second +): giving characters back would make a long text take its length squared.
_SIGN_AND_DIGITS = re.compile(r"([+-]?)([0-9]*+)")
_DROPPED_FRACTION = re.compile(r"(?:\.[0-9]*+)?")
_FLOATING = re.compile(r"([+-]?)(?:(NaN)|(Infinity)|((?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)[fFdD]?)")
_HEXADECIMAL = re.compile(r"([+-]?)0[xX](?:([0-9a-fA-F]++)\.?|([0-9a-fA-F]*+)\.([0-9a-fA-F]++))[pP]([+-]?[0-9]++)[fFdD]?")
_DECIMAL = re.compile(r"[+-]?(?:\d++(?:\.(\d*+))?|\.(\d++))(?:[eE]([+-]?)(\d++))?")

# What the next 32-bit number after the largest would be; stands in for infinity between two neighbours.
_BEYOND_SINGLE = 2.0**128


def fault(text: str, kind: str, code: str, fix: str) -> CastError:
    """The error for a text that is no value of this kind."""
    excerpt = text if len(text) <= 70 else f"{text[:60]}..."
    return CastError(f"{shown(excerpt)} is no {kind}.", code=code, fix=fix)


def whole_number(text: str, bits: int) -> int | None:
    """The value of ASCII digits, with a minus or without, that fit so many bits; None for anything else."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    number = _bounded(digits) * (-1 if len(digits) < len(text) else 1)
    return number if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1) else None


def parse_integer(text: str, bits: int) -> int:
    """A signed whole number of that many bits; digits behind a point are checked, then dropped."""
    found = _SIGN_AND_DIGITS.match(text)
    sign, digits = found.groups() if found else ("", "")
    if len(text) <= len(sign):
        code = "cast.sign-only" if text else "cast.empty"
        raise fault(text, "whole number", code, "Write at least one digit.")
    # Smaller types are read as 32 bits first, which decides what is reported.
    wide = max(bits, 32)
    number = _bounded(digits)
    if number > 2 ** (wide - 1):
        raise _overflow(text, bits)
    if not _DROPPED_FRACTION.fullmatch(text, len(sign) + len(digits)):
        raise fault(text, "whole number", "cast.integer-syntax", "Use digits only, with an optional sign in front.")
    signed = -number if sign == "-" else number
    if not -(2 ** (bits - 1)) <= signed < 2 ** (bits - 1):
        raise _overflow(text, bits)
    return signed


def _bounded(digits: str) -> int:
    """The number, or one too large for any integer type; Python takes long to read long numbers."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) < 20 else 10**20


def _overflow(text: str, bits: int) -> CastError:
    most = 2 ** (bits - 1) - 1
    return fault(text, f"whole number of {bits} bits", "cast.integer-overflow", f"Use a number from {-most - 1} to {most}.")


# ---------------------------------------------------------------- floating point


def parse_double(text: str) -> float:
    """A 64-bit number."""
    return _floating(text, False)


def parse_single(text: str) -> float:
    """A 32-bit number, rounded once: going through 64 bits can end one step off."""
    return _floating(text, True)


def _floating(text: str, single: bool) -> float:
    trimmed = text.strip(BLANKS)
    if not trimmed:
        raise fault(text, "number", "cast.empty", "Write a number such as 1.5.")
    if found := _FLOATING.fullmatch(trimmed):
        value = _of_decimal(found, single)
    elif found := _HEXADECIMAL.fullmatch(trimmed):
        value = _of_hexadecimal(found, single)
    else:
        raise fault(text, "number", "cast.syntax", "Write a number such as 1.5 or 2e10, NaN or Infinity.")
    return -value if found[1] == "-" else value


def _of_decimal(found: re.Match[str], single: bool) -> float:
    _, not_a_number, infinite, digits = found.groups()
    if not_a_number or infinite:
        return math.nan if not_a_number else math.inf
    value = float(digits)
    return _single(value, lambda: _order(Decimal(digits), Decimal(value))) if single else value


def _of_hexadecimal(found: re.Match[str], single: bool) -> float:
    _, whole, front, back, power = found.groups()
    digits, scale = (whole or front + back), 4 * len(back or "")
    try:
        value = float.fromhex(f"0x{digits}p{_clamped(power) - scale}")
    except OverflowError:
        return math.inf
    return _single(value, lambda: _hexadecimal_order(digits, _clamped(power) - scale, value)) if single else value


def _clamped(power: str) -> int:
    """The exponent, or one that is as good when it has more digits than any text has zeros to make up for it."""
    sign, digits = power[:1] == "-", power.lstrip("+-0")
    return (-1 if sign else 1) * (int(digits or "0") if len(digits) < 12 else 10**12)


def _hexadecimal_order(digits: str, power: int, value: float) -> int:
    whole, parts = value.as_integer_ratio()
    return _order(int(digits, 16) * parts << max(power, 0), whole << max(-power, 0))


def _order(one: Decimal | int, other: Decimal | int) -> int:
    return (one > other) - (one < other)


def _single(value: float, order: Callable[[], int]) -> float:
    """The 32-bit number nearest to a text whose 64-bit number is given; order compares text and number.

    Only a number halfway between two neighbours needs the second look.
    """
    below = min(to_single(math.nextafter(value, -math.inf)), _BEYOND_SINGLE)
    above = min(to_single(math.nextafter(value, math.inf)), _BEYOND_SINGLE)
    if (below + above) / 2 != value or below == above:
        return to_single(value)
    side = order()
    return to_single(value) if side == 0 else to_single(above if side > 0 else below)


# ---------------------------------------------------------------- decimals


def parse_decimal(text: str) -> Decimal:
    """A decimal number of any size, digits of any script, as the JDK's BigDecimal reads it."""
    found = _DECIMAL.fullmatch(text)
    if found is None or not _is_readable(text, found):
        code = "cast.decimal-syntax" if text else "cast.empty"
        raise fault(text, "decimal number", code, "Write digits with an optional point, such as 12.50, and no blanks.")
    return Decimal(text)


def _is_readable(text: str, found: re.Match[str]) -> bool:
    """Exponent and scale must fit 32 bits; Java looks at the halves of a character that takes two."""
    behind, lonely, minus, exponent = found.groups()
    if not text.isascii() and max(text) > "\uffff":
        return False
    power = (exponent or "").lstrip("0")
    if len(power) > 10:
        return False
    raised = (-1 if minus == "-" else 1) * int(power or "0")
    return raised < 2**31 and -(2**31) <= len(behind or lonely or "") - raised < 2**31
