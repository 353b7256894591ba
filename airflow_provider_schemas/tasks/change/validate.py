"""What would become of a table, and whom that breaks: planned, judged, reported, and kept on request."""

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
from airflow_provider_schemas.tasks.change.make_plan import ChangeKey, PlanResult
from airflow_provider_schemas.tasks.change.run_change import ComparedTask, TaskContext, open_context, read_all_terms
from airflow_provider_schemas.tasks.change.summary import done_before_entry, done_before_lines, plan_entry, plan_lines
from airflow_provider_schemas.tasks.change.target import ChangeRequest, read_request, read_table_name
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
    """Return the plan, in few and plain values; or end the task."""
    with settled():
        meaning = template_values.read_choice(operator.on_incompatible, "on_incompatible", _MEANINGS, "fail")
        task = open_context(operator.conn_id, context)
        save = template_values.read_switch(operator.save, "save", False)
        request = read_request(operator.changes, operator.target, task.places, whole=True)
        table = task.table(read_table_name(operator.table, request), operator.branch)
        key = _read_key(operator, task, request)
        terms = read_all_terms(operator, task)
        dag_run = context["dag_run"] if save else None
        result = make_plan.plan_request(table, request, key=key, dag_run=dag_run, terms=terms)
        entry = _keep_plan(task, table, result, save=save)
        # The plan of a table file is applied without a key: its age decides instead, as `make_plan` says.
        has_lasting_key = key.is_given or isinstance(request.wanted, tuple)
        entry["key"] = None
        if result.plan is not None:
            entry["key"] = key.text or None if has_lasting_key else make_plan.key_of_plan(table, result.plan)
        context["ti"].xcom_push(key=RESULT, value=entry)
        if result.plan is None:
            _log_done_before(operator, result)
        else:
            report_plan(operator, result.plan, meaning)
        return entry


def _read_key(operator: ValidateTask, task: TaskContext, request: ChangeRequest) -> ChangeKey:
    key = template_values.read_text(operator.key, "key")
    applied_by = template_values.read_text(operator.applied_by, "applied_by")
    if key:
        return ChangeKey(key, True)
    if not applied_by:
        return ChangeKey()
    return ChangeKey(request.key(task.run, applied_by))


def _keep_plan(task: TaskContext, table: Table, result: PlanResult, *, save: bool) -> dict[str, Any]:
    """Keep the plan where that is asked for and it changes something, and return what XCom holds of it."""
    store: dict[str, Any] = {"store": task.store.url, "conn_id": task.hook.conn_id, "branch": table.branch_name}
    if result.plan is None:
        return done_before_entry(result, table.name, **store)
    saved = save and not result.plan.unchanged
    if saved:
        table.save_plan(result.plan, run=task.run.text)
    return plan_entry(result.plan, **store) | {"saved": saved}


def _log_done_before(operator: ValidateTask, result: PlanResult) -> None:
    note, *warnings = done_before_lines(result)
    operator.log.info("%s", note)
    for line in warnings:
        operator.log.warning("%s", line)


def report_plan(operator: object, plan: Plan, meaning: str) -> None:
    """Show the plan, at the end of the log where it stops the task; and raise for what must not be applied."""
    block = "\n".join(plan_lines(plan, now=datetime.now(UTC)))
    if plan.verdict is Verdict.INVALID:
        log_footer.log_at_end(operator, "fail", block)
        raise InvalidSchemaError.of(plan.report.faults())
    if plan.verdict is not Verdict.BREAK:
        log_footer.log_lines(block, "fits")
    elif meaning == "fail":
        log_footer.log_at_end(operator, "fail", block)
        raise IncompatibleSchemaError.about(plan.report, f"{summary(plan.report)}.", fix=refusals.broken(plan.report).fix)
    elif meaning == "skip":
        log_footer.log_at_end(operator, "skip", block)
        raise AirflowSkipException(summary(plan.report))
    else:
        log_footer.log_lines(block, "warn")
