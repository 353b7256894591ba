"""Do rows fit? Asked of a Spark job, told in XCom and in the log, and then the task goes on or ends."""

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
from airflow_provider_schemas.tasks.change.run_change import At
from airflow_provider_schemas.tasks.output import log_footer, openlineage
from airflow_provider_schemas.tasks.output.xcom_tables import last_change
from airflow_provider_schemas.tasks.spark import data_arguments, data_report, run
from airflow_provider_schemas.tasks.spark.data_arguments import RowsTask
from airflow_provider_schemas.tasks.spark.run import Ran
from airflow_provider_schemas.tasks.spark.target import SparkTask
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage

RESULT: Final = "schema_data"
MEANINGS: Final = ("fail", "skip", "warn")
_SAMPLES: Final = 5
_FINDINGS: Final = 20
_FIX: Final = "Mend the rows, or change the table or the contract. The end of the log shows some of the rows."
# The library speaks of arguments of a function, and a task has its own.
_OF_TASK: Final = ("mode='quarantine'", "quarantine=, a folder for them")
# More of sample rows than this, in characters, stays out of XCom.
_ROOM: Final = 8_000


DataLineage = tuple[Judgement, str]
"""What a task keeps for OpenLineage: what was found, and the alias of the store."""


class ValidateDataTask(SparkTask, RowsTask, Protocol):
    """A task that looks at rows, and what it leaves for links and lineage."""

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
    """What of a table or a contract rows break; or the end of the task."""
    with run.settled():
        meaning = template_values.choice(operator.on_incompatible, "on_incompatible", MEANINGS, "fail")
        here = run.here_of(operator, context)
        request, version = _pinned(here, _request(operator, here))
        found = _as_task(run.ran(operator, here, JOB, request, needs_store=version is not None))
        report = report_of(found.answer)
        outcome = "fits" if report.fits else meaning
        told = _told(here, found, outcome, of_table=version is not None)
        context["ti"].xcom_push(key=RESULT, value=told)
        if version is not None:
            _remember(operator, here, version, report)
        _end(operator, report, outcome, found)
        return told


def _request(operator: ValidateDataTask, here: At) -> ValidateRequest:
    subject = data_arguments.subject_of(operator.table, operator.branch, operator.version)
    quarantine = template_values.text(operator.quarantine, "quarantine")
    return ValidateRequest(
        table=subject.table,
        branch=subject.branch,
        version=subject.version,
        digest=subject.digest,
        **data_arguments.rows_of(operator),
        contract=data_arguments.contract_of(operator.contract, subject.table, here.run, here.hook.conn_id),
        samples=data_arguments.count_of(operator.samples, "samples", _SAMPLES) or 0,
        unique=template_values.switch(operator.unique, "unique", True),
        min_rows=data_arguments.least_of(operator.min_rows, "min_rows"),
        quarantine=quarantine,
        run=run.run_folder(here) if quarantine else "",
    )


def _pinned(here: At, request: ValidateRequest) -> tuple[ValidateRequest, Version | None]:
    """The request about the version as it is now, which is found before Spark is started; None if a contract alone is asked about."""
    store = None if request.contract and is_named(request) else here.store
    version = version_of(store, request)
    if version is None:
        return request, None
    return msgspec.structs.replace(request, version=version.number, digest=version.digest), version


def _as_task(found: Ran) -> Ran:
    """The answer with its advice in the words of an operator."""
    findings = [one | {"fix": one["fix"].replace(*_OF_TASK)} for one in found.answer["findings"]]
    return msgspec.structs.replace(found, answer=found.answer | {"findings": findings})


# ---------------------------------------------------------------- XCom


def _told(here: At, found: Ran, outcome: str, *, of_table: bool) -> dict[str, Any]:
    answer, room = found.answer, _Room()
    shown = answer["findings"][:_FINDINGS]
    more = len(answer["findings"]) - len(shown) + answer["more"]
    return {
        "store": without_credentials(here.store.url) if of_table else "",
        "conn_id": here.hook.conn_id if of_table else "",
        **{key: answer[key] for key in ("table", "branch", "version", "digest", "verdict", "fits")},
        "outcome": outcome,
        **{key: answer[key] for key in ("rows", "checks", "counts")},
        "findings": [_finding(one, room) for one in shown],
        **({"more_findings": more} if more else {}),
        "notes": summary.notes(answer["notes"]),
        "quarantine": without_credentials(answer["quarantine"]),
        **found.about,
    }


class _Room:
    """How much more of sample rows goes in."""

    def __init__(self) -> None:
        self.left = _ROOM

    def some(self, rows: list[Any]) -> list[Any]:
        kept = []
        for row in rows:
            self.left -= len(str(row))
            if self.left < 0:
                break
            kept.append(row)
        return kept


def _finding(one: Mapping[str, Any], room: _Room) -> dict[str, Any]:
    texts = {key: summary.short(one[key]) for key in ("path", "message", "fix")}
    return {"rule": one["rule"], "verdict": one["verdict"], **texts, "count": one["count"], "samples": room.some(one["samples"])}


# ---------------------------------------------------------------- links and lineage


def _remember(operator: ValidateDataTask, here: At, version: Version, report: Report) -> None:
    """What links and lineage ask when the task has ended."""
    table = here.table(report.table, version.branch)
    operator.changed_by_run = last_change(version)["run"]
    found = TableAnswer(table=table.name, report=report, version=version, place=_folder_of(table), layout=table.place.layout)
    operator.lineage = (Judgement(tables=(found,), consumer=here.run.consumer, store=here.store.url), here.hook.alias)


def _folder_of(table: Table) -> str:
    place = table.place
    return f"{place.files.url.rstrip('/')}/{schema_folder(place.folder, table.branch_name)}"


def lineage_of(operator: ValidateDataTask) -> "OperatorLineage[Any, Any] | None":
    """What OpenLineage is told; None if nothing was looked at, or no table of the store."""
    return None if operator.lineage is None else openlineage.gate_lineage(operator.lineage[0], alias=operator.lineage[1])


# ---------------------------------------------------------------- the end


def _end(operator: ValidateDataTask, report: Report, outcome: str, found: Ran) -> None:
    said = "\n".join(data_report.lines(report, found.answer, outcome, found.text))
    if outcome in ("fail", "skip"):
        log_footer.log_at_end(operator, outcome, said)
    else:
        log_footer.log_lines(said, "warn" if outcome == "warn" or report.verdict is Verdict.WARN else "fits")
    if outcome == "fail":
        raise IncompatibleSchemaError.about(report, f"{data_report.sentence(report, found.answer)}.", fix=_FIX)
    if outcome == "skip":
        raise AirflowSkipException(data_report.sentence(report, found.answer))
