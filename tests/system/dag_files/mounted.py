"""Iceberg tables that are changed through their mount: from a file that people are asked about, and by changes."""

from datetime import timedelta

import pendulum
from airflow.sdk import DAG

from airflow_provider_schemas.operators import SchemaEvolveOperator, schema_evolution

with DAG("mounted_file"):
    schema_evolution(conn_id="iced", target="schemas/web/pages.yaml", approvers=["ana", "raj"], answer_within=timedelta(minutes=5))

with DAG("mounted_change", schedule="@daily", start_date=pendulum.datetime(2026, 1, 1, tz="UTC"), catchup=False):
    SchemaEvolveOperator(task_id="evolve", conn_id="iced", table="web.visits", changes=["ADD COLUMN device STRING"])
