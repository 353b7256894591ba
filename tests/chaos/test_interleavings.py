"""Another writer comes, whole, between two chosen steps of a commit: who was first wins, who was second judges again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import ColumnNotFoundError, ConflictError
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.storage import commit_steps
from tests.chaos.support.invariants import written
from tests.chaos.test_kills import LAYOUTS, ONLY_MINI, WRITTEN

CASES = [(layout, phase) for layout in LAYOUTS for phase in commit_steps.ALL if layout == "mini-paimon" or phase not in ONLY_MINI]
BEFORE = [case for case in CASES if case[1] not in WRITTEN]
each_step = pytest.mark.parametrize(("layout", "phase"), CASES)
each_step_before = pytest.mark.parametrize(("layout", "phase"), BEFORE)


def table_in(folder: Path, layout: str) -> Table:
    """The table, through a store of its own."""
    return SchemaStore(folder, layout=layout).table("db.t")


def new(folder: Path, layout: str) -> Table:
    """The table, with two columns."""
    SchemaStore(folder, layout=layout).create_table("db.t", "id BIGINT, name STRING")
    return table_in(folder, layout)


def at(phase: str, act: Callable[[], object], times: int = 1) -> None:
    """Do something when a commit comes to this step, the first so many times; what is done there is not interrupted itself."""
    left = [times]

    def listener(reached: str) -> None:
        if reached != phase or not left[0]:
            return
        left[0] -= 1
        commit_steps.listen(None)
        try:
            act()
        finally:
            commit_steps.listen(listener)

    commit_steps.listen(listener)


@each_step
def test_both_writers_are_served(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    others: list[int] = []
    at(phase, lambda: others.append(table_in(tmp_path, layout).evolve(["ADD COLUMN other STRING"]).number))
    done = table.evolve(["ADD COLUMN mine STRING"])
    second = phase not in WRITTEN
    assert (done.number, others) == ((2, [1]) if second else (1, [2]))
    assert done.attempts == (2 if second else 1)
    versions = table_in(tmp_path, layout).versions()
    assert versions[-1].schema.names == ("id", "name", *(("other", "mine") if second else ("mine", "other")))
    assert [one.id for one in versions[-1].schema.fields] == [0, 1, 2, 3]
    assert [one.parent_digest for one in written(versions)] == [None, versions[0].digest, versions[1].digest]


@each_step
def test_a_reader_sees_the_old_version_or_the_new_one(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    seen: list[tuple[int, tuple[str, ...]]] = []

    def look() -> None:
        latest = table_in(tmp_path, layout).latest()
        seen.append((latest.number, latest.schema.names))

    at(phase, look)
    table.evolve(["ADD COLUMN mine STRING"])
    assert seen == ([(1, ("id", "name", "mine"))] if phase in WRITTEN else [(0, ("id", "name"))])


@each_step_before
def test_a_twin_with_the_same_key_is_found_out(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: table_in(tmp_path, layout).evolve(["ADD COLUMN mine STRING"], key="run 1"))
    done = table.evolve(["ADD COLUMN mine STRING"], key="run 1")
    assert (done.outcome, done.number) == ("already applied", 1)
    assert table.numbers() == (0, 1)


@each_step_before
def test_a_twin_without_a_key_is_found_out_by_its_effect(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: table_in(tmp_path, layout).evolve(["ADD COLUMN mine STRING"]))
    done = table.evolve(["ADD COLUMN mine STRING"])
    assert (done.outcome, done.number) == ("unchanged", 1)
    assert table.numbers() == (0, 1)


@each_step_before
def test_who_expects_a_version_is_told_that_it_is_not_the_newest(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: table_in(tmp_path, layout).evolve(["ADD COLUMN other STRING"]))
    with pytest.raises(ConflictError, match="version 0"):
        table.evolve(["ADD COLUMN mine STRING"], expected_version=0)
    assert table.numbers() == (0, 1)


@each_step_before
def test_a_change_of_what_is_gone_meanwhile_is_judged_again(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: table_in(tmp_path, layout).evolve(["DROP COLUMN name"], override="nobody reads it"))
    with pytest.raises(ColumnNotFoundError):
        table.evolve(["ALTER COLUMN name COMMENT 'who'"])
    assert table.numbers() == (0, 1)


@each_step_before
def test_an_id_that_was_given_out_meanwhile_is_not_given_out_again(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)

    def come_and_go() -> None:
        other = table_in(tmp_path, layout)
        other.evolve(["ADD COLUMN other STRING"])
        other.evolve(["DROP COLUMN other"], override="a mistake")

    at(phase, come_and_go)
    done = table.evolve(["ADD COLUMN mine STRING"])
    assert done.number == 3
    assert {one.name: one.id for one in done.schema.fields} == {"id": 0, "name": 1, "mine": 3}


@each_step_before
def test_a_table_that_two_make_at_once_is_made_once(tmp_path: Path, layout: str, phase: str) -> None:
    made: list[str] = []
    at(phase, lambda: made.append(SchemaStore(tmp_path, layout=layout).create_table("db.t", "id BIGINT").digest))
    done = SchemaStore(tmp_path, layout=layout).create_table("db.t", "id BIGINT")
    assert (done.outcome, [done.digest]) == ("unchanged", made)


def test_somebody_is_always_faster_for_a_while(tmp_path: Path) -> None:
    table = new(tmp_path, "paimon")
    names = iter(range(100))
    at(commit_steps.JUDGED, lambda: table_in(tmp_path, "paimon").evolve([f"ADD COLUMN other_{next(names)} STRING"]), times=8)
    done = table.evolve(["ADD COLUMN mine STRING"])
    assert (done.number, done.attempts) == (9, 9)
    assert len(done.schema.fields) == 11
