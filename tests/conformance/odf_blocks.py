"""The blocks of `odf_blocks.md`: rows of its tables, and the bytes between its fences.

A row says what event a block holds and what hash it has in which version; fields are written in the short way of
that file: `{a: String?}` is a field `a` of type Option<String>, `TS` a Timestamp with nothing set.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conformance.rows import folder

_BYTES = re.compile(r"Bytes of (\w+), version (\d)[^\n]*\n```\n([0-9a-f\s]+)```")
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
    return [one for line in _text(where).splitlines() if _HASH.search(line) and line.startswith("|") for one in _row(line)]


def _row(line: str) -> Iterator[Fixture]:
    number, event, *cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
    versions = iter((3, 2))
    size: int | None = int(cells[0]) if cells[0].isdecimal() else None
    for cell in cells:
        if found := _HASH.search(cell):
            version = next(versions)
            said = _SIZE.search(cell)
            yield Fixture(f"{number}-version-{version}", number, event, version, found[1], int(said[1]) if said else size)


def written(where: Path | None = None) -> list[Written]:
    """The blocks whose bytes are there."""
    return [Written(f"{name}-version-{v}", name, int(v), bytes.fromhex(text)) for name, v, text in _BYTES.findall(_text(where))]
