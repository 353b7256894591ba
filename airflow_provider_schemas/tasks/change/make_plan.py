"""The plan for a change request; and what to make of a request that an earlier run, or an older file, comes with again.

What a task did in an earlier run is found by its key. A table file has no key in what the group of `schema_evolution`
writes, so that its age decides as well: a run that was cleared, or belongs to a backfill, and is older than the newest
version, must not undo what came after it. It may be run with the file of its own day. The same holds for changes where
versions have expired, since the key may have gone with one of them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

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
from airflow_provider_schemas.tasks.change.target import ChangeRequest, target_for
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.template_values import Value

_OLDER_STATE = "table-file.older-state"
_BACKFILL = "backfill"
_NEW_RUN = "A new run follows the file as it is then."
_OTHER_KEY = "To do it again on purpose, give the task another key=."
# What stands between a key and the version on which a table file was followed once more.
AGAIN = "@"
_OUTCOMES = frozenset({"planned", "unchanged", "already applied"})


class PlanResult(NamedTuple):
    """The plan for a request; or the version that did it once, where it is not to be done again."""

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
        """Say in one sentence what was done before."""
        if self.done is None:
            return ""
        written_by = f"{when(self.done)} {origin(self.done)}"
        if self.only_older:
            return f"nothing to do: this run and its file are older than version {self.done.number} ({written_by})"
        return f"already applied as version {self.done.number} ({written_by})"


class ChangeKey(NamedTuple):
    """The name of a request, and whether the author gave it."""

    text: str = ""
    is_given: bool = False


def plan_request(table: Table, request: ChangeRequest, *, key: ChangeKey, dag_run: Any, terms: Mapping[str, Any]) -> PlanResult:
    """Plan a request, unless an earlier run has done it, or this run is too old to do it. Without a run no age counts."""
    head = None
    done = None
    if table.exists():
        head = table.latest()
        done = _version_with_key(key.text, table)
    try:
        plan = _make_plan(table, request, head, terms)
    except TableFileError as error:
        newest = None if head is None else _dated(table, head)
        if newest is None or error.code != _OLDER_STATE or not is_older(dag_run, newest):
            raise
        return PlanResult(None, done or newest, f"{error.message} {_NEW_RUN}", only_older=done is None)
    except (ChangeError, InvalidSchemaError) as error:  # a part of the changes does not hold any more
        if done is None:
            raise
        return PlanResult(None, done, f"{error.message} {_OTHER_KEY}")
    if head is None:
        return PlanResult(plan, done)
    is_old = not plan.unchanged and is_repeated(dag_run) and is_older(dag_run, _dated(table, head))
    if done is not None and not plan.unchanged:
        undone = _why_not_again(request, key, is_old=is_old)
        if undone:
            return PlanResult(None, done, undone)
    if is_old:
        _check_age(table, request, _dated(table, head), key, dag_run)
    return PlanResult(plan, done, before=head.schema)


def _why_not_again(request: ChangeRequest, key: ChangeKey, *, is_old: bool) -> str:
    """Return why a request that was done and undone is not done again; empty if it is: a new run follows its table file once more."""
    undone = "a later version undid it, or a part of it."
    if key.is_given or not isinstance(request.wanted, TableFile):
        return f"{undone} {_OTHER_KEY}"
    if is_old:
        return f"{undone} {_NEW_RUN}"
    return ""


def _check_age(table: Table, request: ChangeRequest, head: Version, key: ChangeKey, dag_run: Any) -> None:
    """Raise where an old run would undo what came after it, or may repeat what it did once."""
    if isinstance(request.wanted, TableFile):
        raise _too_old_error(table.name, head, dag_run)
    if key.text and _has_expired(table, head):
        raise _perhaps_done_error(table.name, head, dag_run)


def _version_with_key(key: str, table: Table) -> Version | None:
    """Return the newest version that was written under this key, or under it once more."""
    if not key:
        return None
    for version in reversed(table.versions()):
        written_under = read_key(version)
        if written_under == key or written_under.startswith(f"{key}{AGAIN}"):
            return version
    return _commit_of_mount(key, table)


def _commit_of_mount(key: str, table: Table) -> Version | None:
    """Return what a commit of ours with this key has made of a table that others keep, also where it is not current any more."""
    if not table.subject.is_mounted:
        return None
    return table.subject.past(table.latest()).with_key(key)


def key_of_plan(table: Table, plan: Plan) -> str | None:
    """Return the key of a plan that was applied before, and undone by others: it is to be applied again. None for any other plan.

    A table that others keep goes back to the number that it had, so that the same plan is made again, with the same digest.
    """
    key = f"plan {plan.digest}"
    if plan.unchanged or plan.base is None or _commit_of_mount(key, table) is None:
        return None
    return key_once_more(table, key, plan.base.number)


def key_once_more(table: Table, key: str, number: int) -> str:
    """Return the key under which something is done on a version that was done before under another."""
    once_more = f"{key}{AGAIN}{number}"
    turn = 1
    while _commit_of_mount(once_more, table) is not None:
        turn += 1
        once_more = f"{key}{AGAIN}{number}.{turn}"
    return once_more


def read_key(version: Version) -> str:
    """Return the key that a version was written under."""
    past = provenance(version)
    if past is None:
        return ""
    return past.key or ""


def _make_plan(table: Table, request: ChangeRequest, head: Version | None, terms: Mapping[str, Any]) -> Plan:
    wanted, notes = target_for(request, head)
    given = {"changes": wanted} if isinstance(wanted, Sequence) else {"target": wanted}
    plan = table.plan(**given, **terms)
    if not notes:
        return plan
    return with_notes(plan, notes)


# ---------------------------------------------------------------- the age of a run


def is_older(dag_run: Any, head: Version) -> bool:
    """Return whether the run belongs to a time before the newest version, which another run wrote."""
    if _wrote(dag_run, head):
        return False
    since = getattr(dag_run, "run_after", None) or getattr(dag_run, "logical_date", None)
    head_written = written(head)
    return isinstance(since, datetime) and head_written is not None and since < head_written


def _wrote(dag_run: Any, head: Version) -> bool:
    past = provenance(head)
    if past is None:
        return False
    run = "/" if dag_run is None else f"{dag_run.dag_id}/{dag_run.run_id}/"
    return (past.run or "").startswith(run)


def _dated(table: Table, head: Version) -> Version:
    """Return the newest version with the time since which it is current: the schemas of a table that others keep do not tell it."""
    if written(head) is not None:
        return head
    newest = next(iter(table.history()), None)
    if newest is None or newest.when is None or newest.number != head.number:
        return head
    schema = msgspec.structs.replace(head.schema, time_millis=int(newest.when.timestamp() * 1000))
    return msgspec.structs.replace(head, schema=schema)


def is_repeated(dag_run: Any) -> bool:
    """Return whether the run was cleared, or does the work of another day."""
    run_type = getattr(dag_run, "run_type", "")
    return bool(getattr(dag_run, "clear_number", 0)) or str(getattr(run_type, "value", run_type)) == _BACKFILL


def _has_expired(table: Table, head: Version) -> bool:
    """Return whether versions are gone, and with them the keys that they were written under."""
    return len(table.numbers()) <= head.number


def _too_old_error(table: str, head: Version, dag_run: Any) -> PlanError:
    message = f"{_changed_since(table, head, dag_run)} What came after a run is not undone by running it again."
    return PlanError(message, code="plan.older-run", path=table, fix="Start a new run, which plans from the file of today.")


def _perhaps_done_error(table: str, head: Version, dag_run: Any) -> PlanError:
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


class GivenPlan(NamedTuple):
    """A plan as an argument of a task: its digest, or what `SchemaValidateOperator` returned."""

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


def read_plan(value: Value) -> GivenPlan:
    """Return the plan in an argument."""
    plan = template_values.parse_value(value, "plan")
    if isinstance(plan, str) and not template_values.is_empty(plan):
        return GivenPlan(plan.strip().lower())
    if not isinstance(plan, Mapping) or plan.get("outcome") not in _OUTCOMES:
        fix = "Pass the output of SchemaValidateOperator(save=True), or the digest of a plan that was kept."
        raise PlanError(f"{shown(plan)} is no plan.", code="plan.no-plan", path="plan", fix=fix)
    if plan["outcome"] == "planned" and not plan.get("saved"):
        raise PlanError("the plan was not kept.", code="plan.not-saved", path="plan", fix="Pass save=True to SchemaValidateOperator.")
    base = plan.get("base") or {}
    return GivenPlan(
        digest=str(plan.get("plan") or ""),
        table=str(plan.get("table") or ""),
        branch=str(plan.get("branch") or ""),
        outcome=str(plan["outcome"]),
        version=base.get("version") if isinstance(base, Mapping) else None,
        key=str(plan.get("key") or ""),
        notes=tuple(map(str, plan.get("notes") or ())),
    )


def check_same(plan: GivenPlan, *, table: Value, branch: Value = NOT_SAID) -> None:
    """Raise if a task names another table, or another branch, than the plan that it was given; or if a template has emptied one."""
    named_table = template_values.read_text(table, "table")
    named_branch = template_values.read_text(branch, "branch")
    _check_argument("table", str(table_name(named_table)) if named_table else "", plan.table)
    _check_argument("branch", named_branch, plan.branch)


def _check_argument(argument: str, given: str, planned: str) -> None:
    if given and planned and given != planned:
        fix = "Leave it out, or pass the plan that is meant."
        raise template_values.argument_error(f"{shown(given)} is said, and the plan is for {shown(planned)}.", argument, fix)
