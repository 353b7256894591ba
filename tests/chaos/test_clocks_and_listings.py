"""Clocks that jump and listings that are behind: numbers alone say what comes after what, and a name that is taken stays taken."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.storage.files import ListingEntry

YEAR = 365 * 24 * 3600 * 1000


def jump(monkeypatch: pytest.MonkeyPatch, millis: int) -> None:
    """Set the clock on the wall."""
    monkeypatch.setattr(clock, "now_millis", lambda: millis)


NOW = clock.now_millis()


@pytest.mark.parametrize("millis", [0, 1, NOW - 30 * YEAR, NOW + 30 * YEAR, 253_402_300_799_000])
def test_the_newest_version_is_the_newest_whatever_the_clock_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, millis: int) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("db.t", "id BIGINT")
    table = store.table("db.t")
    table.evolve(["ADD COLUMN a STRING"])
    jump(monkeypatch, millis)
    assert table.evolve(["ADD COLUMN b STRING"]).number == 2
    assert SchemaStore(tmp_path).table("db.t").latest().schema.time_millis == millis
    monkeypatch.undo()
    assert table.evolve(["ADD COLUMN c STRING"]).number == 3
    assert [one.number for one in SchemaStore(tmp_path).table("db.t").versions()] == [0, 1, 2, 3]
    assert str(table.history())
    assert table.inspect().findings == ()


def test_a_clock_that_runs_ahead_makes_nobody_forget_a_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("db.t", "id BIGINT")
    table = store.table("db.t")
    table.evolve(["ADD COLUMN a STRING"], key="run 1")
    jump(monkeypatch, NOW + 50 * YEAR)
    assert table.evolve(["ADD COLUMN a STRING"], key="run 1").outcome == "already applied"
    assert table.evolve(["ADD COLUMN a STRING"]).outcome == "unchanged"


def test_a_clock_that_runs_ahead_expires_nothing_that_the_storage_calls_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SchemaStore(tmp_path, layout="registry")
    jump(monkeypatch, NOW - 10 * YEAR)
    store.create_table("db.t", "id BIGINT")
    table = store.table("db.t")
    for column in "abc":
        table.evolve([f"ADD COLUMN {column} STRING"])
    monkeypatch.undo()
    table.expire(older_than=timedelta(days=30), dry_run=False)
    assert table.numbers() == (0, 1, 2, 3)


# ---------------------------------------------------------------- listings that are behind


def behind(monkeypatch: pytest.MonkeyPatch, store: SchemaStore, answers: int) -> Callable[[], int]:
    """Freeze the listings of this store for so many questions; how many are left."""
    files = store.warehouse
    fresh, frozen = files.list, dict[str, list[ListingEntry]]()
    left = [answers]

    def old(folder: str) -> list[ListingEntry]:
        if left[0] <= 0:
            return fresh(folder)
        left[0] -= 1
        return frozen.setdefault(folder, fresh(folder))

    monkeypatch.setattr(files, "list", old)
    return lambda: left[0]


@pytest.mark.parametrize("answers", [1, 2, 3, 5, 8, 50])
def test_a_writer_whose_listing_is_behind_loses_nobody_s_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: int) -> None:
    SchemaStore(tmp_path).create_table("db.t", "id BIGINT")
    late = SchemaStore(tmp_path)
    table = late.table("db.t")
    behind(monkeypatch, late, answers)
    assert table.latest().number == 0  # from here on, this is all it sees
    others = [SchemaStore(tmp_path).table("db.t").evolve([f"ADD COLUMN other_{place} STRING"]) for place in range(3)]
    done = table.evolve(["ADD COLUMN mine STRING"])
    assert done.created
    versions = SchemaStore(tmp_path).table("db.t").versions()
    assert [one.number for one in versions] == [0, 1, 2, 3, 4]
    assert [one.digest for one in versions[1:4]] == [one.digest for one in others]
    assert versions[4].digest == done.digest
    assert versions[4].schema.names == ("id", "other_0", "other_1", "other_2", "mine")


def test_a_retry_whose_listing_is_behind_is_not_applied_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SchemaStore(tmp_path).create_table("db.t", "id BIGINT")
    late = SchemaStore(tmp_path)
    table = late.table("db.t")
    behind(monkeypatch, late, 50)
    assert table.latest().number == 0
    first = SchemaStore(tmp_path).table("db.t").evolve(["ADD COLUMN mine STRING"], key="run 1")
    again = table.evolve(["ADD COLUMN mine STRING"], key="run 1")
    assert (again.outcome, again.digest) == ("already applied", first.digest)


def test_a_new_table_that_a_listing_does_not_show_yet_is_not_made_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = SchemaStore(tmp_path)
    behind(monkeypatch, late, 50)
    assert not late.exists("db.t")
    first = SchemaStore(tmp_path).create_table("db.t", "id BIGINT")
    again = late.create_table("db.t", "id BIGINT")
    assert (again.outcome, again.digest) == ("unchanged", first.digest)
