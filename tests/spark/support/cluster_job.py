"""A job on a cluster: what was checked before it is still there; rows are written, read back as what the table is now, and validated."""

import json
import sys

from pyspark.sql import SparkSession  # noqa: TID253  # the file of a Spark job is no part of the package

from airflow_provider_schemas.spark import assert_schema, read_table, stamp, validate, write_files
from airflow_provider_schemas.store import SchemaStore

lake, registry, verdict = sys.argv[1:]
spark = SparkSession.builder.appName("cluster").getOrCreate()
checked = assert_schema(spark, verdict)

table = SchemaStore(lake, registry=registry).table("shop.orders")
write_files(spark.range(1000, numPartitions=4).selectExpr("id AS order_id", "id % 7 AS cust_id"), table)
table.evolve(["RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING"], override="a test")
stamped = stamp(spark.range(1000, 1010).selectExpr("id AS order_id", "id AS customer_id", "'c' AS coupon"), table)
stamped.write.mode("append").parquet(table.schema().table_attributes["location"])

seen = SchemaStore.on(spark, lake, registry=registry).table("shop.orders")
rows = read_table(spark, seen)
found = rows.selectExpr("count(*)", "count(customer_id)", "count(coupon)", "max(order_id)").collect()[0]
said = {
    "master": spark.sparkContext.master,
    "checked": {name: one.number for name, one in checked.items()},
    "rows": list(found),
    "fits": validate(rows, seen.schema()).fits,
    "executors": spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1,
}
print("SAID", json.dumps(said))
spark.stop()
