"""Is a table what a plan said it would be? The version that was written is looked at, since others may have written after it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import ConflictError
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.store.commit.verify import verified
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import target
from airflow_provider_schemas.tasks.change.make_plan import check_same, read_plan
from airflow_provider_schemas.tasks.change.run_change import open_context
from airflow_provider_schemas.tasks.error_handling import FinalError, settled
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.template_values import Value

if TYPE_CHECKING:
    from airflow.sdk.types import Logger


class VerifyTask(Protocol):
    """A task that compares a table with a plan."""

    conn_id: str
    table: Value
    plan: Value
    change: Value

    @property
    def log(self) -> "Logger": ...


def verify(operator: VerifyTask, context: Mapping[str, Any]) -> dict[str, Any]:
    """Fail unless the version is what the plan said."""
    with settled():
        task = open_context(operator.conn_id, context)
        plan = read_plan(operator.plan)
        check_same(plan, table=operator.table)
        table = task.table(plan.table or target.read_table_name(operator.table, None), plan.branch or NOT_SAID)
        if not plan.does_something:
            operator.log.info("%s  nothing was to be done, and nothing is to be verified", table.name)
            return {"table": table.name, "branch": table.branch_name, "plan": None, "version": plan.version, "verified": True}
        report = _compare(table, plan.digest, _read_change(operator.change))
        if not report.fits:
            raise FinalError.of(finding.as_fault() for finding in report.findings)
        operator.log.info("%s  %s", table.name, "; ".join(report.notes) or summary(report))
        return {"table": table.name, "branch": table.branch_name, "plan": plan.digest, "version": report.new, "verified": True}


def _read_change(value: Any) -> Mapping[str, Any] | None:
    """Return the output of the task that changed the table, if it was passed."""
    if not template_values.is_given(value, "change"):
        return None
    change = template_values.parse_value(value, "change")
    if isinstance(change, Mapping):
        return change
    return None


def _compare(table: Table, digest: str, change: Mapping[str, Any] | None) -> Report:
    """Return what differs: in the version that was written, since others may have written after it."""
    plan = table.saved_plan(digest)
    if change is None:
        return table.verify(plan)
    version = table.version(template_values.read_version_number(change.get("version"), "change") or 0)
    if version.digest != change.get("digest"):
        message = f"version {version.number} of {table.name} is not the one that was written: somebody has put another in its place."
        raise ConflictError(message, code="commit.overwritten", path=table.name, fix="Look into the history of the table.")
    return verified(plan, version, table.name)
