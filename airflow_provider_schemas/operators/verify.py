"""`SchemaVerifyOperator`: is the table what a plan said it would be, whoever has made it so? The last task of `schema_evolution`."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from airflow.sdk import BaseOperator

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import ConflictError, Fault
from airflow_provider_schemas.render import summary
from airflow_provider_schemas.store import verifying
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks import plain, planning, wishes
from airflow_provider_schemas.tasks.changing import DEFAULT, at
from airflow_provider_schemas.tasks.settling import FinalError, settled


class SchemaVerifyOperator(BaseOperator):
    """Fail unless a version is what a plan said.

    :param plan: what `SchemaValidateOperator(save=True)` returned, or the digest of a plan that was kept
    :param change: what the task returned that applied it; without it the newest version is looked at
    :param table: `db.table`, where the plan is a digest
    """

    template_fields: Collection[str] = ("conn_id", "table", "plan", "change")
    template_fields_renderers: ClassVar[dict[str, str]] = {"plan": "json", "change": "json"}
    ui_color = "#dae8fc"

    def __init__(self, *, plan: Any, change: Any = None, table: Any = None, conn_id: str = DEFAULT, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.table = table
        self.plan = plan
        self.change = change

    def execute(self, context: Any) -> dict[str, Any]:
        with settled():
            here, asked = at(self.conn_id, context), planning.handed(self.plan)
            table = here.table(asked.table or wishes.table_of(self.table, None), asked.branch)
            if not asked.does_something:
                self.log.info("%s  nothing was to be done, and nothing is to be verified", table.name)
                return {"table": table.name, "branch": table.branch_name, "plan": None, "version": asked.version, "verified": True}
            report = _report(table, asked.digest, plain.loaded(self.change, "change"))
            if not report.fits:
                raise FinalError.of(report.faults() or [Fault("plan.not-verified", table.name, f"{table.name} is not what the plan said.")])
            self.log.info("%s  %s", table.name, "; ".join(report.notes) or summary(report))
            return {"table": table.name, "branch": table.branch_name, "plan": asked.digest, "version": report.new, "verified": True}


def _report(table: Table, digest: str, change: Any) -> Report:
    """What differs: in the version that was written, since others may have written after it."""
    plan = table.saved_plan(digest)
    if not isinstance(change, Mapping):
        return table.verify(plan)
    version = table.version(plain.number(change.get("version"), "change") or 0)
    if version.digest != change.get("digest"):
        message = f"version {version.number} of {table.name} is not the one that was written: somebody has put another in its place."
        raise ConflictError(message, code="commit.overwritten", path=table.name, fix="Look into the history of the table.")
    return verifying.verified(plan, version, table.name)
