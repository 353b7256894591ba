"""A job: what is wrong with the tables of a warehouse.

spark-submit audit_tables.py --store s3://lake/warehouse --databases shop --save s3a://lake/audits
"""

import sys
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.auditing.audit import audit, summarize
from airflow_provider_schemas.spark.auditing.summary import SummaryLine
from airflow_provider_schemas.spark.jobs import job_data
from airflow_provider_schemas.spark.jobs.job_answers import Answer
from airflow_provider_schemas.spark.jobs.job_requests import AuditRequest, StoreRequest
from airflow_provider_schemas.spark.jobs.job_running import Job, run
from airflow_provider_schemas.spark.session import functions_of
from airflow_provider_schemas.store.schema_store import SchemaStore

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SHOWN: Final = 100
_LOUD: Final = (Verdict.INVALID, Verdict.BREAK, Verdict.WARN)


def answer(spark: "SparkSession", store: SchemaStore | None, request: AuditRequest) -> Answer:
    """Return the summary, and the worst findings."""
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
        "lines": [_line_answer(line) for line in summary.lines],
        "worst": _read_worst(findings),
        "saved": saved,
    }


def _line_answer(line: SummaryLine) -> Answer:
    return {
        "rule": line.rule,
        "verdict": line.verdict.value,
        "findings": line.findings,
        "tables": line.tables,
        "owners": list(line.owners),
        "examples": list(line.examples),
    }


def _read_worst(findings: "DataFrame") -> list[Answer]:
    """Return some findings in full, the worst first."""
    F = functions_of(findings)  # noqa: N806  # as everybody calls it
    weights = [verdict.value for verdict in _LOUD]
    order = F.array_position(F.array(*map(F.lit, weights)), findings["verdict"])
    loud = findings.where(findings["verdict"].isin(*weights)).orderBy(order, "table", "rule", "path")
    return [row.asDict(recursive=True) for row in loud.limit(_SHOWN).collect()]


def _open_store(spark: "SparkSession", request: StoreRequest) -> SchemaStore:
    """Open the store without Spark, which cannot list a warehouse without listing all its data."""
    return SchemaStore(
        request.store, registry=request.registry or None, registry_id=request.registry_id, layout=request.layout or None, read_only=True
    )


def _format_text(answer: Answer) -> str:
    rules = [f"{line['verdict']:>8}  {line['rule']}  {line['findings']:,} in {line['tables']:,} tables" for line in answer["lines"]]
    worst = [f"{row['verdict']:>8}  {row['table']}  {row['rule']}  {row['path']}: {row['message']}" for row in answer["worst"]]
    return "\n".join([f"{answer['tables'] or 0:,} tables, {answer['unread']:,} of them unread", *rules, "", *worst])


JOB: Final = Job(
    name="audit_tables",
    kind=AuditRequest,
    answer=answer,
    open_store=_open_store,
    text=_format_text,
    file=__file__,
    description="What is wrong with the tables of a warehouse.",
)

if __name__ == "__main__":
    sys.exit(run(JOB))
