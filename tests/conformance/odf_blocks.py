"""The blocks of `odf_blocks.md`: rows of its tables, and the bytes between its fences.

A row says what event a block holds and what hash it has in which version, which the head of its column names. What
is true of all blocks of a table stands before it.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conformance.odf.block_text import Place, place_in
from tests.conformance.rows import folder

_BYTES = re.compile(r"Bytes of (\w+),? (?:in )?version (\d)[^\n]*\s*```\w*\n([0-9a-fA-F\s]+)```", re.IGNORECASE)
_VERSION = re.compile(r"version (\d)")
_NEWEST = 3
_START = Place("2020-01-01T12:00:00Z", 0, first=True)
_HASH = re.compile(r"`(?:f1620)?([0-9a-f]{64})`")
_SIZE = re.compile(r"\((\d+) B\)")


class Fixture(NamedTuple):
    """A block in one version."""

    name: str
    """The id of its test."""
    id: str
    event: str
    version: int
    hash: str
    size: int | None
    place: Place


class Written(NamedTuple):
    """A block of which the bytes are there."""

    name: str
    id: str
    version: int
    raw: bytes


def _text(where: Path | None) -> str:
    page = (where or folder()) / "odf_blocks.md"
    return page.read_text("utf-8") if page.is_file() else ""


def fixtures(where: Path | None = None) -> list[Fixture]:
    """The blocks of all tables."""
    found: list[Fixture] = []
    place, head = _START, ""
    for line in _text(where).splitlines():
        if not line.startswith("|"):
            place, head = place_in(line, place), ""
        elif _HASH.search(line):
            found += _row(line, head, place)
        else:
            head = head or line
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(line: str, head: str, place: Place) -> Iterator[Fixture]:
    number, event, *cells = _cells(line)
    _, _, *heads = (*_cells(head), "", "")
    size: int | None = int(cells[0]) if cells[0].isdecimal() else None
    for cell, over in zip(cells, heads, strict=False):
        if found := _HASH.search(cell):
            named = _VERSION.search(over)
            version = int(named[1]) if named else _NEWEST
            said = _SIZE.search(cell)
            yield Fixture(f"{number}-version-{version}", number, event, version, found[1], int(said[1]) if said else size, place)


def written(where: Path | None = None) -> list[Written]:
    """The blocks whose bytes are there."""
    return [Written(f"{name}-version-{v}", name, int(v), bytes.fromhex(text)) for name, v, text in _BYTES.findall(_text(where))]
