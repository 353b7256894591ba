"""Texts from outside in Markdown, which neither mark up, link nor mention anybody.

Names and other words stay readable, with their marks escaped; a word that a page could take for a mention, an
address or a reference becomes code. (Not every name does: the approval form of some releases of Airflow shows
each piece of code as a block of its own.)
"""

import html
import itertools
import re

from airflow_provider_schemas.render.sanitize import clean

_MARKS = re.compile(r"[\\`*_\[\]<|~$&]")
# An underscore between letters marks nothing up.
_INSIDE_WORD = re.compile(r"(?<=[A-Za-z0-9])\\_(?=[A-Za-z0-9])")
# What GitHub or GitLab links: people, addresses, issues, merge requests (!12), milestones (%3), pictures.
_MENTIONS = re.compile(r"@|://|www\.|#\d|(?<!\w)[!%]\d|gh-\d|:[a-z]\w*:", re.IGNORECASE)
_BACKTICKS = re.compile(r"`+")
_BLANKS = re.compile(r"( +)")


def prose(text: str) -> str:
    """Return the text for a place between other text, in a table too."""
    cleaned = clean(text)
    if not _MENTIONS.search(cleaned):
        return _escape(cleaned)
    return "".join(code(part) if _MENTIONS.search(part) else _escape(part) for part in _BLANKS.split(cleaned))


def _escape(text: str) -> str:
    return _INSIDE_WORD.sub("_", _MARKS.sub(r"\\\g<0>", text))


def code(text: str) -> str:
    """Return the text as code, for a table too, where a bar is escaped even inside code."""
    cleaned = clean(text) or " "
    # Readers of tables disagree about a bar behind a backslash.
    bar = "\\u007c" if "\\" in cleaned else "\\|"
    cleaned = cleaned.replace("|", bar)
    fence = "`" * _fence_length(cleaned, 1)
    if cleaned[0] in "` " or cleaned[-1] in "` ":
        cleaned = f" {cleaned} "
    return f"{fence}{cleaned}{fence}"


def inline(text: str, *, typed: bool) -> str:
    """Return a text for people to type as code; any other as prose, in which what stands in backticks is code."""
    if typed:
        return code(text)
    parts = text.split("`")
    if len(parts) % 2 == 0 or not all(part.strip() for part in parts[1::2]):  # no pairs of backticks with words in them
        return prose(text)
    pieces = [code(part) if number % 2 else prose(part) for number, part in enumerate(parts)]
    if any(left.endswith("`") and right.startswith("`") for left, right in itertools.pairwise(filter(None, pieces))):
        return prose(text)  # pieces of code beside each other would be read as one
    return "".join(pieces)


def block(lines: list[str]) -> list[str]:
    """Return the lines as a block of code."""
    fence = "`" * max(_fence_length(line, 3) for line in lines)
    return [f"{fence}text", *lines, fence]


def _fence_length(text: str, least: int) -> int:
    """Return the length of a fence that no run of backticks in the text closes."""
    return max((len(backticks) + 1 for backticks in _BACKTICKS.findall(text)), default=least)


def markup(text: str) -> str:
    """Return the text for a place inside HTML, where Markdown is not read."""
    escaped = html.escape(clean(text))
    if _MENTIONS.search(escaped):
        return f"<code>{escaped}</code>"
    return escaped
