"""Many writers at once, each a process: no acknowledged change is lost, and the history is one that a single register could have given.

`make chaos` runs the long form, CHAOS_COMMITS of them on the local disk; CHAOS_SEED repeats what was left to chance in a run.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos.support.history import Answer, recorded
from tests.chaos.support.invariants import broken, written
from tests.chaos.support.linearizable import violations
from tests.chaos.support.writers import SEED, Race, started
from tests.servers.bucket import Bucket

COMMITS = int(os.environ.get("CHAOS_COMMITS", "100"))
CROWDS = (2, 8, 32)
# Writers and commits of each: a few hundred in all.
SHORT = {2: 20, 8: 8, 32: 3}
LEAST = {2: 5, 8: 2, 32: 1}

New = Callable[[int], Race]


def raced(race: Race) -> int:
    """Run it and judge it; how many changes were acknowledged."""
    print(f"CHAOS_SEED={race.seed}: {race.writers} writers x {race.each}, {race.layout} at {race.url}")
    Path(race.records).mkdir(parents=True)
    table = race.store().table(race.table)
    race.store().create_table(race.table, "id BIGINT")
    start = time.monotonic()
    started(race)
    seconds = time.monotonic() - start
    operations = recorded(race.records)
    assert broken(table, operations) == []
    assert violations(operations, written(table.versions())) == []
    created = [one for one in operations if one.answer is Answer.CREATED]
    attempts = sum(int(one.said.split()[0]) for one in created)
    print(
        f"  {len(created)} committed in {seconds:.1f} s, {attempts / max(1, len(created)):.1f} attempts each, {len(operations)} operations"
    )
    return len(created)


@pytest.mark.parametrize("layout", ["paimon", "mini-paimon", "registry"])
@pytest.mark.parametrize("writers", CROWDS)
def test_writers_on_a_local_disk_lose_nothing(tmp_path: Path, writers: int, layout: str) -> None:
    each = SHORT[writers] if layout == "paimon" else LEAST[writers]
    race = Race(str(tmp_path / "w"), str(tmp_path / "records"), writers, each, layout=layout, seed=SEED)
    assert raced(race) == writers * each


def test_writers_that_look_first_and_then_rename_are_found_out(tmp_path: Path) -> None:
    """What others do on a local disk, and what would become of it: the judges of these races can say no."""
    race = Race(str(tmp_path / "w"), str(tmp_path), 8, 5, careless=True, seed=SEED)
    race.store().create_table(race.table, "id BIGINT")
    started(race)
    operations, table = recorded(race.records), race.store().table(race.table)
    assert any("was acknowledged, and is lost" in one for one in broken(table, operations))
    assert violations(operations, written(table.versions()))


@pytest.mark.parametrize("writers", CROWDS)
def test_writers_on_s3_lose_nothing(tmp_path: Path, s3_bucket: Bucket, writers: int) -> None:
    assert raced(_remote(tmp_path, s3_bucket, writers)) == writers * LEAST[writers]


@pytest.mark.parametrize("writers", CROWDS)
def test_writers_on_azure_lose_nothing(tmp_path: Path, azure_bucket: Bucket, writers: int) -> None:
    assert raced(_remote(tmp_path, azure_bucket, writers)) == writers * LEAST[writers]


def _remote(tmp_path: Path, bucket: Bucket, writers: int) -> Race:
    records, options = str(tmp_path / "records"), bucket.storage_options
    return Race(bucket.url("w"), records, writers, LEAST[writers], reads=30, storage_options=options, seed=SEED)


def test_hour_after_hour_nothing_is_lost(tmp_path: Path) -> None:
    """Tables of some hundred columns, one after the other: with 2, 8 and 32 writers in turn. As long as CHAOS_COMMITS says."""
    done = number = 0
    while done < COMMITS:
        writers = CROWDS[number % len(CROWDS)]
        each = max(1, min(320, COMMITS - done) // writers)
        folder = tmp_path / str(number)
        layout = ("paimon", "mini-paimon", "registry")[number // len(CROWDS) % 3]
        done += raced(Race(str(folder / "w"), str(folder / "records"), writers, each, readers=2, layout=layout, seed=SEED + number))
        number += 1
    print(f"CHAOS_SEED={SEED}: {done} commits acknowledged, none lost")
