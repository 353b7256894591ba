"""Sensors that wait for a mounted Iceberg table: another program's change wakes them, a return to an old schema too."""

from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowSensorTimeout

from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor
from tests.provider.conftest import Connect, MakeContext
from tests.provider.sensors.support.sensor_runs import NOBODY, deferred, resumed
from tests.support import iceberg_catalog
from tests.support.iceberg_catalog import CONN_ID, MOUNT


@pytest.fixture
def orders(connect: Connect, tmp_path: Path) -> Any:
    """The table prod.shop.orders of a catalog that the connection `lake` mounts as shop."""
    (tmp_path / "lake").mkdir()
    connect(CONN_ID, **iceberg_catalog.connection(tmp_path / "iceberg"))
    connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": MOUNT}})
    return iceberg_catalog.make_orders(iceberg_catalog.open_catalog(tmp_path / "iceberg"))


def version_sensor(**said: Any) -> SchemaVersionSensor:
    return SchemaVersionSensor(**{"task_id": "wait", "conn_id": "lake", "table": "shop.orders", "poke_interval": 0.02, **said})


def test_it_sleeps_until_another_program_changes_the_table(orders: Any, context: MakeContext) -> None:
    sensor = version_sensor(since=0)
    run = context(sensor, **NOBODY)
    sleep = deferred(sensor, run)
    iceberg_catalog.rename(orders, "cust_id", "customer_id")
    found = resumed(sensor, run, sleep)
    assert (found["version"], found["previous"]) == (1, 0)
    assert found["changes"] == ["RENAME COLUMN cust_id TO customer_id"]


def test_a_return_to_an_old_schema_wakes_it_and_is_no_rewinding(orders: Any, context: MakeContext) -> None:
    iceberg_catalog.rename(orders, "cust_id", "customer_id")
    sensor = version_sensor(since=1)
    run = context(sensor, **NOBODY)
    sleep = deferred(sensor, run)
    iceberg_catalog.rename(orders, "customer_id", "cust_id")
    found = resumed(sensor, run, sleep)
    assert (found["version"], found["rewound"]) == (0, False)


def test_rows_that_are_written_wake_nobody(orders: Any, context: MakeContext) -> None:
    import pyarrow as pa

    sensor = version_sensor(since=0, timeout=0.3, deferrable=False, mode="poke")
    rows = {"order_id": pa.array([1], pa.int64()), "note": pa.array(["x"])}
    schema = pa.schema([pa.field("order_id", pa.int64(), nullable=False), pa.field("note", pa.string())])
    orders.append(pa.table(rows, schema=schema))
    with pytest.raises(AirflowSensorTimeout, match="nothing newer than v0 yet"):
        sensor.execute(context(sensor, **NOBODY))


def test_a_contract_waits_for_the_column_that_it_needs(orders: Any, context: MakeContext) -> None:
    said: dict[str, Any] = {"task_id": "wait", "conn_id": "lake", "poke_interval": 0.02}
    sensor = SchemaContractSensor(reads={"shop.orders": "customer_id BIGINT"}, **said)
    run = context(sensor, **NOBODY)
    sleep = deferred(sensor, run)
    iceberg_catalog.rename(orders, "cust_id", "customer_id")
    found = resumed(sensor, run, sleep)
    assert found["tables"]["shop.orders"]["judged_by"] == "metadata"
