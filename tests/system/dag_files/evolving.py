"""Three tables in a mapped group: a person approves one plan and rejects one, and nobody answers to the third."""

from datetime import timedelta

from airflow.sdk import DAG

from airflow_provider_schemas.operators import schema_evolution

TARGETS = [f"schemas/{name}.yaml" for name in ("approved", "rejected", "unanswered")]

for conn in ("lake", "lake_s3"):
    with DAG(f"evolve_{conn}"):
        schema_evolution.partial(conn_id=conn, approvers=["ana", "raj"], answer_within=timedelta(seconds=60)).expand(target=TARGETS)
