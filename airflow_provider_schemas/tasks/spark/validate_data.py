"""Check rows by a Spark job, report in XCom and in the log, and let the task go on or end it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.spark.jobs.job_answers import report_of
from airflow_provider_schemas.spark.jobs.job_data import is_named
from airflow_provider_schemas.spark.jobs.job_requests import ValidateRequest
from airflow_provider_schemas.spark.jobs.validate_data import JOB, version_of
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.store.layout.paths import schema_folder
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import summary
from airflow_provider_schemas.tasks.change.run_change import TaskContext, open_context
from airflow_provider_schemas.tasks.output import log_footer, openlineage
from airflow_provider_schemas.tasks.output.xcom_tables import last_change
from airflow_provider_schemas.tasks.spark import data_arguments, data_report, run
from airflow_provider_schemas.tasks.spark.data_arguments import RowsTask
from airflow_provider_schemas.tasks.spark.run import JobRun
from airflow_provider_schemas.tasks.spark.target import SparkTask
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage

RESULT: Final = "schema_data"
MEANINGS: Final = ("fail", "skip", "warn")
_DEFAULT_SAMPLES: Final = 5
_MAX_FINDINGS: Final = 20
_FIX: Final = "Mend the rows, or change the table or the contract. The end of the log shows some of the rows."
# The library speaks of arguments of a function, and a task has its own.
_TASK_WORDS: Final = ("mode='quarantine'", "quarantine=, a folder for them")
# More of sample rows than this, in characters, stays out of XCom.
_MAX_SAMPLE_CHARACTERS: Final = 8_000


DataLineage = tuple[Judgement, str]
"""What a task keeps for OpenLineage: the judgement, and the alias of the store."""


class ValidateDataTask(SparkTask, RowsTask, Protocol):
    """A task that checks rows, and what it leaves for links and lineage."""

    table: Value
    contract: Value
    branch: str
    version: Value
    quarantine: str
    samples: int | str
    unique: bool | str
    min_rows: int | str
    changed_by_run: str
    lineage: DataLineage | None


def validate(operator: ValidateDataTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a table or a contract rows break; or end the task."""
    with run.settled():
        meaning = template_values.read_choice(operator.on_incompatible, "on_incompatible", MEANINGS, "fail")
        task = open_context(operator.conn_id, context)
        request, version = _pin_version(task, _read_request(operator, task))
        job_run = _in_words_of_tasks(run.run_job(operator, task, JOB, request, needs_store=version is not None))
        report = report_of(job_run.answer)
        outcome = "fits" if report.fits else meaning
        entry = _entry(task, job_run, outcome, of_table=version is not None)
        context["ti"].xcom_push(key=RESULT, value=entry)
        if version is not None:
            _keep_for_lineage(operator, task, version, report)
        _end_task(operator, report, outcome, job_run)
        return entry


def _read_request(operator: ValidateDataTask, task: TaskContext) -> ValidateRequest:
    subject = data_arguments.read_subject(operator.table, operator.branch, operator.version)
    quarantine = template_values.read_text(operator.quarantine, "quarantine")
    return ValidateRequest(
        table=subject.table,
        branch=subject.branch,
        version=subject.version,
        digest=subject.digest,
        **data_arguments.read_rows_arguments(operator),
        contract=data_arguments.read_contract_text(operator.contract, subject.table, task.run, task.hook.conn_id),
        samples=data_arguments.read_count(operator.samples, "samples", _DEFAULT_SAMPLES) or 0,
        unique=template_values.read_switch(operator.unique, "unique", True),
        min_rows=data_arguments.read_minimum(operator.min_rows, "min_rows"),
        quarantine=quarantine,
        run=run.run_folder(task) if quarantine else "",
    )


def _pin_version(task: TaskContext, request: ValidateRequest) -> tuple[ValidateRequest, Version | None]:
    """Return the request with the present version, which is read before Spark is started; None if a contract alone is checked."""
    is_contract_alone = request.contract and is_named(request)
    store = None if is_contract_alone else task.store
    version = version_of(store, request)
    if version is None:
        return request, None
    return msgspec.structs.replace(request, version=version.number, digest=version.digest), version


