"""A report as Markdown, for a pull request and for Airflow's approval form: a table, and the details below it."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.escaping import inline, markup, prose
from airflow_provider_schemas.render.findings.group_text import split_texts
from airflow_provider_schemas.render.findings.groups import ViewGroup, grouped
from airflow_provider_schemas.render.findings.view import View, readers, readers_text
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.text import (
    by_loudness,
    fine_text,
    labelled_facts,
    more,
    quiet_subject,
    split_findings,
    subject,
    table_counts,
)
from airflow_provider_schemas.render.version_entries import NOTHING, Versions, numbered, written_by
from airflow_provider_schemas.render.wording import MARKS, SIGNS, VERDICTS, counts, listed

QUESTIONS = ("data", "readers", "writers")
_NAMED_READERS = 5


class Frame(Struct, frozen=True):
    """The settings of a page: how much it shows, where the pages of the rules are, and the known versions."""

    sheet: Sheet
    docs: str = ""
    versions: Versions = NOTHING


def report_markdown(report: Report, frame: Frame) -> list[str]:
    """Return the lines of one report."""
    loud, fine = split_findings(report, verbose=frame.sheet.verbose)
    shown = findings(loud, report.contracts, frame, table=report.table, kept_elsewhere=report.kept_elsewhere)
    lines = [heading(report), *_facts(report, frame), *shown]
    if fine:
        lines += ["", f"{MARKS[Verdict.OK]} ok: {prose(fine_text(fine))}"]
    for note in report.notes:
        lines += ["", f"> note: {prose(note)}"]
    if report.findings:
        lines += ["", counts(finding.verdict for finding in report.findings)]
    return lines


def reports_markdown(reports: Sequence[Report], frame: Frame) -> list[str]:
    """Return the lines about several tables: those with findings or notes, then the others, on one line."""
    loud, silent = by_loudness(reports)
    lines: list[str] = []
    for report in loud:
        lines += [*report_markdown(report, frame), ""]
    if silent:
        names = ", ".join(map(quiet_subject, silent))
        lines += [f"{MARKS[Verdict.OK]} fits: {prose(names)}", ""]
    return [*lines, table_counts(reports)]


def heading(report: Report) -> str:
    """Return the heading: ✖ shop.orders v41 -> v42 breaks daily_report, ltv_model."""
    verdict = report.verdict
    word = "is invalid" if verdict is Verdict.INVALID else VERDICTS[verdict]
    line = f"### {MARKS[verdict]} {prose(subject(report))} {word}"
    if verdict is not Verdict.BREAK:
        return line
    victims = listed(readers(finding for finding in report.findings if finding.verdict is Verdict.BREAK), _NAMED_READERS)
    if victims:
        return f"{line} {prose(victims)}"
    return line


def _facts(report: Report, frame: Frame) -> list[str]:
    """Return the line with the origin of the version, the owner, the job and the basis, as far as they are known."""
    parts = [*labelled_facts(report, frame.sheet)]
    version = numbered(frame.versions, report)
    origin = written_by(version, report) if version else ""
    if origin:
        parts.insert(0, origin)
    if parts:
        return ["", " · ".join(map(prose, parts))]
    return []


# ---------------------------------------------------------------- findings


def findings(
    given: Sequence[Finding], contracts: int, frame: Frame, *, signs: bool = False, table: str = "", kept_elsewhere: bool = False
) -> list[str]:
    """Return a table of the findings, and a block with the details of each that is not fine."""
    shown = given[: frame.sheet.limit]
    hidden = given[frame.sheet.limit :]
    groups = grouped(shown, frame.sheet.limit, table, kept_elsewhere=kept_elsewhere).groups
    if not groups:
        return []
    lines = ["", *_table([view for group in groups for view in group.views], frame, signs)]
    if hidden:
        lines += ["", f"... and {more(hidden)}"]
    for group in groups:
        if group.first.verdict is not Verdict.OK or any(view.remarks for view in group.views):
            lines += _details(group, contracts, frame)
    return lines


def _table(views: Sequence[View], frame: Frame, signs: bool) -> Iterator[str]:
    questions = QUESTIONS if any(view.answers for view in views) else ("job",)
    titles = ["", "what", "rule", *questions]
    if any(view.place for view in views):
        titles.append("where")
    yield _row(titles)
    yield _row(["---"] * len(titles))
    for view in views:
        cells = _cells(view, frame, signs)
        yield _row([cells.get(title, "") for title in titles])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(view: View, frame: Frame, signs: bool) -> dict[str, str]:
    """Return the text of a finding below each title."""
    texts = {"": MARKS[view.verdict], "job": view.victims, "where": view.place, **dict(view.answers)}
    texts["what"] = view.identified
    if signs:
        texts["what"] = f"{SIGNS.get(view.rule, '~')} {view.what}"
    if view.victims or view.mends:
        texts["readers"] = readers_text(view, texts.get("readers", MARKS[view.verdict]))
    return {title: prose(text) for title, text in texts.items()} | {"rule": _link(view, frame)}


def _link(view: View, frame: Frame) -> str:
    """Return the rule with a link to its page."""
    if view.rule in RULES:
        return f"[{view.rule}]({frame.docs}{view.link})"
    return prose(view.rule)


def _details(group: ViewGroup, contracts: int, frame: Frame) -> Iterator[str]:
    """Yield the lines of a block that opens; its title is in it again, because the approval form leaves HTML out."""
    title = f"{MARKS[group.first.verdict]} {group.first.rule} {group.what}"
    yield from ("", f"<details><summary>{markup(title)}</summary>", "", f"**{prose(title)}**", "")
    shared, differing = split_texts(group, contracts, frame.sheet)
    for labelled in (*shared, *differing):
        text = inline(labelled.text, typed=labelled.typed)
        if labelled.after:
            text = f"{text} {prose(labelled.after)}"
        yield f"- **{labelled.label or 'and'}:** {text}"
    yield from ("", "</details>")
