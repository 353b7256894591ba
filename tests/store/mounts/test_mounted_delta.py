"""Delta tables at the doors of the store: what is refused, with what to run instead, and whether what was planned is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import FormatError, ReadOnlyError
from airflow_provider_schemas.formats.engine_sql import statements
from airflow_provider_schemas.store import DeltaMount, SchemaStore
from tests.support import delta_tables, stores
from tests.support.delta_tables import MappedTable

ORDERS = "shop.orders"
CLICKS = "shop.clicks"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "delta"


@pytest.fixture
def orders(folder: Path) -> Any:
    return delta_tables.make_orders(folder)


@pytest.fixture
def clicks(folder: Path) -> MappedTable:
    return MappedTable(folder)


@pytest.fixture
def store(tmp_path: Path, folder: Path, orders: Any, clicks: MappedTable) -> SchemaStore:
    return stores.lake(tmp_path / "registry", mounts={"shop": DeltaMount(folder, "main.shop")})


def test_both_tables_are_read_with_their_ids(store: SchemaStore) -> None:
    assert store.tables("shop") == ("clicks", "orders")
    assert [str(field.type) for field in store.table(ORDERS).schema().fields] == ["BIGINT NOT NULL", "BIGINT", "DECIMAL(10, 2)"]
    assert [(field.id, field.name) for field in store.table(CLICKS).schema().fields] == [(1, "click_id"), (2, "url"), (3, "at")]


def test_the_policy_judges_for_spark_with_delta(store: SchemaStore) -> None:
    plan = store.table(CLICKS).plan(["ALTER COLUMN click_id TYPE DECIMAL(20, 0)"])
    assert not {finding.rule for finding in plan.report.findings} & {"TYPE_WIDENED_ENGINE_GAP"}
    plan = store.table(ORDERS).plan(["ALTER COLUMN cust_id TYPE DECIMAL(19, 0)"])
    assert "spark-delta" in str(msgspec.to_builtins(plan.report.findings))


REFUSED: dict[str, tuple[Callable[[SchemaStore], Any], str]] = {
    "evolve": (lambda store: store.table(CLICKS).evolve("DROP COLUMN url"), "ALTER TABLE `main`.`shop`.`clicks` DROP COLUMN `url`;"),
    "evolve by name": (lambda store: store.table(ORDERS).evolve("DROP COLUMN amount"), "'delta.columnMapping.mode' = 'name'"),
    "create": (lambda store: store.create_table("shop.visits", "visit_id BIGINT"), "(`visit_id` BIGINT) USING delta;"),
    "drop": (lambda store: store.drop_table(ORDERS), "DROP TABLE `main`.`shop`.`orders`;"),
    "rename": (lambda store: store.rename_table(ORDERS, "shop.sales"), "RENAME TO `main`.`shop`.`sales`;"),
    "branch": (lambda store: store.table(ORDERS).create_branch("dev"), "Change the table through an engine"),
    "bind": (lambda store: store.table(ORDERS).bind("dt=1", 0), "Nothing is to be done"),
    "expire": (lambda store: store.table(ORDERS).expire(dry_run=False), "delta.logRetentionDuration"),
}


@pytest.mark.parametrize("operation", REFUSED)
def test_what_would_write_the_table_is_refused_with_what_to_do(store: SchemaStore, operation: str) -> None:
    call, said = REFUSED[operation]
    with pytest.raises(ReadOnlyError) as error:
        call(store)
    assert error.value.code == "mount.read-only"
    assert "delta keeps the tables of shop" in error.value.message
    assert said in error.value.fix
    assert "expire_snapshots" not in error.value.fix
    assert "CREATE BRANCH" not in error.value.fix


def test_a_table_without_a_name_in_a_catalog_is_altered_by_its_address_and_not_dropped(tmp_path: Path, folder: Path, orders: Any) -> None:
    store = stores.lake(tmp_path / "registry", mounts={"shop": DeltaMount(folder)})
    plan = store.table(ORDERS).plan(["ADD COLUMN coupon STRING"])
    written = f"ALTER TABLE `delta`.`{folder}/orders` ADD COLUMN `coupon` STRING"
    assert store.table(ORDERS).statements(plan).statements == (written,)
    assert store.table(ORDERS).statements(plan, "spark").statements == (written,)
    assert store.table(ORDERS).statements(plan, "trino").statements == ('ALTER TABLE "orders" ADD COLUMN "coupon" VARCHAR',)
    for call in (lambda: store.drop_table(ORDERS), lambda: store.rename_table(ORDERS, "shop.sales")):
        with pytest.raises(ReadOnlyError) as error:
            call()
        assert error.value.fix == "Change the table through an engine that writes it."


@pytest.mark.parametrize("engine", ["spark-iceberg", "flink"])
def test_an_engine_that_does_not_keep_it_is_refused(store: SchemaStore, engine: str) -> None:
    with pytest.raises(FormatError) as error:
        store.table(ORDERS).statements(store.table(ORDERS).plan(["ADD COLUMN coupon STRING"]), engine)
    assert (error.value.code, error.value.fix) == ("mount.no-engine", "There are spark-delta, trino.")


# ---------------------------------------------------------------- verify


def test_what_was_planned_is_verified_once_the_engine_has_done_it(store: SchemaStore, orders: Any) -> None:
    table = store.table(ORDERS)
    plan = table.plan(["ADD COLUMN coupon STRING"])
    before = table.verify(plan)
    assert not before.fits
    assert "ADD COLUMN coupon STRING" in before.findings[0].message
    delta_tables.add(orders, "coupon")
    after = store.table(ORDERS).verify(plan)
    assert (after.fits, after.notes) == (True, ("version 1 is what the plan wanted",))


def test_a_drop_and_a_rename_are_verified_too(store: SchemaStore, clicks: MappedTable) -> None:
    plan = store.table(CLICKS).plan(["RENAME COLUMN url TO page", "DROP COLUMN at"])
    clicks.rename("url", "page")
    assert not store.table(CLICKS).verify(plan).fits
    clicks.drop("at")
    assert store.table(CLICKS).verify(plan).fits


def test_another_type_than_the_planned_one_is_told(store: SchemaStore, orders: Any) -> None:
    plan = store.table(ORDERS).plan(["ADD COLUMN coupon STRING"])
    delta_tables.add(orders, "coupon", "long")
    report = store.table(ORDERS).verify(plan)
    assert not report.fits
    assert "coupon" in str(msgspec.to_builtins(report.findings))


def test_the_statements_follow_from_the_plan_alone(store: SchemaStore) -> None:
    plan: Plan = store.table(CLICKS).plan(["RENAME COLUMN url TO page"])
    written = store.table(CLICKS).statements(plan)
    assert written == statements(("main", "shop", "clicks"), plan.changes, engine="spark-delta", schema=store.table(CLICKS).schema())
