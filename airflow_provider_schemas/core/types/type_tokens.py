"""The tokens of SQL text: numbers, quoted texts, marks, words and keywords."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class TypeToken(NamedTuple):
    """A token of the text. Kinds: int, string, name (in back-quotes), mark, word, key (a keyword), open (a quote), end."""

    kind: str
    text: str
    start: int
    stop: int


_TOKEN = re.compile(
    r"""\s*(?:(?P<int>[0-9]+) | '(?P<string>(?:[^']|'')*)' | `(?P<name>(?:[^`]|``)*)` | (?P<mark>[<>(),.])
        | (?P<word>[^\s<>(),.'`0-9][^\s<>(),.]*) | (?P<open>['`]))""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(
    "CHAR VARCHAR STRING BOOLEAN BINARY VARBINARY BYTES DECIMAL NUMERIC DEC TINYINT SMALLINT INT INTEGER BIGINT FLOAT DOUBLE"
    " PRECISION DATE TIME WITH WITHOUT LOCAL ZONE TIMESTAMP TIMESTAMP_LTZ INTERVAL YEAR MONTH DAY HOUR MINUTE SECOND TO ARRAY"
    " VECTOR MULTISET MAP ROW NULL RAW LEGACY VARIANT BLOB GEOMETRY GEOGRAPHY OPAQUE NOT".split()
)
_DOUBLED = {"string": "'", "name": "`"}


def tokens(text: str) -> Iterator[TypeToken]:
    """Yield the tokens of the text, then an end that repeats."""
    position = 0
    while match := _TOKEN.match(text, position):
        kind = str(match.lastgroup)
        word = match[kind]
        start = match.start(kind)
        position = match.end()
        if kind in _DOUBLED:
            start -= 1
            word = word.replace(_DOUBLED[kind] * 2, _DOUBLED[kind])
        elif kind == "word" and word.upper() in _KEYWORDS:
            kind = "key"
            word = word.upper()
        yield TypeToken(kind, word, start, position)
    while True:
        yield TypeToken("end", "", len(text), len(text))
