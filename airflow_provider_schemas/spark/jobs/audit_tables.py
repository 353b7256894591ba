"""A job: what is wrong with the tables of a warehouse.

spark-submit audit_tables.py --store s3://lake/warehouse --databases shop --save s3a://lake/audits
"""

import sys
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.auditing.audit import audit, summarize
from airflow_provider_schemas.spark.jobs import job_data
from airflow_provider_schemas.spark.jobs.job_answers import Answer
from airflow_provider_schemas.spark.jobs.job_requests import AuditRequest, StoreRequest
from airflow_provider_schemas.spark.jobs.job_running import Job, run
from airflow_provider_schemas.spark.session import functions_of
from airflow_provider_schemas.store.schema_store import SchemaStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SHOWN: Final = 100
_LOUD: Final = (Verdict.INVALID, Verdict.BREAK, Verdict.WARN)


def answer(spark: "SparkSession", store: SchemaStore | None, request: AuditRequest) -> Answer:
    """The summary, and the worst findings."""
    if store is None:
        raise ContractError("which warehouse is meant is not said.", code="task.argument", path="store", fix="Pass its address.")
    findings = audit(
        spark,
        store,
        databases=request.databases or "*",
        tables=request.tables or "*",
        data=request.data,
        branches=request.branches,
        parallel=request.parallel,
    )
    summary = summarize(findings)
    saved = job_data.keep(findings, request.save, request.run) if request.save else ""
    return {
        "verdict": summary.verdict.value,
        "fits": SEVERITY[summary.verdict] < SEVERITY[Verdict.BREAK],
        "tables": summary.tables,
        "versions": summary.versions,
        "files": summary.files,
        "unread": summary.unread,
        "lines": [
            {
                "rule": one.rule,
                "verdict": one.verdict.value,
                "findings": one.findings,
                "tables": one.tables,
                "owners": list(one.owners),
                "examples": list(one.examples),
            }
            for one in summary.lines
        ],
        "worst": _worst(findings),
        "saved": saved,
    }


def _worst(findings: Any) -> list[Answer]:
    """Some findings in full, the worst first."""
    F = functions_of(findings)  # noqa: N806  # as everybody calls it
    weights = [one.value for one in _LOUD]
    order = F.array_position(F.array(*map(F.lit, weights)), findings["verdict"])
    loud = findings.where(findings["verdict"].isin(*weights)).orderBy(order, "table", "rule", "path")
    return [row.asDict(recursive=True) for row in loud.limit(_SHOWN).collect()]


def _opened(spark: "SparkSession", about: StoreRequest) -> SchemaStore:
    """Without Spark, which cannot list a warehouse without listing all its data."""
    return SchemaStore(
        about.store, registry=about.registry or None, registry_id=about.registry_id, layout=about.layout or None, read_only=True
    )


def _text(found: Answer) -> str:
    rules = [f"{one['verdict']:>8}  {one['rule']}  {one['findings']:,} in {one['tables']:,} tables" for one in found["lines"]]
    worst = [f"{one['verdict']:>8}  {one['table']}  {one['rule']}  {one['path']}: {one['message']}" for one in found["worst"]]
    return "\n".join([f"{found['tables'] or 0:,} tables, {found['unread']:,} of them unread", *rules, "", *worst])


JOB: Final = Job(
    name="audit_tables",
    kind=AuditRequest,
    answer=answer,
    opened=_opened,
    text=_text,
    file=__file__,
    description="What is wrong with the tables of a warehouse.",
)

if __name__ == "__main__":
    sys.exit(run(JOB))
