"""Texts from outside in Markdown: they say what they say, and neither mark up, link nor call anybody.

Names and other words stay readable, with their marks escaped; a word that a page could take for a mention, an
address or a reference goes into code. (Not every name does: the approval form of some releases of Airflow shows
each piece of code as a block of its own.)
"""

import html
import re

from airflow_provider_schemas.render.sanitize import clean

_MARKS = re.compile(r"[\\`*_\[\]<|~$&]")
# An underscore between letters marks nothing up.
_INSIDE = re.compile(r"(?<=[A-Za-z0-9])\\_(?=[A-Za-z0-9])")
_CALLS = re.compile(r"@|://|www\.|#\d|gh-\d|:[a-z]\w*:", re.IGNORECASE)
_FENCE = re.compile(r"`+")
_BLANKS = re.compile(r"( +)")


def prose(text: str) -> str:
    """The text between other text, in a table too."""
    whole = clean(text)
    if not _CALLS.search(whole):
        return _escaped(whole)
    return "".join(code(part) if _CALLS.search(part) else _escaped(part) for part in _BLANKS.split(whole))


def _escaped(text: str) -> str:
    return _INSIDE.sub("_", _MARKS.sub(r"\\\g<0>", text))


def code(text: str) -> str:
    """The text as code, in a table too, where a bar is escaped even inside code."""
    whole = clean(text) or " "
    # Readers of tables disagree about a bar behind a backslash.
    whole = whole.replace("|", "\\u007c" if "\\" in whole else "\\|")
    fence = "`" * _fence(whole, 1)
    space = " " if whole[0] in "` " or whole[-1] in "` " else ""
    return f"{fence}{space}{whole}{space}{fence}"


def block(lines: list[str]) -> list[str]:
    """Lines as a block of code."""
    fence = "`" * max(_fence(one, 3) for one in lines)
    return [f"{fence}text", *lines, fence]


def _fence(text: str, least: int) -> int:
    return max((len(one) + 1 for one in _FENCE.findall(text)), default=least)


def markup(text: str) -> str:
    """The text inside HTML, where Markdown is not read."""
    whole = html.escape(clean(text))
    return f"<code>{whole}</code>" if _CALLS.search(whole) else whole
