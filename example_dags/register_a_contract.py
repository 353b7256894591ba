"""A reader says what it needs, and is heard: whoever wants to break it is told its name before anything is written.

What it shows
    The needs of a job stand in a file beside its DAG: contracts/daily_report.yaml. The gate judges the tables against it, and registers
    it under the job's name. From then on a change that would break the job is refused, in Airflow, on the command line and in a pull
    request, with the owner and where to reach them. readers lists who has registered.

Run it (schemas_quickstart makes the table)
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow dags test register_a_contract
    airflow-schemas evolve shop.orders "DROP COLUMN cust_id" --store /tmp/lake

What you should see
    readers prints the job, its owner and the columns it reads. The change is refused: it breaks daily_report.
"""

from airflow.sdk import dag, task

from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.operators import SchemaGateOperator


@dag(schedule=None, default_args={"owner": "team-bi"}, tags=["schemas"])
def register_a_contract() -> None:
    """A gate that registers, and a look at who reads the table."""
    gate = SchemaGateOperator(task_id="daily_report", conn_id="lake", reads="contracts/daily_report.yaml")

    @task
    def readers() -> list[str]:
        contracts = SchemaStoreHook("lake").table("shop.orders").contracts()
        for one in contracts:
            print(f"{one.name} ({one.owner}) reads {', '.join(need.name for need in one.columns)}")
        return [one.name for one in contracts]

    gate >> readers()


register_a_contract()
