"""What the tasks that change tables share: the store, the log, the XCom entries, and the asset events about a new version.

A task is run again: after an answer that was lost, cleared months later, for a day of last spring, twice at once.
Its key names what it wants and not its run, so that every run finds in the history what another has done.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.revision import is_revision
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import ConflictError, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.hooks.defaults import DEFAULT
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.store.commit.commit import Committed
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.changes_since import Seen
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import asset_events, summary
from airflow_provider_schemas.tasks.error_handling import FinalError, settled
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.output import log_footer, metrics, openlineage
from airflow_provider_schemas.tasks.policy_argument import read_policy
from airflow_provider_schemas.tasks.task_run import Run, bundle_version
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from airflow.sdk.types import Logger

log = logging.getLogger(__name__)
RESULT = "schema_change"
# Conflicts that are there at the next try, too.
_FINAL = frozenset({"commit.expected-version", "commit.key-used", "table.twice"})


ChangeLineage = tuple[Committed, TableSchema | None, str, str]
"""What a task keeps for OpenLineage: what was written, the schema before, the address of the store, and its alias."""


class JudgedTask(Protocol):
    """A task whose changes a policy judges."""

    policy: Value
    override: str


class ComparedTask(JudgedTask, Protocol):
    """A task whose changes are compared with data that a table names anew."""

    unchecked: str


class ChangeTask(ComparedTask, Protocol):
    """A task that may write a version: its arguments, and what it leaves for links and lineage."""

    conn_id: str
    table: Value
    key: str
    changed_by_run: str
    lineage: ChangeLineage | None

    @property
    def log(self) -> "Logger": ...


class TaskContext(NamedTuple):
    """The store that a task works with, its run, and Airflow's context."""

    hook: SchemaStoreHook
    run: Run
    context: Mapping[str, Any]

    @property
    def store(self) -> SchemaStore:
        return self.hook.get_conn()

    def table(self, name: str, branch: Value) -> Table:
        """Open a table; not through the hook, which would report it as an input."""
        return self.store.table(name, template_values.read_text(branch, "branch") or None)

    @property
    def places(self) -> FilePlaces:
        """Return where the files may lie that the arguments of the task name."""
        return FilePlaces.of(self.run, self.hook.conn_id)

    @property
    def origin(self) -> dict[str, Any]:
        """Return who changes something, as the version records it."""
        return {"actor": self.run.actor, "run": self.run.text, "revision": read_revision(self.context["ti"])}


def read_revision(ti: object) -> str:
    """Return the version of the bundle that the task is run from, as the commit of its change; empty where the run is of no certain one.

    Only a versioned bundle has one: the files of another may have changed since the DAG was parsed.
    """
    version = bundle_version(ti).strip()
    if version and not is_revision(version):  # a change must not fail over the words of a bundle
        log.warning("The version of the bundle is no commit, so the change records none: %s", shown(version))
        return ""
    return version


def open_context(conn_id: Value, context: Mapping[str, Any]) -> TaskContext:
    """Return the store of a connection, with the run of this context."""
    run = Run.of(context)
    hook = SchemaStoreHook(template_values.read_text(conn_id, "conn_id") or DEFAULT, actor=run.actor)
    return TaskContext(hook, run, context)


# ---------------------------------------------------------------- the arguments of a change


def read_terms(operator: JudgedTask, task: TaskContext) -> dict[str, Any]:
    """Return on which terms an operator asks for a change."""
    return {
        "policy": read_policy(operator.policy, task.places),
        "override": template_values.read_optional_text(operator.override, "override"),
    }


def read_all_terms(operator: ComparedTask, task: TaskContext) -> dict[str, Any]:
    """Return the terms, with the reason why a description is not compared with data."""
    return read_terms(operator, task) | {"unchecked": read_unchecked(operator)}


def read_unchecked(operator: ComparedTask) -> str:
    """Return the reason why a description is not compared with data; empty if there is none."""
    return template_values.read_text(operator.unchecked, "unchecked")


