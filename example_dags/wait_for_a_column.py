"""A job that needs a column which another team has promised: it waits until the column is there.

What it shows
    The sensor asks whether the table fits the job. As long as it does not, the sensor sleeps in the triggerer, where it takes no worker's
    place, and looks once a minute: one listing each time. When the table fits, the job runs.

Run it (schemas_quickstart makes the table)
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test wait_for_a_column
    In a second terminal, when it waits:
    airflow-schemas evolve shop.orders "ADD COLUMN channel STRING" --store /tmp/lake

What you should see
    In the log: what is missing, once. After the change, within a minute: the table fits, and the job runs.
"""

from datetime import timedelta

from airflow.sdk import dag, task

from airflow_provider_schemas.sensors import SchemaContractSensor


@dag(schedule=None, tags=["schemas"])
def wait_for_a_column() -> None:
    """A sensor, and the job that it lets through."""
    wait = SchemaContractSensor(
        task_id="wait_for_channel",
        conn_id="lake",
        reads={"shop.orders": "order_id BIGINT NOT NULL, channel STRING"},
        deferrable=True,
        poke_interval=60,
        timeout=timedelta(hours=6).total_seconds(),
    )

    @task
    def count_by_channel() -> None:
        print("shop.orders has a channel: the job may run")

    wait >> count_by_channel()


wait_for_a_column()
