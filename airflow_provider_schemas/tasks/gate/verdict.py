"""The verdict on a task's tables, and what becomes of it: in XCom, in one sentence, and as the block that ends a log."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.gate.arguments import Outcome
from airflow_provider_schemas.tasks.output.failure_report import FailureReport, format_block, format_lines, unfit
from airflow_provider_schemas.tasks.output.xcom_tables import Seen, first_notes, last_change, plain_tables, short, spark_tables
from airflow_provider_schemas.tasks.task_run import Run


class Verdict(Struct, frozen=True, kw_only=True):
    """Whether the tables fit, and what becomes of the task."""

    judgement: Judgement
    outcome: Outcome
    run: Run
    conn_id: str = ""
    alias: str = ""
    """What stands for the warehouse in the names of assets and datasets."""
    at: str = ""
    bundle: str = ""
    after: str = ""
    """The run before this one in which the task had a verdict."""
    since: Mapping[str, Seen] = {}
    """The versions that were seen when the task was last green."""
    notes: tuple[str, ...] = ()
    """What has to be said besides the reports."""
    again: Mapping[str, str] = {}
    """The command that asks again, by table."""
    about: Mapping[str, str] = {}
    """How each table was judged, in a few words."""
    pinned: frozenset[str] = frozenset()
    """The tables of which a named version is read."""
    by_sight: frozenset[str] = frozenset()
    """The tables that were judged against what was seen."""
    guard: bool = False
    """Whether the task is guarded: it is the job itself, and no gate in front of it."""
    plain: Mapping[str, Any] = {}
    """The verdict as it went into XCom, once it did: the text of all columns is made once."""

    @property
    def fits(self) -> bool:
        return self.judgement.fits

    @property
    def broken(self) -> tuple[TableAnswer, ...]:
        """What does not fit or is not there, the worst first."""
        return tuple(unfit(self.judgement))

    @property
    def sentence(self) -> str:
        """shop.orders v42 breaks daily_report: cust_id renamed to customer_id (+2 more)"""
        tables, broken = self.judgement.tables, self.broken
        if not broken:
            return f"{len(tables)} tables fit" if len(tables) > 1 else short(summary(tables[0].report))
        more = f"; {counted(len(broken) - 1, 'more table')} not fitting" if len(broken) > 1 else ""
        return f"{short(summary(broken[0].report))}{more}"

    @property
    def changed_by_run(self) -> str:
        """The run that wrote what does not fit; or, if all fit, the newest of all versions."""
        versions = [one.version for one in (self.broken or self.judgement.tables) if one.version is not None]
        newest = max(versions, key=lambda one: one.schema.time_millis, default=None)
        return "" if newest is None else last_change(newest)["run"]

    def block(self) -> str:
        """What a person needs to know at night."""
        return format_block(self._told)

    def lines(self) -> list[tuple[str, str]]:
        """A line a table, where nothing is wrong, each behind the outcome as which it is logged."""
        return format_lines(self._told)

    @property
    def _told(self) -> FailureReport:
        return FailureReport(
            judgement=self.judgement,
            outcome=self.outcome,
            conn_id=self.conn_id,
            notes=self.notes,
            check_commands=self.again,
            bases=self.about,
            baseline_tables=self.by_sight,
            is_guard=self.guard,
        )

    def spark(self) -> str:
        """What a Spark job compares with the schema files when it begins: the value of `spark.schemas.tables`."""
        # A job that comes here past its gate finds nothing at its door, and is stopped there.
        return spark_tables(self.judgement, self.pinned) if self.outcome in ("fits", "warn") else "{}"

    def about_asking(self) -> dict[str, Any]:
        """What was asked for it, and what has to be said besides: all that what is kept for the next run adds to."""
        about = self.judgement
        asked = {"lists": about.lists, "gets": about.gets, "puts": about.puts, "millis": about.millis}
        return {**asked, "notes": first_notes(self.notes)}

    def to_dict(self) -> dict[str, Any]:
        """The verdict in plain and few values, as it goes into XCom."""
        if self.plain:
            return {**self.plain}
        about = self.judgement
        return {
            "store": without_credentials(about.store),
            "registry": about.registry or "none",
            "conn_id": self.conn_id,
            "consumer": about.consumer,
            "verdict": about.verdict.value,
            "fits": about.fits,
            "outcome": self.outcome,
            **self.about_asking(),
            "run": self.run.run_id,
            "map_index": self.run.map_index,
            "at": self.at,
            "bundle": self.bundle,
            "after": self.after,
            "tables": plain_tables(about, self.since, conn_id=self.conn_id, accepts=self.outcome in ("fail", "skip")),
            "spark": self.spark(),
        }
