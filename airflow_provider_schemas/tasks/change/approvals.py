"""The answer to a plan: what the task that asks leaves in XCom, and whether it lets somebody apply the plan.

Whoever applies checks for himself. An answer that was skipped over, of another run, of another plan, given by
nobody because the time was over, of a task that does not ask, by somebody who is no approver (any more), or in a form that
does not say which plan was meant, lets nothing through.

The answer comes out of XCom, and Airflow shows the question itself to the task that asked, and to no other. So whoever
may write XComs of this run, or change the DAG, is trusted: they could write an answer that nobody gave.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, PlanError
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change.make_plan import Handed
from airflow_provider_schemas.tasks.task_run import Run

REJECT = "Reject"
_AGAIN = "Start a new run of the DAG, and answer what it asks."
_STOCK = "Ask with SchemaApprovalOperator or schema_evolution, whose answers name the plan; or apply with override and the reason."


def approve(digest: str) -> str:
    """What stands on the button: it names the plan, so that nobody approves one and lets through another."""
    return f"Approve {digest[:12]}"


def answer(event: Mapping[str, Any], *, plan: Handed, run: Run) -> dict[str, Any]:
    """What XCom is told of an answer."""
    by, at = event.get("responded_by_user"), event.get("responded_at")
    return {
        "chosen_options": list(event.get("chosen_options") or ()),
        "responded_by_user": None if not by else {"id": str(by.get("id") or ""), "name": str(by.get("name") or "")},
        "responded_at": at.isoformat() if isinstance(at, datetime) else at,
        "params_input": dict(event.get("params_input") or {}),
        "timed_out": not by,
        "table": plan.table,
        "plan": plan.digest,
        "dag_id": run.dag_id,
        "run_id": run.run_id,
        "task_id": run.task_id,
        "map_index": run.map_index,
    }


def asked_in(value: Any) -> str:
    """The task that asked, as runs are recorded; empty if nobody was asked."""
    said = None if template_values.is_nothing(value) else template_values.loaded(value, "approval")
    if not isinstance(said, Mapping):
        return ""
    index = said.get("map_index")
    return f"{said.get('dag_id')}/{said.get('run_id')}/{said.get('task_id')}" + (
        f"[{index}]" if isinstance(index, int) and index >= 0 else ""
    )


class Wanted(Struct, frozen=True):
    """What an answer must be of."""

    digest: str
    run: Run
    approvers: Collection[str] = ()
    """The ids of those who may answer; anybody if it is empty."""
    askers: Collection[str] | None = None
    """The tasks that ask; None where the DAG is not known."""


def askers(task: Any) -> frozenset[str]:
    """The tasks before this one that ask about plans."""
    there = task.dag.task_dict
    return frozenset(one for one in task.get_flat_relative_ids(upstream=True) if _asks(there[one]))


def _asks(task: Any) -> bool:
    return bool(getattr(getattr(task, "operator_class", type(task)), "asks_about_plans", False))


def approver(value: Any, wanted: Wanted) -> str:
    """Who approved this plan in this run; empty if nobody was asked. PlanError for every other answer than that one."""
    if template_values.is_nothing(value):
        return ""
    said = template_values.loaded(value, "approval")
    if not isinstance(said, Mapping):
        raise _refused("none", f"{shown(said)} is no answer to a question, but something about one.", _STOCK)
    fault = next((one for check in _CHECKS if (one := check(said, wanted))), None)
    if fault is not None:
        raise PlanError.of([fault])
    return name_of(said["responded_by_user"])


def name_of(user: Mapping[str, Any]) -> str:
    """Ana Silva (ana); one name where both are the same."""
    name, number = str(user.get("name") or "").strip(), str(user.get("id") or "").strip()
    return f"{name} ({number})" if name and number and name != number else name or number


# ---------------------------------------------------------------- what an answer must be


def _is_about_a_plan(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:  # all checks are asked alike
    if isinstance(said.get("plan"), str):
        return None
    return _fault("stock", "the answer does not say which plan was meant, so that it may be about any.", _STOCK)


def _is_of_this_run(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:
    run = wanted.run
    mine = {"dag_id": run.dag_id, "run_id": run.run_id, "map_index": run.map_index}
    other = [f"{key} {shown(said.get(key))}" for key, value in mine.items() if said.get(key) != value]
    if not other:
        return None
    here = ", ".join(f"{key} {shown(value)}" for key, value in mine.items())
    return _fault(
        "other-run", f"the answer is of {', '.join(other)}, and this is {here}.", "Take the answer of the task that asked in this run."
    )


def _is_of_this_plan(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:
    if said["plan"] == wanted.digest:
        return None
    return _fault("other-plan", f"the answer is about plan {shown(said['plan'][:12])}, and this is plan {wanted.digest[:12]}.", _AGAIN)


def _is_of_who_asks(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:
    if wanted.askers is None or said.get("task_id") in wanted.askers:
        return None
    there = ", ".join(sorted(wanted.askers)) or "none"
    message = f"the answer is of task {shown(said.get('task_id'))}; of the tasks before this one those that ask about plans are: {there}."
    return _fault("other-task", message, "Pass the output of the SchemaApprovalOperator that stands before this task.")


def _is_by_somebody(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:
    user = said.get("responded_by_user")
    if isinstance(user, Mapping) and name_of(user):
        return None
    return _fault("nobody", "nobody answered: the answer is what was set for when the time is over.", _AGAIN)


def _is_by_an_approver(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:
    user = said["responded_by_user"]
    if not wanted.approvers or str(user.get("id") or "").strip() in wanted.approvers:
        return None
    message = f"{name_of(user)} answered, and the approvers are {', '.join(wanted.approvers)}."
    return _fault("not-an-approver", message, "Start a new run of the DAG, and let one of them answer.")


def _is_approve(said: Mapping[str, Any], wanted: Wanted) -> Fault | None:
    chosen, button = said.get("chosen_options"), approve(wanted.digest)
    if chosen == [button]:
        return None
    text = ", ".join(map(str, chosen)) if isinstance(chosen, list) else shown(chosen)
    return _fault("not-approved", f"the answer of {name_of(said['responded_by_user'])} is {shown(text)}, and not {shown(button)}.", _AGAIN)


_CHECKS = (_is_about_a_plan, _is_of_this_run, _is_of_this_plan, _is_by_somebody, _is_approve, _is_of_who_asks, _is_by_an_approver)


def _fault(code: str, message: str, fix: str) -> Fault:
    return Fault(f"approval.{code}", "approval", f"{message} Nothing was written.", fix)


def _refused(code: str, message: str, fix: str) -> PlanError:
    return PlanError.of([_fault(code, message, fix)])
