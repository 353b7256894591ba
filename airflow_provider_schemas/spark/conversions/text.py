"""Conversions to and from text and bytes as SQL, by the rules of the Java parsers and printers.

A text is looked at by a pattern first, which lets through what Java reads and nothing else; only then Spark reads it,
whose own ideas of numbers are wider.
"""

from typing import Final

from airflow_provider_schemas.core.casts.numeric import MAX_PADDING
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.spark.conversions.conversion import (
    Atom,
    Convert,
    Converted,
    fail_where,
    fail_where_null,
    read_plainly,
    unchanged,
)
from airflow_provider_schemas.spark.sql import literal, type_text

# What Java's trim() takes off, and the end of the text: a dollar sign would let a line break follow.
BLANKS: Final = "[\x01-\x20\x00]*+"
_END: Final = "(?!.)"


def matches(value: str, pattern: str) -> str:
    """Write whether the whole text is of the pattern."""
    return f"({value} rlike {literal(f'(?s)^{pattern}{_END}')})"


# ---------------------------------------------------------------- to text


def _fit_text(text: str, target: Atom) -> Converted:
    """Cut a text to the length of the target; pad a CHAR with blanks."""
    if target.root is Root.CHAR:
        return _pad(text, target.length, "' '")
    return _cut(text, target)


def _cut(value: str, target: Atom) -> Converted:
    if target.length == MAX_LENGTH:
        return Converted(value)
    return Converted(f"substring({value}, 1, {target.length})")


def _pad(value: str, length: int, filling: str) -> Converted:
    """Cut or pad to the length, unless that is out of all reason."""
    padded = f"rpad({value}, {length}, {filling})"
    if length <= MAX_PADDING:
        return Converted(padded)
    return fail_where(f"({length}L - length({value}) > {MAX_PADDING}L)", padded)


