"""An audit looks at the metadata of tables that others keep, finds what their writers damaged, and reads no data of them."""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.spark.auditing.discovery import find_targets
from airflow_provider_schemas.spark.auditing.mounted import audit_mounted
from airflow_provider_schemas.store import IcebergMount, SchemaStore
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create, sql_catalog
from tests.store.mounts.iceberg.support.other_writers import OtherWriter


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    catalog = sql_catalog(tmp_path)
    create(catalog)
    create(catalog, "users")
    store = SchemaStore(tmp_path / "lake", actor="ana", mounts={"shop": IcebergMount(catalog, NAMESPACE)})
    store.create_table("web.visits", "visit_id BIGINT")
    return store


def test_tables_of_mounts_are_among_the_targets_and_not_among_those_that_executors_read(store: SchemaStore) -> None:
    targets = find_targets(store, "*", "*")
    assert [str(target.name) for target in targets.tables] == ["web.visits"]
    assert (targets.mounted, targets.unread) == (("shop.orders", "shop.users"), ())
    assert find_targets(store, "*", "shop.o*").mounted == ("shop.orders",)
    assert find_targets(store, "web", "*").mounted == ()
    with pytest.raises(NotThereError):
        find_targets(store, "shop", "shop.nope")


def test_sound_tables_have_no_row_and_are_counted(store: SchemaStore) -> None:
    audits = audit_mounted(store, ["shop.orders", "shop.users"], None)
    assert [(audit.rows, audit.tables, audit.versions) for audit in audits] == [((), 1, 1), ((), 1, 1)]


def test_what_a_writer_damaged_is_a_row(store: SchemaStore, tmp_path: Path) -> None:
    OtherWriter(tmp_path).commit(lambda file: file.update({"last-column-id": 2}))
    orders, users = audit_mounted(store, ["shop.orders", "shop.users"], 1)
    (row,) = orders.rows
    assert (row.table, row.rule, row.verdict, row.path) == ("shop.orders", "LAST_COLUMN_ID_LOW", "warn", "last-column-id")
    assert (row.fault, row.version) == ("iceberg.low-last-column-id", 0)
    assert users.rows == ()


def test_a_mount_that_is_down_is_a_row_and_the_others_are_audited(store: SchemaStore, tmp_path: Path) -> None:
    (tmp_path / "catalog.db").write_bytes(b"no database" * 500)
    targets = find_targets(store, "*", "*")
    assert [str(target.name) for target in targets.tables] == ["web.visits"]
    assert [(row.table, row.rule) for row in targets.unread] == [("shop.*", "TABLE_UNREAD")]


def test_a_table_that_cannot_be_read_is_a_row(store: SchemaStore, tmp_path: Path) -> None:
    OtherWriter(tmp_path).commit(lambda file: file.update({"current-schema-id": 12}))
    (audit,) = audit_mounted(store, ["shop.orders"], None)
    assert [(row.rule, row.verdict) for row in audit.rows] == [("TABLE_UNREAD", "break")]
    assert (audit.tables, audit.versions) == (1, 0)
