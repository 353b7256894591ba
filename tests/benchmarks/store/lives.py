"""A table over its life: a commit by a process that knows nothing, after few versions and after many, with few columns and many."""

import os
from pathlib import Path

from tests.benchmarks.contest import OURS
from tests.benchmarks.store import commits, paimon, scenes
from tests.benchmarks.store.scenes import SCHEMAS
from tests.benchmarks.store.subject import COMMIT, SYNCED, Prepared, Subject, table

STAT = "limit: list and stat"
WIDE = 10_000


def _lived(folder: Path, versions: int) -> None:
    """A table with so many versions, the newest of which is by a store of now."""
    scenes.deep(folder, versions - 1)
    table(folder).evolve("SET OPTION lived = yes")


def _wide(folder: Path, versions: int) -> None:
    """The same with many columns."""
    scenes.wide(folder, WIDE)
    for number in range(1, versions):
        table(folder).evolve(f"SET OPTION lived = {number}")


def _bare_stat(folder: Path, _: int) -> Prepared:
    return Prepared(lambda: _stat(str(folder / SCHEMAS)))


def _stat(folder: str) -> list[int]:
    with os.scandir(folder) as found:
        return [entry.stat().st_mtime_ns for entry in found]


LIFE = Subject(
    "A commit over a table's life",
    "versions in all",
    (10, 10_000),
    _lived,
    {COMMIT: {OURS: commits.commit, STAT: _bare_stat}},
)
WIDE_LIFE = Subject(
    f"A commit over the life of a table of {WIDE:,} columns",
    "wide versions",
    (10, 100, 1_000),
    _wide,
    {COMMIT: {OURS: commits.commit, SYNCED: commits.bare_commit, paimon.NAME: commits.paimon_commit}},
)
