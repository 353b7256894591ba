"""`SparkValidateDataOperator`: do rows fit a table, or a contract? All of them are looked at, in one pass of a Spark job."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow_provider_schemas.operators.spark_base import SparkTaskOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.output.extra_links import ChangedByLink

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from airflow.sdk import Context
    from airflow.sdk.types import RuntimeTaskInstanceProtocol

    from airflow_provider_schemas.tasks.spark.validate_data import DataLineage


class SparkValidateDataOperator(SparkTaskOperator):
    """Look at rows before others do: files that have landed, a query, or the rows of a table.

    :param table: `db.table`; or the verdict of a gate: then the version that it saw is meant
    :param contract: instead of the table's schema, what is needed, in the forms of a gate; not "@registered"
    :param path: the files, or their folder; without them, and without a query, the rows of the table are meant
    :param file_format: the format of the files; parquet, if left out
    :param options: options of spark.read
    :param sql: a query whose rows are meant, instead of files
    :param branch: the branch of the table
    :param version: the version of the table; the newest, if left out
    :param on_incompatible: what it means that rows do not fit: "fail" (without a retry), "skip" or "warn"
    :param quarantine: a folder for the rows that do not fit; each run has its own below it
    :param samples: how many rows are shown of each finding; 0 for none
    :param unique: whether the primary key is asked to be one, which shuffles its columns
    :param min_rows: how many rows there must be; 0 if any number will do
    :param conn_id: a connection of the type `schema_store`
    :param spark_conn_id: a connection of the type `spark_connect`, or of `spark`, which is submitted to; without one, a session is
        started in the task
    :param conf: configuration of Spark
    :param submit: further arguments of `SparkSubmitHook`
    :param result_path: a folder that the task and a driver on another machine reach, for its answer
    """

    template_fields: Collection[str] = (
        *SparkTaskOperator.template_fields,
        "table", "contract", "path", "file_format", "options", "sql", "branch", "version", "quarantine", "samples", "unique", "min_rows",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {**SparkTaskOperator.template_fields_renderers, "sql": "sql", "contract": "json"}
    operator_extra_links = (ChangedByLink(),)

    # What is known once it has run, for links and lineage.
    changed_by_run = ""
    lineage: "DataLineage | None" = None

    def __init__(
        self,
        *,
        table: Any,
        contract: Any = NOT_SAID,
        path: str = NOT_SAID,
        file_format: str = NOT_SAID,
        options: Any = NOT_SAID,
        sql: str = NOT_SAID,
        branch: str = NOT_SAID,
        version: Any = NOT_SAID,
        quarantine: str = NOT_SAID,
        samples: int | str = 5,
        unique: bool | str = True,
        min_rows: int | str = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.table = table
        self.contract = contract
        self.path = path
        self.file_format = file_format
        self.options = options
        self.sql = sql
        self.branch = branch
        self.version = version
        self.quarantine = quarantine
        self.samples = samples
        self.unique = unique
        self.min_rows = min_rows

    def execute(self, context: "Context") -> dict[str, Any]:
        from airflow_provider_schemas.tasks.spark.validate_data import validate

        return validate(self, context)

    def get_openlineage_facets_on_complete(self, task_instance: "RuntimeTaskInstanceProtocol") -> "OperatorLineage[Any, Any] | None":
        """Return the table as an input, with the findings as assertions."""
        from airflow_provider_schemas.tasks.spark.validate_data import data_lineage

        return data_lineage(self)

    get_openlineage_facets_on_failure = get_openlineage_facets_on_complete
