"""A table goes back to an old version, once in a run."""

from typing import Any, Protocol

from airflow_provider_schemas.errors import ReadOnlyError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import external_engines, target
from airflow_provider_schemas.tasks.change.run_change import ChangeResult, ChangeTask, TaskContext, read_all_terms, read_expected_version
from airflow_provider_schemas.tasks.template_values import Value


class RestoreTask(ChangeTask, Protocol):
    """A task that goes back to an old version."""

    version: Value
    expected_version: Value
    branch: str
    engine: str


def restore(operator: RestoreTask, task: TaskContext) -> ChangeResult:
    """Write a new version that is what an old one was."""
    number = template_values.read_version_number(operator.version, "version")
    if number is None:
        raise template_values.argument_error("which version to go back to is not said.", "version", "Pass its number, such as 41.")
    table = task.table(target.read_table_name(operator.table, None), operator.branch)
    terms = read_all_terms(operator, task)
    key = template_values.read_text(operator.key, "key") or f"{task.run.text}:restore {number}"
    try:
        done = table.restore(number, **terms, **task.origin, key=key, expected_version=read_expected_version(operator.expected_version))
    except ReadOnlyError as error:
        return _done_by_engine(operator, error, table, number, terms)
    before = None
    if done.created:
        before = table.schema(number)
    return ChangeResult(done, before)


def _done_by_engine(operator: RestoreTask, error: ReadOnlyError, table: Table, number: int, terms: dict[str, Any]) -> ChangeResult:
    """Return the answer where the engine has gone back; raise the error with its statements where it has not."""
    if error.code not in external_engines.KEPT_ELSEWHERE:
        raise error
    plan = table.restore_plan(number, **terms)
    done = external_engines.has_done(table, plan)
    if done is None:
        engine = template_values.read_text(operator.engine, "engine") or "spark"
        raise external_engines.error_with_statements(error, table, plan, engine) from None
    return ChangeResult(done)
