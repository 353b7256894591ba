"""A guard on an operator of Airflow's own that waits for a file in the triggerer."""

from airflow.providers.standard.sensors.filesystem import FileSensor
from airflow.sdk import DAG

from airflow_provider_schemas.operators import schema_guard

for conn in ("lake", "lake_s3"):
    with DAG(f"guard_{conn}"):
        FileSensor(
            task_id="job",
            filepath="{{ dag_run.conf['path'] }}",
            deferrable=True,
            poke_interval=1,
            timeout=180,
            pre_execute=schema_guard(conn, reads={"guarded.orders": "order_id BIGINT NOT NULL, cust_id BIGINT"}),
        )
