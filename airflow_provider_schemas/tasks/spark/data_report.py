"""What the log says of rows that were checked: a line where they fit; else the block that ends the log, with sample rows."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted

# A log at night is read from its end: what does not fit on two screens is only counted.
_MAX_FINDINGS: Final = 12
_MAX_SAMPLES: Final = 3
_MAX_LINES: Final = 120
_MAX_ROW_CHARACTERS: Final = 300
_WIDTH: Final = 110
_MAX_LINE_CHARACTERS: Final = 400
_OUTCOMES: Final = {
    "fail": "The task has failed and is not tried again. When the rows are mended, or the schema is, clear it.",
    "skip": "The task is skipped (on_incompatible is 'skip').",
    "warn": "The task goes on (on_incompatible is 'warn').",
}


def format_report(report: Report, answer: Mapping[str, Any], outcome: str, how: str) -> list[str]:
    """Write all that the log says."""
    if not report.findings:
        return [f"{_subject(answer)} fits: {_counts(answer)}   ({how})", *_notes(report)]
    verdict = f"{MARKS[report.verdict]} {VERDICTS[report.verdict]}"
    lines = [f"SCHEMA DATA  {verdict}   {_subject(answer)}: {_counts(answer)}   ({how})", ""]
    # The first line of the report names the table and its verdict, as the head does.
    _, *body = text(_with_few_samples(report), width=_WIDTH, color=False, limit=_MAX_FINDINGS).splitlines()
    lines += body[:_MAX_LINES]
    if len(body) > _MAX_LINES:
        lines.append(f"      ... and {len(body) - _MAX_LINES:,} more lines")
    lines += _last_lines(answer, outcome)
    return [line[:_MAX_LINE_CHARACTERS] for line in lines]


def format_sentence(report: Report, answer: Mapping[str, Any]) -> str:
    """Write one sentence: shop.orders v3: 2 rows have NULL in order_id (+1 more)."""
    breaking = [finding for finding in report.findings if finding.verdict in (Verdict.BREAK, Verdict.INVALID)]
    findings = breaking or list(report.findings)
    if not findings:
        return f"{_subject(answer)} fits"
    first = findings[0]
    message = clean(without_credentials(first.message)).removesuffix(".")
    if first.path and first.path not in message:
        message = f"{clean(first.path)}: {message}"
    more = len(findings) - 1
    # The job leaves findings out at the end: they count here where the last one does.
    if findings[-1] is report.findings[-1]:
        more += answer["more"]
    if more:
        message += f" (+{more:,} more)"
    return f"{_subject(answer)}: {message}"[:_MAX_LINE_CHARACTERS]


def _subject(answer: Mapping[str, Any]) -> str:
    subject = clean(answer["table"]) or "the data"
    if answer["version"] is None:
        return subject
    return f"{subject} v{answer['version']}"


def _counts(answer: Mapping[str, Any]) -> str:
    if answer["rows"] is None:
        return "no row was looked at"
    if not answer["rows"]:
        return "no row was seen"
    return f"{counted(answer['rows'], 'row')}, {counted(answer['checks'], 'check')}"


def _with_few_samples(report: Report) -> Report:
    """Return the report with as many sample rows as a log has room for."""
    return msgspec.structs.replace(report, findings=tuple(map(_with_fewer_rows, report.findings)))


def _with_fewer_rows(finding: Finding) -> Finding:
    if not isinstance(finding, DataFinding):
        return finding
    return msgspec.structs.replace(finding, samples=tuple(_first_values(row) for row in finding.samples[:_MAX_SAMPLES]))


def _first_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first values of a row, up to some length."""
    values: dict[str, Any] = {}
    room = _MAX_ROW_CHARACTERS
    for name, value in row.items():
        room -= len(name) + len(str(value))
        if room < 0:
            return {**values, "...": f"{len(row) - len(values)} more"}
        values[name] = value
    return values


def _notes(report: Report) -> Iterator[str]:
    yield from (f"note: {clean(without_credentials(note))}" for note in report.notes)


def _last_lines(answer: Mapping[str, Any], outcome: str) -> Iterator[str]:
    if answer["quarantine"]:
        yield f"bad rows   {clean(without_credentials(answer['quarantine']))}"
    if outcome in _OUTCOMES:
        yield f"what now   {_OUTCOMES[outcome]}"
