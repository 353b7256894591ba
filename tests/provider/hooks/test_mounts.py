"""Mounts of a connection, through Airflow's own Iceberg hook: nothing is asked before a table is asked for, and what is wrong is said."""

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.hooks import BadConnectionError, SchemaStoreHook
from airflow_provider_schemas.hooks.mounts import ConnectedCatalog
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.mounts.named_catalog import NamedCatalog
from airflow_provider_schemas.tasks.error_handling import state_of
from tests.provider.conftest import Connect
from tests.provider.hooks.test_filesystems import aws
from tests.servers.bucket import Bucket
from tests.support import delta_tables, iceberg_catalog
from tests.support.iceberg_catalog import CONN_ID, MOUNT


@pytest.fixture
def mounted(connect: Connect, tmp_path: Path) -> str:
    """The id of a connection with a mount of an Iceberg catalog that has one table, prod.shop.orders."""
    (tmp_path / "lake").mkdir()
    iceberg_catalog.make_orders(iceberg_catalog.open_catalog(tmp_path / "iceberg"))
    connect(CONN_ID, **iceberg_catalog.connection(tmp_path / "iceberg"))
    return connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": MOUNT}})


def store_with(connect: Connect, tmp_path: Path, **mount: Any) -> SchemaStore:
    (tmp_path / "lake").mkdir(exist_ok=True)
    return SchemaStoreHook(connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": {"source": "iceberg", **mount}}})).store


def test_the_tables_of_the_catalog_are_tables_of_the_store(mounted: str) -> None:
    store = SchemaStoreHook(mounted).store
    assert store.databases() == ("shop",)
    assert store.tables("shop") == ("orders",)
    table = store.table("shop.orders")
    assert [str(field.type) for field in table.schema().fields] == ["BIGINT NOT NULL", "BIGINT", "DECIMAL(10, 2)", "STRING"]
    assert table.latest().number == 0


def test_other_databases_do_not_ask_the_catalog(mounted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(f"AIRFLOW_CONN_{CONN_ID.upper()}")
    store = SchemaStoreHook(mounted).store
    store.create_table("web.visits", "visit_id BIGINT NOT NULL")
    assert store.table("web.visits").latest().number == 0
    assert store.databases() == ("shop", "web")
    with pytest.raises(BadConnectionError, match=f"connection {CONN_ID}: it is not defined"):
        store.table("shop.orders").latest()


def test_under_another_id_the_same_database_is_empty(connect: Connect, mounted: str, tmp_path: Path) -> None:
    connect("renamed", **iceberg_catalog.connection(tmp_path / "iceberg"))
    connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": {**MOUNT, "conn_id": "renamed"}}})
    said = SchemaStoreHook(mounted).test_connection()[1]
    assert "A SQL catalog keeps its tables by its name, which is the id of the connection." in said
    assert "1 table" not in said


def test_a_connection_of_another_type_fails_for_good(connect: Connect, tmp_path: Path) -> None:
    connect("web", conn_type="http", host="x")
    with pytest.raises(BadConnectionError) as caught:
        store_with(connect, tmp_path, conn_id="web").table("shop.orders").latest()
    assert (caught.value.code, state_of(caught.value)) == ("connection.type", "fail")


def test_without_the_provider_the_error_says_what_to_install(mounted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "airflow.providers.apache.iceberg.hooks.iceberg", None)
    with pytest.raises(BadConnectionError) as caught:
        SchemaStoreHook(mounted).store.table("shop.orders").latest()
    assert caught.value.code == "connection.no-provider"
    assert "pip install apache-airflow-providers-apache-iceberg" in str(caught.value)
    assert state_of(caught.value) == "fail"


def test_without_pyiceberg_the_error_names_the_extra(mounted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyiceberg" or "apache.iceberg" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyiceberg", None)
    monkeypatch.setitem(sys.modules, "pyiceberg.catalog", None)
    with pytest.raises(SchemaError) as caught:
        ConnectedCatalog(CONN_ID)()
    assert "pip install 'airflow-provider-schemas[iceberg]'" in str(caught.value)
    assert state_of(caught.value) == "fail"


def test_a_catalog_that_does_not_answer_is_tried_again(connect: Connect, tmp_path: Path) -> None:
    connect(CONN_ID, conn_type="iceberg", host="http://127.0.0.1:9", login="ann", password="hunter2")
    with pytest.raises(StorageError) as caught:
        store_with(connect, tmp_path, conn_id=CONN_ID, namespace="shop").table("shop.orders").latest()
    assert state_of(caught.value) == "retry"
    assert "hunter2" not in str(caught.value)


def test_a_catalog_of_a_type_that_there_is_not_fails_for_good(connect: Connect) -> None:
    connect(CONN_ID, conn_type="iceberg", extra={"type": "gleu"})
    with pytest.raises(BadConnectionError) as caught:
        ConnectedCatalog(CONN_ID)()
    assert state_of(caught.value) == "fail"
    assert f"Mend the connection {CONN_ID}" in str(caught.value)


def test_a_catalog_without_a_description_says_where_to_write_one() -> None:
    with pytest.raises(StorageError) as caught:
        NamedCatalog("nowhere")()
    assert caught.value.code == "mount.catalog-unusable"
    assert "PYICEBERG_CATALOG__NOWHERE__URI" in str(caught.value)


@pytest.mark.parametrize("catalog", [ConnectedCatalog(CONN_ID), NamedCatalog("prod")])
def test_what_opens_a_catalog_survives_the_way_to_another_process(catalog: object) -> None:
    assert pickle.loads(pickle.dumps(catalog)) == catalog


def test_a_folder_of_tables_needs_no_catalog(mounted: str, connect: Connect, tmp_path: Path) -> None:
    folder = tmp_path / "iceberg" / "prod" / "shop"
    locations = [path.parent for path in tmp_path.rglob("metadata") if path.is_dir()]
    store = store_with(connect, tmp_path, url=str(locations[0].parent if locations else folder))
    assert store.table("shop.orders").schema().names[0] == "order_id"


class TestOfDelta:
    """A folder of Delta tables is mounted by its address, with the storage of the connection."""

    def test_its_tables_are_tables_of_the_store(self, connect: Connect, tmp_path: Path) -> None:
        delta_tables.make_orders(tmp_path / "delta")
        store = store_with(connect, tmp_path, source="delta", url=str(tmp_path / "delta"), namespace="main.shop")
        assert store.tables("shop") == ("orders",)
        assert store.table("shop.orders").schema().names == ("order_id", "cust_id", "amount")
        plan = store.table("shop.orders").plan(["ADD COLUMN coupon STRING"])
        assert store.table("shop.orders").statements(plan).statements == ("ALTER TABLE `main`.`shop`.`orders` ADD COLUMN `coupon` STRING",)

    def test_a_bucket_is_reached_over_the_connection_of_its_storage(self, connect: Connect, s3_bucket: Bucket) -> None:
        delta_tables.make_orders(s3_bucket.url("delta"), storage_options=delta_tables.on_s3(s3_bucket.port))
        mounts = {"shop": {"source": "delta", "url": s3_bucket.url("delta")}}
        conn_id = connect(host=s3_bucket.url("lake"), extra={"mounts": mounts, "storage_conn_id": aws(connect, s3_bucket)})
        assert SchemaStoreHook(conn_id).store.table("shop.orders").latest().number == 0

    def test_it_is_listed_when_the_connection_is_tested(self, connect: Connect, tmp_path: Path) -> None:
        delta_tables.make_orders(tmp_path / "delta")
        (tmp_path / "lake").mkdir()
        extra = {"mounts": {"shop": {"source": "delta", "url": str(tmp_path / "delta")}}}
        works, said = SchemaStoreHook(connect(host=(tmp_path / "lake").as_uri(), extra=extra)).test_connection()
        assert works, said
        assert f"The mount shop (delta, {tmp_path}/delta) was listed: 1 table." in said


class TestOfTheConnection:
    """Each mount is listed; those that do not answer are named, and none hides another."""

    def test_a_mount_is_listed(self, mounted: str) -> None:
        works, said = SchemaStoreHook(mounted).test_connection()
        assert works, said
        assert "0 databases" in said
        assert "The mount shop (iceberg, " in said
        assert "was listed: 1 table." in said

    def test_a_mount_that_fails_fails_the_test_and_says_why(self, mounted: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(f"AIRFLOW_CONN_{CONN_ID.upper()}")
        works, said = SchemaStoreHook(mounted).test_connection()
        assert not works
        assert f"The mount shop cannot be listed: connection {CONN_ID}: it is not defined." in said
        assert "can be written: exclusive create by hard link" in said
