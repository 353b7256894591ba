"""The plan that a task makes of a wish; and what to make of a wish that an earlier run, or an older file, comes with again.

What a task did in an earlier run is found by its key. A table file has no key in what the group of `schema_evolution`
writes, so that its age decides as well: a run that was cleared, or belongs to a backfill, and is older than the newest
version, must not undo what came after it. It may be run with the file of its own day. The same holds for changes where
versions have expired, since the key may have gone with one of them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ChangeError, InvalidSchemaError, PlanError, TableFileError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.version_entries import origin, provenance, when, written
from airflow_provider_schemas.store.commit.evaluate import with_notes
from airflow_provider_schemas.store.layout.identifiers import table_name
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change.target import Wish, on
from airflow_provider_schemas.tasks.not_said import NOT_SAID

_OLDER_STATE = "table-file.older-state"
_BACKFILL = "backfill"
_NEW_RUN = "A new run follows the file as it is then."
_OTHER_KEY = "To do it again on purpose, give the task another key=."
# What stands between a key and the version on which a table file was followed once more.
AGAIN = "@"
_OUTCOMES = frozenset({"planned", "unchanged", "already applied"})


class Found(NamedTuple):
    """What a wish comes to: a plan; or the version that did it once, where it is not to be done again."""

    plan: Plan | None
    done: Version | None = None
    undone: str = ""
    """Why what was done does not hold any more, and what to do if it should; empty if it does."""
    only_older: bool = False
    """Whether no run of this task has done it: the version is the newest one."""
    before: TableSchema | None = None
    """The schema that the plan was made on."""

    @property
    def note(self) -> str:
        """What was found, in one sentence."""
        if self.done is None:
            return ""
        if self.only_older:
            return f"nothing to do: this run and its file are older than version {self.done.number} ({when(self.done)} {origin(self.done)})"
        return f"already applied as version {self.done.number} ({when(self.done)} {origin(self.done)})"


class Key(NamedTuple):
    """The name of a wish, and whether the author gave it."""

    text: str = ""
    said: bool = False


def found(table: Table, wish: Wish, *, key: Key, dag_run: Any, terms: Mapping[str, Any]) -> Found:
    """The plan for a wish on a table, unless an earlier run has done it, or this run is too old to. Without a run no age counts."""
    head = table.latest() if table.exists() else None
    done = None if head is None else _with(key.text, table)
    try:
        plan = _planned(table, wish, head, terms)
    except TableFileError as error:
        if head is None or error.code != _OLDER_STATE or not is_older(dag_run, head):
            raise
        return Found(None, done or head, f"{error.message} {_NEW_RUN}", only_older=done is None)
    except (ChangeError, InvalidSchemaError) as error:  # a part of the changes does not hold any more
        if done is None:
            raise
        return Found(None, done, f"{error.message} {_OTHER_KEY}")
    if plan.unchanged or head is None:
        return Found(plan, done, before=None if head is None else head.schema)
    would = Found(plan, done, before=head.schema)
    of_file, old = isinstance(wish.wanted, TableFile), is_repeated(dag_run) and is_older(dag_run, head)
    if done is not None and ((of_file and old) or key.said or not of_file):
        return Found(None, done, f"a later version undid it, or a part of it. {_OTHER_KEY if key.said or not of_file else _NEW_RUN}")
    if old and of_file:
        raise _too_old(table.name, head, dag_run)
    if old and key.text and _has_expired(table, head):
        raise _perhaps_done(table.name, head, dag_run)
    return would


def _with(key: str, table: Table) -> Version | None:
    """The newest version that was written under this key, or under it once more."""
    if not key:
        return None
    return next((one for one in reversed(table.versions()) if (said := key_of(one)) == key or said.startswith(f"{key}{AGAIN}")), None)


def key_of(version: Version) -> str:
    """The key that a version was written under."""
    past = provenance(version)
    return "" if past is None else past.key or ""


def _planned(table: Table, wish: Wish, head: Version | None, terms: Mapping[str, Any]) -> Plan:
    wanted, notes = on(wish, head)
    given = {"changes": wanted} if isinstance(wanted, Sequence) else {"target": wanted}
    plan = table.plan(**given, **terms)
    return with_notes(plan, notes) if notes else plan


# ---------------------------------------------------------------- the age of a run


def is_older(dag_run: Any, head: Version) -> bool:
    """Whether the run belongs to a time before the newest version, which another run wrote."""
    past = provenance(head)
    if past is not None and (past.run or "").startswith(f"{dag_run.dag_id}/{dag_run.run_id}/" if dag_run is not None else "/"):
        return False
    since, now = getattr(dag_run, "run_after", None) or getattr(dag_run, "logical_date", None), written(head)
    return isinstance(since, datetime) and now is not None and since < now


def is_repeated(dag_run: Any) -> bool:
    """Whether the run was cleared, or does the work of another day."""
    kind = getattr(dag_run, "run_type", "")
    return bool(getattr(dag_run, "clear_number", 0)) or str(getattr(kind, "value", kind)) == _BACKFILL


def _has_expired(table: Table, head: Version) -> bool:
    """Whether versions are gone, and with them the keys that they were written under."""
    return len(table.numbers()) <= head.number


def _too_old(table: str, head: Version, dag_run: Any) -> PlanError:
    message = f"{_changed_since(table, head, dag_run)} What came after a run is not undone by running it again."
    return PlanError(message, code="plan.older-run", path=table, fix="Start a new run, which plans from the file of today.")


def _perhaps_done(table: str, head: Version, dag_run: Any) -> PlanError:
    message = (
        f"{_changed_since(table, head, dag_run)} Older versions have expired, so that nobody can tell whether this task has made "
        "its changes once and they were undone since. Nothing was written."
    )
    fix = "To make them on purpose, start a new run; give the task another key= if this one was used before."
    return PlanError(message, code="plan.older-run", path=table, fix=fix)


def _changed_since(table: str, head: Version, dag_run: Any) -> str:
    since = getattr(dag_run, "run_after", None) or dag_run.logical_date
    return (
        f"this run is of {since:%Y-%m-%d %H:%M} UTC, and {table} was changed after that, to version {head.number} "
        f"({when(head)} {origin(head)})."
    )


# ---------------------------------------------------------------- a plan that was made by another task


class Handed(NamedTuple):
    """A plan as a task is handed it: by its digest, or as `SchemaValidateOperator` returned it."""

    digest: str = ""
    """Empty where there was nothing to plan."""
    table: str = ""
    branch: str = ""
    outcome: str = "planned"
    version: int | None = None
    """The version that it was made on, or that did it."""
    key: str = ""
    notes: tuple[str, ...] = ()

    @property
    def does_something(self) -> bool:
        return self.outcome == "planned"


def handed(value: Any) -> Handed:
    """The plan in an argument."""
    said = template_values.loaded(value, "plan")
    if isinstance(said, str) and not template_values.is_nothing(said):
        return Handed(said.strip().lower())
    if not isinstance(said, Mapping) or said.get("outcome") not in _OUTCOMES:
        fix = "Pass the output of SchemaValidateOperator(save=True), or the digest of a plan that was kept."
        raise PlanError(f"{shown(said)} is no plan.", code="plan.no-plan", path="plan", fix=fix)
    if said["outcome"] == "planned" and not said.get("saved"):
        raise PlanError("the plan was not kept.", code="plan.not-saved", path="plan", fix="Pass save=True to SchemaValidateOperator.")
    base = said.get("base") or {}
    return Handed(
        digest=str(said.get("plan") or ""),
        table=str(said.get("table") or ""),
        branch=str(said.get("branch") or ""),
        outcome=str(said["outcome"]),
        version=base.get("version") if isinstance(base, Mapping) else None,
        key=str(said.get("key") or ""),
        notes=tuple(map(str, said.get("notes") or ())),
    )


def check_same(asked: Handed, *, table: Any, branch: Any = NOT_SAID) -> None:
    """Raise if a task names another table, or another branch, than the plan that it was handed; or if a template has emptied one."""
    named, of = template_values.text(table, "table"), template_values.text(branch, "branch")
    pairs = (("table", named and str(table_name(named)), asked.table), ("branch", of, asked.branch))
    for argument, said, planned in pairs:
        if said and planned and said != planned:
            fix = "Leave it out, or pass the plan that is meant."
            raise template_values.refused(f"{shown(said)} is said, and the plan is for {shown(planned)}.", argument, fix)
