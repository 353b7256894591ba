"""`SchemaVerifyOperator`: compare the table with a plan, by whichever engine it was changed. The last task of `schema_evolution`."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow.sdk import Context


class SchemaVerifyOperator(BaseOperator):
    """Fail unless a version is what a plan said.

    :param plan: what `SchemaValidateOperator(save=True)` returned, or the digest of a plan that was kept
    :param change: what the task returned that applied it; without it the newest version is looked at
    :param table: `db.table`, where the plan is a digest
    """

    template_fields: Collection[str] = ("conn_id", "table", "plan", "change")
    template_fields_renderers: ClassVar[dict[str, str]] = {"plan": "json", "change": "json"}
    ui_color = "#dae8fc"

    def __init__(self, *, plan: Any, change: Any = NOT_SAID, table: Any = NOT_SAID, conn_id: str = DEFAULT, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.table = table
        self.plan = plan
        self.change = change

    def execute(self, context: "Context") -> dict[str, Any]:
        from airflow_provider_schemas.tasks.change.verify import verify

        return verify(self, context)
