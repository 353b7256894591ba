"""The verdict on a task's tables, and what becomes of it: in XCom, in one sentence, and as the block that ends a log."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.verdict.verdict_log import log_block, log_lines
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.gate.arguments import Outcome
from airflow_provider_schemas.tasks.output.extra_links import page_of
from airflow_provider_schemas.tasks.output.failure_report import FailureReport, log_values, unfit
from airflow_provider_schemas.tasks.output.short_texts import notes_entry, short
from airflow_provider_schemas.tasks.output.xcom_limit import within_limit
from airflow_provider_schemas.tasks.output.xcom_tables import last_change, spark_tables
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.triggers.seen_versions import SeenVersion


class GateVerdict(Struct, frozen=True, kw_only=True):
    """Whether the tables fit (the judgement of the store), what becomes of the task (the outcome), and what its log says of both."""

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
    since: Mapping[str, SeenVersion] = {}
    """The versions that were seen when the task was last green."""
    since_runs: Mapping[str, str] = {}
    """The runs in which they were seen."""
    since_moments: Mapping[str, str] = {}
    """When they were seen."""
    notes: tuple[str, ...] = ()
    """What has to be said besides the reports."""
    check_commands: Mapping[str, str] = {}
    """The command that checks each table again."""
    bases: Mapping[str, str] = {}
    """How each table was judged, in a few words."""
    pinned: frozenset[str] = frozenset()
    """The tables of which a named version is read."""
    baseline_tables: frozenset[str] = frozenset()
    """The tables that were judged against the version that an earlier run saw."""
    is_guard: bool = False
    """Whether the task is guarded: it is the job itself, and no gate in front of it."""
    xcom_value: Mapping[str, Any] = {}
    """The verdict as it goes into XCom, once it is made: the text of all columns is made once."""

    @property
    def fits(self) -> bool:
        """Return whether every table fits."""
        return self.judgement.fits

    @property
    def lets_pass(self) -> bool:
        """Return whether the task goes on."""
        return self.outcome in ("fits", "warn")

    @property
    def unfit_tables(self) -> tuple[TableAnswer, ...]:
        """Return the tables that do not fit or are not there, the worst first: also missing ones that `on_missing` tolerates."""
        # A log names these too, so there may be such tables although the verdict fits.
        return tuple(unfit(self.judgement))

    @property
    def sentence(self) -> str:
        """Return the verdict in one sentence: shop.orders v42 breaks daily_report: cust_id renamed to customer_id (+2 more)."""
        tables = self.judgement.tables
        unfit_tables = self.unfit_tables
        if unfit_tables:
            more = f"; {counted(len(unfit_tables) - 1, 'more table')} not fitting" if len(unfit_tables) > 1 else ""
            return f"{short(summary(unfit_tables[0].report))}{more}"
        return f"{len(tables)} tables fit" if len(tables) > 1 else short(summary(tables[0].report))

    @property
    def changed_by_run(self) -> str:
        """Return the run that wrote what does not fit; if all tables fit, the run that wrote the newest of all versions."""
        versions = [answer.version for answer in (self.unfit_tables or self.judgement.tables) if answer.version is not None]
        if not versions:
            return ""
        newest = max(versions, key=lambda version: version.schema.time_millis)
        return last_change(newest)["run"]

    def block(self) -> str:
        """Write what a person needs to know at night, from the values that go into XCom."""
        return log_block(self.to_dict())

    def lines(self) -> list[tuple[str, str]]:
        """Write a line for each table, where nothing is wrong, each behind the outcome as which it is logged."""
        return log_lines(self.to_dict())

    def _failure_report(self) -> FailureReport:
        return FailureReport(
            judgement=self.judgement,
            outcome=self.outcome,
            conn_id=self.conn_id,
            consumer=self.judgement.consumer,
            notes=self.notes,
            check_commands=self.check_commands,
            bases=self.bases,
            baseline_tables=self.baseline_tables,
            since=self.since,
            since_runs=self.since_runs,
            since_moments=self.since_moments,
            accepts=not self.lets_pass,
            is_guard=self.is_guard,
        )

    def spark(self) -> str:
        """Write what a Spark job compares with the schema files when it begins: the value of `spark.schemas.tables`."""
        # A job that runs past its gate finds nothing to compare with when it begins, and is stopped there.
        return spark_tables(self.judgement, self.pinned) if self.lets_pass else "{}"

    def costs_and_notes(self) -> dict[str, Any]:
        """Return what the storage was asked for, and the notes: keeping the baseline for the next run adds to both."""
        judgement = self.judgement
        return {
            "lists": judgement.lists,
            "gets": judgement.gets,
            "puts": judgement.puts,
            "millis": judgement.millis,
            **notes_entry(self.notes),
        }

    def finished(self, judgement: Judgement, notes: Iterable[str], xcom_value: Mapping[str, Any]) -> "GateVerdict":
        """Return the verdict with the costs and notes that it has in the end, and with its value for XCom, which has the same."""
        verdict = msgspec.structs.replace(self, judgement=judgement, notes=tuple(notes))
        return msgspec.structs.replace(verdict, xcom_value=within_limit({**xcom_value, **verdict.costs_and_notes()}))

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict in plain and few values, as it goes into XCom."""
        if self.xcom_value:
            return {**self.xcom_value}
        judgement = self.judgement
        return within_limit(
            {
                "store": without_credentials(judgement.store),
                "registry": judgement.registry or "none",
                **log_values(self._failure_report()),
                "sentence": self.sentence,
                "run": self.run.run_id,
                "map_index": self.run.map_index,
                "at": self.at,
                "bundle": self.bundle,
                "after": self.after,
                "links": self._links(),
                "spark": self.spark(),
            }
        )

    def _links(self) -> dict[str, str]:
        """Return the page of the run that changed what was judged, if a task of this Airflow did."""
        page = page_of(self.changed_by_run)
        return {"changed_by": page} if page else {}
