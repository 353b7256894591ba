"""Files that have landed are looked at, row by row, before anybody loads them.

What it shows
    SparkValidateDataOperator holds all rows against the table that they are for: types, NULL, lengths, the primary key, in one pass.
    Rows that do not fit are put aside in a folder of their own, the task fails without a retry, and the end of its log shows some of them.
    Without spark_conn_id the session is started in the task; with a connection of the type spark_connect the rows never come to it, and one
    of the type spark is submitted to. With table=gate.output, the verdict of a gate, the version that the gate saw is meant.

Run it (schemas_quickstart makes the table)
    pip install "airflow-provider-schemas[spark]"
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test validate_landed_files
    airflow dags test validate_landed_files --conf '{"customer": null, "order": null}'

What you should see
    In the first run three rows fit, and are loaded. In the second one the order without a number fails check: the end of its log shows the
    row and the folder with the bad rows, and load does not run.
"""

from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.operators import SparkValidateDataOperator

LANDED = "file:///tmp/schemas_landed"
LOCAL = {"spark.master": "local[2]", "spark.ui.enabled": "false"}


@dag(schedule=None, params={"order": 3, "customer": 9}, tags=["schemas"])
def validate_landed_files() -> None:
    """What lands, a check, and a job that may rely on it."""

    @task
    def land(params: dict[str, Any]) -> str:
        """What another team does."""
        from pyspark.sql import SparkSession

        builder = SparkSession.builder
        for key, value in LOCAL.items():
            builder = builder.config(key, value)
        spark = builder.getOrCreate()
        rows = [(1, 7), (2, 7), (params["order"], params["customer"])]
        columns = "order_id BIGINT, cust_id BIGINT"
        orders = spark.createDataFrame(rows, columns).selectExpr("*", "CAST(15 AS DECIMAL(12, 2)) AS amount", "'spring' AS coupon")
        orders.write.mode("overwrite").parquet(f"{LANDED}/orders")
        spark.stop()
        return f"{LANDED}/orders"

    check = SparkValidateDataOperator(
        task_id="check", conn_id="lake", table="shop.orders", path=land(), quarantine=f"{LANDED}/bad", conf=LOCAL
    )

    @task
    def load(checked: dict[str, Any]) -> None:
        print(f"loading {checked['rows']} rows into {checked['table']} v{checked['version']}")

    load(check.output)


validate_landed_files()
