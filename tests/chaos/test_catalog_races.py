"""Many processes create, change, restore, rename and drop the same two tables: what they were told, one catalog could have told.

CHAOS_COMMITS says how long the long form is, and CHAOS_SEED repeats what was left to chance in a run.
"""

from pathlib import Path

import pytest

from tests.chaos.support.catalog import torn, unsound
from tests.chaos.support.catalog_writers import TABLES, Lives, started, stored
from tests.chaos.support.history import Answer, Operation, recorded
from tests.chaos.support.writers import SEED
from tests.chaos.test_races import COMMITS, CROWDS
from tests.servers.bucket import Bucket

LAYOUTS = ("paimon", "mini-paimon", "registry")
EACH = {2: 20, 8: 10, 32: 4}


def lived(lives: Lives) -> list[Operation]:
    """Run it; what was asked and answered."""
    print(f"CHAOS_SEED={lives.seed}: {lives.writers} writers x {lives.each}, {lives.layout} at {lives.url}")
    Path(lives.records).mkdir(parents=True)
    started(lives)
    operations = recorded(lives.records)
    assert made(operations), "nothing happened"
    return operations


def made(operations: list[Operation]) -> int:
    """How many versions were acknowledged."""
    return sum(one.answer is Answer.CREATED for one in operations)


def judged(lives: Lives) -> int:
    """Run it and judge it, with what lies there in the end; how many versions were acknowledged."""
    operations = lived(lives)
    store = lives.store()
    there = stored(store)
    assert unsound(operations, there) == []
    assert [one.said for one in operations if one.answer is Answer.UNKNOWN] == []
    assert {f"db.{name}" for name in store.tables("db")} <= there.keys(), "a folder is left of a table that is not there"
    return made(operations)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("writers", [2, 8])
def test_all_that_happens_to_tables_happens_in_some_order(tmp_path: Path, writers: int, layout: str) -> None:
    judged(Lives(str(tmp_path / "w"), str(tmp_path / "records"), writers, EACH[writers], layout=layout, seed=SEED))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_that_is_made_anew_again_and_again_is_never_two(tmp_path: Path, layout: str) -> None:
    judged(Lives(str(tmp_path / "w"), str(tmp_path / "records"), 3, 15, layout=layout, seed=SEED, recreates=True))


def test_a_table_on_s3_that_is_made_anew_again_and_again_is_never_two(tmp_path: Path, s3_bucket: Bucket) -> None:
    """An object store takes files one by one, so a reader may see a half of a table go: what is left in the end is whole, or nothing."""
    options, records = s3_bucket.storage_options, str(tmp_path / "records")
    lives = Lives(s3_bucket.url("w"), records, 3, 5, layout="registry", storage_options=options, seed=SEED, recreates=True)
    lived(lives)
    there = stored(lives.store())
    assert torn(there) == []
    assert there == {}, f"the last thing that happened to {TABLES[0]} is that it was dropped"


def test_hour_after_hour_no_two_tables_are_mixed(tmp_path: Path) -> None:
    """With 2, 8 and 32 writers in turn, in all layouts. A tenth as long as CHAOS_COMMITS says."""
    done = number = 0
    while done < COMMITS // 10:
        writers, layout = CROWDS[number % len(CROWDS)], LAYOUTS[number // len(CROWDS) % len(LAYOUTS)]
        folder, recreates = tmp_path / str(number), number % 2 == 1
        each = 30 if recreates else EACH[writers]
        lives = Lives(str(folder / "w"), str(folder / "records"), writers, each, layout, seed=SEED + number, recreates=recreates)
        done += judged(lives)
        number += 1
    print(f"CHAOS_SEED={SEED}: {done} versions acknowledged in {number} histories, each of them sound")
