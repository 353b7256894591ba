"""What the operators that change tables share: their common arguments, and the outlet that announces a new version.

Files of DAGs import operators, so that everything else is imported when a task runs.
"""

from abc import abstractmethod
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.change.asset_events import OUTLETS, with_alias
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.output.extra_links import ApprovalLink, ChangedByLink

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from airflow.sdk import Context
    from airflow.sdk.types import RuntimeTaskInstanceProtocol

    from airflow_provider_schemas.tasks.change.run_change import ChangeLineage, ChangeResult, TaskContext


class ChangeOperator(BaseOperator):
    """A task that may write a version of a table. Subclasses say what it does."""

    template_fields: Collection[str] = ("conn_id", "table", "policy", "override", "unchecked", "key")
    template_fields_renderers: ClassVar[dict[str, str]] = {"policy": "json"}
    operator_extra_links = (ChangedByLink(), ApprovalLink())
    ui_color = "#d5e8d4"

    # What is known once it has run, for links and lineage.
    changed_by_run = ""
    approval_run = ""
    lineage: "ChangeLineage | None" = None

    def __init__(
        self,
        *,
        table: Any = NOT_SAID,
        conn_id: str = DEFAULT,
        policy: Any = NOT_SAID,
        override: str = "",
        unchecked: str = NOT_SAID,
        key: str = NOT_SAID,
        outlets: Any = OUTLETS,
        **kwargs: Any,
    ) -> None:
        super().__init__(outlets=with_alias(outlets), **kwargs)
        self.conn_id = conn_id
        self.table = table
        self.policy = policy
        self.override = override
        self.unchecked = unchecked
        self.key = key

    @abstractmethod
    def _change(self, task: "TaskContext") -> "ChangeResult":
        """Make the change, and return what was done."""

    def execute(self, context: "Context") -> dict[str, Any]:
        from airflow_provider_schemas.tasks.change.run_change import run_change

        return run_change(self, context, self._change)

    def get_openlineage_facets_on_complete(self, task_instance: "RuntimeTaskInstanceProtocol") -> "OperatorLineage[Any, Any] | None":
        """Return the table, and what became of it."""
        from airflow_provider_schemas.tasks.change.run_change import change_lineage

        return change_lineage(self)
