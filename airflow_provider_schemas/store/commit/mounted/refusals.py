"""Refuse what would write a table that others keep: who keeps it, and the statement to run instead.

Each function returns at once for a table that is not mounted.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import ReadOnlyError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit import operations
from airflow_provider_schemas.store.commit.by_source.change import is_changeable
from airflow_provider_schemas.store.commit.evaluate import CommitTerms, TableContext, Wanted
from airflow_provider_schemas.store.commit.mounted import statements
from airflow_provider_schemas.store.commit.operations import RestoreTarget
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.mounts.mounted_files import READ_ONLY
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.table_state import Subject

_AFTERWARDS = "Gates and sensors see it as soon as it is there."
_ELSEWHERE = "Change the table through an engine that writes it."
# What those who keep a table do with old schemas by themselves.
_BY_THEMSELVES = {
    "delta": "Nothing is to be done: engines delete old entries of the log by themselves, after delta.logRetentionDuration.",
}


def refuse_database(roots: Roots, database: str) -> None:
    """Refuse to make the folder of a mounted database."""
    if database in roots.mounted:
        _refuse(roots, TableName(database, ""), "make a database", list)


def refuse_create(roots: Roots, name: TableName, wanted: TableSchema | TableFile) -> None:
    """Refuse to make or to adopt a table in a mounted database."""
    if name.database not in roots.mounted:
        return
    schema = wanted.create() if isinstance(wanted, TableFile) else wanted
    _refuse(roots, name, "make a table", lambda: [f"{statements.create(roots, name, schema)};"])


def refuse_drop(subject: Subject, *, purge: bool) -> None:
    """Refuse to drop a mounted table."""
    roots, name = subject.roots, subject.name
    if subject.is_mounted:
        _refuse(roots, name, "drop the table", lambda: [f"{statements.drop(roots, name, purge=purge)};"])


def refuse_rename(subject: Subject, new: TableName) -> None:
    """Refuse to rename a mounted table, or to move a table into or out of a mounted database."""
    roots, name = subject.roots, subject.name
    if new.database == name.database and subject.is_mounted:
        _refuse(roots, name, "rename the table", lambda: [f"{statements.rename(roots, name, new)};"])
    for mounted in (name, new):
        if mounted.database in roots.mounted:
            _refuse(roots, mounted, "move a table", list)


def refuse_branch(subject: Subject, branch: str) -> None:
    """Refuse to make a branch of a mounted table."""
    roots, name = subject.roots, subject.name
    if subject.is_mounted:
        _refuse(roots, name, "make a branch", lambda: [f"{statements.create_branch(roots, name, branch)};"])


def refuse_binding(subject: Subject) -> None:
    """Refuse to bind a folder of a mounted table to a version: its metadata say that of each file."""
    if subject.is_mounted:
        fix = "Nothing is to be done: its engine knows how each of its files is read."
        _refuse(subject.roots, subject.name, "bind a folder", list, fix=fix)


def refuse_expiry(subject: Subject) -> None:
    """Refuse to delete schemas of a mounted table."""
    roots, name = subject.roots, subject.name
    if subject.is_mounted:
        fix = _BY_THEMSELVES.get(roots.mounts[name.database].kind, "")
        _refuse(roots, name, "delete schemas", lambda: [f"{statements.expire(roots, name)};"], fix=fix)


def refuse_step(subject: Subject, wanted: Wanted, terms: CommitTerms) -> None:
    """Refuse to change the schema of a table that is mounted to be read."""
    if subject.is_mounted and not is_changeable(subject):
        _refuse(subject.roots, subject.name, "change the schema", partial(_lines_of_step, subject, wanted, terms))


def refuse_plan(subject: Subject, plan: Plan) -> None:
    """Refuse to apply a plan to a table that is mounted to be read."""
    if subject.is_mounted and not is_changeable(subject):
        _refuse(subject.roots, subject.name, "apply a plan", partial(_lines, subject, plan.changes))


def refuse_restore(subject: Subject, target: RestoreTarget, terms: CommitTerms) -> None:
    """Refuse to bring an old schema back, of a table that is mounted to be read."""
    if subject.is_mounted and not is_changeable(subject):
        _refuse(subject.roots, subject.name, "bring an old schema back", partial(_lines_of_restore, subject, target, terms))


def _lines_of_step(subject: Subject, wanted: Wanted, terms: CommitTerms) -> list[str]:
    seen = subject.foreseen(step=True)
    head = seen.latest()
    plan = operations.make_plan(TableContext(seen, terms, note=False), head, seen.past(head), wanted)
    return _lines(seen, plan.changes)


def _lines_of_restore(subject: Subject, target: RestoreTarget, terms: CommitTerms) -> list[str]:
    seen = subject.foreseen(step=True)
    head = seen.latest()
    if head is None:
        return []
    evaluated = operations.evaluate_restore(TableContext(seen, terms, note=False), target, head, seen.past(head))
    return _lines(seen, evaluated.plan.changes)


def _lines(subject: Subject, changes: Sequence[SchemaChange]) -> list[str]:
    head = subject.latest()
    return [] if head is None else statements.lines(subject, changes, head.schema)


def _refuse(roots: Roots, name: TableName, what: str, make_lines: Callable[[], list[str]], *, fix: str = "") -> NoReturn:
    """Raise the error: who keeps the table, and the statements, as far as they can be said."""
    source = roots.mounts[name.database]
    message = f"{source.kind} keeps the tables of {name.database} ({source.url}), and the store does not {what} there."
    lines = statements.tried(make_lines)
    if lines:
        fix = "Run in the engine:\n" + "\n".join(f"  {line}" for line in lines) + f"\n{_AFTERWARDS}"
    path = str(name) if name.table else name.database
    raise ReadOnlyError(message, code=READ_ONLY, path=path, fix=fix or _ELSEWHERE)
