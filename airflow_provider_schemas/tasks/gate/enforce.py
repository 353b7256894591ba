"""What becomes of a task when its tables were judged: the task goes on, warns, is skipped, or fails."""

from collections.abc import Mapping
from typing import Any

from airflow.sdk.exceptions import AirflowSkipException

from airflow_provider_schemas.tasks.error_handling import FinalIncompatibleSchemaError
from airflow_provider_schemas.tasks.gate.verdict import GateVerdict
from airflow_provider_schemas.tasks.output import log_footer


def enforce(verdict: GateVerdict, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict as plain values where the task may go on; else end the task, and have its log end with the reason."""
    if not verdict.lets_pass:
        log_footer.log_at_end(context["task"], verdict.outcome, verdict.block())
    if verdict.outcome == "skip":
        raise AirflowSkipException(verdict.sentence)
    if verdict.outcome == "fail":
        worst = (verdict.unfit_tables or verdict.judgement.tables)[0]
        raise FinalIncompatibleSchemaError.about(worst.report, verdict.sentence)
    if verdict.outcome == "warn":
        log_footer.log_lines(verdict.block(), "warn")
    else:
        for outcome, line in verdict.lines():
            log_footer.log_lines(line, outcome)
    return verdict.to_dict()
