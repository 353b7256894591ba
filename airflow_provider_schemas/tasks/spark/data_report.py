"""What the log says of rows that were looked at: a line where they fit; else the block that ends the log, with sample rows."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted

# A log at night is read from its end: what does not fit on two screens is told in numbers.
_FINDINGS, _SAMPLES, _LINES, _ROW = 12, 3, 120, 300
_WIDTH: Final = 110
_LONGEST: Final = 400
_OUTCOMES: Final = {
    "fail": "The task has failed and is not tried again. When the rows are mended, or the schema is, clear it.",
    "skip": "The task is skipped (on_incompatible is 'skip').",
    "warn": "The task goes on (on_incompatible is 'warn').",
}


def lines(report: Report, answer: Mapping[str, Any], outcome: str, how: str) -> list[str]:
    """All that the log says."""
    if not report.findings:
        return [f"{_subject(answer)} fits: {_looked(answer)}   ({how})", *_notes(report)]
    head = f"SCHEMA DATA  {MARKS[report.verdict]} {VERDICTS[report.verdict]}   {_subject(answer)}: {_looked(answer)}   ({how})"
    _, *body = text(_short(report), width=_WIDTH, color=False, limit=_FINDINGS).splitlines()
    more = [f"      ... and {len(body) - _LINES:,} more lines"] if len(body) > _LINES else []
    return [line[:_LONGEST] for line in [head, "", *body[:_LINES], *more, *_end(answer, outcome)]]


def sentence(report: Report, answer: Mapping[str, Any]) -> str:
    """shop.orders v3: 2 rows have NULL in order_id (+1 more)"""
    loud = [one for one in report.findings if one.verdict in (Verdict.BREAK, Verdict.INVALID)] or list(report.findings)
    if not loud:
        return f"{_subject(answer)} fits"
    first = loud[0]
    said = clean(without_credentials(first.message)).removesuffix(".")
    where = "" if first.path and first.path in said else f"{clean(first.path)}: " if first.path else ""
    more = len(loud) - 1 + (answer["more"] if loud[-1] is report.findings[-1] else 0)
    rest = f" (+{more:,} more)" if more else ""
    return f"{_subject(answer)}: {where}{said}{rest}"[:_LONGEST]


def _subject(answer: Mapping[str, Any]) -> str:
    number = "" if answer["version"] is None else f" v{answer['version']}"
    return f"{clean(answer['table']) or 'the data'}{number}"


def _looked(answer: Mapping[str, Any]) -> str:
    if answer["rows"] is None:
        return "no row was looked at"
    if not answer["rows"]:
        return "no row was seen"
    return f"{counted(answer['rows'], 'row')}, {counted(answer['checks'], 'check')}"


def _short(report: Report) -> Report:
    """The report with as many sample rows as a log has room for."""
    findings = tuple(
        msgspec.structs.replace(one, samples=tuple(_some(row) for row in one.samples[:_SAMPLES])) if isinstance(one, DataFinding) else one
        for one in report.findings
    )
    return msgspec.structs.replace(report, findings=findings)


def _some(row: Mapping[str, Any]) -> dict[str, Any]:
    """The first values of a row, up to some length."""
    found: dict[str, Any] = {}
    room = _ROW
    for name, value in row.items():
        room -= len(name) + len(str(value))
        if room < 0:
            return {**found, "...": f"{len(row) - len(found)} more"}
        found[name] = value
    return found


def _notes(report: Report) -> Iterator[str]:
    yield from (f"note: {clean(without_credentials(one))}" for one in report.notes)


def _end(answer: Mapping[str, Any], outcome: str) -> Iterator[str]:
    if answer["quarantine"]:
        yield f"bad rows   {clean(without_credentials(answer['quarantine']))}"
    if outcome in _OUTCOMES:
        yield f"what now   {_OUTCOMES[outcome]}"
