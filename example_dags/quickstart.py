"""Quickstart: a table, a change of it, a gate, and a Spark job behind the gate.

What it shows
    create   makes the table shop.orders in the warehouse, as a small file with its schema
    check    says what a change would do, to the data, to the readers, and to the writers; it writes nothing
    widen    makes the change: version 1 of the schema. Run again, it finds its change there and does nothing
    gate     asks whether the table fits the job behind it, and registers what the job needs, so that others are told
    report   is the job: Spark on this machine. It asks once more at its own door, because time passes behind a gate

Run it
    pip install "airflow-provider-schemas[spark]" apache-airflow-providers-apache-spark   # pyspark and pyspark-client of one version
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test schemas_quickstart

What you should see
    Five tasks that succeed; in the log of gate, one line: shop.orders v1 fits. Run it again: create and widen say that there is nothing
    to do. Then rename cust_id in another engine, or with `airflow schemas evolve --conn lake` and a waiver, and run it a third time: gate
    fails, the last lines of its log tell why and what to do, and report does not run.
"""

from decimal import Decimal
from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaEvolveOperator, SchemaGateOperator, SchemaValidateOperator
from airflow_provider_schemas.spark import assert_schema

TABLE = "shop.orders"
CHANGES = ["ADD COLUMN coupon STRING", "ALTER COLUMN amount TYPE DECIMAL(12, 2)"]
ORDERS = [
    {"order_id": 1, "cust_id": 7, "amount": Decimal("10.50")},
    {"order_id": 2, "cust_id": 7, "amount": Decimal("4.50"), "coupon": "SPRING"},
    {"order_id": 3, "cust_id": 9, "amount": Decimal("99.00")},
]


@dag(schedule=None, tags=["schemas"])
def schemas_quickstart() -> None:
    """A table, a change, a gate, a job."""
    create = SchemaCreateOperator(
        task_id="create",
        conn_id="lake",
        table=TABLE,
        columns="order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)",
        primary_keys=["order_id"],
    )
    check = SchemaValidateOperator(task_id="check", conn_id="lake", table=TABLE, changes=CHANGES)
    widen = SchemaEvolveOperator(task_id="widen", conn_id="lake", table=TABLE, changes=CHANGES)
    gate = SchemaGateOperator(
        task_id="gate", conn_id="lake", reads={TABLE: "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(12, 2)"}
    )

    @task.pyspark
    def report(verdict: dict[str, Any], spark: Any) -> dict[str, str]:
        assert_schema(spark, verdict)
        orders = spark.createDataFrame(ORDERS, verdict["tables"][TABLE]["fields_ddl"])
        totals = {
            row["cust_id"]: row["total"] for row in orders.groupBy("cust_id").agg({"amount": "sum"}).toDF("cust_id", "total").collect()
        }
        for customer, total in sorted(totals.items()):
            print(f"customer {customer} has ordered for {total}")
        return {str(customer): str(total) for customer, total in totals.items()}

    create >> check >> widen >> gate
    report(gate.output)


schemas_quickstart()
