"""A new version of a table's schema starts a DAG, whoever made it.

What it shows
    The DAG is scheduled on an asset with a watcher: the triggerer looks for new versions once a minute, also of tables that Flink, Spark
    or a person evolves outside of Airflow. Each version is announced once, in order, and the last one is remembered over restarts.
    The scheduler may put several announcements into one run: so the task goes through all of them.

Run it (schemas_quickstart makes the table)
    export AIRFLOW_CONN_LAKE='{"conn_type": "schema_store", "host": "file:///tmp/lake"}'
    airflow standalone
    Switch the DAG on, wait until the watcher has seen the table (a minute), then:
    airflow-schemas evolve shop.orders "ADD COLUMN note STRING" --store /tmp/lake

What you should see
    A run of this DAG within the next minute; its task prints the version, and what changed.
"""

from typing import Any

from airflow.sdk import dag, task

from airflow_provider_schemas.assets import schema_asset

ORDERS = schema_asset("lake", "shop.orders", watch="lake", poll=60)


@dag(schedule=[ORDERS], tags=["schemas"])
def watch_a_table() -> None:
    """A task that hears of each version."""

    @task
    def tell(triggering_asset_events: Any = None) -> list[dict[str, Any]]:
        news = [event.extra["payload"] for event in triggering_asset_events[ORDERS]]
        for one in news:
            print(f"{one['table']} has version {one['version']}")
        if not news:
            print("Started by hand: no version has told us to run.")
        return news

    tell()


watch_a_table()
