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
from airflow_provider_schemas.tasks.change.approvals import REJECT, approve_option, display_name
from airflow_provider_schemas.tasks.change.make_plan import GivenPlan, read_plan
from airflow_provider_schemas.tasks.change.run_change import TaskContext, open_context
from airflow_provider_schemas.tasks.error_handling import FinalError, settled
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.sdk.types import Logger

RESULT = "schema_approval"
# What stands on the page of required actions, and in the database: more is read nowhere.
_MAX_CHARACTERS = 20_000
_MAX_FINDINGS = 30
# The pages of the rules lie in the documentation, and not in this Airflow.
_RULE_LINK = re.compile(r"\[([A-Z0-9_]+)\]\(docs/rules/[A-Z0-9_]+\.md\)")
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


def prepare_question(operator: ApprovalTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the stock operator asks, and whom, by the names of its attributes; skip the task if nobody has to be asked."""
    with settled():
        task = open_context(operator.conn_id, context)
        given = read_plan(operator.plan)
        plan = _breaking_plan(task, given)
        if plan is None:
            raise AirflowSkipException(f"{given.table}: nobody has to be asked")
        now = datetime.now(UTC)
        subject = template_values.read_optional_text(operator.subject, "subject")
        users = read_users(operator.approvers)
        question: dict[str, Any] = {
            "subject": subject or f"May {given.table} be changed? Plan {plan.digest[:8]} breaks something",
            "body": question_body(markdown(plan, limit=_MAX_FINDINGS, now=now), task.run),
            "options": [approve_option(plan.digest), REJECT],
            "assigned_users": users,
            "approval_run": task.run.text,
        }
        _log_question(operator, task, plan, users, now)
        return question


def _breaking_plan(task: TaskContext, given: GivenPlan) -> Plan | None:
    """Return the plan, if somebody has to be asked: the plan that was kept decides, and not what XCom says of it."""
    if not given.table:
        fix = "Pass the output of SchemaValidateOperator(save=True)."
        raise template_values.argument_error("a digest does not say of which table.", "plan", fix)
    if not given.does_something:
        return None
    plan = task.table(given.table, given.branch or NOT_SAID).saved_plan(given.digest)
    if plan.verdict is Verdict.BREAK:
        return plan
    return None


def _log_question(operator: ApprovalTask, task: TaskContext, plan: Plan, users: Sequence[Mapping[str, str]], now: datetime) -> None:
    for line in summary.plan_lines(plan, now=now):
        operator.log.info("%s", line)
    names = ", ".join(map(display_name, users)) or "whoever may act on this DAG"
    operator.log.info("Asking %s, on the page of required actions, for %s.", names, operator.response_timeout or "as long as it takes")
    if task.run.try_number > 1:
        message = "This task asked before in this run. If the page shows another plan than %s, reject it. %s"
        operator.log.warning(message, plan.digest[:8], _ANEW)


# ---------------------------------------------------------------- the answer


def accept_answer(operator: ApprovalTask, context: Mapping[str, Any], event: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return what XCom holds of the answer, and the option that approves; end the task at every other answer."""
    with settled():
        run = Run.of(context)
        given = read_plan(operator.plan)
        operator.approval_run = run.text
        if "error" in event:
            _end_task("error", f"the question was not answered: {shown(str(event['error']))}.")
        answer = approvals.answer_entry(event, plan=given, run=run)
        context["ti"].xcom_push(key=RESULT, value=answer)
        _check_answer(answer, given)
        operator.log.info("%s  plan %s, approved by %s", given.table, given.digest[:8], display_name(answer["responded_by_user"]))
        return answer, approve_option(given.digest)


def _check_answer(answer: Mapping[str, Any], given: GivenPlan) -> None:
    """Raise for every answer that is not Approve, by somebody, to this plan."""
    chosen = answer["chosen_options"]
    user = answer["responded_by_user"]
    plan = f"plan {given.digest[:8]} for {given.table}"
    if user is None:
        _end_task("nobody", f"nobody answered in time, so {plan} is taken as rejected.")
    if chosen == [REJECT]:
        _end_task("rejected", f"{display_name(user)} rejected {plan}.")
    if chosen != [approve_option(given.digest)]:
        _end_task("other-plan", f"{shown(', '.join(chosen))} was the answer, and this is {plan}: the page showed an earlier question.")


def _end_task(code: str, message: str) -> NoReturn:
    raise FinalError.of([Fault(f"approval.{code}", "", f"{message} Nothing was written.", _ANEW)])


def question_body(plan: str, run: Run) -> str:
    """Write what the approver reads: who wants the change, and the plan as far as a page has room.

    The plan comes last, because one that is cut may leave a block open.
    """
    asking = f"run `{run.run_id}` of `{run.dag_id}`"
    if run.map_index >= 0:
        asking += f", index {run.map_index}"
    asks = f"Asked by {asking}. Reject, or no answer in time, writes nothing."
    whole = _RULE_LINK.sub(r"\1", plan).strip()
    if len(whole) <= _MAX_CHARACTERS:
        return f"{asks}\n\n{whole}\n"
    return f"{asks} The plan is too long for this page: the log of this task has more of it.\n\n{whole[:_MAX_CHARACTERS]}\n"


# ---------------------------------------------------------------- the approvers


def read_users(value: Value) -> list[dict[str, str]]:
    """Return the approvers as Airflow takes them, out of ids, or mappings with id and name; one alone, or several with commas between them.

    None or () is written by an author who lets everybody answer that may act on the DAG: an empty value out of a template or a task
    is refused.
    """
    if value is None or (isinstance(value, tuple) and not value):
        return []
    users = template_values.parse_value(value, "approvers")
    if template_values.is_empty(users) or users == "()" or (isinstance(users, Collection) and not users):
        fix = "Pass the ids of users: ['ana', 'raj']; or leave it out, and whoever may act on the DAG may answer."
        raise template_values.argument_error("it names nobody.", "approvers", fix)
    if isinstance(users, str):
        users = users.split(",")
    elif isinstance(users, Mapping):
        users = [users]
    if not isinstance(users, Iterable) or isinstance(users, bytes):
        raise template_values.argument_error(f"{shown(users)} names nobody.", "approvers", "Pass the ids of users: ['ana', 'raj'].")
    return [_read_user(user) for user in users]


def _read_user(user: Any) -> dict[str, str]:
    user_id = user
    name = None
    if isinstance(user, Mapping):
        user_id = user.get("id")
        name = user.get("name")
    if isinstance(user_id, bool) or not isinstance(user_id, str | int) or not str(user_id).strip():
        raise template_values.argument_error(f"{shown(user)} is no user.", "approvers", "Pass the ids of users: ['ana', 'raj'].")
    return {"id": str(user_id).strip(), "name": str(name or user_id).strip()}
