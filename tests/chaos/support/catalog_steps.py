"""What the tests share in which somebody takes a table away between two steps of a change: the steps, the table, and who takes it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.layout.paths import REGISTRY_ID
from airflow_provider_schemas.store.storage import commit_steps
from tests.chaos.test_interleavings import BEFORE, CASES

each_step = pytest.mark.parametrize(("layout", "phase"), CASES)
each_step_before = pytest.mark.parametrize(("layout", "phase"), BEFORE)
each_step_of_a_branch = pytest.mark.parametrize(("layout", "phase"), [case for case in CASES if case[1] != commit_steps.METADATA])
# A change after which the table has as many versions as one that was made anew has not: the number is free there.
LONG = 3


def store_of(folder: Path, layout: str) -> SchemaStore:
    """A store that has seen nothing yet."""
    return SchemaStore(folder, layout=layout)


def new(folder: Path, layout: str, versions: int = LONG) -> Table:
    """The table db.t, with so many versions."""
    store = store_of(folder, layout)
    store.create_table("db.t", "id BIGINT, name STRING")
    for number in range(1, versions):
        store.table("db.t").evolve([f"ADD COLUMN c{number} STRING"])
    return store.table("db.t")


def anew(store: SchemaStore) -> None:
    """Drop it, and make another table of its name."""
    store.drop_table("db.t")
    store.create_table("db.t", "other BIGINT")


def once(act: Callable[[], object]) -> Callable[..., None]:
    """Something that is done the first time only, whatever it is called with."""
    left = [act]

    def call(*_: object) -> None:
        if left:
            left.pop()()

    return call


def files_of(folder: Path) -> list[str]:
    """Every file of a schema there is below a folder, and every temporary one."""
    return sorted(one.name for one in folder.rglob("*") if one.is_file() and one.name != REGISTRY_ID)