def _in_words_of_tasks(job_run: JobRun) -> JobRun:
    """Return the answer with its advice in the words of an operator."""
    findings = [finding | {"fix": finding["fix"].replace(*_TASK_WORDS)} for finding in job_run.answer["findings"]]
    return msgspec.structs.replace(job_run, answer=job_run.answer | {"findings": findings})


# ---------------------------------------------------------------- XCom


def _entry(task: TaskContext, job_run: JobRun, outcome: str, *, of_table: bool) -> dict[str, Any]:
    answer = job_run.answer
    samples = _SampleRoom()
    shown = answer["findings"][:_MAX_FINDINGS]
    more = len(answer["findings"]) - len(shown) + answer["more"]
    place = {"store": "", "conn_id": ""}
    if of_table:
        place = {"store": without_credentials(task.store.url), "conn_id": task.hook.conn_id}
    return {
        **place,
        **{key: answer[key] for key in ("table", "branch", "version", "digest", "verdict", "fits")},
        "outcome": outcome,
        **{key: answer[key] for key in ("rows", "checks", "counts")},
        "findings": [_finding_entry(finding, samples) for finding in shown],
        **({"more_findings": more} if more else {}),
        "notes": summary.short_notes(answer["notes"]),
        "quarantine": without_credentials(answer["quarantine"]),
        **job_run.entry,
    }


class _SampleRoom:
    """How much more of sample rows goes in."""

    def __init__(self) -> None:
        self.left = _MAX_SAMPLE_CHARACTERS

    def take(self, rows: list[Any]) -> list[Any]:
        """Return the first rows that there is room for."""
        kept = []
        for row in rows:
            self.left -= len(str(row))
            if self.left < 0:
                break
            kept.append(row)
        return kept


def _finding_entry(finding: Mapping[str, Any], room: _SampleRoom) -> dict[str, Any]:
    return {
        "rule": finding["rule"],
        "verdict": finding["verdict"],
        "path": summary.short_line(finding["path"]),
        "message": summary.short_line(finding["message"]),
        "fix": summary.short_line(finding["fix"]),
        "count": finding["count"],
        "samples": room.take(finding["samples"]),
    }


# ---------------------------------------------------------------- links and lineage


def _keep_for_lineage(operator: ValidateDataTask, task: TaskContext, version: Version, report: Report) -> None:
    """Keep what links and lineage need when the task has ended."""
    table = task.table(report.table, version.branch)
    operator.changed_by_run = last_change(version)["run"]
    answer = TableAnswer(table=table.name, report=report, version=version, place=_schema_folder_url(table), layout=table.place.layout)
    judgement = Judgement(tables=(answer,), consumer=task.run.consumer, store=task.store.url)
    operator.lineage = (judgement, task.hook.alias)


def _schema_folder_url(table: Table) -> str:
    place = table.place
    return f"{place.files.url.rstrip('/')}/{schema_folder(place.folder, table.branch_name)}"


def data_lineage(operator: ValidateDataTask) -> "OperatorLineage[Any, Any] | None":
    """Return the lineage for OpenLineage; None if no rows were checked, or none of a table of the store."""
    if operator.lineage is None:
        return None
    judgement, alias = operator.lineage
    return openlineage.gate_lineage(judgement, alias=alias)


# ---------------------------------------------------------------- the end


def _end_task(operator: ValidateDataTask, report: Report, outcome: str, job_run: JobRun) -> None:
    """Log the report, at the end of the log where it stops the task; and raise where the rows stop it."""
    block = "\n".join(data_report.format_report(report, job_run.answer, outcome, job_run.text))
    sentence = data_report.format_sentence(report, job_run.answer)
    if outcome == "fail":
        log_footer.log_at_end(operator, outcome, block)
        raise IncompatibleSchemaError.about(report, f"{sentence}.", fix=_FIX)
    if outcome == "skip":
        log_footer.log_at_end(operator, outcome, block)
        raise AirflowSkipException(sentence)
    log_footer.log_lines(block, "warn" if outcome == "warn" or report.verdict is Verdict.WARN else "fits")
