"""How text is written, in two styles: ours, which every reader understands, and that of Rust's serde.

Ours quotes what a reader of YAML 1.1 would take for something else; serde's quotes only what serde itself would.
"""

import re
from collections.abc import Callable
from functools import lru_cache

import yaml
from msgspec import Struct

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.yaml.dialect import MAX_DEPTH
from airflow_provider_schemas.formats.yaml.scalars import Scalar, plain_value, serde_value

_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_SERDE_ESCAPES = _ESCAPES | dict(zip("\0\a\b\v\f\x1b\x85\u2028\u2029", ["\\" + one for one in "0abvfeNLP"], strict=True))
_OLD_WORDS = yaml.SafeLoader.yaml_implicit_resolvers
# Text to serde, which quotes it all the same.
_ZEROS = re.compile(r"[-+]?0[0-9]+")
_INDICATORS = frozenset("#,[]{}&*!|>'\"%@`")
_UNPRINTABLE = frozenset("\x7f\x85\u2028\u2029\ufeff\ufffe\uffff")


class Style(Struct, frozen=True):
    """How values are written."""

    one_line: Callable[[str], str]
    """A text on one line, in quotes if it needs them."""
    block: Callable[[str], str | None]
    """The head of a text that is written line by line; None if it is not."""
    fraction: Callable[[float], str]
    list_indent: int = 2
    """How far lists under a key are moved in."""
    depth: int = MAX_DEPTH
    longest_key: int | None = None
    """Longer keys, in bytes, stand on a line of their own, after a question mark. None: they are refused."""


# ---------------------------------------------------------------- ours


def _own_line(text: str) -> str:
    if _is_bare(text):
        return text
    if text.isprintable():
        return _single(text)
    return '"' + "".join(_ESCAPES.get(char) or (char if char.isprintable() else _escape(char)) for char in text) + '"'


def _single(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _escape(char: str) -> str:
    code = ord(char)
    if 0xD800 <= code < 0xE000:
        raise FormatError("a text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _is_bare(text: str) -> bool:
    """Whether the text needs no quotes: nothing in it means anything, to readers of YAML 1.2 or of 1.1."""
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
    """The head, if the text reads well, and safely, line by line."""
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
        return '"' + "".join(_SERDE_ESCAPES.get(char) or (char if _is_printable(char) else _escape(char)) for char in text) + '"'
    bare = _is_plain(text) and _value_or_bad(serde_value, text) == text and not _ZEROS.fullmatch(text)
    return text if bare else _single(text)


def _is_printable(char: str) -> bool:
    if " " <= char <= "~":
        return True
    return char >= "\xa0" and char not in _UNPRINTABLE and not "\ud800" <= char <= "\udfff"


def _is_plain(text: str) -> bool:
    """Whether nothing in the text is an indicator where it stands."""
    if not text or text[0] in _INDICATORS or text[0] == " " or text[-1] in " :":
        return False
    if text.startswith(("---", "...", "- ", "? ", ": ")) or text in ("-", "?"):
        return False
    return ": " not in text and " #" not in text


def _serde_block(text: str) -> str | None:
    """The head of every text of several lines, but for those that block style cannot hold."""
    if "\n" not in text or text.endswith(" ") or " \n" in text or not all(char == "\n" or _is_printable(char) for char in text):
        return None
    hint = "2" if text[0] in " \n" else ""
    if not text.endswith("\n"):
        return f"|{hint}-"
    return f"|{hint}+" if text[:-1].endswith("\n") or text == "\n" else f"|{hint}"


def serde_style(fraction: Callable[[float], str]) -> Style:
    """The style of serde, given how fractions are written."""
    return Style(_serde_line, _serde_block, fraction, list_indent=0, depth=320, longest_key=128)
