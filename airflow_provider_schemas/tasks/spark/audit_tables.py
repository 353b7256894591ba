"""Audit the tables of a warehouse by a Spark job, report in XCom and in the log, and let the task go on or end it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted
from airflow_provider_schemas.spark.jobs.audit_tables import JOB
from airflow_provider_schemas.spark.jobs.job_answers import Answer
from airflow_provider_schemas.spark.jobs.job_requests import AuditRequest
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import summary
from airflow_provider_schemas.tasks.change.run_change import TaskContext, open_context
from airflow_provider_schemas.tasks.output import log_footer
from airflow_provider_schemas.tasks.spark import data_arguments, run
from airflow_provider_schemas.tasks.spark.run import JobRun
from airflow_provider_schemas.tasks.spark.target import SparkTask
from airflow_provider_schemas.tasks.template_values import Value

RESULT: Final = "schema_audit"
_MEANINGS: Final = ("fail", "skip", "warn")
_MAX_ENTRIES: Final = 20
_MAX_LINES: Final = 30
_MAX_LINE_CHARACTERS: Final = 400
_FIX: Final = "The end of the log names the worst; with save= all of them are kept as rows."
_OUTCOMES: Final = {
    "fail": "The task has failed and is not tried again.",
    "skip": "The task is skipped (on_incompatible is 'skip').",
    "warn": "The task goes on (on_incompatible is 'warn').",
}


class AuditTask(SparkTask, Protocol):
    """A task that audits the tables of a warehouse."""

    databases: Value
    tables: Value
    data: bool | str
    branches: bool | str
    parallel: int | str
    save: str


def audit(operator: AuditTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the findings, in few and plain values; or end the task."""
    with run.settled():
        meaning = template_values.read_choice(operator.on_incompatible, "on_incompatible", _MEANINGS, "fail")
        task = open_context(operator.conn_id, context)
        job_run = run.run_job(operator, task, JOB, _read_request(operator, task))
        outcome = "fits" if job_run.answer["fits"] else meaning
        entry = _entry(task, job_run, outcome)
        context["ti"].xcom_push(key=RESULT, value=entry)
        _end_task(operator, task, job_run, outcome)
        return entry


def _read_request(operator: AuditTask, task: TaskContext) -> AuditRequest:
    save = template_values.read_text(operator.save, "save")
    return AuditRequest(
        databases=read_patterns(operator.databases, "databases"),
        tables=read_patterns(operator.tables, "tables"),
        data=template_values.read_switch(operator.data, "data", True),
        branches=template_values.read_switch(operator.branches, "branches", False),
        parallel=data_arguments.read_count(operator.parallel, "parallel", None),
        save=save,
        run=run.run_folder(task) if save else "",
    )


def read_patterns(value: Value, argument: str) -> tuple[str, ...]:
    """Read names or patterns: a list, or one text with commas between them. Left out, it means all; an empty value is an error."""
    given = template_values.parse_value(value, argument)
    if not template_values.is_given(given, argument):
        return ()
    names = given.split(",") if isinstance(given, str) else given
    is_list = isinstance(names, list | tuple | set | frozenset)
    if not is_list or not names or not all(isinstance(name, str) and name.strip() for name in names):
        fix = "Pass ['shop', 'mart_*'], or leave it out for all."
        raise template_values.argument_error("it names nothing, or what is no text.", argument, fix)
    return tuple(name.strip() for name in names)


# ---------------------------------------------------------------- XCom


def _entry(task: TaskContext, job_run: JobRun, outcome: str) -> dict[str, Any]:
    answer = job_run.answer
    rules = answer["lines"]
    more = {}
    if len(rules) > _MAX_ENTRIES:
        more["more_rules"] = len(rules) - _MAX_ENTRIES
    return {
        "store": without_credentials(task.store.url),
        "conn_id": task.hook.conn_id,
        "outcome": outcome,
        **{key: answer[key] for key in ("verdict", "fits", "tables", "versions", "files", "unread")},
        "rules": [_rule_entry(rule) for rule in rules[:_MAX_ENTRIES]],
        **more,
        "worst": [summary.short_values(finding) for finding in answer["worst"][:_MAX_ENTRIES]],
        "saved": without_credentials(answer["saved"]),
        **job_run.entry,
    }


