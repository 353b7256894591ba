"""`SchemaValidateOperator`: what changes, a table file or a whole schema would make of a table, and whom that breaks. Writes no version."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow.sdk import Context


class SchemaValidateOperator(BaseOperator):
    """Show what would become of a table, judge it by the table's policy and by what jobs have registered, and return the plan.

    :param table: `db.table`; a table file says it itself
    :param changes: short texts such as "ADD COLUMN coupon STRING", REST objects, or a list of them
    :param target: instead of changes, a table file, or a whole schema: SQL text, columns, or a schema file. What a table
        file does not mention stays, what a whole schema does not mention goes
    :param on_incompatible: what a break means: "fail", "skip" or "warn"
    :param save: keep the plan in the registry, so that it can be approved and applied by its digest
    :param applied_by: the task that will apply it: what that task did in an earlier run is not planned again
    :param key: the name under which that task does it, if it has one
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count
    :param unchecked: why a description that names another place, or format, of its data is not compared with the files there
    """

    template_fields: Collection[str] = (
        "conn_id", "table", "branch", "changes", "target", "on_incompatible", "save", "policy", "override", "unchecked", "applied_by",
        "key",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {"changes": "json", "policy": "json"}
    ui_color = "#dae8fc"

    def __init__(
        self,
        *,
        table: Any = NOT_SAID,
        changes: Any = NOT_SAID,
        target: Any = NOT_SAID,
        conn_id: str = DEFAULT,
        branch: str = NOT_SAID,
        on_incompatible: str = "fail",
        save: bool | str = False,
        policy: Any = NOT_SAID,
        override: str = "",
        unchecked: str = NOT_SAID,
        applied_by: str = NOT_SAID,
        key: str = NOT_SAID,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.table = table
        self.branch = branch
        self.changes = changes
        self.target = target
        self.on_incompatible = on_incompatible
        self.save = save
        self.policy = policy
        self.override = override
        self.unchecked = unchecked
        self.applied_by = applied_by
        self.key = key

    def execute(self, context: "Context") -> dict[str, Any]:
        from airflow_provider_schemas.tasks.change.validate import validate

        return validate(self, context)
