"""What is done in a Spark job is not done to tables that others keep, and says so: nothing passes that nobody looked at."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError, ProjectionError
from airflow_provider_schemas.spark.auditing.discovery import find_targets
from airflow_provider_schemas.spark.reading.request import request_of
from airflow_provider_schemas.spark.schema_assertion import assert_schema
from airflow_provider_schemas.store import SchemaStore, judge
from tests.store.mounts.support.remembered_source import RememberedSource
from tests.support.stores import lake

NO_SESSION: Any = None


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    source = RememberedSource()
    source.create("orders")
    return lake(tmp_path, mounts={"shop": source})


def test_a_read_of_a_mounted_table_names_the_line_that_reads_it(store: SchemaStore) -> None:
    with pytest.raises(ProjectionError) as error:
        request_of(NO_SESSION, store.table("shop.orders"), None)
    assert 'spark.table("lake.prod.shop.orders")' in error.value.fix
    verdict = judge(store, ["shop.orders"]).to_dict()
    verdict["tables"]["shop.orders"] |= {"place": "memory://peer/shop/orders", "layout": "mounted"}
    with pytest.raises(ProjectionError, match="mounted"):
        request_of(NO_SESSION, verdict, None)


def test_a_job_does_not_take_a_mounted_table_for_unchanged() -> None:
    entry = {"version": 0, "digest": "0" * 64, "place": "memory://peer/shop/orders", "layout": "mounted"}
    with pytest.raises(NotThereError, match="cannot be compared in a job") as error:
        assert_schema(NO_SESSION, {"shop.orders": entry})
    assert error.value.code == "door.mounted"


@pytest.mark.parametrize("tables", ["*", "shop.*", "shop.orders", ["own.users", "shop.orders"]])
def test_an_audit_leaves_mounted_tables_to_the_driver_and_leaves_none_out(store: SchemaStore, tables: Any) -> None:
    store.create_table("own.users", "a INT")
    targets = find_targets(store, "*", tables)
    assert "shop" not in {target.name.database for target in targets.tables}
    assert (targets.mounted, targets.unread) == (("shop.orders",), ())


def test_an_audit_of_other_databases_asks_no_mount(store: SchemaStore) -> None:
    store.create_table("own.users", "a INT")
    for targets in (find_targets(store, "own", "*"), find_targets(store, "*", "own.users")):
        assert (targets.mounted, targets.unread) == ((), ())
