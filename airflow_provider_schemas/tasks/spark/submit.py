"""A Spark job that is submitted: by the hook of the Spark provider, with the store read by Spark itself, and its answer as a file."""

import hashlib
import inspect
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SparkError
from airflow_provider_schemas.spark.jobs.job_answers import Answer, raised
from airflow_provider_schemas.spark.jobs.job_arguments import words_of
from airflow_provider_schemas.spark.jobs.job_requests import StoreRequest
from airflow_provider_schemas.spark.jobs.job_running import Job
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.spark.target import Place, SparkTask

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.change.run_change import At

_PROVIDER: Final = "apache-airflow-providers-apache-spark"
_INSTALL: Final = f"Install {_PROVIDER} beside airflow-provider-schemas[spark]; or leave spark_conn_id out, or name one of spark_connect."
# What is said by the task itself, or is another job's.
_OURS: Final = frozenset({"self", "conf", "conn_id", "application_args", "name", "java_class"})
# The file of the job, where the driver has it at another place.
_APPLICATION: Final = "application"
_DRIVER, _WORKERS = "PYSPARK_DRIVER_PYTHON", "PYSPARK_PYTHON"
_SHARED: Final = "Pass result_path=, a folder that this worker and the driver of the job reach, such as s3a://bucket/tmp."
_SCHEMES: Final = {"s3a": "s3", "s3n": "s3"}
_MOST_BYTES: Final = 64 * 1024 * 1024


def submitted(operator: SparkTask, here: "At", place: Place, job: Job, request: Any, *, needs_store: bool) -> Answer:
    """The answer of a job that was submitted; errors in it are raised as they were there."""
    hook_class = _hook()
    with tempfile.TemporaryDirectory(prefix="schemas-") as folder:
        result = _result(operator, here, place, folder)
        about = StoreRequest(**(_store(here) if needs_store else {}), result=result, app_name=here.run.consumer, end_with_zero=True)
        more = _more(operator.submit, place, hook_class)
        application = more.pop(_APPLICATION, job.file)
        words = words_of(about, request)
        hook = hook_class(conf=dict(place.conf), conn_id=place.conn_id, application_args=words, name=here.run.consumer, **more)
        operator.spark_kill = hook.on_kill  # and stays it where the task has no more time: Airflow asks for it then
        hook.submit(application)
        operator.spark_kill = None
        return raised(_read(result))


def _hook() -> Any:
    try:
        from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook
    except ImportError as error:
        message = f"spark-submit is started by {_PROVIDER}, which is not installed here."
        raise SparkError(message, code="spark.no-provider", path="spark_conn_id", fix=_INSTALL) from error
    return SparkSubmitHook


def _store(here: "At") -> dict[str, str]:
    """Where the schemas are, as Spark is told of it: a path is one of a disk, whatever storage Spark takes for its own."""
    settings = here.hook.settings
    found = {"store": here.store.url, "registry": settings.registry, "layout": settings.layout or "", "registry_id": settings.registry_id}
    return {key: f"file://{text}" if text.startswith("/") else text for key, text in found.items()}


def _more(said: Any, place: Place, hook_class: Any) -> dict[str, Any]:
    """Further arguments of the hook. What runs on this machine is run by the Python that runs this task."""
    more = template_values.loaded(said, "submit")
    more = more if template_values.is_said(more, "submit") else {}
    known = {_APPLICATION, *inspect.signature(hook_class.__init__).parameters} - _OURS
    if not isinstance(more, Mapping) or (strange := sorted(set(map(str, more)) - known)):
        names = shown(more) if not isinstance(more, Mapping) else ", ".join(strange)
        fix = "Pass a mapping of arguments of SparkSubmitHook, such as packages, py_files, executor_memory or deploy_mode."
        raise template_values.refused(f"{names}: SparkSubmitHook takes no such argument from here.", "submit", fix)
    if place.is_far:
        return dict(more)
    here = dict.fromkeys((_DRIVER, _WORKERS) if place.alone else (_DRIVER,), sys.executable)
    return {**more, "env_vars": {**here, **(more.get("env_vars") or {})}}


# ---------------------------------------------------------------- the file with the answer


def _result(operator: SparkTask, here: "At", place: Place, folder: str) -> str:
    """The file that the job writes: on this machine's disk, if the driver runs here."""
    shared = template_values.text(operator.result_path, "result_path")
    if not shared and place.is_far:
        message = "the driver runs on another machine, and has no way to hand its answer over."
        raise SparkError(message, code="spark.no-result-path", path="result_path", fix=_SHARED)
    if not shared:
        return f"{folder}/answer.json"
    # Another try must never take the answer of an earlier one for its own.
    run = hashlib.sha256(f"{here.run.text} {here.run.try_number}".encode()).hexdigest()[:24]
    return f"{shared.rstrip('/')}/{run}.json"


def _read(result: str) -> Answer:
    try:
        text = Path(result).read_bytes() if "://" not in result else _parts(result)
        found = json.loads(text)
    except (FileNotFoundError, NotThereError, ValueError):
        found = None
    if not isinstance(found, dict):
        message = "the job has ended, and left no answer."
        raise SparkError(message, code="spark.failed", path=result, fix="Look at what spark-submit said above.")
    return found


def _parts(result: str) -> bytes:
    """What Spark has written: a folder with files of which some may be empty."""
    scheme, _, rest = result.partition("://")
    files = open_files(f"{_SCHEMES.get(scheme, scheme)}://{rest}")
    names = sorted(one.name for one in files.list("") if one.name.startswith("part-"))
    return b"".join(files.read(name, _MOST_BYTES) for name in names)
