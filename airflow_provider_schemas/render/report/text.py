"""A report as text: what breaks, for whom, why, and the next step; what is fine takes one line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.consumer_text import clean_consumer, is_nameless, who, without_default_name
from airflow_provider_schemas.render.finding_steps import of_contract
from airflow_provider_schemas.render.finding_text import details, without_repetitions
from airflow_provider_schemas.render.finding_view import View, by_urgency, compact
from airflow_provider_schemas.render.layout import display_width, grid, padded, paragraph, two_sided
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import NOTHING, Versions, numbered, written_by
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, arrow, counted, counts

_NAMED = 5
"""So many findings that are fine are named; of more, only the rules are counted."""


def report_text(report: Report, sheet: Sheet, versions: Versions = NOTHING) -> list[str]:
    """Return the lines of one report."""
    return [*header(report, sheet, versions), *body(report, sheet), *last_line(report, sheet)]


def reports_text(reports: Sequence[Report], sheet: Sheet, versions: Versions = NOTHING) -> list[str]:
    """Return the lines about several tables: those with findings or notes, then the others, on one line."""
    loud, silent = by_loudness(reports)
    lines = _first_line(reports, sheet)
    for report in loud:
        lines += ["", *header(report, sheet, versions), *body(report, sheet)]
    if silent:
        names = ", ".join(map(quiet_subject, silent))
        lines += ["", *paragraph(f"{verdict_word(Verdict.OK, sheet)}   {names}", sheet.width, hang=9)]
    return [*lines, "", table_counts(reports)]


def by_loudness(reports: Sequence[Report]) -> tuple[list[Report], list[Report]]:
    """Return the reports with findings or notes, the worst first, and the others."""
    loud = [report for report in reports if report.findings or report.notes]
    silent = [report for report in reports if not report.findings and not report.notes]
    return sorted(loud, key=lambda report: -SEVERITY[report.verdict]), silent


def table_counts(reports: Sequence[Report]) -> str:
    """Return how many tables there are of each verdict: 3 tables: 1 break, 2 ok."""
    return f"{counted(len(reports), 'table')}: {counts(report.verdict for report in reports)}"


def _first_line(reports: Sequence[Report], sheet: Sheet) -> list[str]:
    verdict = worst(report.verdict for report in reports)
    jobs = _jobs(reports)
    tables = counted(len(reports), "table")
    if len(jobs) == 1:
        tables = f"{clean(min(jobs))} needs {tables}"
    return paragraph(f"{verdict_word(verdict, sheet)}   {tables}, {_fit_text(reports)}", sheet.width, hang=2)


def _fit_text(reports: Sequence[Report]) -> str:
    unfit = sum(not report.fits for report in reports)
    if unfit == 1:
        return "1 does not fit"
    if unfit:
        return f"{unfit} do not fit"
    return "all fit" if len(reports) > 1 else "it fits"


def _jobs(reports: Sequence[Report]) -> set[str]:
    """Return the names of the jobs whose needs were judged."""
    names: set[str] = set()
    for finding in chain.from_iterable(report.findings for report in reports):
        if of_contract(RULES.get(finding.rule)):
            names.update(consumer.name for consumer in finding.consumers)
    return names


# ---------------------------------------------------------------- the header


def verdict_word(verdict: Verdict, sheet: Sheet) -> str:
    """Return the mark and the word of a verdict: ✖ breaks."""
    return sheet.ink(f"{MARKS[verdict]} {VERDICTS[verdict]}", verdict)


def subject(report: Report) -> str:
    """Return the table of a report and its versions: shop.orders v41 -> v42."""
    return " ".join(part for part in (clean(report.table), arrow(report.old, report.new)) if part) or "the schema"


def header(report: Report, sheet: Sheet, versions: Versions, *, widest_gap: int | None = None) -> list[str]:
    """Return the verdict, the table and the origin of its version, then its owner, the job and the basis, a line each."""
    left = f"{verdict_word(report.verdict, sheet)}   {sheet.ink(subject(report), 'strong')}"
    version = numbered(versions, report)
    right = ""
    if version:
        right = written_by(version, report)
    lines = two_sided(left, right, sheet.width, widest_gap=widest_gap)
    for text in labelled_facts(report, sheet):
        lines += paragraph(text, sheet.width, indent=2, hang=6)
    return lines


def labelled_facts(report: Report, sheet: Sheet) -> Iterator[str]:
    """Yield the owner of the table, the job, and what the verdict is based on, as far as they are known."""
    table_owner = owner(report)
    if table_owner:
        yield f"owner {table_owner}"
    only_job = job(report, sheet)
    if only_job:
        yield f"job {only_job}"
    if report.basis:
        yield clean(report.basis)


def quiet_subject(report: Report) -> str:
    """Return a table without findings, and what its verdict is based on."""
    if not report.basis:
        return subject(report)
    return f"{subject(report)} ({clean(report.basis)})"


def owner(report: Report) -> str:
    """Return who owns the table, if all findings name the same owner."""
    owners = {(finding.owner, finding.contact) for finding in report.findings}
    if len(owners) != 1:
        return ""
    return ", ".join(clean(part) for part in min(owners) if part)


def job(report: Report, sheet: Sheet) -> str:
    """Return the job whose needs were judged, if all findings are about one."""
    if not all(of_contract(RULES.get(finding.rule)) for finding in report.findings):
        return ""
    consumers = chain.from_iterable(finding.consumers for finding in report.findings)
    jobs = {replace(consumer, rule="", message="") for consumer in consumers}
    if len(jobs) != 1:
        return ""
    (only,) = jobs
    if is_nameless(only):
        return ""
    return who(clean_consumer(without_default_name(only)), sheet.now)


def last_line(report: Report, sheet: Sheet) -> list[str]:
    """Count the findings by their verdicts."""
    text = counts(finding.verdict for finding in report.findings)
    if not text:
        return []
    return paragraph(text, sheet.width)


# ---------------------------------------------------------------- findings


def body(report: Report, sheet: Sheet) -> list[str]:
    """Return the lines of the findings, the worst first; then those that are fine, and the notes."""
    loud, fine = split_findings(report, verbose=sheet.verbose)
    views = [View.of(finding, report.table, kept_elsewhere=report.kept_elsewhere) for finding in loud[: sheet.limit]]
    lines = finding_lines(views, sheet, contracts=report.contracts, job_is_known=bool(job(report, sheet)))
    if len(loud) > sheet.limit:
        lines += paragraph(f"... and {more(loud[sheet.limit :])}", sheet.width, indent=2, hang=4)
    if fine:
        lines += paragraph(f"{sheet.ink(MARKS[Verdict.OK], Verdict.OK)} ok  {fine_text(fine)}", sheet.width, indent=2, hang=8)
    for note in report.notes:
        lines += paragraph(f"note: {clean(note)}", sheet.width, indent=2, hang=4)
    return lines


def split_findings(report: Report, *, verbose: bool) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that are told one by one, the worst first, and those that are fine; verbose tells all."""
    if verbose:
        return by_urgency(report.findings), []
    fine = [finding for finding in report.findings if finding.verdict is Verdict.OK and not finding.waived]
    loud = [finding for finding in report.findings if finding.verdict is not Verdict.OK or finding.waived]
    return by_urgency(loud), fine


