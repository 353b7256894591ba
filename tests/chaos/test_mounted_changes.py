"""Many change one mounted Iceberg table at once, die, and lose answers: nothing that was acknowledged is lost, no id is given twice."""

import random
import signal
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from airflow_provider_schemas.store import IcebergMount, SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from tests.chaos.support.mounted_writers import Acknowledged, all_ids, columns_in_order, killed_at, open_table, prepared, raced
from tests.chaos.support.writers import SEED
from tests.servers.iceberg_rest import iceberg_rest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    import pyiceberg.catalog.sql  # noqa: F401  # a child that was forked has it

    prepared(tmp_path)
    return tmp_path


def _check(folder: Path, told: list[Acknowledged]) -> None:
    """Check that history adds the columns one after the other, in an order that everybody could have seen."""
    history = columns_in_order(folder)
    assert all(set(before) < set(after) and len(after) == len(before) + 1 for before, after in pairwise(history))
    assert set(history[-1]) == {"order_id", "cust", "amount", *(change.column for change in told)}
    ids = all_ids(folder)
    assert len(ids) == len(set(ids)) == len(history[-1])
    made = {columns[-1]: place for place, columns in enumerate(history)}
    for change in told:
        assert change.column in history[change.number]
        later = [other for other in told if change.answered < other.asked]
        assert all(made[change.column] < made[other.column] for other in later)


@pytest.mark.slow
def test_eight_writers_of_ours_lose_nothing(folder: Path) -> None:
    told = raced(folder, ours=8, theirs=0, changes=5)
    assert len({change.number for change in told}) == 40
    _check(folder, told)


def test_two_writers_of_ours_and_one_of_pyiceberg_lose_nothing(folder: Path) -> None:
    _check(folder, raced(folder, ours=2, theirs=1, changes=4))


WRITTEN = {"made": True, commit_steps.ANSWERED: True}


@pytest.mark.parametrize("step", [*commit_steps.OF_MOUNTS, "arriving", "made"])
def test_a_writer_that_is_killed_has_changed_the_table_or_not_at_all_and_the_next_one_goes_on(folder: Path, step: str) -> None:
    assert killed_at(folder, step) == -signal.SIGKILL
    there = WRITTEN.get(step, False)
    assert ("a" in open_table(folder).latest().schema.names) is there
    again = open_table(folder).evolve(["ADD COLUMN a INT"], key="k")
    assert again.outcome == ("already applied" if there else "created")
    assert columns_in_order(folder) == [["order_id", "cust", "amount"], ["order_id", "cust", "amount", "a"]]
    assert open_table(folder).evolve(["ADD COLUMN b INT"]).number == 2


def test_writers_whose_answers_are_lost_before_and_after_the_change_lose_nothing(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    with iceberg_rest(tmp_path / "rest") as server:
        server.client().create_namespace((NAMESPACE,))
        create(server.client())
        (tmp_path / "registry").mkdir()

        def write(writer: int) -> list[tuple[str, int]]:
            told = []
            for number in range(3):
                if chance.random() < 0.5:
                    server.lost_answers += 1
                else:
                    server.dropped_commits += 1
                column = f"w{writer}_{number}"
                mount = IcebergMount(server.client(), NAMESPACE, evolve=True)
                store = SchemaStore(tmp_path / "registry", mounts={"shop": mount})
                done = store.table("shop.orders").evolve([f"ADD COLUMN {column} INT"], key=column)
                told.append((column, done.number))
            return told

        with ThreadPoolExecutor(3) as pool:
            told = [entry for answers in pool.map(write, range(3)) for entry in answers]
        schema = server.behind.load_table((NAMESPACE, "orders"))
    columns = {field.name: field.field_id for field in schema.schema().fields}
    assert len({number for _, number in told}) == 9
    assert {column for column, _ in told} <= set(columns)
    assert sorted(columns.values()) == list(range(1, 13))
    assert len({known.schema_id for known in schema.metadata.schemas}) == len(schema.metadata.schemas) == 10
