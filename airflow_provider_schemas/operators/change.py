"""What the operators that change tables share: their common arguments, and the outlet that announces a new version.

Files of DAGs import operators, so that everything else is looked up when a task runs.
"""

from collections.abc import Collection
from pkgutil import resolve_name
from typing import Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.hooks.naming import DEFAULT
from airflow_provider_schemas.tasks.announcing import OUTLETS, with_alias
from airflow_provider_schemas.tasks.links import ApprovalLink, ChangedByLink

# The seam to the library.
_CHANGED = "airflow_provider_schemas.tasks.changing:changed"
_LINEAGE = "airflow_provider_schemas.tasks.changing:lineage_of"


class ChangeOperator(BaseOperator):
    """A task that may write a version of a table. Subclasses say what it does."""

    does: ClassVar[str]
    """The function that does it, as module:name."""

    template_fields: Collection[str] = ("conn_id", "table", "policy", "override", "key")
    template_fields_renderers: ClassVar[dict[str, str]] = {"policy": "json"}
    operator_extra_links = (ChangedByLink(), ApprovalLink())
    ui_color = "#d5e8d4"

    # What is known once it has run, for links and lineage.
    changed_by_run = ""
    approval_run = ""
    lineage: Any = None

    def __init__(
        self,
        *,
        table: Any = None,
        conn_id: str = DEFAULT,
        policy: Any = None,
        override: str = "",
        key: str | None = None,
        outlets: Any = OUTLETS,
        **kwargs: Any,
    ) -> None:
        super().__init__(outlets=with_alias(outlets), **kwargs)
        self.conn_id = conn_id
        self.table = table
        self.policy = policy
        self.override = override
        self.key = key

    def execute(self, context: Any) -> dict[str, Any]:
        told: dict[str, Any] = resolve_name(_CHANGED)(self, context, resolve_name(self.does))
        return told

    def get_openlineage_facets_on_complete(self, task_instance: Any) -> Any:
        """The table, and what became of it."""
        return resolve_name(_LINEAGE)(self)
