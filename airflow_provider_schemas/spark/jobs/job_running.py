"""How a submitted job runs: its command line, its session, its store, its answer, and the number that it ends with.

It ends with 0 where all is well, 1 where something breaks, 2 where nobody can tell; the answer says more.
"""

import sys
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.jobs import job_answers
from airflow_provider_schemas.spark.jobs.job_answers import Answer
from airflow_provider_schemas.spark.jobs.job_arguments import requests_of
from airflow_provider_schemas.spark.jobs.job_requests import StoreRequest
from airflow_provider_schemas.spark.session import local_session
from airflow_provider_schemas.store.schema_store import SchemaStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FITS: Final = 0
BREAKS: Final = 1
TROUBLE: Final = 2


class Job(Struct, frozen=True):
    """One job."""

    name: str
    kind: type[Struct]
    """What it can be asked."""
    answer: "Callable[[SparkSession, SchemaStore | None, Any], Answer]"
    """Answers a request of this kind."""
    open_store: "Callable[[SparkSession, StoreRequest], SchemaStore]"
    """Opens the store of a submitted job."""
    text: Callable[[Answer], str]
    """Formats an answer as people read it."""
    file: str
    """The file that is submitted."""
    description: str = ""


def run(job: Job, words: Sequence[str] | None = None) -> int:
    """Run the job of a command line, and return the number that it ends with."""
    store_request, request = requests_of(job.kind, words, job.description)
    try:
        answer = _run(job, store_request, request)
    except Exception:  # noqa: BLE001  # whatever it is, it must not look like an answer
        traceback.print_exc()
        return TROUBLE
    if store_request.end_with_zero:
        return FITS
    return _exit_code(answer)


def _run(job: Job, store_request: StoreRequest, request: Struct) -> Answer:
    spark = local_session(store_request.app_name or f"schemas {job.name}")
    try:
        answer = _answer(job, spark, store_request, request)
        if store_request.result:
            job_answers.write(spark, answer, store_request.result)
    finally:
        spark.stop()
    return answer


def _answer(job: Job, spark: "SparkSession", store_request: StoreRequest, request: Struct) -> Answer:
    try:
        store = job.open_store(spark, store_request) if store_request.store else None
        answer = job.answer(spark, store, request)
    except SchemaError as error:
        print(error, file=sys.stderr)  # noqa: T201  # this is a command
        return job_answers.of_error(error)
    print(job.text(answer))  # noqa: T201  # likewise
    return answer


def open_store_on_spark(spark: "SparkSession", request: StoreRequest) -> SchemaStore:
    """Open the store of a job whose session reads its files."""
    return SchemaStore.on(
        spark, request.store, registry=request.registry or None, registry_id=request.registry_id, layout=request.layout or None
    )


def _exit_code(answer: Answer) -> int:
    if job_answers.ERROR in answer:
        return TROUBLE
    return FITS if answer.get("fits", True) else BREAKS