def _rule_entry(rule: Mapping[str, Any]) -> dict[str, Any]:
    return summary.short_values({**rule, "owners": rule["owners"][:5], "examples": rule["examples"][:3]})


# ---------------------------------------------------------------- the log


def format_sentence(answer: Answer) -> str:
    """Write one sentence: 12 tables: FIELD_DROPPED in 3 tables (shop.orders) (+2 more rules)."""
    breaking = [rule for rule in answer["lines"] if rule["verdict"] in (Verdict.BREAK.value, Verdict.INVALID.value)]
    if not breaking:
        return f"{_counts(answer)}, and none is broken"
    first = breaking[0]
    tables = counted(first["tables"], "table")
    if first["examples"]:
        tables += f" ({clean(', '.join(first['examples'][:3]))})"
    return f"{_counts(answer)}: {clean(first['rule'])} in {tables} (+{len(breaking) - 1:,} more rules)"


def _counts(answer: Answer) -> str:
    tables = counted(answer["tables"] or 0, "table")
    if not answer["unread"]:
        return tables
    return f"{tables}, {answer['unread']:,} of them not to be read"


def _block(task: TaskContext, job_run: JobRun, outcome: str) -> Iterator[str]:
    answer = job_run.answer
    verdict = Verdict(answer["verdict"])
    about = f"{_counts(answer)}, {counted(answer['versions'] or 0, 'version')}, {counted(answer['files'] or 0, 'data file')}"
    yield f"SCHEMA AUDIT  {MARKS[verdict]} {VERDICTS[verdict]}   {clean(task.hook.conn_id)}: {about}   ({job_run.text})"
    for rule in answer["lines"][:_MAX_LINES]:
        mark = MARKS[Verdict(rule["verdict"])]
        line = f"  {mark} {clean(rule['rule'])}   {counted(rule['findings'], 'finding')} in {counted(rule['tables'], 'table')}"
        if rule["owners"]:
            line += f"   {clean(', '.join(rule['owners'][:5]))}"
        yield line
    for finding in answer["worst"][:_MAX_LINES]:
        yield from _finding_lines(finding)
    if answer["saved"]:
        yield f"all of it  {clean(without_credentials(answer['saved']))}"
    if outcome in _OUTCOMES:
        yield f"what now   {_OUTCOMES[outcome]}"


def _finding_lines(finding: Mapping[str, Any]) -> Iterator[str]:
    mark = MARKS[Verdict(finding["verdict"])]
    subject = f"{clean(finding['table'])}  {clean(finding['rule'])}  {clean(finding['path'])}"
    line = f"{mark} {subject}: {clean(without_credentials(finding['message']))}"
    if finding["file"]:
        line += f"   {clean(without_credentials(finding['file']))}"
    yield ""
    yield line
    if finding["fix"]:
        yield f"      next step   {clean(without_credentials(finding['fix']))}"


def _end_task(operator: AuditTask, task: TaskContext, job_run: JobRun, outcome: str) -> None:
    """Log the findings, at the end of the log where they stop the task; and raise where they stop it."""
    block = "\n".join(line[:_MAX_LINE_CHARACTERS] for line in _block(task, job_run, outcome))
    if outcome == "fail":
        log_footer.log_at_end(operator, outcome, block)
        raise IncompatibleSchemaError.about(Report(), f"{format_sentence(job_run.answer)}.", fix=_FIX)
    if outcome == "skip":
        log_footer.log_at_end(operator, outcome, block)
        raise AirflowSkipException(format_sentence(job_run.answer))
    log_footer.log_lines(block, "fits" if job_run.answer["verdict"] == Verdict.OK.value else "warn")
