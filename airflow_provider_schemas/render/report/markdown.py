"""A report as Markdown, for a pull request and for Airflow's approval form: a table, and the details below it."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.escaping import code, markup, prose
from airflow_provider_schemas.render.finding_text import said
from airflow_provider_schemas.render.finding_view import View, by_urgency, readers, readers_answer
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.text import fine, job, more, owner, quiet_subject, subject, urgency
from airflow_provider_schemas.render.version_entries import NOTHING, Versions, numbered, origin, when
from airflow_provider_schemas.render.wording import MARKS, SIGNS, VERDICTS, counted, counts, listed

QUESTIONS = ("data", "readers", "writers")


class Frame(Struct, frozen=True):
    """What is around a page: how much goes on it, and where the pages of the rules are."""

    sheet: Sheet
    docs: str = ""
    versions: Versions = NOTHING


def report_markdown(report: Report, frame: Frame) -> list[str]:
    """One report."""
    loud = [one for one in report.findings if frame.sheet.verbose or one.verdict is not Verdict.OK or one.waived]
    shown = by_urgency(loud)
    lines = [heading(report), *_about(report, frame), *findings(shown, report.contracts, frame, table=report.table)]
    if len(loud) < len(report.findings):
        quiet = [one for one in report.findings if one.verdict is Verdict.OK and not one.waived]
        lines += ["", f"{MARKS[Verdict.OK]} ok: {prose(fine(quiet))}"]
    lines += notes(report)
    return [*lines, "", counts(one.verdict for one in report.findings)] if report.findings else lines


def reports_markdown(reports: Sequence[Report], frame: Frame) -> list[str]:
    """Reports about several tables: those that have something to say, then those that fit, on one line."""
    loud = sorted((one for one in reports if one.findings or one.notes), key=urgency)
    silent = [quiet_subject(one) for one in reports if not one.findings and not one.notes]
    lines = [line for one in loud for line in [*report_markdown(one, frame), ""]]
    lines += [f"{MARKS[Verdict.OK]} fits: {prose(', '.join(silent))}", ""] if silent else []
    return [*lines, f"{counted(len(reports), 'table')}: {counts(one.verdict for one in reports)}"]


def heading(report: Report) -> str:
    """✖ shop.orders v41 -> v42 breaks daily_report, ltv_model."""
    verdict = report.verdict
    victims = listed(readers(one for one in report.findings if one.verdict is Verdict.BREAK), 5) if verdict is Verdict.BREAK else ""
    word = "is invalid" if verdict is Verdict.INVALID else VERDICTS[verdict]
    return f"### {MARKS[verdict]} {prose(subject(report))} {word}" + (f" {prose(victims)}" if victims else "")


def _about(report: Report, frame: Frame) -> list[str]:
    version, asked = numbered(frame.versions, report), job(report, frame.sheet)
    parts = [f"{when(version)} {origin(version)}"] if version else []
    parts += [f"owner {found}"] if (found := owner(report)) else []
    parts += [f"job {asked}"] if asked else []
    parts += [report.basis] if report.basis else []
    return ["", " · ".join(map(prose, parts))] if parts else []


def notes(report: Report) -> list[str]:
    """What is no finding and has to be said."""
    return [line for note in report.notes for line in ("", f"> note: {prose(note)}")]


# ---------------------------------------------------------------- findings


def findings(found: Sequence[Finding], contracts: int, frame: Frame, *, signs: bool = False, table: str = "") -> list[str]:
    """A table of the findings, and a block for each of which there is more to say."""
    views = [View.of(one, table) for one in found[: frame.sheet.limit]]
    if not views:
        return []
    rest = found[frame.sheet.limit :]
    lines = ["", *_table(views, frame, signs), *(["", f"... and {more(rest)}"] if rest else [])]
    return lines + [line for one in views if one.verdict is not Verdict.OK or one.remarks for line in _details(one, contracts, frame)]


def _table(views: Sequence[View], frame: Frame, signs: bool) -> Iterator[str]:
    titles = ["", "what", "rule", *(QUESTIONS if any(one.answers for one in views) else ("job",))]
    titles += ["where"] if any(one.place for one in views) else []
    yield _row(titles)
    yield _row(["---"] * len(titles))
    for one in views:
        cells = _cells(one, frame, signs)
        yield _row([cells.get(title, "") for title in titles])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(view: View, frame: Frame, signs: bool) -> dict[str, str]:
    """What a finding has to say below each title."""
    said = dict(view.answers)
    if view.victims or view.mends:
        said["readers"] = readers_answer(view, said.get("readers", MARKS[view.verdict]))
    what = f"{SIGNS.get(view.rule, '~')} {view.what}" if signs else view.identified
    texts = {"": MARKS[view.verdict], "what": what, "job": view.victims, "where": view.place, **said}
    return {title: prose(one) for title, one in texts.items()} | {"rule": _link(view, frame)}


def _link(view: View, frame: Frame) -> str:
    """The rule, and the way to its page."""
    return f"[{view.rule}]({frame.docs}{view.link})" if view.rule in RULES else prose(view.rule)


def _details(view: View, contracts: int, frame: Frame) -> Iterator[str]:
    """A block that opens; its title stands in it again, because the approval form leaves HTML out."""
    title = f"{MARKS[view.verdict]} {view.rule} {view.identified}"
    yield from ("", f"<details><summary>{markup(title)}</summary>", "", f"**{prose(title)}**", "")
    for one in said(view, contracts, frame.sheet):
        words = [code(one.text) if one.typed else prose(one.text), prose(one.after)]
        yield f"- **{one.label or 'and'}:** {' '.join(word for word in words if word)}"
    yield from ("", "</details>")
