"""`SparkSchemaAuditOperator`: what is wrong with the tables of a warehouse, files and all, in one Spark job."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.operators.spark_base import SparkTaskOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow.sdk import Context


class SparkSchemaAuditOperator(SparkTaskOperator):
    """Look through a warehouse, and say what is wrong: the worst in the log and in XCom, all of it as rows if they are kept.

    :param databases: names or patterns such as "mart_*"; all, if left out
    :param tables: names or patterns such as "shop.*"; all, if left out
    :param data: whether data files are looked at; without them only schema files
    :param branches: whether branches are looked at, too
    :param parallel: so many tables at once
    :param save: a folder for all findings, as Parquet; each run has its own below it
    :param on_incompatible: what it means that something breaks: "fail" (without a retry), "skip" or "warn"
    :param conn_id: a connection of the type `schema_store`
    :param spark_conn_id: a connection of the type `spark_connect`, or of `spark`, which is submitted to; without one, a session is
        started in the task
    :param conf: configuration of Spark
    :param submit: further arguments of `SparkSubmitHook`
    :param result_path: a folder that the task and a driver on another machine reach, for its answer
    """

    template_fields: Collection[str] = (
        *SparkTaskOperator.template_fields,
        "databases", "tables", "data", "branches", "parallel", "save",
    )  # fmt: skip

    def __init__(
        self,
        *,
        databases: Any = NOT_SAID,
        tables: Any = NOT_SAID,
        data: bool | str = True,
        branches: bool | str = False,
        parallel: int | str = NOT_SAID,
        save: str = NOT_SAID,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.databases = databases
        self.tables = tables
        self.data = data
        self.branches = branches
        self.parallel = parallel
        self.save = save

    def execute(self, context: "Context") -> dict[str, Any]:
        from airflow_provider_schemas.tasks.spark.audit_tables import audit

        return audit(self, context)
