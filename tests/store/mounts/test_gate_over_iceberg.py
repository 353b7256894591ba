"""Gates over Iceberg tables that pyiceberg changes behind their back: with a catalog of SQL, over REST, and in a folder."""

import pickle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import FormatError, ReadOnlyError, StorageError
from airflow_provider_schemas.store import IcebergMount, Judgement, SchemaStore, judge
from tests.servers.iceberg_rest import Answer, IcebergRest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, ORDERS, Lake, append
from tests.support import stores

NEED = "order_id BIGINT NOT NULL, cust STRING, amount DECIMAL(10, 2)"


@pytest.fixture
def store(tmp_path: Path, lake: Lake) -> SchemaStore:
    lake.create()
    return stores.lake(tmp_path / "registry", mounts={NAMESPACE: lake.mount})


def rules(answer: Judgement) -> set[str]:
    """What does not fit."""
    findings = [finding for table in answer.tables for finding in table.report.findings]
    return {finding.rule for finding in findings if finding.verdict in (Verdict.BREAK, Verdict.INVALID)}


def test_a_job_that_fits_goes_on_and_the_verdict_says_what_it_rests_on(store: SchemaStore) -> None:
    answer = judge(store, {ORDERS: NEED})
    assert (answer.fits, rules(answer)) == (True, set())
    (table,) = answer.tables
    assert table.version is not None
    assert (table.judged_by, table.version.number) == ("metadata", 0)


def test_a_column_that_was_renamed_stops_the_job_with_its_new_name(store: SchemaStore, lake: Lake) -> None:
    store.table(ORDERS).register(NEED, consumer="daily")
    lake.change(lambda update: update.rename_column("cust", "customer"))
    answer = judge(store, {ORDERS: "@registered"}, consumer="daily")
    assert (answer.fits, rules(answer)) == (False, {"EXPECT_FIELD_RENAMED"})
    assert "customer" in str(msgspec.to_builtins(answer.tables[0].report.findings))


def test_a_column_that_was_dropped_stops_the_job_and_comes_back_with_the_old_schema(store: SchemaStore, lake: Lake) -> None:
    from pyiceberg.table.update import SetCurrentSchemaUpdate

    lake.change(lambda update: update.delete_column("amount"))
    answer = judge(store, {ORDERS: NEED})
    assert (answer.fits, rules(answer)) == (False, {"EXPECT_FIELD_MISSING"})
    lake.writer.commit_table(lake.writer.load_table(ORDERS), (), (SetCurrentSchemaUpdate(schema_id=0),))
    assert judge(store, {ORDERS: NEED}).fits
    assert store.table(ORDERS).latest().number == 0


def test_a_type_that_was_narrowed_stops_the_writer(store: SchemaStore, lake: Lake) -> None:
    lake.narrow()
    assert judge(store, {ORDERS: NEED}).fits  # who reads INT as BIGINT loses nothing
    assert not judge(store, writes={ORDERS: NEED}).fits


def test_a_type_that_was_narrowed_stops_who_reads_the_column_while_live_files_hold_the_wider_one(store: SchemaStore, lake: Lake) -> None:
    lake.append(rows=3)
    lake.narrow()
    assert rules(judge(store, {ORDERS: NEED})) == {"COLUMN_TYPE_NOT_PROMOTED"}
    other = judge(store, {ORDERS: "cust STRING"})
    assert other.fits
    assert "COLUMN_TYPE_NOT_PROMOTED" in {finding.rule for finding in other.tables[0].report.findings if finding.verdict is Verdict.WARN}


def test_a_type_that_was_narrowed_stops_nobody_once_no_live_file_holds_the_wider_one(store: SchemaStore, lake: Lake) -> None:
    lake.narrow()
    lake.append(rows=3)
    answer = judge(store, {ORDERS: NEED})
    assert "COLUMN_TYPE_NOT_PROMOTED" not in {finding.rule for finding in answer.tables[0].report.findings}


def test_a_table_that_is_gone_is_missing(tmp_path: Path, catalogued: Lake) -> None:
    catalogued.create()
    store = stores.lake(tmp_path / "registry", mounts={NAMESPACE: catalogued.mount})
    assert judge(store, {ORDERS: NEED}).fits
    catalogued.writer.drop_table(ORDERS)
    assert rules(judge(store, {ORDERS: NEED})) == {"TABLE_MISSING"}


def test_a_field_that_is_back_is_told_with_its_id(store: SchemaStore, lake: Lake) -> None:
    from pyiceberg.table.update import SetCurrentSchemaUpdate

    lake.change(lambda update: update.rename_column("amount", "total"))
    lake.change(lambda update: update.delete_column("total"))
    lake.writer.commit_table(lake.writer.load_table(ORDERS), (), (SetCurrentSchemaUpdate(schema_id=0),))
    newest = store.table(ORDERS).history()[0]
    assert newest.changes == ("ADD COLUMN amount DECIMAL(10, 2) (back under its id 3, which was total)",)


def test_a_table_that_was_made_again_is_told_as_another_one(store: SchemaStore, lake: Lake) -> None:
    table = store.table(ORDERS)
    table.register(NEED, consumer="daily")
    seen = table.latest()
    lake.writer.drop_table(ORDERS)
    lake.create()
    assert table.latest().digest == seen.digest
    assert [finding.rule for finding in table.changed_since(seen).report.findings] == ["TABLE_REPLACED"]
    for answer in (judge(store, {ORDERS: "@registered"}, consumer="daily"), judge(store, [ORDERS], since={ORDERS: seen})):
        assert "TABLE_REPLACED" in {finding.rule for finding in answer.tables[0].report.findings}


