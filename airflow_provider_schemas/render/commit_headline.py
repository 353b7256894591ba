"""The outcome of a commit in one line."""

from collections.abc import Sequence
from typing import Protocol

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.version_entries import origin, when
from airflow_provider_schemas.render.wording import counted


class _Named(Protocol):
    @property
    def value(self) -> str: ...


class CommitAnswer(Protocol):
    """The answer of a store to a commit, which this room does not import: a version, the outcome, the plan and notes."""

    @property
    def branch(self) -> str: ...
    @property
    def created(self) -> bool: ...
    @property
    def outcome(self) -> _Named: ...
    @property
    def number(self) -> int: ...
    @property
    def version(self) -> Version: ...
    @property
    def schema(self) -> TableSchema: ...
    @property
    def plan(self) -> Plan | None: ...
    @property
    def notes(self) -> Sequence[str]: ...


def headline(answer: CommitAnswer) -> str:
    """Return one line: version 0 -> 1; created, version 0, 3 columns; unchanged: these changes are version 1 (...)."""
    branch = ""
    if answer.branch != "main":
        branch = f" of branch {answer.branch}"
    if not answer.created:
        if answer.notes:
            return str(answer.notes[0])
        return f"{answer.outcome.value}: version {answer.number}{branch}, {when(answer.version)} {origin(answer.version)}"
    base = None if answer.plan is None else answer.plan.base
    if base is None:
        return f"created, version {answer.number}{branch}, {counted(len(answer.schema.fields), 'column')}"
    return f"version {base.number} -> {answer.number}{branch}"
