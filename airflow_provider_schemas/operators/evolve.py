"""`SchemaEvolveOperator`: change a table, once: by changes, to what a table file says, or by a plan that was made and perhaps approved."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from airflow_provider_schemas.operators.change_base import ChangeOperator
from airflow_provider_schemas.tasks.not_said import NOT_SAID

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.change.run_change import ChangeResult, TaskContext


class SchemaEvolveOperator(ChangeOperator):
    """Write the version that comes of changes, of a table file, or of a plan. What is done already is not done again.

    What another run of this task has done is found by its key, which names the task and what it wants. A later version
    may have undone it: the log reports that, and the table stays as it is.

    :param table: `db.table`; a table file and a plan say it themselves
    :param changes: short texts such as "ADD COLUMN coupon STRING", REST objects, or a list of them
    :param target: the path of a table file, from the folder of the DAG file, or its URL
    :param plan: what `SchemaValidateOperator(save=True)` returned, or the digest of a plan that was kept
    :param approval: what `SchemaApprovalOperator` returned; only with a plan, and only for that one in this run. It is believed as
        it stands in XCom: whoever may write XComs of the run, or change the DAG, is trusted
    :param approvers: whose approval counts, as `SchemaApprovalOperator` takes them; if nobody is named, anybody's
    :param expected_version: refuse unless this is the newest version: its number, or (number, digest)
    :param key: names this attempt: one with the same key is done once, whatever it wants
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count; recorded in the version
    :param unchecked: why a description that names another place, or format, of its data is not compared with the files there; recorded
    :param branch: the branch of the table
    :param engine: who is to run the statements of a table that a catalog keeps: "spark" or "flink"
    """

    template_fields: Collection[str] = (
        *ChangeOperator.template_fields, "branch", "changes", "target", "plan", "approval", "approvers", "expected_version", "engine",
    )  # fmt: skip
    template_fields_renderers: ClassVar[dict[str, str]] = {
        **ChangeOperator.template_fields_renderers,
        "changes": "json",
        "plan": "json",
        "approval": "json",
    }

    def __init__(
        self,
        *,
        changes: Any = NOT_SAID,
        target: Any = NOT_SAID,
        plan: Any = NOT_SAID,
        approval: Any = None,
        approvers: Any = (),
        expected_version: Any = NOT_SAID,
        branch: str = NOT_SAID,
        engine: str = "spark",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.changes = changes
        self.target = target
        self.plan = plan
        self.approval = approval
        self.approvers = approvers
        self.expected_version = expected_version
        self.branch = branch
        self.engine = engine

    def _change(self, task: "TaskContext") -> "ChangeResult":
        from airflow_provider_schemas.tasks.change.evolve import evolve

        return evolve(self, task)
