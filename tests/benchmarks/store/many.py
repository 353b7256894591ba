"""A warehouse of many tables: which there are, and the newest version of each."""

from collections.abc import Callable
from pathlib import Path

from airflow_provider_schemas.store import SchemaStore
from tests.benchmarks.contest import OURS
from tests.benchmarks.store import bare, scenes
from tests.benchmarks.store.subject import ALL, LIST, Maker, Prepared, Subject, opened


def names(store: SchemaStore) -> list[str]:
    """The tables of all databases."""
    return [f"{database}.{table}" for database in store.databases() for table in store.tables(database)]


def newest(store: SchemaStore) -> int:
    """The newest version of every table."""
    return sum(store.table(name).latest().number for name in names(store))


def _newest_again(folder: Path, _: int) -> Prepared:
    store = opened(folder)
    newest(store)
    return Prepared(lambda: newest(store))


def _warehouse(ask: Callable[[str], object]) -> Maker:
    return lambda folder, _: Prepared(lambda: ask(str(folder)))


SUBJECT = Subject(
    "A warehouse of many tables",
    "tables",
    (2_000, 20_000),
    scenes.many,
    {
        "databases and tables": {
            OURS: lambda folder, _: Prepared(lambda: names(opened(folder))),
            LIST: _warehouse(lambda at: list(bare.tables(at))),
        },
        "the newest version of each, first": {
            OURS: lambda folder, _: Prepared(lambda: newest(opened(folder))),
            ALL: _warehouse(lambda at: [bare.read(bare.newest(f"{one}/schema")) for one in bare.tables(at)]),
        },
        "the newest version of each, again": {
            OURS: _newest_again,
            LIST: _warehouse(lambda at: [bare.names(f"{one}/schema") for one in bare.tables(at)]),
        },
    },
)
