"""History that somebody takes back: Paimon's rollback and fast-forward, as Java does them to the files, and as pypaimon does. We notice."""

import shutil
from pathlib import Path

import pytest

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ConflictError, SchemaError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.table import Table
from tests.interop.test_our_tables import wire
from tests.support.companion import Warehouse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "lake/db.db/t"


@pytest.fixture
def table(store: SchemaStore, paimon: Warehouse) -> Table:
    """Four versions; data under the first."""
    store.create_table("db.t", "id INT NOT NULL, note STRING", primary_keys=["id"], options={"bucket": "1"})
    paimon.ask("write", "db.t", rows=[{"id": 1, "note": "a"}])
    made = store.table("db.t")
    for column in "abc":
        made.evolve(f"ADD COLUMN {column} INT")
    return made


def roll_back(folder: Path, target: int) -> None:
    """What Java does to the files of a branch: all schemas behind the target go, the newest first."""
    for path in sorted(folder.glob("schema/schema-*"), key=lambda one: int(one.name[7:]), reverse=True):
        if int(path.name[7:]) > target:
            path.unlink()


def fast_forward(folder: Path, branch: str, earliest: int, schema: int) -> None:
    """What Java does: of the main branch goes what came since the branch's earliest snapshot; then all of the branch is copied over it."""
    for name, first in (("snapshot", earliest), ("schema", schema)):
        for path in folder.glob(f"{name}/{name}-*"):
            if int(path.name.rpartition("-")[2]) >= first:
                path.unlink()
        shutil.copytree(folder / f"branch/branch-{branch}/{name}", folder / name, dirs_exist_ok=True)
    (folder / "snapshot/LATEST").unlink(missing_ok=True)
    (folder / "snapshot/EARLIEST").unlink(missing_ok=True)


def assert_rewound(table: Table, seen: Version) -> None:
    movement = table.changed_since(seen)
    assert movement
    assert [one.rule for one in movement.report.findings] == ["VERSION_REWOUND"]
    assert "VERSION_REWOUND" in [one.rule for one in table.inspect(seen).findings]
    assert "VERSION_REWOUND" in [one.rule for one in table.inspect((seen.number, seen.digest)).findings]


def test_a_rollback_is_noticed_by_whoever_saw_what_is_gone(table: Table, folder: Path) -> None:
    seen = table.latest()
    roll_back(folder, 1)
    assert table.latest().number == 1
    assert_rewound(table, seen)
    assert table.changed_since(seen.number)
    assert not table.changed_since(table.latest())
    assert not table.changed_since(1)


def test_a_rollback_is_noticed_by_a_store_that_knows_nothing(store: SchemaStore, table: Table, folder: Path, tmp_path: Path) -> None:
    seen = table.latest()
    roll_back(folder, 1)
    assert_rewound(SchemaStore(tmp_path / "lake").table("db.t"), seen)


def test_a_rollback_wakes_a_gate_that_was_green(store: SchemaStore, table: Table, folder: Path) -> None:
    seen = table.latest()
    roll_back(folder, 1)
    report = judge(store, ["db.t"], since={"db.t": seen}).reports[0]
    assert "VERSION_REWOUND" in [one.rule for one in report.findings]


def test_a_plan_is_refused_when_its_base_was_rolled_back(table: Table, folder: Path) -> None:
    plan = table.plan("ADD COLUMN d INT")
    roll_back(folder, 1)
    with pytest.raises(SchemaError, match="version 3"):
        table.apply(plan)
    with pytest.raises(ConflictError):
        table.evolve("ADD COLUMN d INT", expected_version=3)
    assert table.numbers() == (0, 1)


def test_a_number_that_was_given_out_twice_is_told_apart(table: Table, folder: Path, paimon: Warehouse) -> None:
    seen, plan = table.latest(), table.plan("ADD COLUMN d INT")
    roll_back(folder, 2)
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN other STRING"))
    assert table.latest().number == seen.number
    assert_rewound(table, seen)
    with pytest.raises(SchemaError):
        table.apply(plan)
    with pytest.raises(ConflictError):
        table.evolve("ADD COLUMN d INT", expected_version=seen)
    assert table.numbers() == (0, 1, 2, 3)


