"""`SchemaEvolveOperator`: change a table, once: by changes, to what a table file says, or by a plan that was made and perhaps approved."""

from collections.abc import Collection
from typing import Any, ClassVar

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.errors import PlanError, ReadOnlyError
from airflow_provider_schemas.store.commit import Committed, Outcome
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import approvals, engines, plain, planning, telling, wishes
from airflow_provider_schemas.tasks.changing import At, ChangeOperator, Done, expected
from airflow_provider_schemas.tasks.planning import Found, Handed, Key

_NOT_WITH_A_PLAN = ("policy", "expected_version", "changes", "target")


class SchemaEvolveOperator(ChangeOperator):
    """Write the version that comes of changes, of a table file, or of a plan. What is done already is not done again.

    What another run of this task has done is found by its key, which names the task and what it wants. A later version
    may have undone it: that is said, and left as it is.

    :param table: `db.table`; a table file and a plan say it themselves
    :param changes: short texts such as "ADD COLUMN coupon STRING", REST objects, or a list of them
    :param target: the path of a table file, from the folder of the DAG file, or its URL
    :param plan: what `SchemaValidateOperator(save=True)` returned, or the digest of a plan that was kept
    :param approval: what `SchemaApprovalOperator` returned; only with a plan, and only for that one in this run
    :param expected_version: refuse unless this is the newest version: its number, or (number, digest)
    :param key: names this attempt: one with the same key is done once, whatever it wants
    :param policy: keys of a policy, or the path of a policy file; it can only be stricter than the table's own
    :param override: why the table's own policy does not count; recorded in the version
    :param branch: the branch of the table
    :param engine: who is to run the statements of a table that a catalog keeps: "spark" or "flink"
    """

    template_fields: Collection[str] = (
        *ChangeOperator.template_fields, "branch", "changes", "target", "plan", "approval", "expected_version", "engine",
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
        changes: Any = None,
        target: Any = None,
        plan: Any = None,
        approval: Any = None,
        expected_version: Any = None,
        branch: str | None = None,
        engine: str = "spark",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.changes = changes
        self.target = target
        self.plan = plan
        self.approval = approval
        self.expected_version = expected_version
        self.branch = branch
        self.engine = engine

    def change(self, here: At) -> Done:
        if not plain.is_nothing(self.plan):
            return self._of_plan(here)
        if not plain.is_nothing(self.approval):
            message = "an approval is of a plan, and there is none."
            raise PlanError(message, code="approval.no-plan", path="approval", fix="Pass plan=, the output of the task that planned.")
        return self._of_wish(here)

    # ------------------------------------------------------------ changes, or a table file

    def _of_wish(self, here: At) -> Done:
        wish = wishes.of(self.changes, self.target, here.run.folder)
        table = here.table(wishes.table_of(self.table, wish), self.branch)
        said = plain.text(self.key, "key")
        key, terms = Key(said or wish.key(here.run), bool(said)), self.terms(here)
        found = planning.found(table, wish, key=key, dag_run=here.context["dag_run"], terms=terms)
        if found.plan is None:
            return _found(table, found)
        given = {"changes": wish.wanted} if isinstance(wish.wanted, tuple) else {"target": wish.wanted}
        try:
            done = table.evolve(
                **given, **terms, **here.about, key=_key(key, found), expected_version=expected(self.expected_version)
            )  # fmt: skip
        except ReadOnlyError as error:
            done = self._by_the_engine(error, table, found.plan)
        return Done(done, found.before)

    # ------------------------------------------------------------ a plan

    def _of_plan(self, here: At) -> Done:
        self._check_alone()
        asked = planning.handed(self.plan)
        table = here.table(asked.table or wishes.table_of(self.table, None), asked.branch or self.branch)
        if not asked.does_something:
            return _nothing(table, asked)
        plan = table.saved_plan(asked.digest)
        approval = approvals.approver(self.approval, digest=plan.digest, run=here.run)
        self.approval_run = approvals.asked_in(self.approval)
        try:
            done = self._applied(here, table, plan, asked.key, approval)
        except ReadOnlyError as error:
            done = self._by_the_engine(error, table, plan)
        before = None if plan.base is None or not done.created else table.schema(plan.base.number)
        return Done(done, before, _more(plan, approval))

    def _check_alone(self) -> None:
        besides = [name for name in _NOT_WITH_A_PLAN if not plain.is_nothing(getattr(self, name))]
        if besides:
            raise plain.refused(
                f"{', '.join(besides)} cannot be given beside a plan, which says so itself.", "plan", "Say it where the plan is made."
            )

    def _applied(self, here: At, table: Table, plan: Plan, key: str, approval: str) -> Committed:
        key = plain.text(self.key, "key") or key or f"plan {plan.digest}"
        about: dict[str, Any] = {"key": key, "approval": approval, "override": plain.text(self.override, "override"), **here.about}
        if plan.base is None:
            return here.store.create_table(table.id, plan.result, **about)
        return table.apply(plan, **about)

    # ------------------------------------------------------------ tables that a catalog keeps

    def _by_the_engine(self, error: ReadOnlyError, table: Table, plan: Plan) -> Committed:
        """The answer where the engine has made the change; the error with its statements where it has not."""
        if error.code not in engines.KEPT_ELSEWHERE or plan.base is None:
            raise error
        done = engines.has_done(table, plan)
        if done is None:
            raise engines.to_run(error, table, plan, plain.text(self.engine, "engine") or "spark") from None
        return done


def _key(key: Key, found: Found) -> str:
    """The key of what is to be written: another one, where the table no longer is what a table file made of it."""
    base = None if found.plan is None else found.plan.base
    if found.done is None or key.said or base is None or found.plan is None:
        return key.text
    return planning.key_of(found.done) if found.plan.unchanged else f"{key.text}{planning.AGAIN}{base.number}"


def _found(table: Table, found: Found) -> Done:
    """The answer where an earlier run did it, and it is not done again."""
    if found.done is None:
        raise AssertionError("there is a plan, or a version that did it")
    note, *warnings = telling.undone(found)
    return Done(
        Committed(table=table.name, version=found.done, outcome=Outcome.APPLIED, notes=(note, *warnings)), None, {}, tuple(warnings)
    )


def _nothing(table: Table, asked: Handed) -> Done:
    """The answer to a plan that has nothing to do."""
    version = table.latest() if asked.version is None else table.version(asked.version)
    outcome = Outcome.APPLIED if asked.outcome == Outcome.APPLIED.value else Outcome.UNCHANGED
    return Done(Committed(table=table.name, version=version, outcome=outcome, notes=asked.notes or ("nothing to change",)))


def _more(plan: Plan, approval: str) -> dict[str, Any]:
    return {"plan": plan.digest, **({"approval": approval} if approval else {})}
