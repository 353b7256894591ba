"""`SchemaApprovalOperator`: Airflow's own approval, which asks only where a plan needs it, and whose answer names the plan.

Airflow keeps the question of a task for the whole run: a task that is cleared, or tried again, shows the text of its first
try (measured on 3.3). So the button itself names the plan, and an answer about another plan does not count.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.standard.operators.hitl import ApprovalOperator

from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.tasks.output.extra_links import ApprovalLink

if TYPE_CHECKING:
    from airflow.sdk import Context

DAY = timedelta(hours=24)
# What decides whether a refusal stops anything is not left to an author.
_FIXED = ("body", "defaults", "fail_on_reject", "ignore_downstream_trigger_rules", "multiple", "options")


class SchemaApprovalOperator(ApprovalOperator):
    """Ask whether a plan may be applied, if it breaks something; skip, if nobody has to be asked.

    Reject fails the task for good, and so does no answer in time: both stop what waits for it, in mapped groups too.

    :param plan: what `SchemaValidateOperator(save=True, on_incompatible="warn")` returned
    :param approvers: who may answer: ids of users, or {"id": ..., "name": ...}; if nobody is named, whoever may act on the DAG
    :param conn_id: a connection of the type `schema_store`, for the plan that is shown
    :param response_timeout: how long to wait
    :param subject: a headline instead of ours
    """

    template_fields: Collection[str] = ("conn_id", "plan", "approvers", "subject")
    template_fields_renderers: ClassVar[dict[str, str]] = {"plan": "json"}
    operator_extra_links = (ApprovalLink(),)
    approval_run = ""
    asks_about_plans: ClassVar[bool] = True
    """What tells the task that applies a plan which tasks give answers that count."""

    def __init__(
        self,
        *,
        plan: Any,
        approvers: Any = (),
        conn_id: str = DEFAULT,
        subject: str = "",
        response_timeout: timedelta | None = DAY,
        **kwargs: Any,
    ) -> None:
        fixed = [name for name in _FIXED if name in kwargs]
        if fixed:
            raise ValueError(
                f"{', '.join(fixed)} cannot be given to SchemaApprovalOperator. It asks about a plan, and Reject stops what follows."
            )
        super().__init__(subject=subject, response_timeout=response_timeout, defaults=[self.REJECT], fail_on_reject=True, **kwargs)
        self.plan = plan
        self.approvers = approvers
        self.conn_id = conn_id

    def execute(self, context: "Context") -> Any:
        from airflow_provider_schemas.tasks.change.approval_prompt import prepare_question

        for name, value in prepare_question(self, context).items():
            setattr(self, name, value)
        return super().execute(context)

    def execute_complete(self, context: "Context", event: dict[str, Any]) -> dict[str, Any]:
        from airflow_provider_schemas.tasks.change.approval_prompt import accept_answer

        answer, approve = accept_answer(self, context, event)
        # What the stock operator compares the answer with.
        self.APPROVE = approve
        self.options = [approve, self.REJECT]
        super().execute_complete(context, event)
        return answer
