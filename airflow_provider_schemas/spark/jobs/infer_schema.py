"""A job: the schema of files or of a query, with what the rows say for it.

spark-submit infer_schema.py --path s3a://landing/orders --store s3a://lake/warehouse --table shop.orders
"""

import sys
from typing import TYPE_CHECKING, Final

import msgspec

from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.errors import ContractError, NotThereError
from airflow_provider_schemas.spark.inference.infer import infer
from airflow_provider_schemas.spark.inference.result import ColumnEvidence, columns_text
from airflow_provider_schemas.spark.jobs import job_data
from airflow_provider_schemas.spark.jobs.job_answers import MOST, Answer
from airflow_provider_schemas.spark.jobs.job_requests import InferRequest
from airflow_provider_schemas.spark.jobs.job_running import Job, open_store_on_spark, run
from airflow_provider_schemas.spark.jobs.job_samples import shown_row
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def answer(spark: "SparkSession", store: SchemaStore | None, request: InferRequest) -> Answer:
    """Return the schema, and what speaks for it."""
    check(request)
    against = _find_table(store, request)
    inferred = infer(
        spark.sql(request.sql) if request.sql else request.path,
        spark=spark,
        against=against,
        format=request.file_format,
        options=request.options,
        evidence=request.evidence,
    )
    return {
        "table": request.table,
        "schema": inferred.schema.to_json(),
        "sql": columns_text(inferred.schema),
        "rows": inferred.rows if request.evidence else None,
        "columns": len(inferred.columns),
        "evidence": [_evidence_answer(column) for column in inferred.columns[:MOST]],
        "candidates": [_candidate_answer(candidate) for candidate in inferred.candidates],
        "notes": list(inferred.notes),
        "against": None if against is None else against.latest().number,
    }


def check(request: InferRequest) -> None:
    """Raise for what can be told to be a mistake without Spark."""
    job_data.check_one(request)
    if not job_data.is_named(request):
        message = "no rows are named whose schema is wanted."
        raise ContractError(message, code="task.argument", path="path", fix="Pass path=, the files, or sql=, a query.")


def _find_table(store: SchemaStore | None, request: InferRequest) -> Table | None:
    """Return the table, if one is named and there is one."""
    if store is None or not request.table:
        return None
    table = store.table(request.table, request.branch or None)
    try:
        table.latest()
    except NotThereError:
        return None
    return table


def _evidence_answer(column: ColumnEvidence) -> Answer:
    """Return the evidence of a column, without the least and the greatest value of one that holds secrets."""
    return msgspec.structs.asdict(column) | {"low": _shown_end(column.path, column.low), "high": _shown_end(column.path, column.high)}


def _shown_end(path: str, value: str) -> str:
    if not value:
        return ""
    return str(shown_row({path: value})[path])


def _candidate_answer(candidate: RenameCandidate) -> Answer:
    return {"old": candidate.old, "new": candidate.new, "reasons": list(candidate.reasons)}


def _format_text(answer: Answer) -> str:
    columns = [f"{column['path']} {column['type']}  {column['note']}".rstrip() for column in answer["evidence"]]
    count = f"{answer['columns']:,} columns of {answer['rows'] or 0:,} rows"
    return "\n".join([answer["sql"], count, *columns, *answer["notes"]])


JOB: Final = Job(
    name="infer_schema",
    kind=InferRequest,
    answer=answer,
    open_store=open_store_on_spark,
    text=_format_text,
    file=__file__,
    description="The schema of files or of a query, with what the rows say for it.",
)

if __name__ == "__main__":
    sys.exit(run(JOB))
