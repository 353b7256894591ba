"""The schema of rows: inferred by a Spark job; and, if a table is named, the plan that takes the table there, judged as any other."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from airflow_provider_schemas.core.evolution.merge import merge
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import MergeError, NotThereError
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.spark.jobs.infer_schema import JOB, check
from airflow_provider_schemas.spark.jobs.job_requests import InferRequest
from airflow_provider_schemas.store.commit.evaluate import with_notes
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import summary, validate
from airflow_provider_schemas.tasks.change.run_change import JudgedTask, TaskContext, open_context, read_terms
from airflow_provider_schemas.tasks.change.target import rename_note
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.spark import data_arguments, run
from airflow_provider_schemas.tasks.spark.data_arguments import RowsTask
from airflow_provider_schemas.tasks.spark.target import SparkTask
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.spark.run import JobRun

RESULT: Final = "schema_inferred"
_MEANINGS: Final = ("fail", "skip", "warn")
_MAX_COLUMNS: Final = 20
_MAX_CANDIDATES: Final = 10
# Of these the least and the greatest length is known.
_TEXT_TYPES: Final = ("STRING", "VARCHAR", "CHAR")
# SQL text of a thousand columns; more is handed on as a plan that is kept.
_MAX_SQL: Final = 40_000


class InferTask(SparkTask, RowsTask, JudgedTask, Protocol):
    """A task that infers the schema of rows."""

    table: Value
    branch: str
    save: bool | str
    evidence: bool | str


def infer(operator: InferTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema, in few and plain values, with a plan if a table is named; or end the task."""
    with run.settled():
        meaning = template_values.read_choice(operator.on_incompatible, "on_incompatible", _MEANINGS, "fail")
        save = template_values.read_switch(operator.save, "save", False)
        task = open_context(operator.conn_id, context)
        request = _read_request(operator, save=save)
        job_run = run.run_job(operator, task, JOB, request, needs_store=bool(request.table))
        schema = TableSchema.from_json(job_run.answer["schema"])
        entry = _schema_entry(job_run, schema)
        _log_schema(operator, job_run, schema)
        if not request.table:
            context["ti"].xcom_push(key=RESULT, value=entry)
            return entry
        table = task.table(request.table, request.branch or NOT_SAID)
        plan = _make_plan(table, schema, job_run, read_terms(operator, task))
        entry |= _keep_plan(task, table, plan, save=save)
        context["ti"].xcom_push(key=RESULT, value=entry)
        validate.report_plan(operator, plan, meaning)
        return entry


def _read_request(operator: InferTask, *, save: bool) -> InferRequest:
    subject = data_arguments.read_subject(operator.table, operator.branch)
    if subject.digest:
        message = "a verdict is about a version that was checked, and rows are merged into the newest."
        raise template_values.argument_error(message, "table", "Pass the name of the table.")
    if save and not subject.table:
        raise template_values.argument_error(
            "there is no plan to keep, because no table is named.", "save", "Pass table='db.table', or leave save out."
        )
    request = InferRequest(
        table=subject.table,
        branch=subject.branch,
        **data_arguments.read_rows_arguments(operator),
        evidence=template_values.read_switch(operator.evidence, "evidence", True),
    )
    check(request)
    return request


# ---------------------------------------------------------------- the plan


def _make_plan(table: Table, schema: TableSchema, job_run: "JobRun", terms: Mapping[str, Any]) -> Plan:
    head = _read_head(table)
    if head is not None:
        schema = _merge(head, schema, table.name)
    plan = table.plan(target=schema, **terms)
    candidates = job_run.answer["candidates"][:_MAX_CANDIDATES]
    notes = tuple(rename_note(candidate["old"], candidate["new"], candidate["reasons"]) for candidate in candidates)
    if not notes:
        return plan
    return with_notes(plan, notes)


def _read_head(table: Table) -> TableSchema | None:
    try:
        return table.schema()
    except NotThereError:
        return None


def _merge(head: TableSchema, schema: TableSchema, table: str) -> TableSchema:
    try:
        return merge(head, schema)
    except MergeError as error:
        faults = [fault._replace(path=f"{table}.{fault.path}" if fault.path else table) for fault in error.faults]
        raise MergeError.of(faults) from None


def _keep_plan(task: TaskContext, table: Table, plan: Plan, *, save: bool) -> dict[str, Any]:
    """Keep the plan where that is asked for and it changes something, and return what XCom holds of it."""
    saved = save and not plan.unchanged
    if saved:
        table.save_plan(plan, run=task.run.text)
    entry = summary.plan_entry(plan, store=task.store.url, conn_id=task.hook.conn_id, branch=table.branch_name)
    return entry | {"saved": saved, "key": None}


# ---------------------------------------------------------------- XCom and the log


def _schema_entry(job_run: "JobRun", schema: TableSchema) -> dict[str, Any]:
    """Return what XCom holds of the schema."""
    answer = job_run.answer
    more = {}
    if answer["columns"] > _MAX_COLUMNS:
        more["more_evidence"] = answer["columns"] - _MAX_COLUMNS
    return {
        **_sql_entry(answer),
        "partition_keys": list(schema.partition_keys),
        "rows": answer["rows"],
        "evidence": [summary.short_values(column) for column in answer["evidence"][:_MAX_COLUMNS]],
        **more,
        "candidates": [{**candidate, "reasons": candidate["reasons"][:5]} for candidate in answer["candidates"][:_MAX_CANDIDATES]],
        "inferred_notes": summary.short_notes(answer["notes"]),
        **job_run.entry,
    }


def _sql_entry(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns as SQL text, for SchemaCreateOperator; left out where it is too long for XCom."""
    if len(answer["sql"]) <= _MAX_SQL:
        return {"columns": answer["sql"]}
    return {}


def _log_schema(operator: InferTask, job_run: "JobRun", schema: TableSchema) -> None:
    answer = job_run.answer
    rows = "rows were not looked at"
    if answer["rows"] is not None:
        rows = counted(answer["rows"], "row")
    operator.log.info("%s of %s   (%s)", counted(len(schema.fields), "column"), rows, job_run.text)
    for column in answer["evidence"][:_MAX_COLUMNS]:
        operator.log.info("  %s", _evidence_line(column))
    for note in answer["notes"][:_MAX_COLUMNS]:
        operator.log.info("  note: %s", clean(note))


def _evidence_line(column: Mapping[str, Any]) -> str:
    """Write what was seen of a column: its type, its range, and how many values are NULL."""
    parts = [f"{column['path']} {column['type']}"]
    if column["low"]:
        unit = " characters" if column["type"].startswith(_TEXT_TYPES) else ""
        parts.append(f"{column['low']} to {column['high']}{unit}")
    if column["nulls"]:
        parts.append(f"{column['nulls']:,} NULL")
    if column["looks_like"]:
        parts.append(f"looks like {column['looks_like']}")
    if column["note"]:
        parts.append(column["note"])
    return clean("  ".join(parts))
