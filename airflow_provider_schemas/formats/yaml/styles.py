"""How text is written, in two styles: ours, which every reader understands, and that of Rust's serde.

Ours quotes text that a reader of YAML 1.1 would misread; serde's quotes only the text that serde itself would misread.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import yaml
from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.yaml.dialect import MAX_DEPTH
from airflow_provider_schemas.formats.yaml.scalars import Scalar, plain_value, serde_value

_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_SERDE_ESCAPES = _ESCAPES | dict(zip("\0\a\b\v\f\x1b\x85\u2028\u2029", ["\\" + letter for letter in "0abvfeNLP"], strict=True))
_OLD_WORDS = yaml.SafeLoader.yaml_implicit_resolvers
# serde reads these as text, and quotes them nevertheless.
_ZEROS = re.compile(r"[-+]?0[0-9]+")
_INDICATORS = frozenset("#,[]{}&*!|>'\"%@`")
_UNPRINTABLE = frozenset("\x7f\x85\u2028\u2029\ufeff\ufffe\uffff")


class Style(Struct, frozen=True):
    """How values are written."""

    one_line: Callable[[str], str]
    """Returns a text on one line, in quotes if it needs them."""
    block: Callable[[str], str | None]
    """Returns the head of a text that is written line by line; None for a text on one line."""
    fraction: Callable[[float], str]
    list_indent: int = 2
    """How far lists under a key are indented."""
    depth: int = MAX_DEPTH
    longest_key: int | None = None
    """Longer keys, in bytes, get a line of their own, after a question mark. None: they are refused."""


# ---------------------------------------------------------------- ours


def _own_line(text: str) -> str:
    if _is_bare(text):
        return text
    if text.isprintable():
        return _in_single_quotes(text)
    return _in_double_quotes(text, _ESCAPES, str.isprintable)


def _in_single_quotes(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _in_double_quotes(text: str, escapes: Mapping[str, str], is_printable: Callable[[str], bool]) -> str:
    return '"' + "".join(escapes.get(char) or (char if is_printable(char) else _escape(char)) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    if 0xD800 <= code < 0xE000:
        raise FormatError("a text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")
    if code < 0x100:
        return f"\\x{code:02X}"
    if code < 0x10000:
        return f"\\u{code:04X}"
    return f"\\U{code:08X}"


def _is_bare(text: str) -> bool:
    """Return whether the text needs no quotes: readers of YAML 1.2 and of 1.1 see plain text."""
    if not text or not text.isprintable() or not (text[0].isalnum() or text[0] in "_(/$+<") or text[-1] in " :":
        return False
    if ": " in text or " #" in text or _value_or_bad(plain_value, text) != text:
        return False
    return not any(pattern.match(text) for _, pattern in _OLD_WORDS.get(text[0], []))


def _value_or_bad(value_of: Callable[[str], Scalar], text: str) -> Scalar:
    try:
        return value_of(text)
    except ValueError:
        return None


def _own_block(text: str) -> str | None:
    """Return the head of a block, if the text is readable, and safe, line by line."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 2 or not lines[0] or not lines[-1] or lines[0][0] == " ":
        return None
    if not all(line.isprintable() and not line.endswith(" ") for line in lines):
        return None
    return "|" if text.endswith("\n") else "|-"


def _own_fraction(value: float) -> str:
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


OWN = Style(_own_line, _own_block, _own_fraction)

# ---------------------------------------------------------------- serde's


@lru_cache(4_096)
def _serde_line(text: str) -> str:
    if not all(map(_is_printable, text)):
        return _in_double_quotes(text, _SERDE_ESCAPES, _is_printable)
    if _is_plain(text) and _value_or_bad(serde_value, text) == text and not _ZEROS.fullmatch(text):
        return text
    return _in_single_quotes(text)


def _is_printable(char: str) -> bool:
    if " " <= char <= "~":
        return True
    return char >= "\xa0" and char not in _UNPRINTABLE and not "\ud800" <= char <= "\udfff"


def _is_plain(text: str) -> bool:
    """Return whether nothing in the text is an indicator at its place."""
    if not text or text[0] in _INDICATORS or text[0] == " " or text[-1] in " :":
        return False
    if text.startswith(("---", "...", "- ", "? ", ": ")) or text in ("-", "?"):
        return False
    return ": " not in text and " #" not in text


def _serde_block(text: str) -> str | None:
    """Return the head of a block for every text of several lines that block style can hold."""
    if "\n" not in text or text.endswith(" ") or " \n" in text or not all(char == "\n" or _is_printable(char) for char in text):
        return None
    hint = "2" if text[0] in " \n" else ""
    if not text.endswith("\n"):
        return f"|{hint}-"
    if text == "\n" or text.endswith("\n\n"):
        return f"|{hint}+"
    return f"|{hint}"


def serde_style(fraction: Callable[[float], str]) -> Style:
    """Return the style of serde with this way to write fractions."""
    return Style(_serde_line, _serde_block, fraction, list_indent=0, depth=320, longest_key=128)
