"""DAGs that a new version starts: one is watched for, the other is announced by the operator that made it."""

from typing import Any

from airflow.sdk import DAG, task

from airflow_provider_schemas.assets import schema_asset
from airflow_provider_schemas.operators import SchemaEvolveOperator

for conn in ("lake", "lake_s3"):
    watched, announced = schema_asset(conn, "watched.orders", watch=conn, poll=1), schema_asset(conn, "announced.orders")
    for dag, asset in ((f"watch_{conn}", watched), (f"hear_{conn}", announced)):
        with DAG(dag, schedule=[asset]):

            @task
            def heard(triggering_asset_events: Any = None, asset: Any = asset) -> list[dict[str, Any]]:
                """What each event says. By its asset alone: what came through an alias stands there under the alias, too."""
                return [event.extra for event in triggering_asset_events[asset]]

            heard()
    with DAG(f"change_{conn}"):
        SchemaEvolveOperator(task_id="evolve", conn_id=conn, table="{{ dag_run.conf['table'] }}", changes="{{ dag_run.conf['changes'] }}")
