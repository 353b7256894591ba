"""`SchemaApprovalOperator`: Airflow's own approval, which asks only where a plan needs it, and whose answer names the plan.

Airflow keeps the question of a task for the whole run: a task that is cleared, or tried again, shows the text of its first
try (measured on 3.3). So the button itself names the plan, and an answer to another one is none.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, NoReturn

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render import markdown
from airflow_provider_schemas.tasks import approvals, plain, planning, telling
from airflow_provider_schemas.tasks.approvals import REJECT, approve
from airflow_provider_schemas.tasks.changing import DEFAULT, At, at
from airflow_provider_schemas.tasks.links import ApprovalLink
from airflow_provider_schemas.tasks.planning import Handed
from airflow_provider_schemas.tasks.run import Run
from airflow_provider_schemas.tasks.settling import FinalError, settled

RESULT = "schema_approval"
DAY = timedelta(hours=24)
# What stands on the page of required actions, and in the database: more is read nowhere.
_MOST = 20_000
_SHOWN = 30
# The pages of the rules lie in the documentation, and not in this Airflow.
_RULE = re.compile(r"\[([A-Z0-9_]+)\]\(docs/rules/[A-Z0-9_]+\.md\)")
# What decides whether a refusal stops anything is not left to an author.
_FIXED = ("body", "defaults", "fail_on_reject", "ignore_downstream_trigger_rules", "multiple", "options")
_ANEW = "Start a new run of the DAG, which plans and asks anew."


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
        said = [name for name in _FIXED if name in kwargs]
        if said:
            raise ValueError(
                f"{', '.join(said)} cannot be given to SchemaApprovalOperator. It asks about a plan, and Reject stops what follows."
            )
        super().__init__(subject=subject, response_timeout=response_timeout, defaults=[REJECT], fail_on_reject=True, **kwargs)
        self.plan = plan
        self.approvers = approvers
        self.conn_id = conn_id

    # ------------------------------------------------------------ asking

    def execute(self, context: Any) -> Any:
        with settled():
            here, asked = at(self.conn_id, context), planning.handed(self.plan)
            plan = self._broken(here, asked)
            if plan is None:
                raise AirflowSkipException(f"{asked.table}: nobody has to be asked")
            self._prepare(here, asked, plan)
        return super().execute(context)

    def _broken(self, here: At, asked: Handed) -> Plan | None:
        """The plan, if somebody has to be asked: it is what was kept that decides, and not what XCom says of it."""
        if not asked.table:
            raise plain.refused("a digest does not say of which table.", "plan", "Pass the output of SchemaValidateOperator(save=True).")
        if not asked.does_something:
            return None
        plan = here.table(asked.table, asked.branch).saved_plan(asked.digest)
        return plan if plan.verdict is Verdict.BREAK else None

    def _prepare(self, here: At, asked: Handed, plan: Plan) -> None:
        """What is asked, and whom."""
        now = datetime.now(UTC)
        self.subject = plain.text(self.subject, "subject") or f"May {asked.table} be changed? Plan {plan.digest[:8]} breaks something"
        self.body = body(markdown(plan, limit=_SHOWN, now=now), here.run)
        self.options = [approve(plan.digest), REJECT]
        self.assigned_users = users_of(self.approvers)
        self.approval_run = here.run.text
        for line in telling.plan_lines(plan, now=now):
            self.log.info("%s", line)
        who = ", ".join(map(approvals.name_of, self.assigned_users)) or "whoever may act on this DAG"
        self.log.info("Asking %s, on the page of required actions, for %s.", who, self.response_timeout or "as long as it takes")
        if here.run.try_number > 1:
            self.log.warning(
                "This task asked before in this run. If the page shows another plan than %s, reject it. %s", plan.digest[:8], _ANEW
            )

    # ------------------------------------------------------------ the answer

    def execute_complete(self, context: Any, event: dict[str, Any]) -> Any:
        run, asked = Run.of(context), planning.handed(self.plan)
        self.approval_run = run.text
        if "error" in event:
            self._end("error", f"the question was not answered: {shown(str(event['error']))}.")
        told = approvals.answer(event, plan=asked, run=run)
        context["ti"].xcom_push(key=RESULT, value=told)
        self._check(told, asked)
        self.APPROVE = approve(asked.digest)  # what stands on our button, for what the stock operator notes
        self.options = [self.APPROVE, REJECT]
        super().execute_complete(context, event)
        self.log.info("%s  plan %s, approved by %s", asked.table, asked.digest[:8], approvals.name_of(told["responded_by_user"]))
        return told

    def _check(self, told: Mapping[str, Any], asked: Handed) -> None:
        """Raise for every answer that is not Approve, by somebody, to this plan."""
        chosen, user, plan = told["chosen_options"], told["responded_by_user"], f"plan {asked.digest[:8]} for {asked.table}"
        if user is None:
            self._end("nobody", f"nobody answered in time, so {plan} is taken as rejected.")
        if chosen == [REJECT]:
            self._end("rejected", f"{approvals.name_of(user)} rejected {plan}.")
        if chosen != [approve(asked.digest)]:
            self._end("other-plan", f"{shown(', '.join(chosen))} was the answer, and this is {plan}: the page showed an earlier question.")

    def _end(self, code: str, message: str) -> NoReturn:
        raise FinalError.of([Fault(f"approval.{code}", "", f"{message} Nothing was written.", _ANEW)])


def body(plan: str, run: Run) -> str:
    """What the approver reads: the plan, who wants it, and nothing that is too long for a page."""
    index = f", index {run.map_index}" if run.map_index >= 0 else ""
    asks = f"\n\nAsked by run `{run.run_id}` of `{run.dag_id}`{index}. Reject, or no answer in time, writes nothing.\n"
    if len(plan) > _MOST:
        plan = plan[: plan.rfind("\n", 0, _MOST)] + "\n\n... and more than fits here: the log of this task has all of it."
    return _RULE.sub(r"\1", plan).rstrip() + asks


def users_of(value: Any) -> list[Any]:
    """The approvers as Airflow takes them: ids, or mappings with id and name; one alone, or several with commas between them."""
    said = plain.loaded(value, "approvers")
    if plain.is_nothing(said):
        return []
    many = said.split(",") if isinstance(said, str) else [said] if isinstance(said, Mapping) else said
    if not isinstance(many, Iterable) or isinstance(many, bytes):
        raise plain.refused(f"{shown(said)} names nobody.", "approvers", "Pass the ids of users: ['ana', 'raj'].")
    return [_user(one) for one in many]


def _user(one: Any) -> dict[str, str]:
    number = one.get("id") if isinstance(one, Mapping) else one
    if isinstance(number, bool) or not isinstance(number, str | int) or not str(number).strip():
        raise plain.refused(f"{shown(one)} is no user.", "approvers", "Pass the ids of users: ['ana', 'raj'].")
    name = one.get("name") if isinstance(one, Mapping) else None
    return {"id": str(number).strip(), "name": str(name or number).strip()}
