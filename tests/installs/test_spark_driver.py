"""The wheel alone, without its dependencies, in a Spark driver beside pypaimon: a table that pypaimon writes and evolves is read there."""

from pathlib import Path

import pytest

from tests.installs.overlay import Overlay, wheel

DRIVER = """
import importlib.metadata, json, pathlib, sys
import pyarrow as pa
from pypaimon import CatalogFactory, Schema
from pypaimon.schema.schema_change import SchemaChange
from pyspark.sql import SparkSession
from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.spark import read_table, validate
from airflow_provider_schemas.store import SchemaStore

lake = sys.argv[1]
catalog = CatalogFactory.create({"warehouse": lake})
catalog.create_database("shop", True)
rows = pa.table({"order_id": [1, 2], "cust_id": pa.array([7, 8], pa.int32()), "dt": ["a", "b"]})
catalog.create_table("shop.orders", Schema.from_pyarrow_schema(rows.schema, partition_keys=["dt"]), False)

def write(rows):
    builder = catalog.get_table("shop.orders").new_batch_write_builder()
    write, commit = builder.new_write(), builder.new_commit()
    write.write_arrow(rows)
    commit.commit(write.prepare_commit())
    write.close(), commit.close()

write(rows)
catalog.alter_table("shop.orders", [SchemaChange.rename_column("cust_id", "customer_id")], False)
write(pa.table({"order_id": [3], "customer_id": pa.array([9], pa.int32()), "dt": ["b"]}))

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
table = SchemaStore.on(spark, lake).table("shop.orders")
found = read_table(spark, table)
print("SAID", json.dumps({
    "rows": sorted(map(list, found.collect())),
    "fits": validate(found, table.schema()).fits,
    "airflow": [name for name in sys.modules if name.partition(".")[0] == "airflow"],
    "ours": importlib.metadata.distribution("airflow-provider-schemas").read_text("direct_url.json").startswith('{"archive_info"'),
}, sort_keys=True))
spark.stop()
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Overlay:
    """An environment with pypaimon and Spark, with the wheel and none of what it requires."""
    folder = tmp_path_factory.mktemp("driver")
    one = Overlay("paimon", folder)
    one.pip("install", "--no-deps", wheel(folder))
    return one


def test_a_spark_driver_with_pypaimon_and_the_wheel_reads_what_pypaimon_wrote(driver: Overlay, tmp_path: Path) -> None:
    said = driver.run("-c", DRIVER, str(tmp_path / "lake"), SPARK_LOCAL_IP="127.0.0.1")
    assert '"airflow": [], "fits": true, "ours": true, "rows": [[1, 7, "a"], [2, 8, "b"], [3, 9, "b"]]' in said
