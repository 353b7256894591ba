"""What an approver is asked about a plan, and what an answer means."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.api import markdown
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import approvals, summary
from airflow_provider_schemas.tasks.change.approvals import REJECT, approve
from airflow_provider_schemas.tasks.change.make_plan import Handed, handed
from airflow_provider_schemas.tasks.change.run_change import At, at
from airflow_provider_schemas.tasks.error_handling import FinalError, settled
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.sdk.types import Logger

RESULT = "schema_approval"
# What stands on the page of required actions, and in the database: more is read nowhere.
_MOST = 20_000
_SHOWN = 30
# The pages of the rules lie in the documentation, and not in this Airflow.
_RULE = re.compile(r"\[([A-Z0-9_]+)\]\(docs/rules/[A-Z0-9_]+\.md\)")
_ANEW = "Start a new run of the DAG, which plans and asks anew."


class ApprovalTask(Protocol):
    """A task in which somebody approves a plan, and the link to the question."""

    conn_id: str
    plan: Value
    approvers: Value
    subject: str
    response_timeout: timedelta | None
    approval_run: str

    @property
    def log(self) -> "Logger": ...


def prepared(operator: ApprovalTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """What the stock operator asks, and whom, by the names of its attributes; or the end of the task, if nobody has to be asked."""
    with settled():
        here, asked = at(operator.conn_id, context), handed(operator.plan)
        plan = _broken(here, asked)
        if plan is None:
            raise AirflowSkipException(f"{asked.table}: nobody has to be asked")
        now = datetime.now(UTC)
        said: dict[str, Any] = {
            "subject": template_values.optional_text(operator.subject, "subject")
            or f"May {asked.table} be changed? Plan {plan.digest[:8]} breaks something",
            "body": body(markdown(plan, limit=_SHOWN, now=now), here.run),
            "options": [approve(plan.digest), REJECT],
            "assigned_users": users_of(operator.approvers),
            "approval_run": here.run.text,
        }
        _say(operator, here, plan, said["assigned_users"], now)
        return said


def _broken(here: At, asked: Handed) -> Plan | None:
    """The plan, if somebody has to be asked: it is what was kept that decides, and not what XCom says of it."""
    if not asked.table:
        raise template_values.refused(
            "a digest does not say of which table.", "plan", "Pass the output of SchemaValidateOperator(save=True)."
        )
    if not asked.does_something:
        return None
    plan = here.table(asked.table, asked.branch or NOT_SAID).saved_plan(asked.digest)
    return plan if plan.verdict is Verdict.BREAK else None


def _say(operator: ApprovalTask, here: At, plan: Plan, users: Sequence[Any], now: datetime) -> None:
    for line in summary.plan_lines(plan, now=now):
        operator.log.info("%s", line)
    who = ", ".join(map(approvals.name_of, users)) or "whoever may act on this DAG"
    operator.log.info("Asking %s, on the page of required actions, for %s.", who, operator.response_timeout or "as long as it takes")
    if here.run.try_number > 1:
        words = "This task asked before in this run. If the page shows another plan than %s, reject it. %s"
        operator.log.warning(words, plan.digest[:8], _ANEW)


# ---------------------------------------------------------------- the answer


def answered(operator: ApprovalTask, context: Mapping[str, Any], event: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """What XCom is told of the answer, and what stands on our button; or the end of the task."""
    with settled():
        run, asked = Run.of(context), handed(operator.plan)
        operator.approval_run = run.text
        if "error" in event:
            _end("error", f"the question was not answered: {shown(str(event['error']))}.")
        told = approvals.answer(event, plan=asked, run=run)
        context["ti"].xcom_push(key=RESULT, value=told)
        _check(told, asked)
        operator.log.info("%s  plan %s, approved by %s", asked.table, asked.digest[:8], approvals.name_of(told["responded_by_user"]))
        return told, approve(asked.digest)


def _check(told: Mapping[str, Any], asked: Handed) -> None:
    """Raise for every answer that is not Approve, by somebody, to this plan."""
    chosen, user, plan = told["chosen_options"], told["responded_by_user"], f"plan {asked.digest[:8]} for {asked.table}"
    if user is None:
        _end("nobody", f"nobody answered in time, so {plan} is taken as rejected.")
    if chosen == [REJECT]:
        _end("rejected", f"{approvals.name_of(user)} rejected {plan}.")
    if chosen != [approve(asked.digest)]:
        _end("other-plan", f"{shown(', '.join(chosen))} was the answer, and this is {plan}: the page showed an earlier question.")


def _end(code: str, message: str) -> NoReturn:
    raise FinalError.of([Fault(f"approval.{code}", "", f"{message} Nothing was written.", _ANEW)])


def body(plan: str, run: Run) -> str:
    """What the approver reads: who wants it, and the plan as far as a page has room. What is cut may leave a block open: it comes last."""
    index = f", index {run.map_index}" if run.map_index >= 0 else ""
    asks = f"Asked by run `{run.run_id}` of `{run.dag_id}`{index}. Reject, or no answer in time, writes nothing."
    whole = _RULE.sub(r"\1", plan).strip()
    if len(whole) <= _MOST:
        return f"{asks}\n\n{whole}\n"
    return f"{asks} The plan is too long for this page: the log of this task has more of it.\n\n{whole[:_MOST]}\n"


def users_of(value: Any) -> list[Any]:
    """The approvers as Airflow takes them: ids, or mappings with id and name; one alone, or several with commas between them.

    Nobody, for whoever may act on the DAG, is None or (), which an author means: what comes out of a template or a task as empty is not.
    """
    if value is None or (isinstance(value, tuple) and not value):
        return []
    said = template_values.loaded(value, "approvers")
    if template_values.is_nothing(said) or said == "()" or (isinstance(said, Collection) and not said):
        fix = "Pass the ids of users: ['ana', 'raj']; or leave it out, and whoever may act on the DAG may answer."
        raise template_values.refused("it names nobody.", "approvers", fix)
    many = said.split(",") if isinstance(said, str) else [said] if isinstance(said, Mapping) else said
    if not isinstance(many, Iterable) or isinstance(many, bytes):
        raise template_values.refused(f"{shown(said)} names nobody.", "approvers", "Pass the ids of users: ['ana', 'raj'].")
    return [_user(one) for one in many]


def _user(one: Any) -> dict[str, str]:
    number = one.get("id") if isinstance(one, Mapping) else one
    if isinstance(number, bool) or not isinstance(number, str | int) or not str(number).strip():
        raise template_values.refused(f"{shown(one)} is no user.", "approvers", "Pass the ids of users: ['ana', 'raj'].")
    name = one.get("name") if isinstance(one, Mapping) else None
    return {"id": str(number).strip(), "name": str(name or number).strip()}
