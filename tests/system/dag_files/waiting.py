"""Two deferrable sensors on each storage, one for a new version, one for a column; and one that waits in vain.

The runs begin with the first test of all, so that sensors wait longer than the tests of the other files take.
"""

from airflow.sdk import DAG

from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor

for conn in ("lake", "lake_s3"):
    with DAG(f"wait_{conn}", default_args={"conn_id": conn, "deferrable": True, "poke_interval": 1, "timeout": 3600}):
        SchemaVersionSensor(task_id="newer", table="waiting.orders", since=0)
        SchemaContractSensor(task_id="column", reads={"waiting.orders": "coupon STRING"})

with DAG("give_up"):
    SchemaVersionSensor(task_id="newer", conn_id="lake", table="fleet.stays", since=0, deferrable=True, poke_interval=1, timeout=5)
