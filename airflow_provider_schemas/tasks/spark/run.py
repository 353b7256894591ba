"""A Spark job of a task is run, wherever that is; the answer is the same. Trouble of Spark is tried again, as trouble of a storage is."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError, SparkError
from airflow_provider_schemas.spark.jobs.job_answers import Answer
from airflow_provider_schemas.spark.jobs.job_running import Job
from airflow_provider_schemas.spark.session import is_connect, local_session
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain
from airflow_provider_schemas.tasks.change.run_change import At, at
from airflow_provider_schemas.tasks.error_handling import final
from airflow_provider_schemas.tasks.spark import submit, target
from airflow_provider_schemas.tasks.spark.target import Place, SparkTask

# What may be otherwise at the next try: a server that is down, a cluster that is full.
_TRIED_AGAIN: Final = frozenset({"spark.not-started", "spark.stopped", "spark.failed"})
_PATIENCE: Final = 30
# Seconds are for people: two digits of them are enough.
_DIGITS: Final = 2


class Ran(Struct, frozen=True):
    """The answer of a job, and how it came to be."""

    answer: Answer
    place: Place
    seconds: float

    @property
    def about(self) -> dict[str, Any]:
        """How it ran, as XCom is told."""
        return {"spark": self.place.kind, "seconds": self.seconds}

    @property
    def text(self) -> str:
        return f"{self.place.name}, {self.seconds:.1f} s"


@contextmanager
def settled() -> Iterator[None]:
    """Errors of the library, as they end a task that needs Spark."""
    try:
        yield
    except SchemaError as error:
        hide_in_chain(error)
        ended = error if error.code in _TRIED_AGAIN else final(error)
        if ended is error:
            raise
        raise ended from None


def here_of(operator: SparkTask, context: Mapping[str, Any]) -> At:
    """Where the task is at work. A store that Spark is to read is read as Airflow's connection says."""
    return at(operator.conn_id, context)


def ran(operator: SparkTask, here: At, job: Job, request: Any, *, needs_store: bool = True) -> Ran:
    """The job's answer."""
    place = target.place_of(operator.spark_conn_id, operator.conf, operator.submit)
    store = here.store if needs_store else None
    operator.log.info("%s runs %s", job.name, place.name)
    begun = time.monotonic()
    if place.kind == "submit":
        answer = submit.submitted(operator, here, place, job, request, needs_store=needs_store)
    else:
        with _session(operator, here, place) as spark:
            answer = job.answer(spark, store, request)
    return Ran(answer, place, round(time.monotonic() - begun, _DIGITS))


@contextmanager
def _session(operator: SparkTask, here: At, place: Place) -> Iterator[Any]:
    """A session that ends with the task."""
    master = place.conf.get("spark.master") if place.kind == "local" else None
    conf = {key: value for key, value in place.conf.items() if key != "spark.master"}
    spark = local_session(here.run.consumer, master=master, remote=place.url or None, **conf)
    killed = threading.Event()
    operator.spark_kill = lambda: _stopped(spark, killed)
    try:
        yield spark
    except Exception:
        if killed.is_set():  # what Spark says of it is no help to anybody
            raise SparkError("the task was killed.", code="spark.stopped", path=place.conn_id, fix="Clear it.") from None
        raise
    finally:
        operator.spark_kill = None
        spark.stop()


def _stopped(spark: Any, killed: threading.Event) -> None:
    """Take from Spark what it is at: in a thread of its own, because this one may be waiting for Spark's answer."""
    killed.set()
    work = spark.interruptAll if is_connect(spark) else spark.stop
    thread = threading.Thread(target=work, name="schemas-kill", daemon=True)
    thread.start()
    thread.join(_PATIENCE)


def kill(operator: SparkTask) -> None:
    """End the job of a task that is killed."""
    end = operator.spark_kill
    if end is not None:
        operator.log.info("The task is killed, and with it what it has started in Spark.")
        end()


def run_folder(here: At) -> str:
    """The folder of a run's own rows, below one that all runs share: every try of the task has the same."""
    run = here.run
    parts = [run.dag_id, run.task_id, run.run_id, *([str(run.map_index)] if run.map_index >= 0 else [])]
    return "/".join(_plain_name(one) for one in parts)


def _plain_name(text: str) -> str:
    """A name of a folder that no storage and no reader of partitions takes for something else."""
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in text).lstrip("._") or "_"
