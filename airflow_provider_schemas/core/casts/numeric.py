"""Conversions among BOOLEAN and the numbers, and from them to text, with the results of Java's arithmetic.

Each function takes the two types (and the zone, which numbers ignore) and returns the function for values.
"""

import math
from collections.abc import Callable
from decimal import Decimal

from airflow_provider_schemas.core.casts.carriers import BITS, DECIMALS, Check, Value, wrapped
from airflow_provider_schemas.core.casts.float_text import double_text, to_single
from airflow_provider_schemas.core.casts.number_text import fault, parse_decimal, parse_integer
from airflow_provider_schemas.core.casts.timezones import Zone
from airflow_provider_schemas.core.types.atomic import AnyDataType
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.errors import CastError

# Paimon keeps decimals of so many digits as a long.
_COMPACT = 18

# CHAR and BINARY are padded to their length; one value must not fill the memory.
MAX_PADDING = 10_000_000


def plain(convert: Check) -> Callable[[AnyDataType, AnyDataType, Zone], Check]:
    """Return a conversion that is the same for all parameters of the types."""
    return lambda _source, _target, _zone: convert


# ---------------------------------------------------------------- to integers


def wrapping(source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    """Convert integers: they keep their low bits."""
    bits = BITS[target.root]
    if bits >= BITS[source.root]:
        return int
    return lambda value: wrapped(value, bits)


def saturating(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    """Convert floating point numbers: they are cut towards zero and stop at the ends; small types go through 32 bits and wrap."""
    bits = BITS[target.root]
    wide = max(bits, 32)
    low = -(2 ** (wide - 1))
    high = 2 ** (wide - 1) - 1

    def convert(value: float) -> int:
        if math.isnan(value):
            return 0
        return wrapped(int(min(max(value, low), high)), bits)

    return convert


def truncating(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    """Convert decimals: they drop their fraction and keep their low bits."""
    bits = BITS[target.root]
    return lambda value: wrapped(int(value), bits)


# ---------------------------------------------------------------- to floating point


def integer_to_single(value: int) -> float:
    """Return the nearest 32-bit number. Rounded once: going through 64 bits can end one step off."""
    if abs(value) >= 2**53:
        # Of the bits that a 64-bit number cannot hold, it matters only whether any is set.
        value = (value >> 11 << 11) | (0x800 if value & 0x7FF else 0)
    return to_single(float(value))


def decimal_to_double(source: AnyDataType, _target: AnyDataType, _zone: Zone) -> Check:
    """Convert as Java: it keeps up to 18 digits as a long and divides that, one step off where the long is above 2^53."""
    if source.precision > _COMPACT:
        return float
    power = 10.0**source.scale
    return lambda value: float(int(value.scaleb(source.scale, DECIMALS))) / power


def decimal_to_single(source: AnyDataType, target: AnyDataType, zone: Zone) -> Check:
    """Convert through 64 bits."""
    double = decimal_to_double(source, target, zone)
    return lambda value: to_single(double(value))


# ---------------------------------------------------------------- to DECIMAL


def decimal_from_exact(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    """Convert BOOLEAN, integers and decimals."""
    fit = fitting_decimal(target)
    return lambda value: fit(Decimal(value))


def decimal_from_floating(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    """Convert the digits that Java prints, so that 1.005 is not a little less."""
    fit = fitting_decimal(target)
    return lambda value: fit(parse_decimal(double_text(value)))


def decimal_from_text(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    fit = fitting_decimal(target)
    return lambda value: fit(parse_decimal(value))


def fitting_decimal(target: AnyDataType) -> Callable[[Decimal], Decimal | None]:
    """Return the function that rounds half up to the scale; a number that does not fit the precision becomes NULL."""
    unit = Decimal(1).scaleb(-target.scale)
    whole_digits = target.precision - target.scale

    def fit(value: Decimal) -> Decimal | None:
        scaled = DECIMALS.quantize(value, unit)
        if scaled.is_nan() or scaled.adjusted() >= whole_digits:
            return None
        # Java's decimals have no negative zero.
        return scaled or abs(scaled)

    return fit


# ---------------------------------------------------------------- text


def fitting_text(target: AnyDataType) -> Callable[[str], str]:
    """Return the function that cuts to the length of the target, and pads CHAR with blanks."""
    length = target.length
    if length == MAX_LENGTH and target.root is Root.VARCHAR:
        return lambda text: text
    if target.root is Root.VARCHAR:
        return lambda text: text[:length]
    return lambda text: text[:length].ljust(checked_padding(length, len(text)))


def checked_padding(length: int, used: int) -> int:
    """Return the length if padding to it is reasonable, or refuse it."""
    if length - used > MAX_PADDING:
        fix = f"Use a VARCHAR or VARBINARY; values are padded by up to {MAX_PADDING} only."
        raise CastError(f"a value would be padded to {length} characters or bytes.", code="cast.padding", fix=fix)
    return length


def to_text(print_value: Callable[[Value], str]) -> Callable[[AnyDataType, AnyDataType, Zone], Check]:
    """Return a conversion to CHAR or VARCHAR by a function that prints the value."""

    def build(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
        fit = fitting_text(target)
        return lambda value: fit(print_value(value))

    return build


def boolean_text(value: bool) -> str:
    return "true" if value else "false"


def decimal_text(value: Decimal) -> str:
    """Return the number in plain notation, with all digits of its scale."""
    return f"{value:f}"


def integer_from_text(_source: AnyDataType, target: AnyDataType, _zone: Zone) -> Check:
    bits = BITS[target.root]
    return lambda text: parse_integer(text, bits)


_BOOLEANS = {**dict.fromkeys("t true y yes 1".split(), True), **dict.fromkeys("f false n no 0".split(), False)}


def boolean_from_text(text: str) -> bool:
    """Read one of ten words, in any case, with nothing around it."""
    value = _BOOLEANS.get(text.lower()) if len(text) <= 5 else None
    if value is None:
        raise fault(text, "truth value", "cast.boolean-syntax", "Write true or false.")
    return value
