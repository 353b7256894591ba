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
from airflow_provider_schemas.errors import ContractError, NotThereError, SparkError
from airflow_provider_schemas.spark.jobs.job_answers import Answer, raised
from airflow_provider_schemas.spark.jobs.job_arguments import words_of
from airflow_provider_schemas.spark.jobs.job_requests import StoreRequest
from airflow_provider_schemas.spark.jobs.job_running import Job
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.spark.target import SparkPlace, SparkTask
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.change.run_change import TaskContext

_PROVIDER: Final = "apache-airflow-providers-apache-spark"
_INSTALL: Final = f"Install {_PROVIDER} beside airflow-provider-schemas[spark]; or leave spark_conn_id out, or name one of spark_connect."
# Arguments that the task gives itself, or that are for jobs of another kind.
_OWN_ARGUMENTS: Final = frozenset({"self", "conf", "conn_id", "application_args", "name", "java_class"})
# The file of the job, where the driver has it at another place.
_APPLICATION: Final = "application"
_DRIVER_PYTHON: Final = "PYSPARK_DRIVER_PYTHON"
_WORKER_PYTHON: Final = "PYSPARK_PYTHON"
_SHARED: Final = "Pass result_path=, a folder that this worker and the driver of the job reach, such as s3a://bucket/tmp."
_SCHEMES: Final = {"s3a": "s3", "s3n": "s3"}
_MAX_BYTES: Final = 64 * 1024 * 1024


def submit_job(operator: SparkTask, task: "TaskContext", place: SparkPlace, job: Job, request: Any, *, needs_store: bool) -> Answer:
    """Submit a job and return its answer; errors of the job are raised here."""
    hook_class = _import_hook()
    with tempfile.TemporaryDirectory(prefix="schemas-") as folder:
        result = _result_path(operator, task, place, folder)
        store = _store_arguments(task) if needs_store else {}
        store_request = StoreRequest(**store, result=result, app_name=task.run.consumer, end_with_zero=True)
        arguments = _read_hook_arguments(operator.submit, place, hook_class)
        application = arguments.pop(_APPLICATION, job.file)
        words = words_of(store_request, request)
        hook = hook_class(conf=dict(place.conf), conn_id=place.conn_id, application_args=words, name=task.run.consumer, **arguments)
        operator.spark_kill = hook.on_kill  # still set where the task runs out of time: Airflow kills the task then
        hook.submit(application)
        operator.spark_kill = None
        return raised(_read_answer(result))


def _import_hook() -> Any:
    try:
        from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook
    except ImportError as error:
        message = f"spark-submit is started by {_PROVIDER}, which is not installed here."
        raise SparkError(message, code="spark.no-provider", path="spark_conn_id", fix=_INSTALL) from error
    return SparkSubmitHook


def _store_arguments(task: "TaskContext") -> dict[str, str]:
    """Return where the schemas are; a path becomes one of a disk, whatever storage Spark takes for its own."""
    settings = task.hook.settings
    arguments = {
        "store": task.store.url,
        "registry": settings.registry,
        "layout": settings.layout or "",
        "registry_id": settings.registry_id,
    }
    for key, text in arguments.items():
        if text.startswith("/"):
            arguments[key] = f"file://{text}"
    return arguments


def _read_hook_arguments(value: Value, place: SparkPlace, hook_class: Any) -> dict[str, Any]:
    """Return further arguments of the hook. What runs on this machine is run by the Python that runs this task."""
    arguments = template_values.parse_value(value, "submit")
    if not template_values.is_given(arguments, "submit"):
        arguments = {}
    if not isinstance(arguments, Mapping):
        raise _hook_argument_error(shown(arguments))
    known = {_APPLICATION, *inspect.signature(hook_class.__init__).parameters} - _OWN_ARGUMENTS
    unknown = sorted(set(map(str, arguments)) - known)
    if unknown:
        raise _hook_argument_error(", ".join(unknown))
    if place.is_far:
        return dict(arguments)
    pythons = {_DRIVER_PYTHON: sys.executable}
    if place.alone:
        pythons[_WORKER_PYTHON] = sys.executable
    of_author = arguments.get("env_vars") or {}
    return {**arguments, "env_vars": {**pythons, **of_author}}


def _hook_argument_error(names: str) -> ContractError:
    fix = "Pass a mapping of arguments of SparkSubmitHook, such as packages, py_files, executor_memory or deploy_mode."
    return template_values.argument_error(f"{names}: SparkSubmitHook takes no such argument from here.", "submit", fix)


# ---------------------------------------------------------------- the file with the answer


def _result_path(operator: SparkTask, task: "TaskContext", place: SparkPlace, folder: str) -> str:
    """Return the file that the job writes: on this machine's disk, if the driver runs here."""
    shared = template_values.read_text(operator.result_path, "result_path")
    if not shared and place.is_far:
        message = "the driver runs on another machine, and has no way to hand its answer over."
        raise SparkError(message, code="spark.no-result-path", path="result_path", fix=_SHARED)
    if not shared:
        return f"{folder}/answer.json"
    # Another try must never take the answer of an earlier one for its own.
    run = hashlib.sha256(f"{task.run.text} {task.run.try_number}".encode()).hexdigest()[:24]
    return f"{shared.rstrip('/')}/{run}.json"


def _read_answer(result: str) -> Answer:
    try:
        answer = json.loads(_read_result(result))
    except (FileNotFoundError, NotThereError, ValueError):
        answer = None
    if not isinstance(answer, dict):
        message = "the job has ended, and left no answer."
        raise SparkError(message, code="spark.failed", path=result, fix="Look at what spark-submit said above.")
    return answer


def _read_result(result: str) -> bytes:
    if "://" in result:
        return _read_parts(result)
    return Path(result).read_bytes()


def _read_parts(result: str) -> bytes:
    """Read what Spark has written: a folder with files of which some may be empty."""
    scheme, _, rest = result.partition("://")
    files = open_files(f"{_SCHEMES.get(scheme, scheme)}://{rest}")
    names = sorted(file.name for file in files.list("") if file.name.startswith("part-"))
    return b"".join(files.read(name, _MAX_BYTES) for name in names)
