"""What the operators share that start a Spark job: where it runs, how it is configured, and how it ends with its task.

Files of DAGs import operators, so that everything else, pyspark above all, is looked up when a task runs.
"""

from collections.abc import Callable, Collection
from pkgutil import resolve_name
from typing import Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.hooks.naming import DEFAULT

# The seam to the library.
_KILL = "airflow_provider_schemas.tasks.spark_running:kill"


class SparkTaskOperator(BaseOperator):
    """A task with a Spark job. Subclasses say which."""

    does: ClassVar[str]
    """The function that does it, as module:name."""

    template_fields: Collection[str] = ("conn_id", "spark_conn_id", "conf", "submit", "result_path", "on_incompatible")
    template_fields_renderers: ClassVar[dict[str, str]] = {"conf": "json", "submit": "json", "options": "json"}
    ui_color = "#fbe5d0"

    # What ends the job, while one runs.
    spark_kill: Callable[[], None] | None = None

    def __init__(
        self,
        *,
        conn_id: str = DEFAULT,
        spark_conn_id: str | None = None,
        conf: Any = None,
        submit: Any = None,
        result_path: str | None = None,
        on_incompatible: str = "fail",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.spark_conn_id = spark_conn_id
        self.conf = conf
        self.submit = submit
        self.result_path = result_path
        self.on_incompatible = on_incompatible

    def execute(self, context: Any) -> dict[str, Any]:
        told: dict[str, Any] = resolve_name(self.does)(self, context)
        return told

    def on_kill(self) -> None:
        """What runs in Spark is ended with the task."""
        if self.spark_kill is not None:
            resolve_name(_KILL)(self)
