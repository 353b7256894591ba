"""What becomes of a task when its tables were judged: the task goes on, warns, is skipped, or fails."""

from collections.abc import Mapping
from typing import Any

from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.tasks.error_handling import FinalIncompatibleSchemaError
from airflow_provider_schemas.tasks.gate.verdict import Verdict
from airflow_provider_schemas.tasks.output import log_footer


def act(verdict: Verdict, context: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict as plain values where the task may go on; else the task ends here, and the last words of its log say why."""
    if verdict.outcome in ("fail", "skip"):
        log_footer.log_at_end(context["task"], verdict.outcome, verdict.block())
    if verdict.outcome == "skip":
        raise AirflowSkipException(verdict.sentence)
    if verdict.outcome == "fail":
        raise FinalIncompatibleSchemaError.about(_worst(verdict), verdict.sentence)
    if verdict.outcome == "warn":
        log_footer.log_lines(verdict.block(), "warn")
    else:
        for outcome, line in verdict.lines():
            log_footer.log_lines(line, outcome)
    return verdict.to_dict()


def _worst(verdict: Verdict) -> Report:
    return (verdict.broken or verdict.judgement.tables)[0].report
