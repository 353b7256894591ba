"""What the log of a gate says of its verdict: what does not fit, who changed it, whom it breaks, and what to do about it.

The log is printed from the very values that go into XCom, by `render/verdict`: so neither says more than the other.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from airflow_provider_schemas.core.report import SEVERITY
from airflow_provider_schemas.render.verdict.verdict_log import log_block, log_lines
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.output import xcom_limit, xcom_tables
from airflow_provider_schemas.tasks.output.short_texts import notes_entry
from airflow_provider_schemas.tasks.output.table_facts import GateFacts

_OUTCOMES = {
    "fail": "The task has failed and is not tried again.",
    "skip": "The task is skipped (on_incompatible or on_missing is 'skip').",
    "warn": "The task goes on (on_incompatible or on_missing is 'warn').",
}
# What marking the task as success does. A guard stands on the job itself, which Airflow then counts as done without running it.
_GATE_MARKED = "Marked as success, this gate lets the tasks behind it run in this run."
_GATE_SEEN = "If the job is right as it is, mark the task as success: what it saw just now is what it is judged by from then on."
_SKIPPED_BEHIND = " Clear the tasks behind it as well: they were skipped, and Airflow does not start them by itself."
_GUARD_MARKED = "Marked as success, this task does not run, and the tasks behind it work with what an earlier run left."
_GUARD_SEEN = " Later runs are then judged by what it saw just now."
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z])")


class FailureReport(GateFacts, frozen=True, kw_only=True):
    """A judgement with all that the end of a log says besides."""

    judgement: Judgement
    outcome: str
    notes: tuple[str, ...] = ()
    is_guard: bool = False
    """Whether the task is guarded: it is the job itself, and no gate in front of it."""


def unfit(judgement: Judgement) -> list[TableAnswer]:
    """Return the tables that do not fit or are not there, the worst first."""
    return _worst_first(answer for answer in judgement.tables if not answer.fits or answer.version is None)


def _worst_first(answers: Iterable[TableAnswer]) -> list[TableAnswer]:
    return sorted(answers, key=lambda answer: -SEVERITY[answer.report.verdict])


def format_block(report: FailureReport) -> str:
    """Write the whole block; where all is well, the lines about the tables alone."""
    return log_block(xcom_limit.within_limit(log_values(report)))


def format_lines(report: FailureReport) -> list[tuple[str, str]]:
    """Write a line for each table of a task that goes on, and the notes; each line with the outcome that decides its log level."""
    return log_lines(xcom_limit.within_limit(log_values(report)))


def log_values(report: FailureReport) -> dict[str, Any]:
    """Return all that the log says, as plain values."""
    judgement = report.judgement
    tables = xcom_tables.plain_tables(judgement, report)
    return {
        "conn_id": report.conn_id,
        "consumer": judgement.consumer,
        "verdict": judgement.verdict.value,
        "fits": judgement.fits,
        "outcome": report.outcome,
        "lists": judgement.lists,
        "gets": judgement.gets,
        "puts": judgement.puts,
        "millis": judgement.millis,
        **notes_entry(report.notes),
        "guard": report.is_guard,
        "next_steps": [*_next_steps(report)],
        "rules": xcom_tables.rules_of(tables),
        "tables": tables,
    }


# ---------------------------------------------------------------- the next steps


def _next_steps(report: FailureReport) -> Iterator[str]:
    """Write what became of the task, and how it comes to run; nothing where all tables fit."""
    unfit_tables = unfit(report.judgement)
    if not unfit_tables or report.outcome not in _OUTCOMES:
        return
    yield _OUTCOMES[report.outcome]
    yield from _SENTENCE_END.split(_way_out(report, unfit_tables))


def _way_out(report: FailureReport, unfit_tables: list[TableAnswer]) -> str:
    """Return the sentences that say how the task comes to run."""
    if report.outcome == "warn":
        return "The warning is repeated until the tables fit or what does not is let through."
    mended = "When the table or the job is mended, or what breaks is let through, clear the task."
    from_baseline = any(answer.table in report.baseline_tables for answer in unfit_tables)
    if report.is_guard:
        seen = _GUARD_SEEN if from_baseline else ""
        return f"{mended} {_GUARD_MARKED}{seen}"
    again = _GATE_SEEN if from_baseline else _GATE_MARKED
    behind = _SKIPPED_BEHIND if report.outcome == "skip" else ""
    return f"{mended} {again}{behind}"
