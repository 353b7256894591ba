"""An existing SparkSubmitOperator, guarded by one line.

What it shows
    schema_guard on pre_execute is a gate inside the task: the job is not submitted if the table does not fit. It works on every
    operator, also on one that defers or is mapped, and it hands the version that it saw to Spark, so that the job can ask again:
    jobs/daily_report.py.
    A table without a contract, reads=["shop.orders"], is judged against what this task saw when it was last green.

Run it (schemas_quickstart makes the table)
    pip install "airflow-provider-schemas[spark]" apache-airflow-providers-apache-spark   # pyspark and pyspark-client of one version
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    export AIRFLOW_CONN_SPARK_LOCAL='{"conn_type": "spark", "host": "local[2]"}'
    airflow dags test guard_spark_submit

What you should see
    In the log of daily_report: shop.orders fits, then what spark-submit prints, with "daily_report: 3 orders of 2 customers".
"""

from pathlib import Path

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import dag

from airflow_provider_schemas.operators import schema_guard


@dag(schedule=None, tags=["schemas"])
def guard_spark_submit() -> None:
    """A job, with a guard on it."""
    SparkSubmitOperator(
        task_id="daily_report",
        conn_id="spark_local",
        application=str(Path(__file__).parent / "jobs" / "daily_report.py"),
        pre_execute=schema_guard("lake", reads={"shop.orders": "order_id BIGINT NOT NULL, cust_id BIGINT"}),
    )


guard_spark_submit()
