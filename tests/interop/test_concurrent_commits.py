"""pypaimon and we at the same table at the same moment: it may write over our files, and then we notice."""

import shutil
from pathlib import Path

import pytest

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.interop.test_our_tables import wire
from tests.support.companion import Warehouse

ROUNDS = 60


@pytest.fixture
def table(store: SchemaStore) -> Table:
    store.create_table("db.t", "id INT NOT NULL")
    return store.table("db.t")


def overwritten(table: Table, paimon: Warehouse, tmp_path: Path) -> Version:
    """A version of ours over which pypaimon writes its own of that number, having looked before we wrote; ours."""
    shutil.copytree(tmp_path / "lake", tmp_path / "before", dirs_exist_ok=True)
    ours = table.evolve("ADD COLUMN ours INT").version
    Warehouse(paimon.companion, tmp_path / "before").ask("alter", "db.t", changes=wire("ADD COLUMN theirs STRING"))
    file = f"db.db/t/schema/schema-{ours.number}"
    (tmp_path / "before" / file).replace(tmp_path / "lake" / file)
    return ours


def test_whoever_was_overwritten_finds_it_out(table: Table, paimon: Warehouse, tmp_path: Path) -> None:
    ours = overwritten(table, paimon, tmp_path)
    assert [one.name for one in table.schema().fields] == ["id", "theirs"]
    assert [one.rule for one in table.changed_since(ours).report.findings] == ["VERSION_REWOUND"]
    assert [one.rule for one in table.inspect(ours).findings] == ["VERSION_REWOUND", "SCHEMA_FILE_MUTATED"]
    assert table.history()[0].outside
    with pytest.raises(SchemaError):
        table.evolve("ADD COLUMN more INT", expected_version=ours)


def test_what_stands_on_an_overwritten_version_says_so_itself(store: SchemaStore, table: Table, paimon: Warehouse, tmp_path: Path) -> None:
    overwriting = tmp_path / "theirs"
    ours = table.evolve("ADD COLUMN ours INT").version
    table.evolve("ADD COLUMN more INT")
    shutil.copytree(tmp_path / "lake", overwriting)
    for number in (1, 2):
        (overwriting / f"db.db/t/schema/schema-{number}").unlink()
    Warehouse(paimon.companion, overwriting).ask("alter", "db.t", changes=wire("ADD COLUMN theirs STRING"))
    (overwriting / "db.db/t/schema/schema-1").replace(tmp_path / "lake/db.db/t/schema/schema-1")
    for one in (table, SchemaStore(tmp_path / "lake").table("db.t")):
        assert [each.rule for each in one.inspect().findings] == ["SCHEMA_FILE_MUTATED", "VERSION_NOT_SUCCESSOR"]
        assert "SCHEMA_FILE_MUTATED" in [each.rule for each in one.inspect(ours).findings]
    assert table.evolve("ADD COLUMN later INT").number == 3


def test_after_it_we_both_go_on(store: SchemaStore, table: Table, paimon: Warehouse, tmp_path: Path) -> None:
    overwritten(table, paimon, tmp_path)
    assert table.evolve("ADD COLUMN ours INT").number == 2
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN more INT"))
    assert [one.name for one in table.schema().fields] == ["id", "theirs", "ours", "more"]


def test_both_at_once_nobody_crashes_and_nothing_goes_unnoticed(table: Table, paimon: Warehouse, tmp_path: Path) -> None:
    about = {"warehouse": str(tmp_path / "lake"), "table": "db.t", "prefix": "theirs", "count": ROUNDS}
    paimon.companion.tell("alter often", **about)
    done = [table.evolve(f"ADD COLUMN ours{number} INT", key=f"{number}") for number in range(ROUNDS)]
    wrong = paimon.companion.hear()
    assert all(one.created for one in done)
    there = {one.number: one for one in table.versions()}
    assert sorted(there) == list(range(max(there) + 1))
    lost = [one.version for one in done if there[one.number].digest != one.digest]
    told = {one.path for one in table.inspect(*(one.version for one in done)).findings if one.rule == "VERSION_REWOUND"}
    assert told == {f"version {one.number}" for one in lost}
    # Whose version stands on one that is gone says so to whoever has never seen it.
    stood_on = {(past.parent_id, past.parent_sha256) for one in there.values() if (past := one.provenance) is not None}
    orphaned = [one for one in lost if (one.number, one.digest) in stood_on]
    assert bool(table.inspect().findings) is bool(orphaned)
    assert table.evolve("ADD COLUMN last INT").created
    paimon.ask("write", "db.t", rows=[{"id": 1}])
    assert len(paimon.ask("read", "db.t")) == 1
    assert table.references().complete
    print(f"{len(lost)} of {ROUNDS} versions were overwritten; pypaimon failed {len(wrong)} times")
