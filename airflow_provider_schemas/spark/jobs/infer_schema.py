"""A job: the schema of files or of a query, with what the rows say for it.

spark-submit infer_schema.py --path s3a://landing/orders --store s3a://lake/warehouse --table shop.orders
"""

import sys
from typing import TYPE_CHECKING, Final

import msgspec

from airflow_provider_schemas.errors import ContractError, NotThereError
from airflow_provider_schemas.spark.inference.infer import infer
from airflow_provider_schemas.spark.inference.result import ColumnEvidence, columns_text
from airflow_provider_schemas.spark.jobs import job_data
from airflow_provider_schemas.spark.jobs.job_answers import MOST, Answer
from airflow_provider_schemas.spark.jobs.job_requests import InferRequest, StoreRequest
from airflow_provider_schemas.spark.jobs.job_running import Job, run
from airflow_provider_schemas.spark.jobs.job_samples import shown_row
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def answer(spark: "SparkSession", store: SchemaStore | None, request: InferRequest) -> Answer:
    """The schema, and what speaks for it."""
    check(request)
    against = _against(store, request)
    found = infer(
        spark.sql(request.sql) if request.sql else request.path,
        spark=spark,
        against=against,
        format=request.file_format,
        options=request.options,
        evidence=request.evidence,
    )
    return {
        "table": request.table,
        "schema": found.schema.to_json(),
        "sql": columns_text(found.schema),
        "rows": found.rows if request.evidence else None,
        "columns": len(found.columns),
        "evidence": [_evidence(one) for one in found.columns[:MOST]],
        "candidates": [{"old": one.old, "new": one.new, "reasons": list(one.reasons)} for one in found.candidates],
        "notes": list(found.notes),
        "against": None if against is None else against.latest().number,
    }


def check(request: InferRequest) -> None:
    """Raise for what can be told to be a mistake without Spark."""
    job_data.check_one(request)
    if not job_data.is_named(request):
        message = "no rows are named whose schema is wanted."
        raise ContractError(message, code="task.argument", path="path", fix="Pass path=, the files, or sql=, a query.")


def _against(store: SchemaStore | None, request: InferRequest) -> Table | None:
    """The table, if one is named and there is one."""
    if store is None or not request.table:
        return None
    table = store.table(request.table, request.branch or None)
    try:
        table.latest()
    except NotThereError:
        return None
    return table


def _evidence(one: ColumnEvidence) -> Answer:
    """What is said of a column; the least and the greatest value of one that holds secrets is nobody's business."""
    about = msgspec.structs.asdict(one)
    ends = shown_row({one.path: about["low"]}), shown_row({one.path: about["high"]})
    return about | {"low": ends[0][one.path] if one.low else "", "high": ends[1][one.path] if one.high else ""}


def _opened(spark: "SparkSession", about: StoreRequest) -> SchemaStore:
    return SchemaStore.on(spark, about.store, registry=about.registry or None, registry_id=about.registry_id, layout=about.layout or None)


def _text(found: Answer) -> str:
    lines = [f"{one['path']} {one['type']}  {one['note']}".rstrip() for one in found["evidence"]]
    return "\n".join([found["sql"], f"{found['columns']:,} columns of {found['rows'] or 0:,} rows", *lines, *found["notes"]])


JOB: Final = Job(
    name="infer_schema",
    kind=InferRequest,
    answer=answer,
    opened=_opened,
    text=_text,
    file=__file__,
    description="The schema of files or of a query, with what the rows say for it.",
)

if __name__ == "__main__":
    sys.exit(run(JOB))
