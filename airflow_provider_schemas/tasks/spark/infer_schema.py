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
from airflow_provider_schemas.tasks.change.run_change import At, JudgedTask, terms_of
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.spark import data_arguments, run
from airflow_provider_schemas.tasks.spark.data_arguments import RowsTask
from airflow_provider_schemas.tasks.spark.target import SparkTask
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.spark.run import Ran

RESULT: Final = "schema_inferred"
_MEANINGS: Final = ("fail", "skip", "warn")
_COLUMNS: Final = 20
_CANDIDATES: Final = 10
# Of these the least and the greatest length is known.
_TEXTS: Final = ("STRING", "VARCHAR", "CHAR")
# SQL text of a thousand columns; more is handed on as a plan that is kept.
_LONGEST: Final = 40_000


class InferTask(SparkTask, RowsTask, JudgedTask, Protocol):
    """A task that infers the schema of rows."""

    table: Value
    branch: str
    save: bool | str
    evidence: bool | str


def infer(operator: InferTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, in few and plain values, with a plan if a table is named; or the end of the task."""
    with run.settled():
        meaning = template_values.choice(operator.on_incompatible, "on_incompatible", _MEANINGS, "fail")
        save = template_values.switch(operator.save, "save", False)
        here = run.here_of(operator, context)
        request = _request(operator, save=save)
        found = run.ran(operator, here, JOB, request, needs_store=bool(request.table))
        schema = TableSchema.from_json(found.answer["schema"])
        told = _told(found, schema)
        _say(operator, found, schema)
        if not request.table:
            context["ti"].xcom_push(key=RESULT, value=told)
            return told
        table = here.table(request.table, request.branch or NOT_SAID)
        planned = _planned(table, schema, found, terms_of(operator, here))
        told |= _of_plan(here, table, planned, save=save)
        context["ti"].xcom_push(key=RESULT, value=told)
        validate.end(operator, planned, meaning)
        return told


def _request(operator: InferTask, *, save: bool) -> InferRequest:
    subject = data_arguments.subject_of(operator.table, operator.branch)
    if subject.digest:
        message = "a verdict is about a version that was checked, and rows are merged into the newest."
        raise template_values.refused(message, "table", "Pass the name of the table.")
    if save and not subject.table:
        raise template_values.refused(
            "there is no plan to keep, because no table is named.", "save", "Pass table='db.table', or leave save out."
        )
    request = InferRequest(
        table=subject.table,
        branch=subject.branch,
        **data_arguments.rows_of(operator),
        evidence=template_values.switch(operator.evidence, "evidence", True),
    )
    check(request)
    return request


# ---------------------------------------------------------------- the plan


def _planned(table: Table, schema: TableSchema, found: "Ran", terms: Mapping[str, Any]) -> Plan:
    head = _head(table)
    plan = table.plan(target=schema if head is None else _merged(head, schema, table.name), **terms)
    notes = tuple(_maybe(one) for one in found.answer["candidates"][:_CANDIDATES])
    return with_notes(plan, notes) if notes else plan


def _head(table: Table) -> TableSchema | None:
    try:
        return table.schema()
    except NotThereError:
        return None


def _merged(head: TableSchema, schema: TableSchema, table: str) -> TableSchema:
    try:
        return merge(head, schema)
    except MergeError as error:
        raise MergeError.of(fault._replace(path=f"{table}.{fault.path}" if fault.path else table) for fault in error.faults) from None


def _maybe(one: Mapping[str, Any]) -> str:
    return f"{one['new']} may be {one['old']} renamed ({', '.join(one['reasons'])}): a table file says so with was, and keeps the values"


def _of_plan(here: At, table: Table, plan: Plan, *, save: bool) -> dict[str, Any]:
    saved = save and not plan.unchanged
    if saved:
        table.save_plan(plan, run=here.run.text)
    about = summary.planned(plan, store=here.store.url, conn_id=here.hook.conn_id, branch=table.branch_name)
    return about | {"saved": saved, "key": None}


# ---------------------------------------------------------------- what is said


def _told(found: "Ran", schema: TableSchema) -> dict[str, Any]:
    """What XCom is told of the schema."""
    answer = found.answer
    more = answer["columns"] - _COLUMNS
    return {
        **_as_sql(answer),
        "partition_keys": list(schema.partition_keys),
        "rows": answer["rows"],
        "evidence": [_short(one) for one in answer["evidence"][:_COLUMNS]],
        **({"more_evidence": more} if more > 0 else {}),
        "candidates": [{**one, "reasons": one["reasons"][:5]} for one in answer["candidates"][:_CANDIDATES]],
        "inferred_notes": summary.notes(answer["notes"]),
        **found.about,
    }


def _as_sql(answer: Mapping[str, Any]) -> dict[str, str]:
    """The columns as SQL text, for SchemaCreateOperator; left out where it is too long for XCom."""
    return {"columns": answer["sql"]} if len(answer["sql"]) <= _LONGEST else {}


def _short(one: Mapping[str, Any]) -> dict[str, Any]:
    return {key: summary.short(value) if isinstance(value, str) else value for key, value in one.items()}


def _say(operator: InferTask, found: "Ran", schema: TableSchema) -> None:
    answer = found.answer
    rows = "rows were not looked at" if answer["rows"] is None else counted(answer["rows"], "row")
    operator.log.info("%s of %s   (%s)", counted(len(schema.fields), "column"), rows, found.text)
    for one in answer["evidence"][:_COLUMNS]:
        operator.log.info("  %s", _line(one))
    for note in answer["notes"][:_COLUMNS]:
        operator.log.info("  note: %s", clean(note))


def _line(one: Mapping[str, Any]) -> str:
    about = [f"{one['nulls']:,} NULL" if one["nulls"] else "", f"looks like {one['looks_like']}" if one["looks_like"] else "", one["note"]]
    of_text = one["type"].startswith(_TEXTS)
    ends = f"{one['low']} to {one['high']}{' characters' if of_text else ''}" if one["low"] else ""
    return clean("  ".join(part for part in (f"{one['path']} {one['type']}", ends, *about) if part))
