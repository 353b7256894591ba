"""The plugin that Airflow loads by its entry point, in the scheduler, the API server and each process of a task: data only.

All addresses are relative to Airflow's own, so that they hold where Airflow lies below a prefix. Names stand in the query: Airflow
decodes a path on its way to the frame. What Airflow 3.2 does not know of a view (`nav_top_level`) it ignores.
"""

from typing import Any

from airflow.plugins_manager import AirflowPlugin

from airflow_provider_schemas.plugins.lazy_app import LazyApp

_TASK = "dag_id={DAG_ID}&run_id={RUN_ID}&task_id={TASK_ID}&map_index={MAP_INDEX}"


class SchemasPlugin(AirflowPlugin):
    """Tables, gates and verdicts in Airflow's UI."""

    name = "schemas"
    fastapi_apps: list[Any] = [{"name": "Schemas", "url_prefix": "/schemas", "app": LazyApp()}]  # noqa: RUF012  # Airflow declares it so, and mypy holds us to it
    external_views: list[Any] = [  # noqa: RUF012  # likewise
        {
            "name": "Schemas",
            "destination": "nav",
            "href": "schemas/gates",
            "url_route": "schemas",
            "nav_top_level": True,
        },
        {"name": "Schemas", "destination": "dag", "href": "schemas/dag?dag_id={DAG_ID}", "url_route": "schemas_dag"},
        {"name": "Schema", "destination": "task_instance", "href": f"schemas/task?{_TASK}", "url_route": "schemas_task"},
    ]
