"""Run the Spark job of a task, in the task or elsewhere. Trouble of Spark is tried again, as trouble of a storage is."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError, SparkError
from airflow_provider_schemas.spark.jobs.job_answers import Answer
from airflow_provider_schemas.spark.jobs.job_running import Job
from airflow_provider_schemas.spark.session import is_connect, local_session
from airflow_provider_schemas.store.storage.chained_errors import hide_in_chain
from airflow_provider_schemas.tasks.change.run_change import TaskContext
from airflow_provider_schemas.tasks.error_handling import final
from airflow_provider_schemas.tasks.spark import submit, target
from airflow_provider_schemas.tasks.spark.target import SparkPlace, SparkTask

# What may work at the next try: a server that is down, a cluster that is full.
_TRIED_AGAIN: Final = frozenset({"spark.not-started", "spark.stopped", "spark.failed"})
_PATIENCE: Final = 30
# Seconds are for people: two digits of them are enough.
_DIGITS: Final = 2


class JobRun(Struct, frozen=True):
    """The answer of a job, and how it came to be."""

    answer: Answer
    place: SparkPlace
    seconds: float

    @property
    def entry(self) -> dict[str, Any]:
        """Return how it ran, for XCom."""
        return {"spark": self.place.kind, "seconds": self.seconds}

    @property
    def text(self) -> str:
        return f"{self.place.name}, {self.seconds:.1f} s"


@contextmanager
def settled() -> Iterator[None]:
    """Raise errors of the library as they end a task that needs Spark."""
    try:
        yield
    except SchemaError as error:
        hide_in_chain(error)
        if error.code in _TRIED_AGAIN:
            raise
        final_error = final(error)
        if final_error is error:
            raise
        raise final_error from None


def run_job(operator: SparkTask, task: TaskContext, job: Job, request: Any, *, needs_store: bool = True) -> JobRun:
    """Run a job where the arguments of the task say, and return its answer."""
    place = target.read_place(operator.spark_conn_id, operator.conf, operator.submit)
    store = task.store if needs_store else None
    operator.log.info("%s runs %s", job.name, place.name)
    begun = time.monotonic()
    if place.kind == "submit":
        answer = submit.submit_job(operator, task, place, job, request, needs_store=needs_store)
    else:
        with _session(operator, task, place) as spark:
            answer = job.answer(spark, store, request)
    return JobRun(answer, place, round(time.monotonic() - begun, _DIGITS))


@contextmanager
def _session(operator: SparkTask, task: TaskContext, place: SparkPlace) -> Iterator[Any]:
    """Open a session that ends with the task."""
    master = None
    if place.kind == "local":
        master = place.conf.get("spark.master")
    conf = {key: value for key, value in place.conf.items() if key != "spark.master"}
    spark = local_session(task.run.consumer, master=master, remote=place.url or None, **conf)
    killed = threading.Event()
    operator.spark_kill = lambda: _stop(spark, killed)
    try:
        yield spark
    except Exception:
        if killed.is_set():  # Spark's own error says nothing about the reason
            raise SparkError("the task was killed.", code="spark.stopped", path=place.conn_id, fix="Clear it.") from None
        raise
    finally:
        operator.spark_kill = None
        spark.stop()


def _stop(spark: Any, killed: threading.Event) -> None:
    """Stop what Spark runs, in a thread of its own, because this one may be waiting for Spark's answer."""
    killed.set()
    stop = spark.interruptAll if is_connect(spark) else spark.stop
    thread = threading.Thread(target=stop, name="schemas-kill", daemon=True)
    thread.start()
    thread.join(_PATIENCE)


def kill(operator: SparkTask) -> None:
    """End the job of a task that is killed."""
    stop = operator.spark_kill
    if stop is not None:
        operator.log.info("The task is killed, and with it what it has started in Spark.")
        stop()


def run_folder(task: TaskContext) -> str:
    """Return the folder of a run's own rows, below one that all runs share: every try of the task has the same."""
    run = task.run
    names = [run.dag_id, run.task_id, run.run_id]
    if run.map_index >= 0:
        names.append(str(run.map_index))
    return "/".join(map(_folder_name, names))


def _folder_name(text: str) -> str:
    """Return a name of a folder that no storage and no reader of partitions takes for something else."""
    return re.sub(r"[^\w.-]", "_", text).lstrip("._") or "_"
