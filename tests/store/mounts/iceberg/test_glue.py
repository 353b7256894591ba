"""Tables that Glue keeps, in moto: pyiceberg finds their metadata, and we read it."""

from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import IcebergMount
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault
from tests.servers.fixtures import Flawed
from tests.servers.iceberg_glue import IcebergGlue, iceberg_glue
from tests.store.mounts.iceberg.support.lakes import Lake, append, names


@pytest.fixture
def glue(s3_bucket: Bucket, flawed: Flawed) -> IcebergGlue:
    return iceberg_glue(s3_bucket, flawed)


def create(glue: IcebergGlue) -> Any:
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField, StringType

    schema = Schema(NestedField(1, "order_id", LongType(), required=True), NestedField(2, "cust", StringType()))
    return glue.client(watched=False).create_table((glue.database, "orders"), schema)


def test_a_look_is_one_request_to_glue_and_one_to_s3_and_then_one_to_glue(glue: IcebergGlue) -> None:
    create(glue)
    lake = Lake(None, IcebergMount(glue.client(), glue.database), "")
    look = lake.look()
    assert [(method, path.rpartition(".")[2]) for method, path in glue.proxy.seen] == [("POST", "/"), ("GET", "json")]
    assert lake.look(known=look) is look
    assert len(glue.proxy.seen) == 3


def test_what_changes_is_seen_and_not_the_columns_that_glue_has_kept(glue: IcebergGlue) -> None:
    table = create(glue)
    append(table)
    with table.update_schema() as update:
        update.rename_column("cust", "customer")
    with table.update_schema() as update:
        update.rename_column("customer", "cust")
    lake = Lake(None, IcebergMount(glue.client(), glue.database), "")
    look = lake.look()
    assert names(look) == ["order_id", "cust"]
    assert [head.number for head in look.heads().entries] == [0, 1, 0]
    assert look.live().numbers == frozenset({0})
    boto = glue.client(watched=False).glue
    kept = boto.get_table(DatabaseName=glue.database, Name="orders")["Table"]["StorageDescriptor"]["Columns"]
    assert {"cust", "customer"} <= {column["Name"] for column in kept}


def test_a_table_of_hive_in_glue_is_an_error_and_no_missing_table(glue: IcebergGlue) -> None:
    boto = glue.client(watched=False).glue
    boto.create_table(DatabaseName=glue.database, TableInput={"Name": "plain", "Parameters": {"classification": "parquet"}})
    mount = IcebergMount(glue.client(), glue.database)
    with pytest.raises(StorageError) as caught:
        mount.look("plain")
    assert caught.value.code == "mount.not-iceberg"
    assert mount.look("nothing") is None


@pytest.mark.parametrize(("method", "status"), [("POST", 403), ("GET", 403), ("GET", 500)])
def test_a_service_that_says_no_is_an_error(glue: IcebergGlue, hasty: None, method: str, status: int) -> None:
    create(glue)
    glue.proxy.always(method, "", Fault.ANSWER_BEFORE, status=status)
    with pytest.raises(StorageError) as caught:
        IcebergMount(glue.client(), glue.database).look("orders")
    assert caught.value.fix
    assert "testing" not in str(caught.value)
