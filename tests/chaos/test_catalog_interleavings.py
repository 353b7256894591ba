"""Somebody drops, renames, restores or makes anew a table, whole, between two chosen steps of a change of it by somebody else.

The change is there, or nothing of it is, and whoever asked for it is told which; no name ever bears two tables.
"""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import ConflictError
from tests.chaos.support.catalog import torn
from tests.chaos.support.catalog_steps import LONG, anew, each_step, files_of, new, store_of
from tests.chaos.support.catalog_writers import stored
from tests.chaos.test_interleavings import at
from tests.chaos.test_kills import WRITTEN


@each_step
def test_a_change_of_a_table_that_is_dropped_holds_nowhere(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: store_of(tmp_path, layout).drop_table("db.t"))
    if phase in WRITTEN:
        assert table.evolve(["ADD COLUMN mine STRING"]).number == LONG  # it came first, and went with the table
    else:
        with pytest.raises(ConflictError, match="meanwhile somebody dropped the table, or gave it another name") as error:
            table.evolve(["ADD COLUMN mine STRING"])
        assert error.value.code == "commit.table-gone"
    assert not store_of(tmp_path, layout).exists("db.t")
    assert store_of(tmp_path, layout).tables("db") == ()
    assert files_of(tmp_path) == []


@each_step
@pytest.mark.parametrize("restores", [False, True], ids=["change", "restore"])
def test_a_change_of_a_table_that_is_made_anew_is_not_written_into_the_new_one(
    tmp_path: Path, layout: str, phase: str, restores: bool
) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: anew(store_of(tmp_path, layout)))

    def change() -> object:
        return table.restore(0, override="chaos") if restores else table.evolve(["ADD COLUMN mine STRING"])

    if phase in WRITTEN:
        change()
    else:
        with pytest.raises(ConflictError, match="dropped the table, and made it anew") as error:
            change()
        assert error.value.code == "commit.table-gone"
    there = store_of(tmp_path, layout).table("db.t")
    assert [one.schema.names for one in there.versions()] == [("other",)]
    assert there.inspect().findings == ()
    assert not [name for name in files_of(tmp_path) if "tmp" in name or "gone" in name]


@each_step
def test_a_change_of_a_table_that_is_made_anew_with_as_many_versions_is_judged_on_the_new_one(
    tmp_path: Path, layout: str, phase: str
) -> None:
    table = new(tmp_path, layout, 1)

    def longer() -> None:
        anew(store_of(tmp_path, layout))
        store_of(tmp_path, layout).table("db.t").evolve(["ADD COLUMN more STRING"])

    at(phase, longer)
    done = table.evolve(["ADD COLUMN mine STRING"])
    names = [one.schema.names for one in store_of(tmp_path, layout).table("db.t").versions()]
    mine = [] if phase in WRITTEN else [("other", "more", "mine")]
    assert names == [("other",), ("other", "more"), *mine]
    assert done.number == (1 if phase in WRITTEN else 2)
    assert torn(stored(store_of(tmp_path, layout))) == []


@each_step
def test_a_change_of_a_table_that_is_renamed_is_in_it_or_nowhere(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: store_of(tmp_path, layout).rename_table("db.t", "db.u"))
    if phase in WRITTEN:
        assert table.evolve(["ADD COLUMN mine STRING"]).number == LONG
    else:
        with pytest.raises(ConflictError, match="gave it another name"):
            table.evolve(["ADD COLUMN mine STRING"])
    store = store_of(tmp_path, layout)
    assert store.tables("db") == ("u",)
    assert not store.exists("db.t")
    assert ("mine" in store.table("db.u").schema().names) is (phase in WRITTEN)
    assert torn(stored(store)) == []


@each_step
def test_a_table_that_is_renamed_and_back_keeps_the_change(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)

    def to_and_back() -> None:
        store_of(tmp_path, layout).rename_table("db.t", "db.u")
        store_of(tmp_path, layout).rename_table("db.u", "db.t")

    at(phase, to_and_back)
    assert table.evolve(["ADD COLUMN mine STRING"]).number == LONG
    assert store_of(tmp_path, layout).table("db.t").schema().names[-1] == "mine"


@each_step
def test_another_table_that_takes_the_name_does_not_take_the_change(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    store_of(tmp_path, layout).create_table("db.v", "other BIGINT")

    def change_places() -> None:
        store_of(tmp_path, layout).rename_table("db.t", "db.u")
        store_of(tmp_path, layout).rename_table("db.v", "db.t")

    at(phase, change_places)
    if phase in WRITTEN:
        table.evolve(["ADD COLUMN mine STRING"])
    else:
        with pytest.raises(ConflictError, match="made it anew"):
            table.evolve(["ADD COLUMN mine STRING"])
    store = store_of(tmp_path, layout)
    assert store.table("db.t").schema().names == ("other",)
    assert ("mine" in store.table("db.u").schema().names) is (phase in WRITTEN)
    assert torn(stored(store)) == []


@each_step
def test_a_restore_and_a_change_are_both_there(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: store_of(tmp_path, layout).table("db.t").restore(0, override="chaos"))
    done = table.evolve(["ADD COLUMN mine STRING"])
    versions = store_of(tmp_path, layout).table("db.t").versions()
    second = phase not in WRITTEN
    assert (done.number, len(versions)) == (LONG + second, LONG + 2)
    assert versions[-1].schema.names == ("id", "name", *(["mine"] if second else []))
    assert torn(stored(store_of(tmp_path, layout))) == []
