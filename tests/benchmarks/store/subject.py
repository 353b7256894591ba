"""What is measured of a store: for each subject what lies there, at which sizes, and what is done with it by whom."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from airflow_provider_schemas.store import SchemaStore, Table
from tests.benchmarks.store.scenes import NAME

LIST = "limit: list"
NEWEST = "limit: list, read the newest"
ALL = "limit: list and read"
SYNCED = "limit: list, read, write, fsync, link"
UNSYNCED = "the same without fsync"
COMMIT = "add one column and commit"


class Prepared(NamedTuple):
    """What is timed, and what is done before each time to have things as they were."""

    call: Callable[[], object]
    before: Callable[[], object] = lambda: None


Maker = Callable[[Path, int], Prepared]


class Subject(NamedTuple):
    """What lies there, counted in some unit, and what is done with it."""

    title: str
    unit: str
    sizes: tuple[int, ...]
    scene: Callable[[Path, int], None]
    jobs: Mapping[str, Mapping[str, Maker]]


def opened(folder: Path) -> SchemaStore:
    """A store that knows nothing yet."""
    return SchemaStore(folder, layout="paimon", actor="somebody")


def table(folder: Path) -> Table:
    """The table of the scene, of which nothing is known yet."""
    return opened(folder).table(NAME)


def first(ask: Callable[[Table], object]) -> Maker:
    """A question to a table of which nothing is known yet."""
    return lambda folder, _: Prepared(lambda: ask(table(folder)))


def again(ask: Callable[[Table], object]) -> Maker:
    """A question to a table that was asked it before."""

    def maker(folder: Path, _: int) -> Prepared:
        known = table(folder)
        ask(known)
        return Prepared(lambda: ask(known))

    return maker
