"""A table goes back to an old version, once in a run."""

from typing import Any, Protocol

from airflow_provider_schemas.errors import ReadOnlyError
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import external_engines, target
from airflow_provider_schemas.tasks.change.run_change import At, ChangeTask, Done, all_terms_of, expected
from airflow_provider_schemas.tasks.template_values import Value


class RestoreTask(ChangeTask, Protocol):
    """A task that goes back to an old version."""

    version: Value
    expected_version: Value
    branch: str
    engine: str


def restore(operator: RestoreTask, here: At) -> Done:
    """A new version that is what an old one was."""
    number = template_values.number(operator.version, "version")
    if number is None:
        raise template_values.refused("which version to go back to is not said.", "version", "Pass its number, such as 41.")
    table, terms = here.table(target.table_of(operator.table, None), operator.branch), all_terms_of(operator, here)
    key = template_values.text(operator.key, "key") or f"{here.run.text}:restore {number}"
    try:
        done = table.restore(number, **terms, **here.about, key=key, expected_version=expected(operator.expected_version))
    except ReadOnlyError as error:
        return _by_the_engine(operator, error, table, number, terms)
    return Done(done, table.schema(number) if done.created else None)


def _by_the_engine(operator: RestoreTask, error: ReadOnlyError, table: Table, number: int, terms: dict[str, Any]) -> Done:
    """The answer where the engine has gone back; the error with its statements where it has not."""
    if error.code not in external_engines.KEPT_ELSEWHERE:
        raise error
    plan = table.restore_plan(number, **terms)
    done = external_engines.has_done(table, plan)
    if done is None:
        raise external_engines.to_run(error, table, plan, template_values.text(operator.engine, "engine") or "spark") from None
    return Done(done)
