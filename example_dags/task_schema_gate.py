"""A gate whose needs are worked out when it runs, in front of a @task.pyspark.

What it shows
    The function under @task.schema_gate returns what the job needs: {table: contract}. The job gets the verdict as its argument, which
    also sets the order, and holds the schema to the version that the gate saw.
    Nothing returned is an error: a gate that checks nothing is a mistake.

Run it (schemas_quickstart makes the table)
    pip install "airflow-provider-schemas[spark]" apache-airflow-providers-apache-spark   # pyspark and pyspark-client of one version
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test task_schema_gate

What you should see
    needs: shop.orders fits. report: the version that was seen, and its columns as Spark knows them.
"""

from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.spark import assert_schema

AMOUNT_SINCE = "2026-01-01"


@dag(schedule=None, tags=["schemas"])
def task_schema_gate() -> None:
    """A gate made of a function, and a job."""

    @task.schema_gate(conn_id="lake")
    def needs(ds: str | None = None) -> dict[str, str]:
        amount = ", amount DECIMAL(12, 2)" if str(ds) >= AMOUNT_SINCE else ""
        return {"shop.orders": f"order_id BIGINT NOT NULL{amount}"}

    @task.pyspark
    def report(verdict: dict[str, Any], spark: Any) -> int:
        assert_schema(spark, verdict)
        seen = verdict["tables"]["shop.orders"]
        orders = spark.createDataFrame([], seen["fields_ddl"])
        print(f"shop.orders v{seen['version']}: {', '.join(orders.columns)}")
        return int(seen["version"])

    report(needs())


task_schema_gate()
