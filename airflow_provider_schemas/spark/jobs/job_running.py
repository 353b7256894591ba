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
    answer: Callable[[Any, Any, Any], Answer]
    """The answer of a session, a store and a request."""
    opened: Callable[[Any, StoreRequest], Any]
    """The store of a submitted job; None if it needs none."""
    text: Callable[[Answer], str]
    """The answer as people read it."""
    file: str
    """The file that is submitted."""
    description: str = ""


def run(job: Job, words: Sequence[str] | None = None) -> int:
    """Run the job that a command line asks for; answers the number it ends with."""
    about, request = requests_of(job.kind, words, job.description)
    try:
        answer = _answered(job, about, request)
    except Exception:  # noqa: BLE001  # whatever it is, it must not look like an answer
        traceback.print_exc()
        return TROUBLE
    return FITS if about.end_with_zero else _number(answer)


def _answered(job: Job, about: StoreRequest, request: Any) -> Answer:
    spark = local_session(about.app_name or f"schemas {job.name}")
    try:
        answer = _asked(job, spark, about, request)
        if about.result:
            job_answers.write(spark, answer, about.result)
    finally:
        spark.stop()
    return answer


def _asked(job: Job, spark: "SparkSession", about: StoreRequest, request: Any) -> Answer:
    try:
        answer = job.answer(spark, job.opened(spark, about) if about.store else None, request)
    except SchemaError as error:
        print(error, file=sys.stderr)  # noqa: T201  # this is a command
        return job_answers.of_error(error)
    print(job.text(answer))  # noqa: T201  # likewise
    return answer


def _number(answer: Answer) -> int:
    if job_answers.ERROR in answer:
        return TROUBLE
    return FITS if answer.get("fits", True) else BREAKS
