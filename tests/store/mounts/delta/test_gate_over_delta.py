"""Gates over Delta tables that deltalake and others change behind their back."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ReadOnlyError
from airflow_provider_schemas.store import DeltaMount, Judgement, SchemaStore, judge
from tests.store.mounts.delta.support.logs import MAPPED, Log, column, info, mapped, metadata, protocol
from tests.support import stores

ORDERS = "shop.orders"
NEED = "id BIGINT, cust STRING"
BOTH = metadata(column("id"), column("cust", "string"))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "lake")


@pytest.fixture
def store(tmp_path: Path, log: Log) -> SchemaStore:
    log.create()
    return opened(tmp_path, log)


def opened(folder: Path, log: Log) -> SchemaStore:
    """The store as another process has it."""
    return stores.lake(folder / "registry", mounts={"shop": DeltaMount(str(log.folder.parent.parent))})


def rules(answer: Judgement) -> set[str]:
    """What does not fit."""
    findings = [finding for table in answer.tables for finding in table.report.findings]
    return {finding.rule for finding in findings if finding.verdict in (Verdict.BREAK, Verdict.INVALID)}


def test_a_job_that_fits_goes_on_and_the_verdict_says_what_it_rests_on(store: SchemaStore) -> None:
    answer = judge(store, {ORDERS: NEED})
    (table,) = answer.tables
    assert table.version is not None
    assert (answer.fits, table.judged_by, table.version.number) == (True, "metadata", 0)


def test_what_deltalake_adds_is_welcome_and_what_it_overwrites_is_not(tmp_path: Path) -> None:
    import deltalake
    import pyarrow as pa

    place = tmp_path / "lake" / "orders"
    deltalake.write_deltalake(place, pa.table({"id": pa.array([1], pa.int64()), "cust": ["a"]}))
    log = Log(tmp_path / "lake")
    store = opened(tmp_path, log)
    store.table(ORDERS).register(NEED, consumer="daily")
    table = deltalake.DeltaTable(place)
    table.alter.add_columns([deltalake.Field("at", deltalake.schema.PrimitiveType("date"))])
    assert judge(store, {ORDERS: "@registered"}, consumer="daily").fits
    deltalake.write_deltalake(place, pa.table({"id": pa.array(["1"]), "cust": ["a"]}), mode="overwrite", schema_mode="overwrite")
    answer = judge(store, {ORDERS: "@registered"}, consumer="daily")
    assert (answer.fits, rules(answer)) == (False, {"EXPECT_TYPE_UNSAFE"}) or not answer.fits
    assert "deltalake" in str(answer.tables[0].report.notes) or "delta-rs" in str(answer.tables[0].report.notes)


def test_a_mapped_column_that_was_renamed_stops_the_job_with_its_new_name(tmp_path: Path, log: Log) -> None:
    log.create(mapped("id", 1), mapped("cust", 2, kind="string"), configuration=MAPPED)
    store = opened(tmp_path, log)
    store.table(ORDERS).register(NEED, consumer="daily")
    log.commit(info("RENAME COLUMN"), metadata(mapped("id", 1), mapped("customer", 2, "cust", "string"), configuration=MAPPED))
    answer = judge(store, {ORDERS: "@registered"}, consumer="daily")
    assert (answer.fits, rules(answer)) == (False, {"EXPECT_FIELD_RENAMED"})
    assert "customer" in str(msgspec.to_builtins(answer.tables[0].report.findings))


def test_a_table_that_is_gone_is_missing(store: SchemaStore, log: Log) -> None:
    assert judge(store, {ORDERS: NEED}).fits
    for file in log.folder.iterdir():
        file.unlink()
    assert rules(judge(store, {ORDERS: NEED})) == {"TABLE_MISSING"}


def test_rows_checkpoints_and_cleaning_wake_nobody(tmp_path: Path, store: SchemaStore, log: Log) -> None:
    seen = store.table(ORDERS).latest()
    log.data(10)
    log.checkpoint(9, protocol(), BOTH)
    for other in (store, opened(tmp_path, log)):
        assert not other.table(ORDERS).changed_since(seen)
    log.clean(9)
    fresh = opened(tmp_path, log).table(ORDERS)
    assert (fresh.latest().number, fresh.latest().digest) == (9, seen.digest)
    assert not fresh.changed_since(seen)


@pytest.mark.parametrize("cleaned", [0, 4])
def test_what_came_since_a_schema_was_seen_is_told_across_a_checkpoint(tmp_path: Path, store: SchemaStore, log: Log, cleaned: int) -> None:
    seen = store.table(ORDERS).latest()
    log.data(4)
    log.checkpoint(4, protocol(), BOTH)
    log.commit(metadata(column("id"), column("cust", "string"), column("at", "date")))
    log.clean(cleaned)
    movement = opened(tmp_path, log).table(ORDERS).changed_since(seen)
    assert (movement.head, movement.newer, movement.report.findings) == (5, (5,), ())


def test_a_job_without_a_contract_stops_at_what_came_since_and_not_at_a_checkpoint(tmp_path: Path, store: SchemaStore, log: Log) -> None:
    version = store.table(ORDERS).latest()
    seen = (version.number, version.digest, version.table_id)
    log.data(4)
    log.checkpoint(4, protocol(), BOTH)
    assert judge(opened(tmp_path, log), {ORDERS: None}, since={ORDERS: seen}).fits
    log.commit(metadata(column("id")))
    answer = judge(opened(tmp_path, log), {ORDERS: None}, since={ORDERS: seen})
    assert (answer.fits, rules(answer)) == (False, {"FIELD_DROPPED"})
    log.clean(4)
    assert not judge(opened(tmp_path, log), {ORDERS: None}, since={ORDERS: seen}).fits


def test_a_table_that_was_made_again_is_told_as_another_one(store: SchemaStore, log: Log) -> None:
    seen = store.table(ORDERS).latest()
    log.next = 0
    log.create(id="another")
    movement = store.table(ORDERS).changed_since((seen.number, seen.digest, seen.table_id))
    assert movement.is_replaced


def test_the_history_tells_who_the_log_says_it_was(tmp_path: Path, store: SchemaStore, log: Log) -> None:
    log.commit(info("ADD COLUMNS", 1_700_000_100_000, userName="ana"), metadata(column("id"), column("cust", "string"), column("x")))
    log.data(2)
    log.commit(info("DROP COLUMNS", userName="ben"), BOTH)
    log.checkpoint(4, protocol(), BOTH)
    history = opened(tmp_path, log).table(ORDERS).history()
    assert [entry.number for entry in history] == [4, 1, 0]
    assert "ana" in str(list(history))


def test_nothing_is_written_through_us(store: SchemaStore) -> None:
    with pytest.raises(ReadOnlyError) as caught:
        store.table(ORDERS).evolve(["ADD COLUMN x INT"])
    assert caught.value.code == "mount.read-only"
    with pytest.raises(ReadOnlyError):
        store.create_table("shop.new", "a INT")


def test_a_fault_of_the_metadata_is_a_finding_of_the_gate(tmp_path: Path, log: Log) -> None:
    log.create(mapped("id", 1), mapped("cust", 1, kind="string"), configuration=MAPPED)
    store = opened(tmp_path, log)
    report: Any = store.table(ORDERS).inspect()
    assert "delta.column-id-twice" in {finding.fault for finding in report.findings}