def more(findings: Sequence[Finding]) -> str:
    """Return how many findings there are of each verdict: 312 more: 2 break, 310 warn."""
    return f"{len(findings):,} more: {counts(finding.verdict for finding in findings)}"


def fine_text(findings: Sequence[Finding]) -> str:
    """Return the findings that are fine: by name if they are few, else by rule."""
    if len(findings) <= _NAMED:
        return ", ".join(f"{compact(masked_finding(finding))} ({clean(finding.rule)})" for finding in findings)
    rules = Counter(clean(finding.rule) for finding in findings)
    return ", ".join(f"{number:,} {rule}" for rule, number in rules.most_common())


def finding_lines(views: Sequence[View], sheet: Sheet, *, contracts: int, job_is_known: bool) -> list[str]:
    """Return the lines of findings; `contracts` is how many registered readers were judged."""
    mark_width = max((display_width(MARKS[view.verdict]) for view in views), default=0)
    cells = [_cells(view, sheet, mark_width) for view in views]
    if any(view.place for view in views):
        cells = [[view.place, *row] for view, row in zip(views, cells, strict=True)]
    lines: list[str] = []
    for view, row in zip(without_repetitions(views, job_is_known=job_is_known), grid(cells, sheet.width, indent=2), strict=True):
        lines += [*row, *details(view, contracts, sheet)]
    return lines


def _cells(view: View, sheet: Sheet, mark_width: int) -> list[str]:
    mark = padded(sheet.ink(MARKS[view.verdict], view.verdict), mark_width)
    return [f"{mark} {sheet.ink(view.rule, 'strong')}", view.identified]
