"""A table with a long history: its newest version, all of them, a commit after them, and expiring them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

from airflow_provider_schemas.store import Table
from tests.benchmarks.contest import OURS
from tests.benchmarks.store import bare, commits, paimon, scenes
from tests.benchmarks.store.scenes import SCHEMAS
from tests.benchmarks.store.subject import ALL, COMMIT, LIST, NEWEST, SYNCED, Maker, Prepared, Subject, again, first, table

READ_ALL_SYNCED = "limit: list, read all, fsync, link"
UNLINK = "limit: list, read, unlink"


def _bare(ask: Callable[[str], object]) -> Maker:
    return lambda folder, _: Prepared(lambda: ask(str(folder / SCHEMAS)))


def _changed(folder: Path, versions: int) -> Prepared:
    known = table(folder)
    return Prepared(lambda: known.changed_since(versions - 2))


def _expiring(take: Callable[[Path], object]) -> Maker:
    """What takes versions away; they are put back each time."""

    def maker(folder: Path, _: int) -> Prepared:
        pool = folder.parent / f"{folder.name}.pool"
        if not pool.exists():
            pool.mkdir()
            bare.refill(pool, folder / SCHEMAS)
        return Prepared(lambda: take(folder), partial(bare.refill, folder / SCHEMAS, pool))

    return maker


def _expire(folder: Path, *, dry_run: bool) -> int:
    return len(table(folder).expire(timedelta(days=1), dry_run=dry_run).deleted)


def _bare_expire(folder: Path) -> None:
    at = folder / SCHEMAS
    for name in sorted(bare.names(str(at)))[:-1]:
        bare.read(f"{at}/{name}")
        (at / name).unlink()


SUBJECT = Subject(
    "A table with a long history",
    "versions",
    (100, 1_000),
    scenes.deep,
    {
        "the newest version, first": {
            OURS: first(Table.latest),
            NEWEST: _bare(lambda at: bare.read(bare.newest(at))),
            paimon.NAME: lambda folder, _: Prepared(paimon.newest(folder)),
        },
        "the newest version, again": {OURS: again(Table.latest), LIST: _bare(bare.names)},
        "changed_since": {OURS: _changed, LIST: _bare(bare.names)},
        "all versions, first": {OURS: first(Table.versions), ALL: _bare(bare.everything)},
        "all versions, again": {OURS: again(Table.versions), LIST: _bare(bare.names)},
        "the history in words": {OURS: first(lambda known: str(known.history())), ALL: _bare(bare.everything)},
        COMMIT: {OURS: commits.commit, READ_ALL_SYNCED: partial(commits.bare_commit, all_of_them=True), paimon.NAME: commits.paimon_commit},
        f"{COMMIT}, the table is known": {OURS: commits.commit_known, SYNCED: commits.bare_commit},
        "expire, dry run": {OURS: _expiring(partial(_expire, dry_run=True)), ALL: _bare(bare.everything)},
        "expire": {OURS: _expiring(partial(_expire, dry_run=False)), UNLINK: _expiring(_bare_expire)},
    },
)
