"""A change is made, once: of changes, of a table file, or of a plan that was made, and approved where it breaks something."""

from typing import Any, Protocol

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import PlanError, ReadOnlyError
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import approval_prompt, approvals, external_engines, make_plan, summary
from airflow_provider_schemas.tasks.change.approvals import ApprovalTerms
from airflow_provider_schemas.tasks.change.make_plan import ChangeKey, GivenPlan, PlanResult
from airflow_provider_schemas.tasks.change.run_change import (
    ChangeResult,
    ChangeTask,
    TaskContext,
    read_all_terms,
    read_expected_version,
    read_unchecked,
)
from airflow_provider_schemas.tasks.change.target import read_request, read_table_name
from airflow_provider_schemas.tasks.template_values import Value

_NOT_WITH_A_PLAN = ("policy", "expected_version", "changes", "target")


class EvolveTask(ChangeTask, Protocol):
    """A task that changes a table, and the link to its approval."""

    changes: Value
    target: Value
    plan: Value
    approval: Value
    approvers: Value
    expected_version: Value
    branch: str
    engine: str
    approval_run: str


def evolve(operator: EvolveTask, task: TaskContext) -> ChangeResult:
    """Write what a plan says; or what comes of changes, or of a table file."""
    if template_values.is_given(operator.plan, "plan"):
        return _apply_given_plan(operator, task)
    if not template_values.is_empty(operator.approval):
        message = "an approval is of a plan, and there is none."
        raise PlanError(message, code="approval.no-plan", path="approval", fix="Pass plan=, the output of the task that planned.")
    return _apply_request(operator, task)


# ------------------------------------------------------------ changes, or a table file


def _apply_request(operator: EvolveTask, task: TaskContext) -> ChangeResult:
    request = read_request(operator.changes, operator.target, task.places)
    table = task.table(read_table_name(operator.table, request), operator.branch)
    given_key = template_values.read_text(operator.key, "key")
    key = ChangeKey(given_key or request.key(task.run), bool(given_key))
    terms = read_all_terms(operator, task)
    result = make_plan.plan_request(table, request, key=key, dag_run=task.context["dag_run"], terms=terms)
    if result.plan is None:
        return _done_before(table, result)
    wanted = {"changes": request.wanted} if isinstance(request.wanted, tuple) else {"target": request.wanted}
    expected = read_expected_version(operator.expected_version)
    try:
        done = table.evolve(**wanted, **terms, **task.origin, key=_commit_key(table, key, result), expected_version=expected)
    except ReadOnlyError as error:
        done = _done_by_engine(operator, error, table, result.plan)
    return ChangeResult(done, result.before)


def _commit_key(table: Table, key: ChangeKey, result: PlanResult) -> str:
    """Return the key of what is to be written: another one, where the table no longer is what a table file made of it."""
    plan = result.plan
    if result.done is None or key.is_given or plan is None or plan.base is None:
        return key.text
    if plan.unchanged:
        return make_plan.read_key(result.done) or key.text
    return make_plan.key_once_more(table, key.text, plan.base.number)


def _done_before(table: Table, result: PlanResult) -> ChangeResult:
    """Return the answer where an earlier run did it, and it is not done again."""
    if result.done is None:
        raise AssertionError("there is a plan, or a version that did it")
    note, *warnings = summary.done_before_lines(result)
    done = Committed(table=table.name, version=result.done, outcome=CommitOutcome.APPLIED, notes=(note,))
    return ChangeResult(done, extra={"notes": summary.short_notes([note, *warnings])}, warnings=tuple(warnings))


# ------------------------------------------------------------ a plan


def _apply_given_plan(operator: EvolveTask, task: TaskContext) -> ChangeResult:
    _check_alone(operator)
    given = make_plan.read_plan(operator.plan)
    make_plan.check_same(given, table=operator.table, branch=operator.branch)
    table = task.table(given.table or read_table_name(operator.table, None), given.branch or operator.branch)
    if not given.does_something:
        return _nothing_to_do(table, given)
    plan = table.saved_plan(given.digest)
    approver = _read_approver(operator, task, plan)
    operator.approval_run = approvals.asking_run(operator.approval)
    try:
        done = _apply(task, table, plan, _plan_terms(operator, given, plan) | {"approval": approver, **task.origin})
    except ReadOnlyError as error:
        done = _done_by_engine(operator, error, table, plan)
    before = None
    if plan.base is not None and done.created:
        before = table.schema(plan.base.number)
    extra = {"plan": plan.digest}
    if approver:
        extra["approval"] = approver
    return ChangeResult(done, before, extra)


def _check_alone(operator: EvolveTask) -> None:
    """Raise for arguments beside a plan that the plan holds itself."""
    besides = [name for name in _NOT_WITH_A_PLAN if template_values.is_given(getattr(operator, name), name)]
    if besides:
        message = f"{', '.join(besides)} cannot be given beside a plan, which says so itself."
        raise template_values.argument_error(message, "plan", "Say it where the plan is made.")


def _read_approver(operator: EvolveTask, task: TaskContext, plan: Plan) -> str:
    """Return who approved the plan; empty if nobody was asked."""
    if template_values.is_empty(operator.approval):
        return ""
    ids = tuple(user["id"] for user in approval_prompt.read_users(operator.approvers))
    terms = ApprovalTerms(plan.digest, task.run, ids, approvals.list_askers(task.context["task"]))
    return approvals.check_approval(operator.approval, terms)


def _plan_terms(operator: EvolveTask, given: GivenPlan, plan: Plan) -> dict[str, Any]:
    """Return under which key, and on which terms. A plan's own key is its digest, as the store has it."""
    return {
        "key": template_values.read_text(operator.key, "key") or given.key or f"plan {plan.digest}",
        "override": template_values.read_optional_text(operator.override, "override"),
        "unchecked": read_unchecked(operator),
    }


def _apply(task: TaskContext, table: Table, plan: Plan, terms: dict[str, Any]) -> Committed:
    """Write what a plan says; a plan that was made on nothing makes the table."""
    if plan.base is None:
        return task.store.create_table(table.id, plan.result, **terms)
    return table.apply(plan, **terms)


def _nothing_to_do(table: Table, given: GivenPlan) -> ChangeResult:
    """Return the answer to a plan that has nothing to do."""
    version = table.latest() if given.version is None else table.version(given.version)
    outcome = CommitOutcome.UNCHANGED
    if given.outcome == CommitOutcome.APPLIED.value:
        outcome = CommitOutcome.APPLIED
    notes = given.notes or ("nothing to change",)
    return ChangeResult(Committed(table=table.name, version=version, outcome=outcome, notes=notes))


# ------------------------------------------------------------ tables that a catalog keeps


def _done_by_engine(operator: EvolveTask, error: ReadOnlyError, table: Table, plan: Plan) -> Committed:
    """Return the answer where the engine has made the change; raise the error with its statements where it has not."""
    if error.code not in external_engines.KEPT_ELSEWHERE or plan.base is None:
        raise error
    done = external_engines.has_done(table, plan)
    if done is None:
        engine = template_values.read_text(operator.engine, "engine") or "spark"
        raise external_engines.error_with_statements(error, table, plan, engine) from None
    return done
