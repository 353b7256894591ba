"""The answer to a plan: what the task that asks leaves in XCom, and whether it lets somebody apply the plan.

The task that applies checks for itself. An answer that was skipped over, of another run, of another plan, given by
nobody because the time was over, of a task that does not ask, by somebody who is no approver (any more), or in a form that
does not name the plan, lets nothing through.

The answer comes out of XCom, and Airflow shows the question itself to the task that asked, and to no other. So everybody who
may write XComs of this run, or change the DAG, is trusted: they could write an answer that nobody gave.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, PlanError
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change.make_plan import GivenPlan
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

REJECT = "Reject"
_AGAIN = "Start a new run of the DAG, and answer what it asks."
_STOCK = "Ask with SchemaApprovalOperator or schema_evolution, whose answers name the plan; or apply with override and the reason."


def approve_option(digest: str) -> str:
    """Return the text on the button: it names the plan, so that nobody approves one and lets through another."""
    return f"Approve {digest[:12]}"


def answer_entry(event: Mapping[str, Any], *, plan: GivenPlan, run: Run) -> dict[str, Any]:
    """Return what XCom holds of an answer."""
    user = event.get("responded_by_user")
    at = event.get("responded_at")
    return {
        "chosen_options": list(event.get("chosen_options") or ()),
        "responded_by_user": _user_entry(user),
        "responded_at": at.isoformat() if isinstance(at, datetime) else at,
        "params_input": dict(event.get("params_input") or {}),
        "timed_out": not user,
        "table": plan.table,
        "plan": plan.digest,
        "dag_id": run.dag_id,
        "run_id": run.run_id,
        "task_id": run.task_id,
        "map_index": run.map_index,
    }


def _user_entry(user: Mapping[str, Any] | None) -> dict[str, str] | None:
    if not user:
        return None
    return {"id": str(user.get("id") or ""), "name": str(user.get("name") or "")}


def asking_run(value: Value) -> str:
    """Return the task that asked, as runs are recorded; empty if nobody was asked."""
    if template_values.is_empty(value):
        return ""
    answer = template_values.parse_value(value, "approval")
    if not isinstance(answer, Mapping):
        return ""
    run = f"{answer.get('dag_id')}/{answer.get('run_id')}/{answer.get('task_id')}"
    index = answer.get("map_index")
    if isinstance(index, int) and index >= 0:
        return f"{run}[{index}]"
    return run


class ApprovalTerms(Struct, frozen=True):
    """The plan and the run that an answer must be about, and the people and tasks that it may come from."""

    digest: str
    run: Run
    approvers: Collection[str] = ()
    """The ids of those who may answer; anybody if it is empty."""
    askers: Collection[str] | None = None
    """The tasks that ask; None where the DAG is not known."""


def list_askers(task: Any) -> frozenset[str]:
    """Return the tasks before this one that ask about plans."""
    tasks = task.dag.task_dict
    return frozenset(task_id for task_id in task.get_flat_relative_ids(upstream=True) if _asks_about_plans(tasks[task_id]))


def _asks_about_plans(task: Any) -> bool:
    return bool(getattr(getattr(task, "operator_class", type(task)), "asks_about_plans", False))


def check_approval(value: Value, terms: ApprovalTerms) -> str:
    """Return who approved this plan in this run; empty if nobody was asked. Raise PlanError for every other answer."""
    if template_values.is_empty(value):
        return ""
    answer = template_values.parse_value(value, "approval")
    if not isinstance(answer, Mapping):
        raise PlanError.of([_fault("none", f"{shown(answer)} is no answer to a question, but something about one.", _STOCK)])
    for check in _CHECKS:
        fault = check(answer, terms)
        if fault is not None:
            raise PlanError.of([fault])
    return display_name(answer["responded_by_user"])


def display_name(user: Mapping[str, Any]) -> str:
    """Return Ana Silva (ana); one name where both are the same."""
    name = str(user.get("name") or "").strip()
    user_id = str(user.get("id") or "").strip()
    if name and user_id and name != user_id:
        return f"{name} ({user_id})"
    return name or user_id


# ---------------------------------------------------------------- the checks of an answer


def _check_names_a_plan(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:  # all checks have the same arguments
    if isinstance(answer.get("plan"), str):
        return None
    return _fault("stock", "the answer does not say which plan was meant, so that it may be about any.", _STOCK)


def _check_run(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:
    run = terms.run
    expected = {"dag_id": run.dag_id, "run_id": run.run_id, "map_index": run.map_index}
    differing = [f"{key} {shown(answer.get(key))}" for key, value in expected.items() if answer.get(key) != value]
    if not differing:
        return None
    here = ", ".join(f"{key} {shown(value)}" for key, value in expected.items())
    message = f"the answer is of {', '.join(differing)}, and this is {here}."
    return _fault("other-run", message, "Take the answer of the task that asked in this run.")


def _check_plan(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:
    if answer["plan"] == terms.digest:
        return None
    message = f"the answer is about plan {shown(answer['plan'][:12])}, and this is plan {terms.digest[:12]}."
    return _fault("other-plan", message, _AGAIN)


def _check_asker(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:
    if terms.askers is None or answer.get("task_id") in terms.askers:
        return None
    askers = ", ".join(sorted(terms.askers)) or "none"
    asker = shown(answer.get("task_id"))
    message = f"the answer is of task {asker}; of the tasks before this one those that ask about plans are: {askers}."
    return _fault("other-task", message, "Pass the output of the SchemaApprovalOperator that stands before this task.")


def _check_answered(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:
    user = answer.get("responded_by_user")
    if isinstance(user, Mapping) and display_name(user):
        return None
    return _fault("nobody", "nobody answered: the answer is what was set for when the time is over.", _AGAIN)


def _check_approver(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:
    user = answer["responded_by_user"]
    if not terms.approvers or str(user.get("id") or "").strip() in terms.approvers:
        return None
    message = f"{display_name(user)} answered, and the approvers are {', '.join(terms.approvers)}."
    return _fault("not-an-approver", message, "Start a new run of the DAG, and let one of them answer.")


def _check_approved(answer: Mapping[str, Any], terms: ApprovalTerms) -> Fault | None:
    chosen = answer.get("chosen_options")
    option = approve_option(terms.digest)
    if chosen == [option]:
        return None
    options = shown(chosen)
    if isinstance(chosen, list):
        options = ", ".join(map(str, chosen))
    user = display_name(answer["responded_by_user"])
    return _fault("not-approved", f"the answer of {user} is {shown(options)}, and not {shown(option)}.", _AGAIN)


# In this order: later checks read what earlier ones have found to be there.
_CHECKS = (_check_names_a_plan, _check_run, _check_plan, _check_answered, _check_approved, _check_asker, _check_approver)


def _fault(code: str, message: str, fix: str) -> Fault:
    return Fault(f"approval.{code}", "approval", f"{message} Nothing was written.", fix)
