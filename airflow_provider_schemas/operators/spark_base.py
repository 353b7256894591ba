"""What the operators share that start a Spark job: where it runs, how it is configured, and how it ends with its task.

Files of DAGs import operators, so that everything else, pyspark above all, is imported when a task runs.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow.sdk import Context


class SparkTaskOperator(BaseOperator):
    """A task with a Spark job. Subclasses say which."""

    template_fields: Collection[str] = ("conn_id", "spark_conn_id", "conf", "submit", "result_path", "on_incompatible")
    template_fields_renderers: ClassVar[dict[str, str]] = {"conf": "json", "submit": "json", "options": "json"}
    ui_color = "#fbe5d0"

    # What ends the job, while one runs.
    spark_kill: Callable[[], None] | None = None

    def __init__(
        self,
        *,
        conn_id: str = DEFAULT,
        spark_conn_id: str = NOT_SAID,
        conf: Any = NOT_SAID,
        submit: Any = NOT_SAID,
        result_path: str = NOT_SAID,
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

    @abstractmethod
    def execute(self, context: "Context") -> dict[str, Any]:
        """Run the job, and return what XCom holds of it."""

    def on_kill(self) -> None:
        """End what runs in Spark with the task."""
        if self.spark_kill is not None:
            from airflow_provider_schemas.tasks.spark.run import kill

            kill(self)
