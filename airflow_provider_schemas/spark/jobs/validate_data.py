"""A job: do rows fit a version of a table, or a contract?

spark-submit validate_data.py --store s3a://lake/warehouse --table shop.orders --path s3a://landing/orders/2026-03-01
"""

import sys
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.spark.jobs import job_data
from airflow_provider_schemas.spark.jobs.job_answers import Answer, findings_of, report_of
from airflow_provider_schemas.spark.jobs.job_requests import ValidateRequest
from airflow_provider_schemas.spark.jobs.job_running import Job, open_store_on_spark, run
from airflow_provider_schemas.spark.reading.read_table import read_table
from airflow_provider_schemas.spark.validation.result import Validation
from airflow_provider_schemas.spark.validation.validate import validate
from airflow_provider_schemas.store.schema_store import SchemaStore

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NO_TABLE: Final = "Pass table='db.table', and the store that it lies in."


def answer(spark: "SparkSession", store: SchemaStore | None, request: ValidateRequest) -> Answer:
    """Return which parts of the version, or of the contract, the rows break."""
    version = version_of(store, request)
    rows = _read_rows(spark, store, request, version)
    validation = _validate(rows, version, request)
    return {
        "table": request.table,
        **_version_answer(version, request),
        "verdict": validation.report.verdict.value,
        "fits": validation.report.fits,
        "rows": validation.rows,
        "checks": validation.checks,
        **findings_of(validation.report.findings),
        "notes": list(validation.report.notes),
        "quarantine": _keep_bad_rows(validation, request),
    }


def version_of(store: SchemaStore | None, request: ValidateRequest) -> Version | None:
    """Return the version that rows are compared with; None where a contract alone says what is needed of files or a query."""
    job_data.check_one(request)
    if request.contract and job_data.is_named(request):
        return None
    if store is None or not request.table:
        raise ContractError("which table is meant is not said.", code="task.argument", path="table", fix=_NO_TABLE)
    table = store.table(request.table, request.branch or None)
    version = table.latest() if request.version is None else table.version(request.version)
    if request.digest and version.digest != request.digest:
        message = (
            f"version {version.number} was checked as {request.digest[:8]}, and its file is another one by now ({version.digest[:8]})."
        )
        raise IncompatibleSchemaError(message, code="door.moved", path=request.table, fix="Clear the gate before this task.")
    return version


def _version_answer(version: Version | None, request: ValidateRequest) -> Answer:
    if version is None:
        return {"version": None, "branch": request.branch, "digest": ""}
    return {"version": version.number, "branch": version.branch, "digest": version.digest}


def _read_rows(spark: "SparkSession", store: SchemaStore | None, request: ValidateRequest, version: Version | None) -> "DataFrame":
    if job_data.is_named(request) or store is None or version is None:
        return job_data.rows_of(spark, request)
    return read_table(spark, store.table(request.table, request.branch or None), version=version.number)


def _validate(rows: "DataFrame", version: Version | None, request: ValidateRequest) -> Validation:
    expected: Any = Contract.model_validate_json(request.contract) if request.contract else version
    mode = "quarantine" if request.quarantine else "report"
    return validate(rows, expected, mode=mode, samples=request.samples, unique=request.unique, min_rows=request.min_rows)


def _keep_bad_rows(validation: Validation, request: ValidateRequest) -> str:
    """Write the bad rows, and return where; empty if there are none, or they are not wanted."""
    has_bad = any(finding.count for finding in validation.findings) and not validation.fits
    if not request.quarantine or not has_bad or validation.bad is None:
        return ""
    return job_data.keep(validation.bad, request.quarantine, request.run)


def _format_text(answer: Answer) -> str:
    return str(text(report_of(answer), color=False))


JOB: Final = Job(
    name="validate_data",
    kind=ValidateRequest,
    answer=answer,
    open_store=open_store_on_spark,
    text=_format_text,
    file=__file__,
    description="Do rows fit a version of a table, or a contract?",
)

if __name__ == "__main__":
    sys.exit(run(JOB))
