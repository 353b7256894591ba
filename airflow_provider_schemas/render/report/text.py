"""A report as text: what breaks, for whom, why, and the next step; what is fine takes one line."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.finding_text import details, once
from airflow_provider_schemas.render.finding_view import View, by_urgency, clean_consumer, compact, is_nameless, of_contract, with_words
from airflow_provider_schemas.render.layout import display_width, grid, padded, paragraph, two_sided
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import NOTHING, Versions, numbered, origin, when
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, arrow, counted, counts, who

_NAMED = 5
"""So many findings that are fine are named; of more, only the rules are counted."""


def report_text(report: Report, sheet: Sheet, versions: Versions = NOTHING) -> list[str]:
    """One report."""
    return [*header(report, sheet, versions), *body(report, sheet), *last_line(report, sheet)]


def reports_text(reports: Sequence[Report], sheet: Sheet, versions: Versions = NOTHING) -> list[str]:
    """Reports about several tables: those that have something to say, then those that fit, on one line."""
    silent = [one for one in reports if not one.findings and not one.notes]
    lines = _summary(reports, sheet)
    for one in sorted((one for one in reports if one.findings or one.notes), key=urgency):
        lines += ["", *header(one, sheet, versions), *body(one, sheet)]
    if silent:
        names = ", ".join(map(quiet_subject, silent))
        lines += ["", *paragraph(f"{verdict_word(Verdict.OK, sheet)}   {names}", sheet.width, hang=9)]
    return [*lines, "", f"{counted(len(reports), 'table')}: {counts(one.verdict for one in reports)}"]


def urgency(report: Report) -> int:
    """What the worst report is sorted by."""
    return -SEVERITY[report.verdict]


def _summary(reports: Sequence[Report], sheet: Sheet) -> list[str]:
    unfit = sum(not one.fits for one in reports)
    names = {
        one.name for report in reports for finding in report.findings if of_contract(RULES.get(finding.rule)) for one in finding.consumers
    }
    tables = counted(len(reports), "table")
    said = f"{clean(min(names))} needs {tables}" if len(names) == 1 else tables
    fits = "does" if unfit == 1 else "do"
    rest = f"{unfit} {fits} not fit" if unfit else "all fit" if len(reports) > 1 else "it fits"
    return paragraph(f"{verdict_word(worst(one.verdict for one in reports), sheet)}   {said}, {rest}", sheet.width, hang=2)


# ---------------------------------------------------------------- the header


def verdict_word(verdict: Verdict, sheet: Sheet) -> str:
    """✖ breaks."""
    return sheet.ink(f"{MARKS[verdict]} {VERDICTS[verdict]}", verdict)


def subject(report: Report) -> str:
    """shop.orders v41 -> v42."""
    return " ".join(part for part in (clean(report.table), arrow(report.old, report.new)) if part) or "the schema"


def header(report: Report, sheet: Sheet, versions: Versions, *, widest_gap: int | None = None) -> list[str]:
    """Write the verdict, the table and the origin of its version, then its owner, the job and the basis, a line each."""
    left = f"{verdict_word(report.verdict, sheet)}   {sheet.ink(subject(report), 'strong')}"
    version = numbered(versions, report)
    right = "" if version is None else f"{when(version)} {origin(version)}"
    about = [("owner", owner(report)), ("job", job(report, sheet))]
    said = [*(f"{word} {text}" for word, text in about if text), *([clean(report.basis)] if report.basis else [])]
    lines = two_sided(left, right, sheet.width, widest_gap=widest_gap)
    return lines + [line for text in said for line in paragraph(text, sheet.width, indent=2, hang=6)]


def quiet_subject(report: Report) -> str:
    """A table of which nothing is to be said but what its verdict rests on."""
    return f"{subject(report)} ({clean(report.basis)})" if report.basis else subject(report)


def owner(report: Report) -> str:
    """Who answers for the table, if all findings say the same."""
    found = {(one.owner, one.contact) for one in report.findings}
    return ", ".join(clean(part) for part in min(found) if part) if len(found) == 1 else ""


def job(report: Report, sheet: Sheet) -> str:
    """The job that was asked about, if all findings are about one."""
    asked = all(of_contract(RULES.get(one.rule)) for one in report.findings)
    found = {replace(one, rule="", message="") for finding in report.findings for one in finding.consumers}
    only = found.pop() if asked and len(found) == 1 else None
    return "" if only is None or is_nameless(only) else who(clean_consumer(with_words(only)), sheet.now)


def last_line(report: Report, sheet: Sheet) -> list[str]:
    """Count the findings by their verdicts."""
    found = counts(one.verdict for one in report.findings)
    return paragraph(found, sheet.width) if found else []


# ---------------------------------------------------------------- findings


def body(report: Report, sheet: Sheet) -> list[str]:
    """The findings, the worst first; then those that are fine, and the notes."""
    loud = [one for one in report.findings if sheet.verbose or one.verdict is not Verdict.OK or one.waived]
    shown = by_urgency(loud)
    lines = [line for block in _blocks([View.of(one, report.table) for one in shown[: sheet.limit]], report, sheet) for line in block]
    if len(shown) > sheet.limit:
        lines += paragraph(f"... and {more(shown[sheet.limit :])}", sheet.width, indent=2, hang=4)
    if len(loud) < len(report.findings):
        quiet = [one for one in report.findings if one.verdict is Verdict.OK and not one.waived]
        lines += paragraph(f"{sheet.ink(MARKS[Verdict.OK], Verdict.OK)} ok  {fine(quiet)}", sheet.width, indent=2, hang=8)
    return lines + [line for note in report.notes for line in paragraph(f"note: {clean(note)}", sheet.width, indent=2, hang=4)]


def more(findings: Sequence[Finding]) -> str:
    """312 more: 2 break, 310 warn."""
    return f"{len(findings):,} more: {counts(one.verdict for one in findings)}"


def fine(findings: Sequence[Finding]) -> str:
    """Findings that need no words: by name if they are few, else by rule."""
    if len(findings) <= _NAMED:
        return ", ".join(f"{compact(masked_finding(one))} ({clean(one.rule)})" for one in findings)
    rules = Counter(clean(one.rule) for one in findings)
    return ", ".join(f"{number:,} {rule}" for rule, number in rules.most_common())


def _blocks(views: Sequence[View], report: Report, sheet: Sheet) -> Iterator[list[str]]:
    room = max((display_width(MARKS[one.verdict]) for one in views), default=0)
    rows = [_cells(one, sheet, room) for one in views]
    rows = rows if any(one.place for one in views) else [row[1:] for row in rows]
    for view, lines in zip(once(views, job_is_known=bool(job(report, sheet))), grid(rows, sheet.width, indent=2), strict=True):
        yield [*lines, *details(view, report.contracts, sheet)]


def _cells(view: View, sheet: Sheet, room: int) -> list[str]:
    mark = f"{padded(sheet.ink(MARKS[view.verdict], view.verdict), room)} {sheet.ink(view.rule, 'strong')}"
    return [view.place, mark, view.identified]
