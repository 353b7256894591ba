"""`SchemaCreateOperator`: make a table, once. Run again it finds the table and leaves it as it is."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow_provider_schemas.operators.change_base import ChangeOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.change.run_change import ChangeResult, TaskContext


class SchemaCreateOperator(ChangeOperator):
    """Make a table of columns, or of a table file.

    A table that is there, and is or once was what is asked for, is nothing to do. Another one is an error that says
    what differs; with `if_exists="keep"` it is left as it is, whatever it is.

    :param table: `db.table`; a table file says it itself
    :param columns: SQL text such as "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)", or a list of mappings
    :param target: the path of a table file, from the folder of the DAG file, or its URL; instead of columns
    :param primary_keys: names of columns; with columns only, as are the next three
    :param partition_keys: names of columns
    :param options: options of the table
    :param comment: what the table is for
    :param if_exists: "same" or "keep"
    :param unchecked: why the description of data that lie elsewhere is not compared with their newest files; recorded in the version
    :param key: names this attempt: one with the same key is done once
    :param conn_id: a connection of the type `schema_store`
    """

    template_fields: Collection[str] = (
        *ChangeOperator.template_fields,
        "columns", "target", "primary_keys", "partition_keys", "options", "comment", "if_exists",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {**ChangeOperator.template_fields_renderers, "columns": "sql", "options": "json"}

    def __init__(
        self,
        *,
        columns: Any = NOT_SAID,
        target: Any = NOT_SAID,
        primary_keys: Any = (),
        partition_keys: Any = (),
        options: Any = NOT_SAID,
        comment: str = NOT_SAID,
        if_exists: str = "same",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.columns = columns
        self.target = target
        self.primary_keys = primary_keys
        self.partition_keys = partition_keys
        self.options = options
        self.comment = comment
        self.if_exists = if_exists

    def _change(self, task: "TaskContext") -> "ChangeResult":
        from airflow_provider_schemas.tasks.change.create import create

        return create(self, task)
