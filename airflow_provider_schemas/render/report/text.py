"""A report as text: what breaks, for whom, why, and the next step; what is fine takes one line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict, verdicts_of_tables, worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.consumer_text import clean_consumer, is_nameless, who, without_default_name
from airflow_provider_schemas.render.findings.group_text import group_details
from airflow_provider_schemas.render.findings.groups import ViewGroup, across_tables, grouped, reports_alike, without_repetitions
from airflow_provider_schemas.render.findings.steps import of_contract, place_text
from airflow_provider_schemas.render.findings.view import by_urgency, compact
from airflow_provider_schemas.render.layout import display_width, grid, padded, paragraph, two_sided
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import NOTHING, Versions, numbered, written_by
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, arrow, counted, counts, listed

_NAMED = 5
"""So many findings that are fine are named; of more, only the rules are counted."""
_NAMED_PLACES = 3


def report_text(report: Report, sheet: Sheet, versions: Versions = NOTHING) -> list[str]:
    """Return the lines of one report."""
    return [*header(report, sheet, versions), *body(report, sheet), *last_line(report, sheet)]


def reports_text(reports: Sequence[Report], sheet: Sheet, versions: Versions = NOTHING) -> list[str]:
    """Return the lines about several tables: those with findings or notes, then the others, on one line."""
    loud, silent = by_loudness(reports)
    lines = _first_line(reports, sheet)
    for alike in reports_alike(loud):
        if len(alike) > 1:
            lines += ["", *_tables_text(alike, sheet)]
        else:
            lines += ["", *header(alike[0], sheet, versions), *body(alike[0], sheet)]
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
    verdicts = verdicts_of_tables(reports)
    return f"{counted(len(verdicts), 'table')}: {counts(verdicts)}"


def _first_line(reports: Sequence[Report], sheet: Sheet) -> list[str]:
    verdict = worst(verdicts_of_tables(reports))
    return paragraph(f"{verdict_word(verdict, sheet)}   {tables_sentence(reports)}", sheet.width, hang=2)


def tables_sentence(reports: Sequence[Report]) -> str:
    """Return how many tables fit, and for which job: daily_report needs 3 tables, 1 does not fit."""
    verdicts = verdicts_of_tables(reports)
    jobs = _jobs(reports)
    tables = counted(len(verdicts), "table")
    if len(jobs) == 1:
        tables = f"{clean(min(jobs))} needs {tables}"
    return f"{tables}, {_fit_text(verdicts)}"


def _fit_text(verdicts: Sequence[Verdict]) -> str:
    unfit = sum(SEVERITY[verdict] > SEVERITY[Verdict.WARN] for verdict in verdicts)
    if unfit == 1:
        return "1 does not fit"
    if unfit:
        return f"{unfit} do not fit"
    return "all fit" if len(verdicts) > 1 else "it fits"


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
    found = grouped(loud, sheet.limit, report.table, kept_elsewhere=report.kept_elsewhere)
    lines = finding_lines(found.groups, sheet, contracts=report.contracts, job_is_known=bool(job(report, sheet)))
    return [*lines, *_hidden_line(found.hidden, sheet), *_fine_and_notes(fine, report, sheet)]


def _hidden_line(hidden: Sequence[Finding], sheet: Sheet) -> list[str]:
    return paragraph(f"... and {more(hidden)}", sheet.width, indent=2, hang=4) if hidden else []


def _fine_and_notes(fine: Sequence[Finding], report: Report, sheet: Sheet) -> list[str]:
    lines: list[str] = []
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


def finding_lines(groups: Sequence[ViewGroup], sheet: Sheet, *, contracts: int, job_is_known: bool) -> list[str]:
    """Return the lines of findings; `contracts` is how many registered readers were judged."""
    mark_width = max((display_width(MARKS[group.first.verdict]) for group in groups), default=0)
    cells = [_cells(group, sheet, mark_width) for group in groups]
    if any(group.place for group in groups):
        cells = [[group.place, *row] for group, row in zip(groups, cells, strict=True)]
    lines: list[str] = []
    for group, row in zip(without_repetitions(groups, job_is_known=job_is_known), grid(cells, sheet.width, indent=2), strict=True):
        lines += [*row, *group_details(group, contracts, sheet)]
    return lines


def _cells(group: ViewGroup, sheet: Sheet, mark_width: int) -> list[str]:
    verdict = group.first.verdict
    mark = padded(sheet.ink(MARKS[verdict], verdict), mark_width)
    return [f"{mark} {sheet.ink(group.first.rule, 'strong')}", group.what]


# ---------------------------------------------------------------- the same in several tables


def _tables_text(reports: Sequence[Report], sheet: Sheet) -> list[str]:
    """Return the lines about tables with the same findings: the tables, then each finding once."""
    first = reports[0]
    lines = paragraph(f"{verdict_word(first.verdict, sheet)}   {sheet.ink(counted(len(reports), 'table'), 'strong')}", sheet.width)
    places = [_places(report) for report in reports[: sheet.limit]]
    cells = [[subject(report), place] for report, place in zip(reports, places, strict=False)]
    lines += chain.from_iterable(grid(cells, sheet.width, indent=4))
    if len(reports) > sheet.limit:
        lines.append(f"    and {len(reports) - sheet.limit:,} more")
    for text in _shared_facts(reports, sheet):
        lines += paragraph(text, sheet.width, indent=2, hang=6)
    findings = [split_findings(report, verbose=sheet.verbose) for report in reports[: sheet.limit]]
    loud, fine = findings[0]
    groups = [*across_tables([of_report for of_report, _ in findings], reports, sheet.limit)]
    lines += finding_lines(groups, sheet, contracts=first.contracts, job_is_known=bool(job(first, sheet)))
    return [*lines, *_hidden_line(loud[sheet.limit :], sheet), *_fine_and_notes(fine, first, sheet)]


def _places(report: Report) -> str:
    """Return where the findings of a table are: the lines of its file."""
    places = dict.fromkeys(place_text(finding.place) for finding in by_urgency(report.findings) if finding.place is not None)
    return listed(places, _NAMED_PLACES)


def _shared_facts(reports: Sequence[Report], sheet: Sheet) -> list[str]:
    """Return the owner, the job and the basis, as far as they are those of all the tables."""
    facts = [[*labelled_facts(report, sheet)] for report in reports]
    return [fact for fact in facts[0] if all(fact in others for others in facts)]
