"""The words of the DDL in which ODF's older sources declare columns: names, quoted names, numbers, marks; comments are blanks."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Token(NamedTuple):
    """A word of the text. Kinds: word, name (quoted), string, number, mark, open (a quote or comment that never ends), end."""

    kind: str
    text: str
    start: int

    @property
    def upper(self) -> str:
        """The word as keywords are compared; nothing that was quoted is one."""
        return self.text.upper() if self.kind in ("word", "mark") else ""


_TOKEN = re.compile(
    r"""(?P<blank>\s+|--[^\n]*\n?)|(?P<comment>/\*)|"(?P<double>(?:[^"]|"")*)"|`(?P<back>(?:[^`]|``)*)`|'(?P<string>(?:[^']|'')*)'"""
    r"""|(?P<word>[^\W\d]\w*|[_#@][\w#@$]*)|(?P<number>[0-9]+)|(?P<open>["'`])|(?P<mark>.)""",
    re.DOTALL,
)
_COMMENT = re.compile(r"/\*|\*/")
_QUOTES = {"double": '"', "back": "`"}


def tokens(text: str) -> Iterator[Token]:
    """The words of the text, then an end that repeats. What never closes is the last word."""
    position = 0
    while found := _TOKEN.match(text, position):
        kind, start, position = str(found.lastgroup), position, found.end()
        if kind == "comment":
            position = _after_comment(text, start)
            if position > len(text):
                yield Token("open", "/*", start)
                break
        elif kind != "blank":
            yield _token(kind, found, start)
        if kind == "open":
            break
    while True:
        yield Token("end", "", len(text))


def _token(kind: str, found: re.Match[str], start: int) -> Token:
    quote = _QUOTES.get(kind)
    return Token(kind, found[kind], start) if quote is None else Token("name", found[kind].replace(quote * 2, quote), start)


def _after_comment(text: str, start: int) -> int:
    """The place after a comment, which may hold others; beyond the end, if it never closes."""
    depth = 0
    for mark in _COMMENT.finditer(text, start):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text) + 1
