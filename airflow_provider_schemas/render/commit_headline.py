"""What became of a wish to change a table, in one line."""

from typing import Any

from airflow_provider_schemas.render.version_entries import origin, when
from airflow_provider_schemas.render.wording import counted


def headline(done: Any) -> str:
    """version 0 -> 1; created, version 0, 3 columns; unchanged: these changes are version 1 (...).

    Done is the store's answer, which this room does not know: a version, what it did, its plan and notes.
    """
    branch = "" if done.branch == "main" else f" of branch {done.branch}"
    if not done.created:
        said = f"{done.outcome.value}: version {done.number}{branch}, {when(done.version)} {origin(done.version)}"
        return str(next(iter(done.notes), said))
    base = None if done.plan is None else done.plan.base
    if base is None:
        return f"created, version {done.number}{branch}, {counted(len(done.schema.fields), 'column')}"
    return f"version {base.number} -> {done.number}{branch}"
