"""The words of Spark's DDL: names, strings with their escapes, marks; comments are blanks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from airflow_provider_schemas.errors import FormatError


class Token(NamedTuple):
    """A word of the text. Kinds: word, name (in back-quotes), string (with its quotes), mark, open (a quote), end."""

    kind: str
    text: str
    start: int
    stop: int


_TOKEN = re.compile(
    r"""(?P<string>[rR]'[^']*' | [rR]"[^"]*" | '(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.|"")*")"""
    r"""| `(?P<name>(?:[^`]|``)*)` | (?P<word>\w+) | (?P<open>['"`]|/\*) | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"(?:\s+|--(?:\\\n|[^\r\n])*)*")  # a backslash carries a comment over the end of its line
_COMMENT = re.compile(r"/\*|\*/")


def tokens(text: str) -> Iterator[Token]:
    """The words of the text, one by one, then an end that repeats. A quote that never closes is the last word."""
    position = _after_blank(text, 0)
    while found := _TOKEN.match(text, position):
        kind = str(found.lastgroup)
        word = found[kind].replace("``", "`") if kind == "name" else found[kind]
        yield Token(kind, word, found.start(), found.end())
        if kind == "open":
            break
        position = _after_blank(text, found.end())
    while True:
        yield Token("end", "", len(text), len(text))


def _after_blank(text: str, position: int) -> int:
    """The next position that is neither blank nor in a comment; comments nest."""
    while True:
        position = _BLANK.match(text, position).end()  # type: ignore[union-attr]  # it matches nothing too
        if not text.startswith("/*", position):
            return position
        depth = 0
        for mark in _COMMENT.finditer(text, position):
            depth += 1 if mark[0] == "/*" else -1
            if depth == 0:
                break
        if depth:
            return position
        position = mark.end()


_ESCAPE = re.compile(r"""\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|.)|''|\"\"""", re.DOTALL)
_NAMED = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


def string_value(text: str) -> str:
    """The text that a string with its quotes stands for."""
    if text[0] in "rR":
        return text[2:-1]

    def replaced(found: re.Match[str]) -> str:
        word = found[1]
        if word is None:
            return text[0] if found[0][0] == text[0] else found[0]
        code = int(word[1:], 16) if word[0] in "uU" and len(word) > 1 else int(word, 8) if len(word) == 3 else -1
        return chr(code) if 0 <= code < 0x110000 else _NAMED.get(word, word)

    value = _ESCAPE.sub(replaced, text[1:-1])
    try:
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise FormatError("a string holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.") from None
