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
from airflow_provider_schemas.spark.jobs.job_requests import StoreRequest, ValidateRequest
from airflow_provider_schemas.spark.jobs.job_running import Job, run
from airflow_provider_schemas.spark.reading.read_table import read_table
from airflow_provider_schemas.spark.validation.result import Validation
from airflow_provider_schemas.spark.validation.validate import validate
from airflow_provider_schemas.store.schema_store import SchemaStore

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NO_TABLE: Final = "Pass table='db.table', and the store that it lies in."


def answer(spark: "SparkSession", store: SchemaStore | None, request: ValidateRequest) -> Answer:
    """What of the version, or of the contract, the rows break."""
    version = version_of(store, request)
    found = _validated(_rows(spark, store, request, version), version, request)
    kept = _kept(found, request)
    about = {} if version is None else {"branch": version.branch, "digest": version.digest}
    return {
        "table": request.table,
        "version": None if version is None else version.number,
        "branch": request.branch,
        "digest": "",
        **about,
        "verdict": found.report.verdict.value,
        "fits": found.report.fits,
        "rows": found.rows,
        "checks": found.checks,
        **findings_of(found.report.findings),
        "notes": list(found.report.notes),
        "quarantine": kept,
    }


def version_of(store: SchemaStore | None, request: ValidateRequest) -> Version | None:
    """The version that rows are held against; None where a contract alone says what is needed of files or a query."""
    job_data.check_one(request)
    if request.contract and job_data.is_named(request):
        return None
    if store is None or not request.table:
        raise ContractError("which table is meant is not said.", code="task.argument", path="table", fix=_NO_TABLE)
    table = store.table(request.table, request.branch or None)
    found = table.latest() if request.version is None else table.version(request.version)
    if request.digest and found.digest != request.digest:
        message = f"version {found.number} was checked as {request.digest[:8]}, and its file is another one by now ({found.digest[:8]})."
        raise IncompatibleSchemaError(message, code="door.moved", path=request.table, fix="Clear the gate before this task.")
    return found


def _rows(spark: "SparkSession", store: SchemaStore | None, request: ValidateRequest, version: Version | None) -> "DataFrame":
    if job_data.is_named(request) or store is None or version is None:
        return job_data.rows_of(spark, request)
    return read_table(spark, store.table(request.table, request.branch or None), version=version.number)


def _validated(rows: Any, version: Version | None, request: ValidateRequest) -> Validation:
    expected: Any = Contract.model_validate_json(request.contract) if request.contract else version
    mode = "quarantine" if request.quarantine else "report"
    return validate(rows, expected, mode=mode, samples=request.samples, unique=request.unique, min_rows=request.min_rows)


def _kept(found: Validation, request: ValidateRequest) -> str:
    """Where the bad rows lie; empty if there are none, or nobody wants them."""
    bad = any(one.count for one in found.findings) and not found.fits
    return job_data.keep(found.bad, request.quarantine, request.run) if request.quarantine and bad and found.bad is not None else ""


def _opened(spark: "SparkSession", about: StoreRequest) -> SchemaStore:
    return SchemaStore.on(spark, about.store, registry=about.registry or None, registry_id=about.registry_id, layout=about.layout or None)


def _text(found: Answer) -> str:
    return str(text(report_of(found), color=False))


JOB: Final = Job(
    name="validate_data",
    kind=ValidateRequest,
    answer=answer,
    opened=_opened,
    text=_text,
    file=__file__,
    description="Do rows fit a version of a table, or a contract?",
)

if __name__ == "__main__":
    sys.exit(run(JOB))
