"""The tokens of Spark's DDL: words, names, strings with their escapes, marks; comments are blanks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from airflow_provider_schemas.errors import FormatError


class SparkToken(NamedTuple):
    """A token of the text. Kinds: word, name (in back-quotes), string (with its quotes), mark, open (a quote), end."""

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


def tokens(text: str) -> Iterator[SparkToken]:
    """Yield the tokens of the text, then an end that repeats. A quote that never closes is the last token before the end."""
    position = _after_blank(text, 0)
    while match := _TOKEN.match(text, position):
        kind = str(match.lastgroup)
        token_text = match[kind]
        if kind == "name":
            token_text = token_text.replace("``", "`")
        yield SparkToken(kind, token_text, match.start(), match.end())
        if kind == "open":
            break
        position = _after_blank(text, match.end())
    while True:
        yield SparkToken("end", "", len(text), len(text))


def _after_blank(text: str, position: int) -> int:
    """Return the next position that is neither blank nor in a comment; comments nest."""
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
    """Return the value of a string that is written with its quotes."""
    if text[0] in "rR":
        return text[2:-1]
    value = _ESCAPE.sub(lambda match: _unescaped(match, text[0]), text[1:-1])
    if value.isascii():
        return value
    try:
        return value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise FormatError("a string holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.") from None


def _unescaped(match: re.Match[str], quote: str) -> str:
    """Return the text of an escape, or of two quotes side by side."""
    escape = match[1]
    if escape is None:
        return quote if match[0][0] == quote else match[0]
    code = _code_point(escape)
    if code is not None and code < 0x110000:
        return chr(code)
    return _NAMED.get(escape, escape)


def _code_point(escape: str) -> int | None:
    """Return the number in an escape, which is hexadecimal behind a u, or three octal digits; None if it has no number."""
    if escape[0] in "uU" and len(escape) > 1:
        return int(escape[1:], 16)
    if len(escape) == 3:
        return int(escape, 8)
    return None
