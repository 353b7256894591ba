"""A run in one line, for the top of a comment and the end of a log."""

from collections.abc import Sequence

from airflow_provider_schemas.core.report import SEVERITY, Report, Verdict, verdicts_of_tables, worst
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.findings.view import readers
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.wording import MARKS, counted, listed

NOT_JUDGED_MARK = "⛔"
_NAMED_READERS = 5
# The verdicts that are counted; warnings only where there is nothing worse.
_TOLD = ((Verdict.INVALID, Verdict.BREAK), (Verdict.WARN,))
# Of one table, and of several.
_WORDS = {
    Verdict.WARN: ("warns", "warn"),
    Verdict.BREAK: ("breaks", "break"),
    Verdict.INVALID: ("is invalid", "are invalid"),
}


def headline(run: CheckRun) -> str:
    """Return the verdict of a run: ✖ 1 of 3 tables breaks daily_report; 1 thing could not be judged."""
    parts = [_judged(run.reports)]
    if run.faults:
        parts.append(f"{counted(len(run.faults), 'thing')} could not be judged")
    if run.strict and verdict_of(run) is Verdict.WARN:
        parts.append("warnings fail this run (--strict)")
    return f"{mark(run)} {'; '.join(part for part in parts if part) or 'nothing was judged'}"


def mark(run: CheckRun) -> str:
    """Return the mark of a run; a run that judged nothing has none of the good ones."""
    if run.faults:
        return NOT_JUDGED_MARK
    if not run.reports:
        return "–"
    return MARKS[verdict_of(run)]


def verdict_of(run: CheckRun) -> Verdict:
    """Return the worst verdict of the reports."""
    return worst(report.verdict for report in run.reports)


def _judged(reports: tuple[Report, ...]) -> str:
    if not reports:
        return ""
    of_tables = verdicts_of_tables(reports)
    if len(of_tables) == 1:
        return summary(max(reports, key=lambda report: SEVERITY[report.verdict]))
    tables = counted(len(of_tables), "table")
    for verdicts in _TOLD:
        told = [words for words in (_counted(verdict, of_tables, reports) for verdict in verdicts) if words]
        if told:
            first, *rest = told
            number, _, words = first.partition(" ")
            return ", ".join([f"{number} of {tables} {words}", *rest])
    return f"{tables} fit"


def _counted(verdict: Verdict, of_tables: Sequence[Verdict], reports: tuple[Report, ...]) -> str:
    """Return how many tables have a verdict, and which readers break; empty for none."""
    number = of_tables.count(verdict)
    if not number:
        return ""
    words = f"{number:,} {_WORDS[verdict][number > 1]}"
    names = listed(breaking_readers(reports), _NAMED_READERS)
    if verdict is Verdict.BREAK and names:
        return f"{words} {names}"
    return words


def breaking_readers(reports: tuple[Report, ...]) -> list[str]:
    """Return the names of the registered readers that break, each once."""
    return readers(finding for report in reports for finding in report.findings if finding.verdict is Verdict.BREAK)
