"""The words of the DDL in which ODF's older sources declare columns: names, quoted names, numbers, marks. Comments count as blanks."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class DdlToken(NamedTuple):
    """A word of the text. Kinds: word, name (quoted), string, number, mark, open (a quote or comment that never ends), end."""

    kind: str
    text: str
    start: int

    @property
    def upper(self) -> str:
        """Return the word in capital letters, to compare it with keywords; empty for a quoted text, which never is one."""
        if self.kind not in ("word", "mark"):
            return ""
        return self.text.upper()


_TOKEN = re.compile(
    r"""(?P<blank>\s+|--[^\n]*\n?)|(?P<comment>/\*)|"(?P<double>(?:[^"]|"")*)"|`(?P<back>(?:[^`]|``)*)`|'(?P<string>(?:[^']|'')*)'"""
    r"""|(?P<word>[^\W\d]\w*|[_#@][\w#@$]*)|(?P<number>[0-9]+)|(?P<open>["'`])|(?P<mark>.)""",
    re.DOTALL,
)
_COMMENT = re.compile(r"/\*|\*/")
_QUOTES = {"double": '"', "back": "`"}


def tokens(text: str) -> Iterator[DdlToken]:
    """Yield the words of the text, then an end that repeats. A quote or comment that never closes is the last word."""
    position = 0
    while match := _TOKEN.match(text, position):
        kind = str(match.lastgroup)
        start = position
        position = match.end()
        if kind == "comment":
            position = _after_comment(text, start)
            if position > len(text):
                yield DdlToken("open", "/*", start)
                break
        elif kind != "blank":
            yield _token(kind, match[kind], start)
        if kind == "open":
            break
    while True:
        yield DdlToken("end", "", len(text))


def _token(kind: str, text: str, start: int) -> DdlToken:
    if kind in _QUOTES:
        quote = _QUOTES[kind]
        return DdlToken("name", text.replace(quote * 2, quote), start)
    return DdlToken(kind, text, start)


def _after_comment(text: str, start: int) -> int:
    """Return the place after a comment, which may hold others; beyond the end, if it never closes."""
    depth = 0
    for mark in _COMMENT.finditer(text, start):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text) + 1
