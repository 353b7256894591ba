"""A change is made, once: of changes, of a table file, or of a plan that was made, and approved where it breaks something."""

from typing import Any, Protocol

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import PlanError, ReadOnlyError
from airflow_provider_schemas.store.commit.commit import Committed, Outcome
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import approval_prompt, approvals, external_engines, make_plan, summary
from airflow_provider_schemas.tasks.change.approvals import Wanted
from airflow_provider_schemas.tasks.change.make_plan import Found, Handed, Key
from airflow_provider_schemas.tasks.change.run_change import At, ChangeTask, Done, all_terms_of, expected, unchecked_of
from airflow_provider_schemas.tasks.change.target import of, table_of
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


def evolve(operator: EvolveTask, here: At) -> Done:
    """What a plan says; or what comes of changes, or of a table file."""
    if template_values.is_said(operator.plan, "plan"):
        return _of_plan(operator, here)
    if not template_values.is_nothing(operator.approval):
        message = "an approval is of a plan, and there is none."
        raise PlanError(message, code="approval.no-plan", path="approval", fix="Pass plan=, the output of the task that planned.")
    return _of_wish(operator, here)


# ------------------------------------------------------------ changes, or a table file


def _of_wish(operator: EvolveTask, here: At) -> Done:
    wish = of(operator.changes, operator.target, here.places)
    table = here.table(table_of(operator.table, wish), operator.branch)
    said = template_values.text(operator.key, "key")
    key, terms = Key(said or wish.key(here.run), bool(said)), all_terms_of(operator, here)
    found = make_plan.found(table, wish, key=key, dag_run=here.context["dag_run"], terms=terms)
    if found.plan is None:
        return _found(table, found)
    given = {"changes": wish.wanted} if isinstance(wish.wanted, tuple) else {"target": wish.wanted}
    try:
        done = table.evolve(
            **given, **terms, **here.about, key=_key(key, found), expected_version=expected(operator.expected_version)
        )  # fmt: skip
    except ReadOnlyError as error:
        done = _by_the_engine(operator, error, table, found.plan)
    return Done(done, found.before)


# ------------------------------------------------------------ a plan


def _of_plan(operator: EvolveTask, here: At) -> Done:
    _check_alone(operator)
    asked = make_plan.handed(operator.plan)
    make_plan.check_same(asked, table=operator.table, branch=operator.branch)
    table = here.table(asked.table or table_of(operator.table, None), asked.branch or operator.branch)
    if not asked.does_something:
        return _nothing(table, asked)
    plan = table.saved_plan(asked.digest)
    approval = _approver(operator, here, plan)
    operator.approval_run = approvals.asked_in(operator.approval)
    try:
        done = _applied(here, table, plan, _about(operator, asked, plan) | {"approval": approval, **here.about})
    except ReadOnlyError as error:
        done = _by_the_engine(operator, error, table, plan)
    before = None if plan.base is None or not done.created else table.schema(plan.base.number)
    return Done(done, before, _more(plan, approval))


def _approver(operator: EvolveTask, here: At, plan: Plan) -> str:
    """Who approved the plan; empty if nobody was asked."""
    if template_values.is_nothing(operator.approval):
        return ""
    ids = tuple(one["id"] for one in approval_prompt.users_of(operator.approvers))
    return approvals.approver(operator.approval, Wanted(plan.digest, here.run, ids, approvals.askers(here.context["task"])))


def _check_alone(operator: EvolveTask) -> None:
    besides = [name for name in _NOT_WITH_A_PLAN if template_values.is_said(getattr(operator, name), name)]
    if besides:
        raise template_values.refused(
            f"{', '.join(besides)} cannot be given beside a plan, which says so itself.", "plan", "Say it where the plan is made."
        )


def _about(operator: EvolveTask, asked: Handed, plan: Plan) -> dict[str, Any]:
    """Under which key, and on which terms. A plan's own key is its digest, as the store has it."""
    key = template_values.text(operator.key, "key") or asked.key or f"plan {plan.digest}"
    override = template_values.optional_text(operator.override, "override")
    return {"key": key, "override": override, "unchecked": unchecked_of(operator)}


def _applied(here: At, table: Table, plan: Plan, about: dict[str, Any]) -> Committed:
    """What a plan says is written; a plan that was made on nothing makes the table."""
    if plan.base is None:
        return here.store.create_table(table.id, plan.result, **about)
    return table.apply(plan, **about)


# ------------------------------------------------------------ tables that a catalog keeps


def _by_the_engine(operator: EvolveTask, error: ReadOnlyError, table: Table, plan: Plan) -> Committed:
    """The answer where the engine has made the change; the error with its statements where it has not."""
    if error.code not in external_engines.KEPT_ELSEWHERE or plan.base is None:
        raise error
    done = external_engines.has_done(table, plan)
    if done is None:
        raise external_engines.to_run(error, table, plan, template_values.text(operator.engine, "engine") or "spark") from None
    return done


def _key(key: Key, found: Found) -> str:
    """The key of what is to be written: another one, where the table no longer is what a table file made of it."""
    base = None if found.plan is None else found.plan.base
    if found.done is None or key.said or base is None or found.plan is None:
        return key.text
    return make_plan.key_of(found.done) if found.plan.unchanged else f"{key.text}{make_plan.AGAIN}{base.number}"


def _found(table: Table, found: Found) -> Done:
    """The answer where an earlier run did it, and it is not done again."""
    if found.done is None:
        raise AssertionError("there is a plan, or a version that did it")
    note, *warnings = summary.undone(found)
    done = Committed(table=table.name, version=found.done, outcome=Outcome.APPLIED, notes=(note,))
    return Done(done, more={"notes": summary.notes([note, *warnings])}, warnings=tuple(warnings))


def _nothing(table: Table, asked: Handed) -> Done:
    """The answer to a plan that has nothing to do."""
    version = table.latest() if asked.version is None else table.version(asked.version)
    outcome = Outcome.APPLIED if asked.outcome == Outcome.APPLIED.value else Outcome.UNCHANGED
    return Done(Committed(table=table.name, version=version, outcome=outcome, notes=asked.notes or ("nothing to change",)))


def _more(plan: Plan, approval: str) -> dict[str, Any]:
    return {"plan": plan.digest, **({"approval": approval} if approval else {})}
