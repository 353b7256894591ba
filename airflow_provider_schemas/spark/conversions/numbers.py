"""Conversions among BOOLEAN and the numbers as SQL, with the answers of Java's own arithmetic.

None leans on what a plain cast of Spark does with a number that does not fit: the session's settings say whether that
is an error. Numbers are brought into range first.
"""

from typing import Any, Final

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.spark.conversions.conversion import Convert, Converted, bound, unless
from airflow_provider_schemas.spark.sql import type_text

_SPAN_64: Final = "cast('18446744073709551616' as decimal(38, 0))"
_HALF_64: Final = "cast('9223372036854775808' as decimal(38, 0))"

# Paimon keeps decimals of so many digits as a long, and a DOUBLE holds each number of so many.
_COMPACT: Final = 18
_EXACT: Final = 15

# By width: the type, its ends, and the first number beyond.
_ENDS: Final = {
    32: ("int", "cast(-2147483648L as int)", "2147483647", "2147483648D"),
    64: ("bigint", "(-9223372036854775807L - 1L)", "9223372036854775807L", "9223372036854775808D"),
}


def wrapped(number: str, target: Any) -> str:
    """The low bits of a BIGINT, as a signed number of the target's width."""
    bits = BITS[target.root]
    half = 1 << bits - 1
    return number if bits == max(_ENDS) else f"cast((({number} & {2 * half - 1}L) ^ {half}L) - {half}L as {type_text(target)})"


def wrapped_decimal(number: str) -> str:
    """The low 64 bits of a DECIMAL without digits behind the point, as a BIGINT."""
    low = f"pmod(cast({number} as decimal(38, 0)), {_SPAN_64})"
    return bound(low, lambda x: f"try_cast(if({x} >= {_HALF_64}, {x} - {_SPAN_64}, {x}) as bigint)")


# ---------------------------------------------------------------- to integers


def integer_to_integer(source: Any, target: Any, _zone: str) -> Convert:
    """The low bits are kept."""
    if BITS[target.root] >= BITS[source.root]:
        return lambda v: Converted(f"cast({v} as {type_text(target)})")
    return lambda v: Converted(wrapped(f"cast({v} as bigint)", target))


def floating_to_integer(_source: Any, target: Any, _zone: str) -> Convert:
    """Cut towards zero, stopping at the ends; small types go through 32 bits and wrap."""
    wide = max(BITS[target.root], min(_ENDS))
    kind, least, most, edge = _ENDS[wide]

    def convert(v: str) -> Converted:
        number = f"cast({v} as double)"
        ends = f"when isnan({v}) then 0 when {number} >= {edge} then {most} when {number} <= -{edge} then {least}"
        whole = f"(case when {v} is null then null {ends} else try_cast({number} as {kind}) end)"
        return Converted(whole if wide == BITS[target.root] else wrapped(f"cast({whole} as bigint)", target))

    return convert


def decimal_to_integer(source: Any, target: Any, _zone: str) -> Convert:
    """The fraction is dropped, and the low bits are kept."""
    small = source.precision - source.scale <= _COMPACT

    def convert(v: str) -> Converted:
        whole = f"try_cast({v} as bigint)" if small else wrapped_decimal(f"if({v} < 0, ceil({v}), floor({v}))")
        return Converted(wrapped(whole, target))

    return convert


# ---------------------------------------------------------------- to floating point and DECIMAL


def integer_to_single(_source: Any, _target: Any, _zone: str) -> Convert:
    """Rounded once. Spark's optimizer leaves out a cast to FLOAT on the way to DOUBLE, with its rounding, if nothing stands between."""
    return lambda v: Converted(f"nanvl(cast({v} as float), 0F)")


def decimal_to_floating(source: Any, target: Any, _zone: str) -> Convert:
    """Up to 18 digits are a long that Java divides; FLOAT goes through DOUBLE."""
    power = f"1{'0' * source.scale}"
    plain = not _EXACT < source.precision <= _COMPACT

    def convert(v: str) -> Converted:
        double = f"cast({v} as double)" if plain else f"(cast(cast({v} * {power}BD as bigint) as double) / {power}D)"
        return Converted(f"cast({double} as {type_text(target)})")

    return convert


def floating_to_decimal(_source: Any, target: Any, _zone: str) -> Convert:
    """By the digits that Java prints of the DOUBLE; what does not fit is NULL, but what is no number fails."""

    def convert(v: str) -> Converted:
        number = f"cast({v} as double)"
        return unless(f"(isnan({v}) or abs({number}) = cast('Infinity' as double))", f"try_cast({number} as {type_text(target)})")

    return convert


def integer_to_boolean(_source: Any, _target: Any, _zone: str) -> Convert:
    return lambda v: Converted(f"({v} <> 0)")
