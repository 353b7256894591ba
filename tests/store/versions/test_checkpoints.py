"""A commit reads a few files however long the table is; and where its checkpoints lie, and where there are none."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions import checkpoint_file
from tests.store.support.checkpointed import FIRST, again, grown, kept, named, reads, store, table, used
from tests.support.stores import at


def evolving(change: str) -> Callable[[Table], Any]:
    return lambda found: found.evolve(change)


# ---------------------------------------------------------------- what it is for


def test_a_commit_reads_as_many_files_at_version_10_as_at_version_60(tmp_path: Path) -> None:
    few, many = (
        [reads(folder, evolving(f"ADD COLUMN c{number} INT")) for number in range(8)]
        for folder in (grown(tmp_path / "few", 10), grown(tmp_path / "many", 60))
    )
    assert max(many) <= max(few) <= 10
    assert sum(many) <= sum(few)


def test_a_plan_and_a_restore_ask_the_checkpoint_as_well(tmp_path: Path) -> None:
    grown(tmp_path, 40)
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN c INT")) <= 6
    assert reads(tmp_path, lambda found: found.restore_plan(3)) <= 8
    assert reads(tmp_path, lambda found: found.restore(3, override="why not")) <= 14


def test_the_version_names_the_checkpoint_that_it_was_judged_by(tmp_path: Path) -> None:
    grown(tmp_path, 3)
    assert (named(tmp_path), kept(tmp_path)) == (None, [])
    for number in range(3, 30):
        table(tmp_path).evolve(f"ADD COLUMN c{number} INT")
        if number > 3:
            assert used(tmp_path).is_file()
    assert len(kept(tmp_path)) <= 4


def test_a_wide_table_has_a_checkpoint_from_the_start(tmp_path: Path) -> None:
    columns = ", ".join(f"c{number} INT COMMENT '{'x' * 200}'" for number in range(1_200))
    store(tmp_path).create_table("shop.orders", columns)
    table(tmp_path).evolve("ADD COLUMN c INT")
    assert reads(tmp_path, lambda found: found.evolve("ADD COLUMN d INT")) == reads(
        tmp_path, lambda found: found.evolve("ADD COLUMN e INT")
    )
    # What is still there is not kept twice.
    assert max(path.stat().st_size for path in kept(tmp_path)) < 20_000


# ---------------------------------------------------------------- where it lies


def test_nothing_is_written_where_the_registry_takes_nothing(tmp_path: Path) -> None:
    grown(tmp_path, 3)
    folder = tmp_path / "_schemas/checkpoints"
    folder.write_text("a file where a folder would have to be")
    for number in range(3, 12):
        assert table(tmp_path).evolve(f"ALTER COLUMN a COMMENT 'v{number}'").number == number


def test_a_store_that_only_reads_uses_it_and_writes_none(tmp_path: Path) -> None:
    grown(tmp_path, 30)
    before = kept(tmp_path)
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN c INT"), read_only=True) <= 6
    assert kept(tmp_path) == before


def test_a_branch_has_its_own(tmp_path: Path) -> None:
    grown(tmp_path, 20)
    table(tmp_path).create_branch("b1")
    for number in range(20, 26):
        table(tmp_path).branch("b1").evolve(f"ALTER COLUMN a COMMENT 'branch {number}'")
    assert kept(tmp_path, "b1")
    assert table(tmp_path).evolve("ADD COLUMN c INT").number == 20
    assert again(table(tmp_path).branch("b1"), 7).number == 7


def test_a_drop_takes_it_along_and_a_table_made_anew_knows_nothing_of_it(tmp_path: Path) -> None:
    grown(tmp_path, 12)
    store(tmp_path).drop_table("shop.orders")
    assert kept(tmp_path) == []
    grown(tmp_path, 6)
    assert again(table(tmp_path), 9).number == 6


def test_a_renamed_table_goes_on(tmp_path: Path) -> None:
    grown(tmp_path, 12)
    store(tmp_path).rename_table("shop.orders", "shop.sales")
    assert kept(tmp_path) == []
    assert again(store(tmp_path).table("shop.sales"), 9).number == 9
    assert store(tmp_path).table("shop.sales").evolve("ADD COLUMN c INT").number == 12


def test_a_copy_of_a_warehouse_does_not_use_it(tmp_path: Path) -> None:
    grown(tmp_path / "one", 12)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    assert reads(tmp_path / "two", lambda found: found.plan("ADD COLUMN c INT")) >= 11


def test_mini_paimon_has_none_since_a_listing_does_not_tell_what_lies_beside(tmp_path: Path) -> None:
    opened = {"layout": "mini-paimon"}
    store(tmp_path, **opened).create_table("shop.orders", "id BIGINT NOT NULL, a INT")
    for number in range(1, 8):
        table(tmp_path, **opened).evolve(f"ADD COLUMN c{number} INT")
    past = table(tmp_path, **opened).latest().provenance
    assert past is not None
    assert (past.checkpoint, kept(tmp_path)) == (None, [])


class Odd(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """A storage of a kind that nobody knows."""

    protocol = "odd"
    cachable = False


def test_on_a_storage_that_nobody_knows_there_are_none() -> None:
    odd = Odd()
    made = SchemaStore("odd-lake", fs=odd, layout="paimon", single_writer=True)
    made.create_table("shop.orders", FIRST)
    for number in range(1, 8):
        again(made.table("shop.orders"), number)
    assert made.table("shop.orders").latest().number == 7
    files = [path for path in odd.store if "odd-lake" in path]
    assert len(files) >= 8
    assert [path for path in files if path.endswith(".checkpoint")] == []
    for path in files:
        odd.rm_file(path)


def test_one_that_would_be_too_large_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_file, "LIMIT", 100)
    grown(tmp_path, 12)
    assert (named(tmp_path), kept(tmp_path)) == (None, [])


def test_whoever_comes_second_leaves_nothing_behind(tmp_path: Path) -> None:
    """A checkpoint is written once the version that names it is there."""
    grown(tmp_path, 11)
    for number in range(8):
        with at(commit_steps.JUDGED, lambda: table(tmp_path).evolve(f"ADD COLUMN c{number} INT")):  # noqa: B023
            table(tmp_path).evolve(f"ADD COLUMN d{number} INT")
        assert len(kept(tmp_path)) <= 4
    assert table(tmp_path).latest().number == 26
    assert reads(tmp_path, lambda found: found.plan("ADD COLUMN e INT")) <= 6
