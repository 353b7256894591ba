"""Branches of Paimon tables: made by pypaimon and by us, one with its newest schema alone, each read and changed by the other."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, SchemaError
from airflow_provider_schemas.store import SchemaStore, judge
from tests.interop.test_our_tables import by_id, wire
from tests.support.companion import RefusedThereError, Warehouse


@pytest.fixture
def made(paimon: Warehouse, store: SchemaStore) -> Warehouse:
    """A table of ours with three versions, of which the first and the last wrote data."""
    store.create_table("db.t", "id INT NOT NULL, note STRING", primary_keys=["id"], options={"bucket": "1"})
    paimon.ask("write", "db.t", rows=[{"id": 1, "note": "a"}])
    paimon.ask("tag", "db.t", tag="early")
    store.table("db.t").evolve("ADD COLUMN a INT")
    store.table("db.t").evolve("RENAME COLUMN note TO remark")
    paimon.ask("write", "db.t", rows=[{"id": 2, "remark": "b", "a": 2}])
    return paimon


def test_a_branch_that_pypaimon_made_is_read_and_changed_by_us(made: Warehouse, store: SchemaStore) -> None:
    made.ask("branch", "db.t", branch="b1")
    table = store.table("db.t")
    branch = table.branch("b1")
    assert table.branches() == ("b1",)
    assert [one.digest for one in branch.versions()] == [one.digest for one in table.versions()]
    assert branch.evolve("ADD COLUMN only_here INT").number == 3
    assert made.ask("schemas", "db.t", branch="b1") == [0, 1, 2, 3]
    assert made.ask("schemas", "db.t") == [0, 1, 2]
    made.ask("write", "db.t", branch="b1", rows=[{"id": 3, "remark": "c", "only_here": 3}])
    assert made.ask("read", "db.t", branch="b1") == [{"id": 3, "remark": "c", "a": None, "only_here": 3}]
    assert len(made.ask("read", "db.t")) == 2


def test_a_branch_that_pypaimon_made_of_a_tag_has_the_versions_up_to_it(made: Warehouse, store: SchemaStore) -> None:
    made.ask("branch", "db.t", branch="b1", tag="early")
    branch = store.table("db.t", branch="b1")
    assert branch.numbers() == (0,)
    assert branch.references().live == frozenset({0})
    assert branch.evolve("ADD COLUMN b INT").number == 1
    made.ask("alter", "db.t", branch="b1", changes=wire("ADD COLUMN c INT"))
    assert branch.numbers() == (0, 1, 2)
    assert made.ask("read", "db.t", branch="b1") == [{"id": 1, "note": "a", "b": None, "c": None}]
    assert judge(store, {"db.t": "note STRING"}, branch="b1").fits
    assert not judge(store, {"db.t": "note STRING"}).fits


def test_a_branch_that_we_made_is_found_filled_and_changed_by_pypaimon(made: Warehouse, store: SchemaStore) -> None:
    branch = store.table("db.t").create_branch("b1")
    store.table("db.t").create_branch("b2", version=0)
    assert made.ask("branches", "db.t") == ["b1", "b2"]
    made.ask("write", "db.t", branch="b1", rows=[{"id": 9, "remark": "z", "a": 1}])
    made.ask("alter", "db.t", branch="b1", changes=wire("DROP COLUMN a"))
    assert branch.numbers() == (0, 1, 2, 3)
    assert branch.history()[0].outside
    assert made.ask("read", "db.t", branch="b1") == [{"id": 9, "remark": "z"}]
    assert made.ask("schema", "db.t", branch="b2")["id"] == 0
    with pytest.raises(RefusedThereError, match="already exists"):
        made.ask("branch", "db.t", branch="b1")
    made.ask("branch", "db.t", branch="theirs")
    with pytest.raises(AlreadyThereError):
        store.table("db.t").create_branch("theirs")


def test_a_branch_with_its_newest_schema_alone_is_read_and_changed(made: Warehouse, store: SchemaStore, tmp_path: Path) -> None:
    """As Paimon 0.9 makes them: the files below still name the schemas that only the main branch has."""
    made.ask("branch", "db.t", branch="b1")
    folder = tmp_path / "lake/db.db/t"
    for number in (0, 1):
        (folder / f"branch/branch-b1/schema/schema-{number}").unlink()
    shutil.copytree(folder / "snapshot", folder / "branch/branch-b1/snapshot")
    branch = store.table("db.t", branch="b1")
    assert branch.numbers() == (2,)
    assert branch.inspect().notes == ("not there any more: version before 2",)
    found = branch.references()
    assert (found.complete, found.live, found.has_snapshots) == (True, frozenset({2}), True)
    assert branch.evolve("ADD COLUMN b INT").number == 3
    made.ask("alter", "db.t", branch="b1", changes=wire("ADD COLUMN c INT"))
    assert branch.numbers() == (2, 3, 4)
    assert [one.outside for one in branch.history()] == [True, False, False]
    assert made.ask("schema", "db.t", branch="b1")["highestFieldId"] == 4
    assert branch.restore(3, override="back").number == 5


def test_what_a_branch_needs_is_kept_on_the_main_branch(made: Warehouse, store: SchemaStore) -> None:
    made.ask("branch", "db.t", branch="b1", tag="early")
    made.ask("untag", "db.t", tag="early")
    table = store.table("db.t")
    for column in "bcd":
        table.evolve(f"ADD COLUMN {column} INT")
    assert "branch b1 was made of it" in table.references().holders(0)
    assert table.expire(timedelta(0), dry_run=False).deleted == (1, 3, 4)
    assert made.ask("read", "db.t", branch="b1") == [{"id": 1, "note": "a"}]
    assert [row["id"] for row in by_id(made.ask("read", "db.t"))] == [1, 2]


def test_a_branch_named_as_nobody_may_is_refused_by_both(made: Warehouse, store: SchemaStore) -> None:
    for name in ("main", "", "123", "a/b"):
        with pytest.raises(SchemaError):
            store.table("db.t").create_branch(name)
    for name in ("main", "", "123"):
        with pytest.raises(RefusedThereError):
            made.ask("branch", "db.t", branch=name)
