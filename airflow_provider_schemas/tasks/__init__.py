"""What all tasks of ours share: who asks, what is asked, how an error ends a task, and what is said of it."""

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported

__all__: list[str] = []