def number_to_text(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Print BOOLEAN and numbers, which Spark does as Java does; DECIMAL would get an exponent by a plain cast."""
    return lambda value: _fit_text(f"try_cast({value} as string)", target)


def text_to_text(source: Atom, target: Atom, _zone: str) -> Convert:
    """Cut or pad a text, unless every text fits."""
    if _always_fits(source, target):
        return unchanged
    return lambda value: _fit_text(value, target)


def _always_fits(source: Atom, target: Atom) -> bool:
    """Return whether each valid value fits as it is: filters reach the file past what is not touched.

    Java would cut here what is longer than its own type says, in a file that should not be.
    """
    return target.root in (Root.VARCHAR, Root.VARBINARY) and source.length <= target.length


def bytes_to_text(_source: Atom, _target: Atom, _zone: str) -> Convert:
    """Read bytes as UTF-8, with question marks in diamonds for others. Never cut or padded: Java does not do it here."""
    return lambda value: Converted(f"make_valid_utf8(cast({value} as string))")


# ---------------------------------------------------------------- to bytes


def bytes_to_bytes(source: Atom, target: Atom, _zone: str) -> Convert:
    """Cut or pad bytes, unless they always fit."""
    if _always_fits(source, target):
        return unchanged
    return lambda value: _fit_bytes(value, target)


def text_to_bytes(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Write a text as UTF-8, cut or padded."""
    return lambda value: _fit_bytes(f"cast({value} as binary)", target)


def _fit_bytes(value: str, target: Atom) -> Converted:
    """Cut bytes to the length of the target; pad a BINARY with zeros."""
    if target.root is Root.BINARY:
        return _pad(value, target.length, "X'00'")
    return _cut(value, target)


# ---------------------------------------------------------------- from text

_TRUE: Final = "'t', 'true', 'y', 'yes', '1'"
_FALSE: Final = "'f', 'false', 'n', 'no', '0'"


def text_to_boolean(_source: Atom, _target: Atom, _zone: str) -> Convert:
    """Read one of ten words in any case, with nothing around it."""

    def convert(value: str) -> Converted:
        word = f"lower({value})"
        return fail_where_null(value, f"case when {word} in ({_TRUE}) then true when {word} in ({_FALSE}) then false end")

    return convert


_INTEGER: Final = "[+-]?(?=.)[0-9]*+([.][0-9]*+)?"


def text_to_integer(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Read digits with or without a sign; those behind a point are checked, then dropped."""
    spark_type = type_text(target)

    def convert(value: str) -> Converted:
        whole = f"substring_index({value}, '.', 1)"
        digits = f"if({whole} in ('', '+', '-'), '0', {whole})"
        otherwise = f"if({matches(value, _INTEGER)}, try_cast({digits} as {spark_type}), null)"
        return fail_where_null(value, read_plainly(value, spark_type, otherwise))

    return convert


_DECIMAL_DIGITS: Final = "([0-9]++([.][0-9]*+)?|[.][0-9]++)"
_FLOATING: Final = f"(NaN|Infinity|{_DECIMAL_DIGITS}([eE][+-]?[0-9]++)?[fFdD]?)"
_HEXADECIMAL: Final = "(0[xX]([0-9a-fA-F]++[.]?|[0-9a-fA-F]*+[.][0-9a-fA-F]++)[pP][+-]?[0-9]++[fFdD]?)"


def text_to_floating(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Read a number as the JDK does, with blanks around it."""
    pattern = f"{BLANKS}[+-]?({_FLOATING}|{_HEXADECIMAL}){BLANKS}"

    def convert(value: str) -> Converted:
        return fail_where_null(value, f"if({matches(value, pattern)}, try_cast({value} as {type_text(target)}), null)")

    return convert


_DIGIT: Final = r"[\p{Nd}&&[^\x{10000}-\x{10FFFF}]]"
_POWER: Final = rf"[eE][+-]?{_DIGIT}++"
_DECIMAL: Final = rf"[+-]?({_DIGIT}++([.]{_DIGIT}*+)?|[.]{_DIGIT}++)({_POWER})?"
# So many digits of an exponent that the number is nothing or too large, and reading it could take all memory.
_VAST: Final = literal(r"[eE][+-]?0*[1-9][0-9]{5,}\z")
_BEFORE_POWER: Final = literal(r"^[^eE]*")
_BEHIND_POWER: Final = literal(r"[eE](.*)$")
_BEHIND_POINT: Final = literal(r"[.]([^eE]*)")
_SOMETHING: Final = literal(r"[\p{Nd}&&[^0]]")


def text_to_decimal(_source: Atom, target: Atom, _zone: str) -> Convert:
    """Read a number as the JDK does, in digits of any script; rounded half up. What does not fit is NULL, which is no failure."""
    spark_type = type_text(target)

    def convert(value: str) -> Converted:
        power = f"try_cast(regexp_extract({value}, {_BEHIND_POWER}, 1) as bigint)"
        scale = f"(length(regexp_extract({value}, {_BEHIND_POINT}, 1)) - {power})"
        # Exponent and scale are 32 bits to Java.
        is_readable = f"coalesce({power} < 2147483648L and {scale} between -2147483648L and 2147483647L, false)"
        is_zero = f"({power} < 0 or not regexp_extract({value}, {_BEFORE_POWER}, 0) rlike {_SOMETHING})"
        is_vast = f"({value} rlike {_VAST})"
        fails = f"(not {matches(value, _DECIMAL)} or ({is_vast} and not {is_readable}))"
        number = f"if({is_vast}, if({is_zero}, cast(0 as {spark_type}), null), try_cast({value} as {spark_type}))"
        is_plain = f"{value} not like '%e%' and {value} not like '%E%'"
        return Converted(
            read_plainly(value, spark_type, f"if({fails}, null, {number})", is_plain=is_plain),
            lambda new: f"({new} is null and {fails})",
        )

    return convert
