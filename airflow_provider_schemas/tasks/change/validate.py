"""What would become of a table, and whom that breaks: planned, judged, told, and perhaps kept."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError, InvalidSchemaError
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.store.commit import refusals
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import make_plan
from airflow_provider_schemas.tasks.change.make_plan import Found, Key
from airflow_provider_schemas.tasks.change.run_change import At, ComparedTask, all_terms_of, at
from airflow_provider_schemas.tasks.change.summary import done_before, plan_lines, planned, undone
from airflow_provider_schemas.tasks.change.target import Wish, of, table_of
from airflow_provider_schemas.tasks.error_handling import settled
from airflow_provider_schemas.tasks.output import log_footer
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.sdk.types import Logger

RESULT = "schema_plan"
_MEANINGS = ("fail", "skip", "warn")


class ValidateTask(ComparedTask, Protocol):
    """A task that plans a change."""

    conn_id: str
    table: Value
    branch: str
    changes: Value
    target: Value
    on_incompatible: str
    save: bool | str
    applied_by: str
    key: str

    @property
    def log(self) -> "Logger": ...


def validate(operator: ValidateTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """The plan, in few and plain values; or the end of the task."""
    with settled():
        meaning = template_values.choice(operator.on_incompatible, "on_incompatible", _MEANINGS, "fail")
        here, save = at(operator.conn_id, context), template_values.switch(operator.save, "save", False)
        wish = of(operator.changes, operator.target, here.places, whole=True)
        table = here.table(table_of(operator.table, wish), operator.branch)
        key = _key(operator, here, wish)
        terms = all_terms_of(operator, here)
        found = make_plan.found(table, wish, key=key, dag_run=context["dag_run"] if save else None, terms=terms)
        by_key = bool(key.text) and (isinstance(wish.wanted, tuple) or key.said)
        told = _told(here, table, found, save=save) | {"key": key.text if by_key and found.plan is not None else None}
        context["ti"].xcom_push(key=RESULT, value=told)
        if found.plan is None:
            _say_done(operator, found)
        else:
            end(operator, found.plan, meaning)
        return told


def _key(operator: ValidateTask, here: At, wish: Wish) -> Key:
    said, task = template_values.text(operator.key, "key"), template_values.text(operator.applied_by, "applied_by")
    return Key(said, True) if said else Key(wish.key(here.run, task) if task else "")


def _told(here: At, table: Table, found: Found, *, save: bool) -> dict[str, Any]:
    """What XCom is told; the plan itself is kept where it is asked for and says something."""
    about: dict[str, Any] = {"store": here.store.url, "conn_id": here.hook.conn_id, "branch": table.branch_name}
    if found.plan is None:
        return done_before(found, table.name, **about)
    saved = save and not found.plan.unchanged
    if saved:
        table.save_plan(found.plan, run=here.run.text)
    return planned(found.plan, **about) | {"saved": saved}


def _say_done(operator: ValidateTask, found: Found) -> None:
    note, *warnings = undone(found)
    operator.log.info("%s", note)
    for line in warnings:
        operator.log.warning("%s", line)


def end(operator: object, plan: Plan, meaning: str) -> None:
    """Show the plan, at the end of the log where it stops the task; and raise for what must not be applied."""
    lines = plan_lines(plan, now=datetime.now(UTC))
    breaks, invalid = plan.verdict is Verdict.BREAK, plan.verdict is Verdict.INVALID
    if invalid or (breaks and meaning != "warn"):
        log_footer.log_at_end(operator, "skip" if meaning == "skip" and not invalid else "fail", "\n".join(lines))
    else:
        log_footer.log_lines("\n".join(lines), "warn" if breaks else "fits")
    if invalid:
        raise InvalidSchemaError.of(plan.report.faults())
    if breaks and meaning == "fail":
        raise IncompatibleSchemaError.about(plan.report, f"{summary(plan.report)}.", fix=refusals.broken(plan.report).fix)
    if breaks and meaning == "skip":
        raise AirflowSkipException(summary(plan.report))
