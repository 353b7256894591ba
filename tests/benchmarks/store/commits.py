"""A commit: one column more, in a schema of few columns and of many."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.contest import OURS
from tests.benchmarks.store import bare, paimon, scenes
from tests.benchmarks.store.scenes import SCHEMAS
from tests.benchmarks.store.subject import COMMIT, SYNCED, UNSYNCED, Maker, Prepared, Subject, table

_CHANGE = "ADD COLUMN one_more STRING COMMENT 'new'"


def _reset(folder: Path, versions: int) -> Callable[[], None]:
    return partial(bare.back_to, folder / SCHEMAS, versions)


def commit(folder: Path, versions: int) -> Prepared:
    return Prepared(lambda: table(folder).evolve(_CHANGE), _reset(folder, versions))


def commit_known(folder: Path, versions: int) -> Prepared:
    known = table(folder)
    known.versions()
    return Prepared(lambda: known.evolve(_CHANGE), _reset(folder, versions))


def bare_commit(folder: Path, versions: int, *, sync: bool = True, all_of_them: bool = False) -> Prepared:
    at = str(folder / SCHEMAS)

    def call() -> None:
        data = bare.everything(at)[-1] if all_of_them else bare.read(bare.newest(at))
        bare.create(at, versions, data, sync=sync)

    return Prepared(call, _reset(folder, versions))


def paimon_commit(folder: Path, versions: int) -> Prepared:
    return Prepared(paimon.adding(folder, "one_more"), _reset(folder, versions))


def _only_one(maker: Callable[..., Prepared], **options: Any) -> Maker:
    """The maker for a table with one version, whatever its size is."""
    return lambda folder, _: maker(folder, 1, **options)


SUBJECT = Subject(
    "A commit",
    "columns",
    (10, 1_000, 10_000),
    scenes.wide,
    {
        COMMIT: {
            OURS: _only_one(commit),
            SYNCED: _only_one(bare_commit),
            UNSYNCED: _only_one(bare_commit, sync=False),
            paimon.NAME: _only_one(paimon_commit),
        },
        f"{COMMIT}, the table is known": {OURS: _only_one(commit_known), SYNCED: _only_one(bare_commit)},
    },
)
