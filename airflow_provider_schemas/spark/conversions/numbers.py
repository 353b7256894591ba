"""Conversions among BOOLEAN and the numbers as SQL, with the answers of Java's own arithmetic.

None leans on what a plain cast of Spark does with a number that does not fit: the session's settings say whether that
is an error. Numbers are brought into range first.
"""

from typing import Final, NamedTuple

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.spark.conversions.conversion import Atom, Convert, Converted, bind, fail_where
from airflow_provider_schemas.spark.sql import type_text

_SPAN_64: Final = "cast('18446744073709551616' as decimal(38, 0))"
_HALF_64: Final = "cast('9223372036854775808' as decimal(38, 0))"

# Paimon keeps decimals of so many digits as a long, and a DOUBLE holds each number of so many.
_COMPACT: Final = 18
_EXACT: Final = 15


class _Range(NamedTuple):
    """The numbers of a width, as SQL."""

    type: str
    least: str
    most: str
    beyond: str
    """The first number behind the range, as a DOUBLE."""


_RANGES: Final = {
    32: _Range("int", "cast(-2147483648L as int)", "2147483647", "2147483648D"),
    64: _Range("bigint", "(-9223372036854775807L - 1L)", "9223372036854775807L", "9223372036854775808D"),
}
_LEAST_BITS: Final = min(_RANGES)
_MOST_BITS: Final = max(_RANGES)


def wrap(number: str, target: Atom) -> str:
    """Write the low bits of a BIGINT, as a signed number of the target's width."""
    bits = BITS[target.root]
    if bits == _MOST_BITS:
        return number
    half = 1 << bits - 1
    return f"cast((({number} & {2 * half - 1}L) ^ {half}L) - {half}L as {type_text(target)})"


def wrap_decimal(number: str) -> str:
    """Write the low 64 bits of a DECIMAL without digits behind the point, as a BIGINT."""
    low = f"pmod(cast({number} as decimal(38, 0)), {_SPAN_64})"
    return bind(low, lambda bits: f"try_cast(if({bits} >= {_HALF_64}, {bits} - {_SPAN_64}, {bits}) as bigint)")


# ---------------------------------------------------------------- to integers


def integer_to_integer(source: Atom, target: Atom, _zone: str) -> Convert:
    """Keep the low bits."""
    if BITS[target.root] >= BITS[source.root]:
        return lambda value: Converted(f"cast({value} as {type_text(target)})")
    return lambda value: Converted(wrap(f"cast({value} as bigint)", target))


def floating_to_integer(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Cut towards zero, and stop at the ends; small types go through 32 bits and wrap."""
    bits = max(BITS[target.root], _LEAST_BITS)
    ends = _RANGES[bits]

    def convert(value: str) -> Converted:
        number = f"cast({value} as double)"
        too_large = f"when {number} >= {ends.beyond} then {ends.most}"
        too_small = f"when {number} <= -{ends.beyond} then {ends.least}"
        limited = f"when isnan({value}) then 0 {too_large} {too_small}"
        whole = f"(case when {value} is null then null {limited} else try_cast({number} as {ends.type}) end)"
        if bits == BITS[target.root]:
            return Converted(whole)
        return Converted(wrap(f"cast({whole} as bigint)", target))

    return convert


def decimal_to_integer(source: Atom, target: Atom, _zone: str) -> Convert:
    """Drop the fraction, and keep the low bits."""
    is_small = source.precision - source.scale <= _COMPACT

    def convert(value: str) -> Converted:
        if is_small:
            return Converted(wrap(f"try_cast({value} as bigint)", target))
        return Converted(wrap(wrap_decimal(f"if({value} < 0, ceil({value}), floor({value}))"), target))

    return convert


# ---------------------------------------------------------------- to floating point and DECIMAL


def integer_to_single(_source: Atom, _target: Atom, _zone: str) -> Convert:
    """Round once. Spark's optimizer leaves out a cast to FLOAT on the way to DOUBLE, with its rounding, if nothing stands between."""
    return lambda value: Converted(f"nanvl(cast({value} as float), 0F)")


def decimal_to_floating(source: Atom, target: Atom, _zone: str) -> Convert:
    """Divide a long of up to 18 digits, as Java does; FLOAT goes through DOUBLE."""
    power = f"1{'0' * source.scale}"
    is_divided = _EXACT < source.precision <= _COMPACT

    def convert(value: str) -> Converted:
        double = f"cast({value} as double)"
        if is_divided:
            double = f"(cast(cast({value} * {power}BD as bigint) as double) / {power}D)"
        return Converted(f"cast({double} as {type_text(target)})")

    return convert


def floating_to_decimal(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Take the digits that Java prints of the DOUBLE; what does not fit is NULL, but what is no number fails."""

    def convert(value: str) -> Converted:
        number = f"cast({value} as double)"
        fails = f"(isnan({value}) or abs({number}) = cast('Infinity' as double))"
        return fail_where(fails, f"try_cast({number} as {type_text(target)})")

    return convert


def integer_to_boolean(_source: Atom, _target: Atom, _zone: str) -> Convert:
    """Take every number but zero for true."""
    return lambda value: Converted(f"({value} <> 0)")