def test_a_number_that_was_given_out_twice_is_told_apart_later_too(
    store: SchemaStore, table: Table, folder: Path, paimon: Warehouse
) -> None:
    seen = table.latest()
    roll_back(folder, 2)
    for column in ("x", "y"):
        paimon.ask("alter", "db.t", changes=wire(f"ADD COLUMN {column} STRING"))
    assert table.changed_since(seen).newer == (4,)
    assert next(one.rule for one in table.inspect(seen).findings) == "VERSION_REWOUND"
    report = judge(store, ["db.t"], since={"db.t": seen}).reports[0]
    assert "VERSION_REWOUND" in [one.rule for one in report.findings]


def test_after_a_rollback_we_go_on_where_the_table_is(table: Table, folder: Path, paimon: Warehouse) -> None:
    roll_back(folder, 1)
    assert table.evolve("ADD COLUMN d STRING").number == 2
    assert not table.inspect().findings
    assert paimon.ask("read", "db.t") == [{"id": 1, "note": "a", "a": None, "d": None}]
    assert table.references().complete


def test_the_same_key_again_after_a_rollback_is_applied_again(table: Table, folder: Path) -> None:
    assert table.evolve("ADD COLUMN d INT", key="run 1").number == 4
    roll_back(folder, 3)
    assert table.evolve("ADD COLUMN d INT", key="run 1").created


def test_a_fast_forward_is_noticed(store: SchemaStore, table: Table, folder: Path, paimon: Warehouse) -> None:
    paimon.ask("tag", "db.t", tag="early")
    paimon.ask("branch", "db.t", branch="b1", tag="early")
    paimon.ask("alter", "db.t", branch="b1", changes=wire("ADD COLUMN theirs STRING"))
    paimon.ask("write", "db.t", branch="b1", rows=[{"id": 2, "note": "b", "theirs": "x"}])
    seen, plan, first = table.latest(), table.plan("ADD COLUMN d INT"), table.version(1)
    fast_forward(folder, "b1", earliest=1, schema=0)
    assert table.numbers() == (0, 1)
    assert_rewound(table, seen)
    assert table.version(1).digest != first.digest
    assert "SCHEMA_FILE_MUTATED" in [one.rule for one in table.inspect(first).findings]
    assert table.changed_since(first)
    with pytest.raises(SchemaError):
        table.apply(plan)
    assert table.references().complete
    assert table.evolve("ADD COLUMN e INT").number == 2
    assert [row["theirs"] for row in paimon.ask("read", "db.t")] == [None, "x"]


def test_what_pypaimons_fast_forward_leaves_out_is_told(table: Table, paimon: Warehouse) -> None:
    """It copies snapshots and no schemas: what those name is then not there, and nothing is expired."""
    paimon.ask("tag", "db.t", tag="early")
    paimon.ask("branch", "db.t", branch="b1", tag="early")
    for number in range(4):
        paimon.ask("alter", "db.t", branch="b1", changes=wire(f"ADD COLUMN theirs{number} STRING"))
    paimon.ask("write", "db.t", branch="b1", rows=[{"id": 2, "note": "b"}])
    paimon.ask("forward", "db.t", branch="b1")
    found = table.references()
    assert not found.complete
    assert "named version 4, which is not there" in " ".join(found.unreadable)
    assert not table.expire().deleted


def test_a_data_rollback_leaves_our_versions_alone(table: Table, paimon: Warehouse) -> None:
    seen = table.latest()
    paimon.ask("write", "db.t", rows=[{"id": 2, "note": "b", "a": 1}])
    paimon.ask("roll back", "db.t", target=1)
    assert not table.changed_since(seen)
    assert not table.inspect(seen).findings


def test_a_table_that_was_dropped_and_made_anew_is_no_continuation(store: SchemaStore, table: Table, paimon: Warehouse) -> None:
    seen, plan = table.latest(), table.plan("ADD COLUMN d INT")
    paimon.ask("drop", "db.t")
    with pytest.raises(SchemaError, match="no schema"):
        table.changed_since(seen)
    paimon.ask("create", "db.t", fields=[{"id": 0, "name": "id", "type": "INT"}])
    assert_rewound(table, seen)
    with pytest.raises(SchemaError):
        table.apply(plan)
