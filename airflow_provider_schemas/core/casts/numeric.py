"""Conversions among BOOLEAN and the numbers, and from them to text, as Java's own arithmetic has them.

Each function takes the two types (and the zone, which numbers ignore) and gives the function for values.
"""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from airflow_provider_schemas.core.casts.carriers import BITS, DECIMALS, Check, wrapped
from airflow_provider_schemas.core.casts.float_text import double_text, to_single
from airflow_provider_schemas.core.casts.number_text import fault, parse_decimal, parse_integer
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.errors import CastError

# The types are Any: each function reads the parameters that the roots it is registered for have.
Kind = Any

# Paimon keeps decimals of so many digits as a long.
_COMPACT = 18

# CHAR and BINARY are padded to their length; one value must not fill the memory.
MAX_PADDING = 10_000_000


def plain(convert: Check) -> Callable[[Kind, Kind, Any], Check]:
    """A conversion that is the same whatever the parameters of the types."""
    return lambda _source, _target, _zone: convert


# ---------------------------------------------------------------- to integers


def wrapping(source: Kind, target: Kind, _zone: Any) -> Check:
    """Integers keep their low bits."""
    bits = BITS[target.root]
    return int if bits >= BITS[source.root] else lambda value: wrapped(value, bits)


def saturating(_source: Kind, target: Kind, _zone: Any) -> Check:
    """Floating point numbers are cut towards zero and stop at the ends; small types go through 32 bits and wrap."""
    bits = BITS[target.root]
    wide = max(bits, 32)
    low, high = -(2 ** (wide - 1)), 2 ** (wide - 1) - 1

    def convert(value: float) -> int:
        if math.isnan(value):
            return 0
        return wrapped(int(min(max(value, low), high)), bits)

    return convert


def truncating(_source: Kind, target: Kind, _zone: Any) -> Check:
    """Decimals drop their fraction and keep their low bits."""
    bits = BITS[target.root]
    return lambda value: wrapped(int(value), bits)


# ---------------------------------------------------------------- to floating point


def integer_to_single(value: int) -> float:
    """Rounded once: going through 64 bits can end one step off."""
    if abs(value) >= 2**53:
        # Bits that 64 cannot hold matter only in that there are any.
        value = (value >> 11 << 11) | (0x800 if value & 0x7FF else 0)
    return to_single(float(value))


def decimal_to_double(source: Kind, _target: Kind, _zone: Any) -> Check:
    """Up to 18 digits are kept as a long, and Java divides that; it ends one step off where the long is above 2^53."""
    if source.precision > _COMPACT:
        return float
    power = 10.0**source.scale
    return lambda value: float(int(value.scaleb(source.scale, DECIMALS))) / power


def decimal_to_single(source: Kind, target: Kind, zone: Any) -> Check:
    """Through 64 bits."""
    double = decimal_to_double(source, target, zone)
    return lambda value: to_single(double(value))


# ---------------------------------------------------------------- to DECIMAL


def decimal_from_exact(_source: Kind, target: Kind, _zone: Any) -> Check:
    """From BOOLEAN, integers and decimals."""
    fit = fitting_decimal(target)
    return lambda value: fit(Decimal(value))


def decimal_from_floating(_source: Kind, target: Kind, _zone: Any) -> Check:
    """By the digits that Java prints, so that 1.005 is not a little less."""
    fit = fitting_decimal(target)
    return lambda value: fit(parse_decimal(double_text(value)))


def decimal_from_text(_source: Kind, target: Kind, _zone: Any) -> Check:
    fit = fitting_decimal(target)
    return lambda value: fit(parse_decimal(value))


def fitting_decimal(target: Kind) -> Callable[[Decimal], Decimal | None]:
    """Rounds half up to the scale; what does not fit the precision is NULL."""
    unit, most = Decimal(1).scaleb(-target.scale), target.precision - target.scale

    def fit(value: Decimal) -> Decimal | None:
        scaled = DECIMALS.quantize(value, unit)
        if scaled.is_nan() or scaled.adjusted() >= most:
            return None
        # Java's decimals have no negative zero.
        return scaled or abs(scaled)

    return fit


# ---------------------------------------------------------------- text


def fitting_text(target: Kind) -> Callable[[str], str]:
    """Cuts to the length of the target, and pads CHAR with blanks."""
    length = target.length
    if length == MAX_LENGTH and target.root is Root.VARCHAR:
        return lambda text: text
    if target.root is Root.VARCHAR:
        return lambda text: text[:length]
    return lambda text: text[:length].ljust(checked_padding(length, len(text)))


def checked_padding(length: int, used: int) -> int:
    """The length, if padding to it is reasonable."""
    if length - used > MAX_PADDING:
        fix = f"Use a VARCHAR or VARBINARY; values are padded by up to {MAX_PADDING} only."
        raise CastError(f"a value would be padded to {length} characters or bytes.", code="cast.padding", fix=fix)
    return length


def to_text(print_one: Callable[[Any], str]) -> Callable[[Kind, Kind, Any], Check]:
    """A conversion to CHAR or VARCHAR by a function that prints the value."""

    def build(_source: Kind, target: Kind, _zone: Any) -> Check:
        fit = fitting_text(target)
        return lambda value: fit(print_one(value))

    return build


def boolean_text(value: bool) -> str:
    return "true" if value else "false"


def decimal_text(value: Decimal) -> str:
    """Plain, with all digits of its scale."""
    return f"{value:f}"


def integer_from_text(_source: Kind, target: Kind, _zone: Any) -> Check:
    bits = BITS[target.root]
    return lambda text: parse_integer(text, bits)


_BOOLEANS = {**dict.fromkeys("t true y yes 1".split(), True), **dict.fromkeys("f false n no 0".split(), False)}


def boolean_from_text(text: str) -> bool:
    """One of ten words in any case, and nothing around it."""
    found = _BOOLEANS.get(text.lower()) if len(text) <= 5 else None
    if found is None:
        raise fault(text, "truth value", "cast.boolean-syntax", "Write true or false.")
    return found
