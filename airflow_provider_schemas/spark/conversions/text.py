"""Conversions to and from text and bytes as SQL, by the rules of the Java parsers and printers.

A text is looked at by a pattern first, which lets through what Java reads and nothing else; only then Spark reads it,
whose own ideas of numbers are wider.
"""

from typing import Any, Final

from airflow_provider_schemas.core.casts.numeric import MAX_PADDING
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.spark.conversions.conversion import Convert, Converted, or_fails, unchanged, unless, usual
from airflow_provider_schemas.spark.sql import literal, type_text

# What Java's trim() takes off, and the end of the text: a dollar sign would let a line break follow.
BLANKS: Final = "[\x01-\x20\x00]*+"
_END: Final = "(?!.)"


def fits(v: str, pattern: str) -> str:
    """Whether the whole text is of the pattern."""
    return f"({v} rlike {literal(f'(?s)^{pattern}{_END}')})"


# ---------------------------------------------------------------- to text


def fitted(text: str, target: Any) -> Converted:
    """Cut to the length of the target, and CHAR padded with blanks."""
    length = target.length
    if target.root is Root.CHAR:
        return _padded(text, length, "' '")
    return Converted(text if length == MAX_LENGTH else f"substring({text}, 1, {length})")


def _padded(value: str, length: int, filling: str) -> Converted:
    """Cut or padded to the length, unless that is out of all reason."""
    if length <= MAX_PADDING:
        return Converted(f"rpad({value}, {length}, {filling})")
    fails = f"({length}L - length({value}) > {MAX_PADDING}L)"
    return unless(fails, f"rpad({value}, {length}, {filling})")


def printed(_source: Any, target: Any, _zone: str) -> Convert:
    """BOOLEAN and numbers, which Spark prints as Java does; DECIMAL would get an exponent by a plain cast."""
    return lambda v: fitted(f"try_cast({v} as string)", target)


def text_to_text(source: Any, target: Any, _zone: str) -> Convert:
    return unchanged if _holds(source, target) else lambda v: fitted(v, target)


def _holds(source: Any, target: Any) -> bool:
    """Whether each valid value fits as it is: filters reach the file past what is not touched.

    Java would cut here what is longer than its own type says, in a file that should not be.
    """
    return target.root in (Root.VARCHAR, Root.VARBINARY) and source.length <= target.length


def bytes_to_text(_source: Any, _target: Any, _zone: str) -> Convert:
    """What is no UTF-8 becomes question marks in diamonds. Never cut or padded: Java does not do it here."""
    return lambda v: Converted(f"make_valid_utf8(cast({v} as string))")


# ---------------------------------------------------------------- to bytes


def bytes_to_bytes(source: Any, target: Any, _zone: str) -> Convert:
    return unchanged if _holds(source, target) else lambda v: _fitted_bytes(v, target)


def text_to_bytes(_source: Any, target: Any, _zone: str) -> Convert:
    return lambda v: _fitted_bytes(f"cast({v} as binary)", target)


def _fitted_bytes(v: str, target: Any) -> Converted:
    if target.root is Root.BINARY:
        return _padded(v, target.length, "X'00'")
    return Converted(v if target.length == MAX_LENGTH else f"substring({v}, 1, {target.length})")


# ---------------------------------------------------------------- from text

_TRUE: Final = "'t', 'true', 'y', 'yes', '1'"
_FALSE: Final = "'f', 'false', 'n', 'no', '0'"


def text_to_boolean(_source: Any, _target: Any, _zone: str) -> Convert:
    """One of ten words in any case, and nothing around it."""
    return lambda v: or_fails(v, f"case when lower({v}) in ({_TRUE}) then true when lower({v}) in ({_FALSE}) then false end")


_INTEGER: Final = "[+-]?(?=.)[0-9]*+([.][0-9]*+)?"


def text_to_integer(_source: Any, target: Any, _zone: str) -> Convert:
    """Digits with or without a sign; those behind a point are checked, then dropped."""

    def convert(v: str) -> Converted:
        whole = f"substring_index({v}, '.', 1)"
        digits = f"if({whole} in ('', '+', '-'), '0', {whole})"
        rest = f"if({fits(v, _INTEGER)}, try_cast({digits} as {type_text(target)}), null)"
        return or_fails(v, usual(v, type_text(target), rest))

    return convert


_DECIMAL_DIGITS: Final = "([0-9]++([.][0-9]*+)?|[.][0-9]++)"
_FLOATING: Final = f"(NaN|Infinity|{_DECIMAL_DIGITS}([eE][+-]?[0-9]++)?[fFdD]?)"
_HEXADECIMAL: Final = "(0[xX]([0-9a-fA-F]++[.]?|[0-9a-fA-F]*+[.][0-9a-fA-F]++)[pP][+-]?[0-9]++[fFdD]?)"


def text_to_floating(_source: Any, target: Any, _zone: str) -> Convert:
    """As the JDK reads it, blanks around it and all."""
    pattern = f"{BLANKS}[+-]?({_FLOATING}|{_HEXADECIMAL}){BLANKS}"
    return lambda v: or_fails(v, f"if({fits(v, pattern)}, try_cast({v} as {type_text(target)}), null)")


_DIGIT: Final = r"[\p{Nd}&&[^\x{10000}-\x{10FFFF}]]"
_POWER: Final = rf"[eE][+-]?{_DIGIT}++"
_DECIMAL: Final = rf"[+-]?({_DIGIT}++([.]{_DIGIT}*+)?|[.]{_DIGIT}++)({_POWER})?"
# So many digits of an exponent that the number is nothing or too large, and reading it could take all memory.
_VAST: Final = literal(r"[eE][+-]?0*[1-9][0-9]{5,}\z")
_BEFORE_POWER: Final = literal(r"^[^eE]*")
_BEHIND_POWER: Final = literal(r"[eE](.*)$")
_BEHIND_POINT: Final = literal(r"[.]([^eE]*)")
_SOMETHING: Final = literal(r"[\p{Nd}&&[^0]]")


def text_to_decimal(_source: Any, target: Any, _zone: str) -> Convert:
    """As the JDK reads it, digits of any script; rounded half up, and what does not fit is NULL, which is no failure."""
    kind = type_text(target)

    def convert(v: str) -> Converted:
        power = f"try_cast(regexp_extract({v}, {_BEHIND_POWER}, 1) as bigint)"
        scale = f"(length(regexp_extract({v}, {_BEHIND_POINT}, 1)) - {power})"
        # Exponent and scale are 32 bits to Java.
        readable = f"coalesce({power} < 2147483648L and {scale} between -2147483648L and 2147483647L, false)"
        nothing = f"({power} < 0 or not regexp_extract({v}, {_BEFORE_POWER}, 0) rlike {_SOMETHING})"
        vast = f"({v} rlike {_VAST})"
        fails = f"(not {fits(v, _DECIMAL)} or ({vast} and not {readable}))"
        value = f"if({vast}, if({nothing}, cast(0 as {kind}), null), try_cast({v} as {kind}))"
        return Converted(
            usual(v, kind, f"if({fails}, null, {value})", plain=f"{v} not like '%e%' and {v} not like '%E%'"),
            lambda new: f"({new} is null and {fails})",
        )

    return convert
