"""Tasks that know nothing of guards, and are guarded all the same: by a cluster policy.

What it shows
    The tasks name what they read as inlets, which lineage wants anyway. The policy beside this file, airflow_local_settings.py, puts a
    guard on each of them, mapped or not. Without contracts a task is judged against what it saw when it was last green: the first run
    always passes, and a table that broke in between stops the next one.

Run it (schemas_quickstart makes the table)
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    mkdir -p $AIRFLOW_HOME/config && cp airflow_local_settings.py $AIRFLOW_HOME/config/
    airflow dags test fleet_guard

What you should see
    In the log of each task one line more: shop.orders fits. Without the file in config/ the line is not there.
"""

from airflow.sdk import dag, task

from airflow_provider_schemas.assets import schema_asset

ORDERS = schema_asset("lake", "shop.orders")


@dag(schedule=None, tags=["schemas"])
def fleet_guard() -> None:
    """Two tasks, one of them mapped."""

    @task(inlets=[ORDERS])
    def report() -> None:
        print("reporting")

    @task(inlets=[ORDERS])
    def report_of(country: str) -> str:
        print(f"reporting on {country}")
        return country

    report() >> report_of.expand(country=["DE", "FR"])


fleet_guard()
