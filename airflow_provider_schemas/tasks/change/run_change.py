"""What the tasks that change tables share: the store, what the log says, what XCom holds, and who is told of a new version.

A task is run again: after an answer that was lost, cleared months later, for a day of last spring, twice at once.
Its key names what it wants and not its run, so that every run finds in the history what another has done.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Report
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
from airflow_provider_schemas.tasks.policy_argument import policy_of
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage
    from airflow.sdk.types import Logger

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


class At(NamedTuple):
    """Where a task is at work, and in which run."""

    hook: SchemaStoreHook
    run: Run
    context: Mapping[str, Any]

    @property
    def store(self) -> SchemaStore:
        return self.hook.get_conn()

    def table(self, name: str, branch: Any) -> Table:
        """The table; not through the hook, which would call it an input."""
        return self.store.table(name, template_values.text(branch, "branch") or None)

    @property
    def places(self) -> FilePlaces:
        """Where the files may lie that the arguments of the task name."""
        return FilePlaces.of(self.run, self.hook.conn_id)

    @property
    def about(self) -> dict[str, Any]:
        """Who changes something, as the version records it."""
        return {"actor": self.run.actor, "run": self.run.text}


def at(conn_id: Any, context: Mapping[str, Any]) -> At:
    """Where the task of this context is at work."""
    run = Run.of(context)
    return At(SchemaStoreHook(template_values.text(conn_id, "conn_id") or DEFAULT, actor=run.actor), run, context)


def terms_of(operator: JudgedTask, here: At) -> dict[str, Any]:
    """On which terms an operator asks for a change."""
    return {"policy": policy_of(operator.policy, here.places), "override": template_values.optional_text(operator.override, "override")}


def all_terms_of(operator: ComparedTask, here: At) -> dict[str, Any]:
    """The same, with the reason why a description is not compared with data."""
    return terms_of(operator, here) | {"unchecked": unchecked_of(operator)}


def unchecked_of(operator: ComparedTask) -> str:
    """Why a description is not compared with data; empty if nobody says so."""
    return template_values.text(operator.unchecked, "unchecked")


def expected(value: Any) -> Seen | None:
    """The version that the table is expected at: a number, a number and a digest, or what a task of ours has told of a version.

    None only if nothing at all is said: of what says a half, the other half was lost, and a change would be written unchecked.
    """
    if not template_values.is_said(value, "expected_version"):
        return None
    said = template_values.loaded(value, "expected_version")
    if isinstance(said, Mapping):
        said = (said.get("version"), said.get("digest"))
    if isinstance(said, list | tuple) and len(said) == 2 and isinstance(said[1], str):
        number, digest = template_values.number(said[0], "expected_version"), template_values.text(said[1], "expected_version")
        if number is not None and digest:
            return number, digest
        raise template_values.refused(f"{shown(value)} says only a half.", "expected_version", "Pass a number, or a number and a digest.")
    return template_values.number(said, "expected_version")


@contextmanager
def changing() -> Iterator[None]:
    """Errors of a change, as they end a task: a conflict that another try would meet again ends it."""
    with settled():
        try:
            yield
        except ConflictError as error:
            raise (FinalError.of(error.faults) if error.code in _FINAL else error) from error


class Done(NamedTuple):
    """What a task has done, and on what."""

    committed: Committed
    before: TableSchema | None = None
    more: Mapping[str, Any] = {}
    """What XCom is told besides."""
    warnings: tuple[str, ...] = ()


def changed(operator: ChangeTask, context: Mapping[str, Any], change: Callable[[At], Done]) -> dict[str, Any]:
    """Run a task that may write a version: what it is there for, then everything that follows from it."""
    with changing():
        here = at(operator.conn_id, context)
        try:
            return _ended(operator, here, change(here))
        except IncompatibleSchemaError as error:
            if isinstance(error.report, Report):  # the error itself is one sentence
                said = text(error.report, width=summary.WIDTH, color=False, now=datetime.now(UTC))
                log_footer.log_at_end(operator, "fail", said)
                told = summary.refused(error.report, store=here.store.url, conn_id=here.hook.conn_id)
                context["ti"].xcom_push(key=RESULT, value=told)
            raise


def _ended(operator: ChangeTask, here: At, done: Done) -> dict[str, Any]:
    committed, url = done.committed, here.store.url
    told = summary.change(committed, store=url, conn_id=here.hook.conn_id) | dict(done.more)
    here.context["ti"].xcom_push(key=RESULT, value=told)
    _say(operator, done)
    operator.changed_by_run = "" if committed.created else _run_of(committed)
    operator.lineage = (committed, done.before, url, here.hook.alias)
    metrics.count_change(committed)
    asset_events.announce(committed, here.context, run=here.run, alias=here.hook.alias, told=told)
    return told


def _say(operator: ChangeTask, done: Done) -> None:
    for line in summary.lines(done.committed, now=datetime.now(UTC)):
        operator.log.info("%s", line)
    for line in (*summary.late(done.committed), *done.warnings):
        operator.log.warning("%s", line)


def lineage_of(operator: ChangeTask) -> "OperatorLineage[Any, Any] | None":
    """What OpenLineage is told when the task has ended; None if it did nothing."""
    if operator.lineage is None:
        return None
    committed, before, url, alias = operator.lineage
    return openlineage.change_lineage(committed, before, url, alias=alias)


def _run_of(committed: Committed) -> str:
    """The run that wrote a version, if it says so."""
    try:
        past = committed.provenance
    except SchemaError:  # nobody understands what an outside writer said there
        return ""
    return "" if past is None else past.run or ""
