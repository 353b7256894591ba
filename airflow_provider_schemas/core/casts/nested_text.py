"""The texts of ARRAY, MAP and ROW values, taken apart: [a, b], {k -> v} and {a, b}.

ARRAY(a, b), MAP(k, v, ...) and STRUCT(a, b) mean the same, in any case. Such texts are defaults of
columns. They are split at commas outside of brackets and double quotes; each piece is read by the type
of the element.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from airflow_provider_schemas.core.casts.number_text import BLANKS, fault
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import CastError

# A default is a line or two; every level of nesting is read again, so a long text would take long.
MAX_LENGTH = 100_000


class _Form(NamedTuple):
    """How the text of a container is written."""

    brackets: str
    word: str
    example: str


_FORMS = {
    Root.ARRAY: _Form("[]", "ARRAY", "[a, b] or ARRAY(a, b)"),
    Root.MAP: _Form("{}", "MAP", "{k -> v} or MAP(k, v)"),
    Root.ROW: _Form("{}", "STRUCT", "{a, b} or STRUCT(a, b) with a value for each field"),
}

_MARKS = re.compile(r'\\.|["\[\](){},]', re.DOTALL)
_STEPS = {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}


def refused(text: str, root: Root, why: str = "") -> CastError:
    """Return the error for a text that is no value of this kind of container."""
    form = _FORMS[root]
    return fault(text, f"{form.word}{why}", "cast.complex-syntax", f"Write it as {form.example}.")


def elements(text: str, root: Root) -> list[str | None] | None:
    """Return the texts of the elements of an ARRAY, or of the fields of a ROW; None is null."""
    inner, _ = _text_inside(text, root)
    if inner is None:
        return None
    return [_text_or_null(piece) for piece in _pieces(inner)]


def entries(text: str) -> list[tuple[str | None, str | None]] | None:
    """Return the texts of the keys and values of a MAP."""
    inner, bracketed = _text_inside(text, Root.MAP)
    if inner is None:
        return None
    pieces = list(_pieces(inner))
    if bracketed:
        pairs = [_split_entry(piece, text) for piece in pieces]
    elif len(pieces) % 2:
        raise refused(text, Root.MAP, ", for the last key has no value")
    else:
        pairs = list(zip(pieces[::2], pieces[1::2], strict=True))
    return [(_text_or_null(key), _text_or_null(value)) for key, value in pairs]


def _text_inside(text: str, root: Root) -> tuple[str | None, bool]:
    """Return the text inside the brackets, None for null; and whether they are brackets alone, without a word."""
    if len(text) > MAX_LENGTH:
        raise refused(text, root, f" to be read, it has more than {MAX_LENGTH} characters")
    trimmed = text.strip(BLANKS)
    form = _FORMS[root]
    if trimmed == "null":
        return None, True
    if len(trimmed) > 1 and trimmed[0] + trimmed[-1] == form.brackets:
        return trimmed[1:-1], True
    arguments = trimmed[len(form.word) :].lstrip(BLANKS)
    if trimmed[: len(form.word)].upper() != form.word or arguments[:1] != "(" or arguments[-1:] != ")":
        raise refused(text, root)
    return arguments[1:-1], False


def _pieces(text: str) -> Iterator[str]:
    """Yield the pieces between commas outside of brackets and quotes, without those that are empty."""
    if not text.strip(BLANKS):
        return
    depth = 0
    quoted = False
    start = 0
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark == '"':
            quoted = not quoted
        elif mark == "," and not depth and not quoted:
            if start < match.start():
                yield text[start : match.start()]
            start = match.end()
        elif not quoted:
            depth = max(0, depth + _STEPS.get(mark, 0))
    if start < len(text):
        yield text[start:]


def _split_entry(piece: str, text: str) -> tuple[str, str]:
    key, arrow, value = piece.partition("->")
    if not arrow or not key.strip(BLANKS) or not value.strip(BLANKS):
        raise refused(text, Root.MAP, ", for an entry is not written key -> value")
    return key, value


def _text_or_null(piece: str) -> str | None:
    trimmed = piece.strip(BLANKS)
    return None if trimmed == "null" else trimmed
