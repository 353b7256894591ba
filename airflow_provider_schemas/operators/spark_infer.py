"""`SparkInferSchemaOperator`: the schema of rows, and, if a table is named, the plan that takes the table there. Writes no version."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow_provider_schemas.operators.spark_base import SparkTaskOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow.sdk import Context


class SparkInferSchemaOperator(SparkTaskOperator):
    """Look at files, or at the rows of a query, and say their schema with what speaks for it.

    Its output is a plan, if a table is named, as that of `SchemaValidateOperator` is: `SchemaApprovalOperator` and
    `SchemaEvolveOperator` take it, and a table that is not there is made by it.

    :param path: the files, or their folder
    :param file_format: the format of the files; it follows from their names, if left out
    :param options: options of spark.read
    :param sql: a query whose rows are meant, instead of files
    :param table: the `db.table` that these rows are to become part of
    :param branch: its branch
    :param save: keep the plan in the registry, so that it can be approved and applied by its digest
    :param evidence: whether all rows are looked at; without it only their types
    :param on_incompatible: what it means that the change breaks something: "fail", "skip" or "warn"
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count
    :param conn_id: a connection of the type `schema_store`
    :param spark_conn_id: a connection of the type `spark_connect`, or of `spark`, which is submitted to; without one, a session is
        started in the task
    :param conf: configuration of Spark
    :param submit: further arguments of `SparkSubmitHook`
    :param result_path: a folder that the task and a driver on another machine reach, for its answer
    """

    template_fields: Collection[str] = (
        *SparkTaskOperator.template_fields,
        "path", "file_format", "options", "sql", "table", "branch", "save", "evidence", "policy", "override",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {**SparkTaskOperator.template_fields_renderers, "sql": "sql", "policy": "json"}

    def __init__(
        self,
        *,
        path: str = NOT_SAID,
        file_format: str = NOT_SAID,
        options: Any = NOT_SAID,
        sql: str = NOT_SAID,
        table: Any = NOT_SAID,
        branch: str = NOT_SAID,
        save: bool | str = False,
        evidence: bool | str = True,
        policy: Any = NOT_SAID,
        override: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.path = path
        self.file_format = file_format
        self.options = options
        self.sql = sql
        self.table = table
        self.branch = branch
        self.save = save
        self.evidence = evidence
        self.policy = policy
        self.override = override

    def execute(self, context: "Context") -> dict[str, Any]:
        from airflow_provider_schemas.tasks.spark.infer_schema import infer

        return infer(self, context)
