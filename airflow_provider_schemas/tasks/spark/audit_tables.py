"""What is wrong with the tables of a warehouse: asked of a Spark job, told in XCom and in the log, and then the task goes on or ends."""

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
from airflow_provider_schemas.tasks.change.run_change import At
from airflow_provider_schemas.tasks.output import log_footer
from airflow_provider_schemas.tasks.spark import data_arguments, run
from airflow_provider_schemas.tasks.spark.run import Ran
from airflow_provider_schemas.tasks.spark.target import SparkTask
from airflow_provider_schemas.tasks.template_values import Value

RESULT: Final = "schema_audit"
_MEANINGS: Final = ("fail", "skip", "warn")
_XCOM: Final = 20
_LINES: Final = 30
_LONGEST: Final = 400
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
    """The findings, in few and plain values; or the end of the task."""
    with run.settled():
        meaning = template_values.choice(operator.on_incompatible, "on_incompatible", _MEANINGS, "fail")
        here = run.here_of(operator, context)
        found = run.ran(operator, here, JOB, _request(operator, here))
        outcome = "fits" if found.answer["fits"] else meaning
        told = _told(here, found, outcome)
        context["ti"].xcom_push(key=RESULT, value=told)
        _end(operator, here, found, outcome)
        return told


def _request(operator: AuditTask, here: At) -> AuditRequest:
    save = template_values.text(operator.save, "save")
    return AuditRequest(
        databases=patterns_of(operator.databases, "databases"),
        tables=patterns_of(operator.tables, "tables"),
        data=template_values.switch(operator.data, "data", True),
        branches=template_values.switch(operator.branches, "branches", False),
        parallel=data_arguments.count_of(operator.parallel, "parallel", None),
        save=save,
        run=run.run_folder(here) if save else "",
    )


def patterns_of(value: Any, argument: str) -> tuple[str, ...]:
    """Names or patterns: a list, or one text with commas between them. Left out, it is all; what is empty is a mistake."""
    said = template_values.loaded(value, argument)
    if not template_values.is_said(said, argument):
        return ()
    names = said.split(",") if isinstance(said, str) else said
    if not isinstance(names, list | tuple | set | frozenset) or not names or not all(isinstance(one, str) and one.strip() for one in names):
        raise template_values.refused(
            "it names nothing, or what is no text.", argument, "Pass ['shop', 'mart_*'], or leave it out for all."
        )
    return tuple(one.strip() for one in names)


# ---------------------------------------------------------------- what is said


def _told(here: At, found: Ran, outcome: str) -> dict[str, Any]:
    answer = found.answer
    lines, worst = answer["lines"], answer["worst"]
    return {
        "store": without_credentials(here.store.url),
        "conn_id": here.hook.conn_id,
        "outcome": outcome,
        **{key: answer[key] for key in ("verdict", "fits", "tables", "versions", "files", "unread")},
        "rules": [_short({**one, "owners": one["owners"][:5], "examples": one["examples"][:3]}) for one in lines[:_XCOM]],
        **({"more_rules": len(lines) - _XCOM} if len(lines) > _XCOM else {}),
        "worst": [_short(one) for one in worst[:_XCOM]],
        "saved": without_credentials(answer["saved"]),
        **found.about,
    }


def _short(one: Mapping[str, Any]) -> dict[str, Any]:
    return {key: summary.short(value) if isinstance(value, str) else value for key, value in one.items()}


def sentence(answer: Answer) -> str:
    """3 rules break in 12 tables: ..."""
    loud = [one for one in answer["lines"] if one["verdict"] in (Verdict.BREAK.value, Verdict.INVALID.value)]
    if not loud:
        return f"{_looked(answer)}, and none is broken"
    first = loud[0]
    where = f" ({clean(', '.join(first['examples'][:3]))})" if first["examples"] else ""
    return f"{_looked(answer)}: {clean(first['rule'])} in {counted(first['tables'], 'table')}{where} (+{len(loud) - 1:,} more rules)"


def _looked(answer: Answer) -> str:
    unread = f", {answer['unread']:,} of them not to be read" if answer["unread"] else ""
    return f"{counted(answer['tables'] or 0, 'table')}{unread}"


def _block(here: At, found: Ran, outcome: str) -> Iterator[str]:
    answer = found.answer
    verdict = Verdict(answer["verdict"])
    about = f"{_looked(answer)}, {counted(answer['versions'] or 0, 'version')}, {counted(answer['files'] or 0, 'data file')}"
    yield f"SCHEMA AUDIT  {MARKS[verdict]} {VERDICTS[verdict]}   {clean(here.hook.conn_id)}: {about}   ({found.text})"
    for one in answer["lines"][:_LINES]:
        owners = f"   {clean(', '.join(one['owners'][:5]))}" if one["owners"] else ""
        mark = MARKS[Verdict(one["verdict"])]
        yield f"  {mark} {clean(one['rule'])}   {counted(one['findings'], 'finding')} in {counted(one['tables'], 'table')}{owners}"
    for one in answer["worst"][:_LINES]:
        yield from _finding(one)
    if answer["saved"]:
        yield f"all of it  {clean(without_credentials(answer['saved']))}"
    if outcome in _OUTCOMES:
        yield f"what now   {_OUTCOMES[outcome]}"


def _finding(one: Mapping[str, Any]) -> Iterator[str]:
    file = f"   {clean(without_credentials(one['file']))}" if one["file"] else ""
    mark = MARKS[Verdict(one["verdict"])]
    yield ""
    yield f"{mark} {clean(one['table'])}  {clean(one['rule'])}  {clean(one['path'])}: {clean(without_credentials(one['message']))}{file}"
    if one["fix"]:
        yield f"      next step   {clean(without_credentials(one['fix']))}"


def _end(operator: AuditTask, here: At, found: Ran, outcome: str) -> None:
    said = "\n".join(line[:_LONGEST] for line in _block(here, found, outcome))
    if outcome in ("fail", "skip"):
        log_footer.log_at_end(operator, outcome, said)
    else:
        log_footer.log_lines(said, "warn" if found.answer["verdict"] != Verdict.OK.value else "fits")
    if outcome == "fail":
        raise IncompatibleSchemaError.about(Report(), f"{sentence(found.answer)}.", fix=_FIX)
    if outcome == "skip":
        raise AirflowSkipException(sentence(found.answer))