def read_expected_version(value: Value) -> Seen | None:
    """Return the version that the table is expected at, out of a number, a number and a digest, or what a task of ours returned.

    None only if the argument is left out: of a value with one half, the other half was lost, and a change would be written unchecked.
    """
    if not template_values.is_given(value, "expected_version"):
        return None
    version = template_values.parse_value(value, "expected_version")
    if isinstance(version, Mapping):
        version = (version.get("version"), version.get("digest"))
    if not (isinstance(version, list | tuple) and len(version) == 2 and isinstance(version[1], str)):
        return template_values.read_version_number(version, "expected_version")
    number = template_values.read_version_number(version[0], "expected_version")
    digest = template_values.read_text(version[1], "expected_version")
    if number is not None and digest:
        return number, digest
    raise template_values.argument_error(
        f"{shown(value)} says only a half.", "expected_version", "Pass a number, or a number and a digest."
    )


# ---------------------------------------------------------------- the change


@contextmanager
def changing() -> Iterator[None]:
    """Raise errors of a change as they end a task: a conflict that another try would meet again is final."""
    with settled():
        try:
            yield
        except ConflictError as error:
            if error.code in _FINAL:
                raise FinalError.of(error.faults) from error
            raise


class ChangeResult(NamedTuple):
    """What a task has written, and on what."""

    committed: Committed
    before: TableSchema | None = None
    extra: Mapping[str, Any] = {}
    """What XCom holds besides."""
    warnings: tuple[str, ...] = ()


def run_change(operator: ChangeTask, context: Mapping[str, Any], change: Callable[[TaskContext], ChangeResult]) -> dict[str, Any]:
    """Run a task that may write a version: the change itself, then everything that follows from it."""
    with changing():
        task = open_context(operator.conn_id, context)
        try:
            return _publish(operator, task, change(task))
        except IncompatibleSchemaError as error:
            if isinstance(error.report, Report):  # the error itself is one sentence
                _publish_refusal(operator, task, error.report)
            raise


def _publish(operator: ChangeTask, task: TaskContext, result: ChangeResult) -> dict[str, Any]:
    """Tell XCom, the log, the links, OpenLineage, the metrics and the asset what was done."""
    committed = result.committed
    url = task.store.url
    entry = summary.change_entry(committed, store=url, conn_id=task.hook.conn_id) | dict(result.extra)
    task.context["ti"].xcom_push(key=RESULT, value=entry)
    _log_change(operator, result)
    operator.changed_by_run = "" if committed.created else _writing_run(committed)
    operator.lineage = (committed, result.before, url, task.hook.alias)
    metrics.count_change(committed)
    asset_events.announce(committed, task.context, run=task.run, alias=task.hook.alias, entry=entry)
    return entry


def _publish_refusal(operator: ChangeTask, task: TaskContext, report: Report) -> None:
    block = text(report, width=summary.WIDTH, color=False, now=datetime.now(UTC))
    log_footer.log_at_end(operator, "fail", block)
    entry = summary.refusal_entry(report, store=task.store.url, conn_id=task.hook.conn_id)
    task.context["ti"].xcom_push(key=RESULT, value=entry)


def _log_change(operator: ChangeTask, result: ChangeResult) -> None:
    for line in summary.change_lines(result.committed, now=datetime.now(UTC)):
        operator.log.info("%s", line)
    for line in (*summary.late_breaks(result.committed), *result.warnings):
        operator.log.warning("%s", line)


def change_lineage(operator: ChangeTask) -> "OperatorLineage[Any, Any] | None":
    """Return the lineage for OpenLineage when the task has ended; None if it did nothing."""
    if operator.lineage is None:
        return None
    committed, before, url, alias = operator.lineage
    return openlineage.change_lineage(committed, before, url, alias=alias)


def _writing_run(committed: Committed) -> str:
    """Return the run that wrote a version, if the version names it."""
    try:
        past = committed.provenance
    except SchemaError:  # an outside writer wrote what cannot be read
        return ""
    if past is None:
        return ""
    return past.run or ""
