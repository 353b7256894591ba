"""The value of a scalar without quotes: by the core schema of YAML 1.2, or as Rust's serde reads it.

The two differ in numbers alone. serde accepts `0b11`, and signs before `0x`, `0o` and `0b`; to it `017` and
`1e999` are text, and `.inf` and `.nan` are numbers.
"""

import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_Integers = tuple[tuple[re.Pattern[str], int], ...]
_INTEGERS: _Integers = (
    (re.compile(r"[-+]?[0-9]+"), 10),
    (re.compile(r"0o[0-7]+"), 8),
    (re.compile(r"0x[0-9a-fA-F]+"), 16),
)
_SERDE_INTEGERS: _Integers = (
    (re.compile(r"[-+]?(?:0|[1-9][0-9]*)"), 10),
    (re.compile(r"[-+]?0o[0-7]+"), 8),
    (re.compile(r"[-+]?0x[0-9a-fA-F]+"), 16),
    (re.compile(r"[-+]?0b[01]+"), 2),
)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_DIGITS = re.compile(r"[-+]?[0-9]+")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")
_NUMERIC = frozenset("+-.0123456789")
_MAX_DIGITS = 400

Scalar = bool | int | float | str | None
YamlValue: TypeAlias = Scalar | list[Any] | dict[str, Any]


def plain_value(text: str) -> Scalar:
    """Return the value by YAML 1.2; raise ValueError for a number that Python cannot hold."""
    return _value(text, _INTEGERS, _plain_fraction)


def serde_value(text: str) -> Scalar:
    """Return the value that serde reads; raise ValueError for a number of hundreds of digits."""
    return _value(text, _SERDE_INTEGERS, _serde_fraction)


def _value(text: str, integers: _Integers, fraction: Callable[[str], Scalar]) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    number = _integer(text, integers)
    if number is None:
        return fraction(text)
    return number


def _plain_fraction(text: str) -> Scalar:
    if _INFINITE.fullmatch(text) or _NAN.fullmatch(text):
        raise ValueError(text)
    if not _FLOAT.fullmatch(text):
        return text
    number = float(_checked_length(text))
    if math.isinf(number):
        raise ValueError(text)
    return number


def _serde_fraction(text: str) -> Scalar:
    if _INFINITE.fullmatch(text) or _NAN.fullmatch(text):
        return float(text.replace(".", ""))
    if _DIGITS.fullmatch(text) or not _FLOAT.fullmatch(text):
        return text
    number = float(_checked_length(text))
    return number if math.isfinite(number) else text


def _integer(text: str, forms: _Integers) -> int | None:
    for pattern, base in forms:
        if pattern.fullmatch(text):
            return int(_checked_length(text), base)
    return None


def _checked_length(text: str) -> str:
    if len(text) > _MAX_DIGITS:
        raise ValueError(text)
    return text