def test_each_head_is_told_with_its_moment_and_a_return_as_a_return(store: SchemaStore, lake: Lake) -> None:
    from pyiceberg.types import StringType

    table = store.table(ORDERS)
    seen = table.latest()
    lake.change(lambda update: update.add_column("note", StringType()))
    assert table.changed_since(seen)
    added = table.latest()
    lake.change(lambda update: update.delete_column("note"))
    assert table.changed_since(added)
    history = table.history()
    assert [(entry.number, entry.back) for entry in history] == [(0, True), (1, False), (0, False)]
    assert all(entry.when is not None for entry in history)


def test_rows_wake_nobody(store: SchemaStore, lake: Lake) -> None:
    table = store.table(ORDERS)
    seen = table.latest()
    lake.append()
    assert not table.changed_since(seen)


def test_old_schemas_that_files_and_tags_need_are_known(store: SchemaStore, lake: Lake) -> None:
    table = lake.writer.load_table(ORDERS)
    append(table)
    table.manage_snapshots().create_tag(table.current_snapshot().snapshot_id, "v1").commit()
    lake.change(lambda update: update.rename_column("cust", "a"))
    lake.change(lambda update: update.rename_column("a", "b"))
    references = store.table(ORDERS).references()
    assert (references.complete, references.live) == (True, frozenset({0}))
    assert set(references.holders(0)) >= {"branch main", "tag v1"}


def test_a_plan_prints_the_statement_of_the_engine_and_nothing_is_written_through_us(store: SchemaStore, lake: Lake) -> None:
    table = store.table(ORDERS)
    plan = table.plan(["RENAME COLUMN cust TO customer"])
    (statement,) = table.statements(plan).statements
    assert "RENAME COLUMN" in statement
    with pytest.raises(ReadOnlyError) as caught:
        table.evolve(["RENAME COLUMN cust TO customer"])
    assert caught.value.code == "mount.read-only"
    lake.change(lambda update: update.rename_column("cust", "customer"))
    assert table.verify(plan).fits


def test_a_store_goes_to_another_process_and_looks_for_itself(store: SchemaStore) -> None:
    assert judge(store, {ORDERS: NEED}).fits
    other = pickle.loads(pickle.dumps(store))
    assert judge(other, {ORDERS: NEED}).fits


# ---------------------------------------------------------------- over REST


@pytest.fixture
def far(tmp_path: Path, rested: Lake) -> SchemaStore:
    rested.create()
    return stores.lake(tmp_path / "registry", mounts={NAMESPACE: rested.mount})


def test_a_judgement_asks_once_for_each_table(far: SchemaStore, rested: Lake, rest: IcebergRest) -> None:
    rested.create("items")
    rest.asked.clear()
    needs = {f"{NAMESPACE}.{name}": NEED for name in ("orders", "items")}
    assert judge(far, needs).fits
    assert sorted(rest.asked) == [("GET", f"/v1/namespaces/shop/tables/{name}") for name in ("items", "orders")]
    rest.asked.clear()
    assert judge(far, needs).fits
    assert len(rest.asked) == 2


def test_64_tables_are_judged_at_once(far: SchemaStore, rested: Lake, rest: IcebergRest) -> None:
    table = rested.writer.load_table(ORDERS)
    for number in range(64):
        rested.writer.register_table((NAMESPACE, f"t{number}"), table.metadata_location)
    rest.asked.clear()
    answer = judge(far, {f"{NAMESPACE}.t{number}": NEED for number in range(64)})
    assert (answer.fits, len(answer.tables), len(rest.asked)) == (True, 64, 64)


@pytest.mark.parametrize("status", [401, 403, 404, 500, 503])
@pytest.mark.parametrize("on_missing", ["fail", "warn", "ok"])
def test_a_catalog_that_does_not_answer_is_never_a_fit(far: SchemaStore, rest: IcebergRest, status: int, on_missing: str) -> None:
    rest.forged = Answer(status, b"<html>no</html>")
    with pytest.raises(StorageError) as caught:
        judge(far, {ORDERS: NEED}, on_missing=on_missing)
    assert caught.value.fix


def test_two_schemas_of_one_id_are_never_a_fit(far: SchemaStore, rested: Lake) -> None:
    from pyiceberg.types import LongType

    stale = rested.writer.load_table(ORDERS).update_schema().add_column("opt_in", LongType())
    rested.change(lambda update: update.add_column("salary", LongType()))
    append(rested.writer.load_table(ORDERS))
    rested.change(lambda update: update.delete_column("salary"))
    stale.commit()
    with pytest.raises(FormatError, match="two schemas of the id 1"):
        judge(far, {ORDERS: NEED})


def test_mounted_tables_of_several_catalogs_and_our_own_are_judged_together(
    tmp_path: Path, sql: Lake, rest: IcebergRest, monkeypatch: Any
) -> None:
    sql.create()
    rest.behind.create_namespace("other")
    other = Lake(rest.behind, IcebergMount(rest.client(), "other"), "")
    rest.behind.create_table("other.orders", sql.writer.load_table(ORDERS).schema())
    store = stores.lake(tmp_path / "own", mounts={"a": sql.mount, "b": other.mount})
    store.create_table("c.orders", "order_id BIGINT NOT NULL, cust STRING, amount DECIMAL(10, 2)")
    needs = {f"{database}.orders": NEED for database in "abc"}
    assert judge(store, needs).fits
    sql.change(lambda update: update.delete_column("cust"))
    answer = judge(store, needs)
    assert {table.table: table.fits for table in answer.tables} == {"a.orders": False, "b.orders": True, "c.orders": True}
