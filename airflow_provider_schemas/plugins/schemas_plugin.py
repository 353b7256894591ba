"""The plugin that Airflow loads by its entry point, in the scheduler, the API server and each process of a task: data only."""

from airflow.plugins_manager import AirflowPlugin


class SchemasPlugin(AirflowPlugin):
    """Tables, gates and verdicts in Airflow's UI."""

    name = "schemas"
