"""A run as Markdown for a comment: the verdict, a table of the tables, what breaks and whom, and below it what was compared.

The first line is a marker, by which a job finds its earlier comment and replaces it. Hosts refuse a comment that is
too long, so findings are left out, whole ones and the mildest first, and counted. Names and contacts of users become
code where a host would take them for a mention: a comment is written anew at every push, and must call nobody.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from airflow_provider_schemas.core.report import SEVERITY, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import Completed, Entry, cut, entries, harmless
from airflow_provider_schemas.render.ci.headline import NOT_JUDGED_MARK, headline
from airflow_provider_schemas.render.ci.sarif_rules import page
from airflow_provider_schemas.render.escaping import inline, markup, prose
from airflow_provider_schemas.render.finding_steps import LabelledText
from airflow_provider_schemas.render.finding_view import readers
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.report.text import subject
from airflow_provider_schemas.render.wording import MARKS, counted, listed

MARKER = "<!-- airflow-schemas -->"
GITHUB = 60_000
"""Bytes of UTF-8: GitHub takes 65,536 characters, and counts some of them twice."""
STEP_SUMMARY = 1_000_000
"""Bytes: GitHub takes 1 MiB a step."""
# The share of the whole that each part may have; findings get the rest.
_SHARE_OF_FAULTS = 4
_SHARE_OF_TABLES = 4
_SHARE_OF_END = 8
_NAMED_READERS = 5
_ROWS = 200
# A name or a list of readers of any length must not take the room of all findings.
_LONGEST = 500
_LONGEST_TEXT = 1_500
# The texts of a finding that are not folded.
_OPEN = frozenset(
    {"breaks", "job", "do instead", "fix in the job", "fix in the table", "keep the name", "let it through", "owner of the table"}
)


def comment(run: CheckRun, completed: Completed = str, limit: int = GITHUB) -> str:
    """Return the comment, with at most so many bytes."""
    told = entries(run, completed)
    head = [MARKER, f"### {prose(cut(headline(run), _LONGEST))}", ""]
    faults = _within(_fault_blocks(told), limit // _SHARE_OF_FAULTS, "could not be judged, too")
    faults += [""] * bool(faults)
    tables = _tables(run, limit // _SHARE_OF_TABLES)
    end = _end(run, limit // _SHARE_OF_END)
    used = sum(map(_size, chain(head, faults, tables, end)))
    findings = _within(_finding_blocks(told, run), limit - used - 200, "not shown here, the milder ones")
    return "\n".join([*head, *faults, *tables, *findings, *end])


def _size(line: str) -> int:
    return len(line.encode("utf-8", "surrogatepass")) + 1


def _within(blocks: Iterator[str], limit: int, left_out: str) -> list[str]:
    """Return the blocks that fit, whole ones, and a line that counts the others."""
    shown: list[str] = []
    size = 0
    hidden = 0
    for block in blocks:
        size += _size(block)
        if hidden or size > limit:
            hidden += 1
        else:
            shown.append(block)
    if hidden:
        shown.append(f"\n**{counted(hidden, 'finding')} more: {left_out}.**\n")
    return shown


# ---------------------------------------------------------------- tables


def _tables(run: CheckRun, limit: int) -> list[str]:
    """Return the table of the tables, the worst first."""
    if not run.reports:
        return []
    numbers = sorted(range(len(run.reports)), key=lambda number: (-SEVERITY[run.reports[number].verdict], number))
    lines = ["| | table | what | breaks | compared |", "| --- | --- | --- | --- | --- |"]
    size = sum(map(_size, lines))
    for shown, number in enumerate(numbers):
        row = _row(number, run)
        size += _size(row)
        if shown == _ROWS or size > limit:
            lines += ["", f"... and {counted(len(numbers) - shown, 'table')} more, none of them worse."]
            break
        lines.append(row)
    return [*lines, ""]


def _row(number: int, run: CheckRun) -> str:
    report = run.reports[number]
    compared = run.compared[number] if len(run.compared) >= len(run.reports) else ""
    if report.judged_by:
        compared = f"{compared} (judged by {report.judged_by})".strip()
    victims = listed(readers(finding for finding in report.findings if finding.verdict is Verdict.BREAK), _NAMED_READERS)
    texts = [subject(report), _what(report), victims, compared]
    cells = [MARKS[report.verdict], *(prose(cut(harmless(text), _LONGEST)) for text in texts)]
    return f"| {' | '.join(cells)} |"


def _what(report: Report) -> str:
    """Return the worst of a table, in the fewest words."""
    if not report.findings:
        return "fits"
    return summary(report).partition(": ")[2] or "fits"


# ---------------------------------------------------------------- findings


def _fault_blocks(told: Sequence[Entry]) -> Iterator[str]:
    for entry in told:
        if entry.finding is None:
            fix = " ".join(inline(cut(text.text, _LONGEST_TEXT), typed=text.typed) for text in entry.texts)
            yield f"- {NOT_JUDGED_MARK} **not judged:** {inline(cut(entry.message, _LONGEST_TEXT), typed=False)} {fix}".rstrip()


def _finding_blocks(told: Sequence[Entry], run: CheckRun) -> Iterator[str]:
    for entry in told:
        if entry.finding is not None:
            yield "\n".join(_finding_lines(entry, run))


def _finding_lines(entry: Entry, run: CheckRun) -> Iterator[str]:
    """Yield a finding: its line, whom it breaks and what to do; why, and everything else, folded."""
    yield ""
    yield f"{MARKS[entry.verdict]} **{prose(cut(entry.title, _LONGEST))}** {_rule(entry.rule, run)}{_place(entry)}"
    yield ""
    milder = entry.verdict in (Verdict.OK, Verdict.WARN)
    opened = [text for text in entry.texts if not milder and text.label in _OPEN]
    folded = [text for text in entry.texts if text not in opened]
    yield from map(_item, opened)
    if folded:
        yield f"\n<details><summary>{markup(', '.join(dict.fromkeys(text.label or 'and' for text in folded)))}</summary>\n"
        yield from map(_item, folded)
        yield "\n</details>"


def _item(text: LabelledText) -> str:
    words = f"{inline(cut(text.text, _LONGEST_TEXT), typed=text.typed)} {prose(cut(text.after, _LONGEST))}".rstrip()
    return f"- **{text.label or 'and'}:** {words}"


def _rule(name: str, run: CheckRun) -> str:
    """Return the rule, with a link to its page where its address is known."""
    if run.docs and name in RULES:
        return f"[{name}]({page(name, run.docs)})"
    return prose(name)


def _place(entry: Entry) -> str:
    place = entry.location
    if not place.is_file:
        return ""
    return (
        f" at {prose(cut(harmless(place.path), _LONGEST))}:{place.line}"
        if place.line
        else f" in {prose(cut(harmless(place.path), _LONGEST))}"
    )


# ---------------------------------------------------------------- the end


def _end(run: CheckRun, limit: int) -> list[str]:
    """Return the notes, and what was compared, folded."""
    lines = _bounded((f"> note: {prose(cut(harmless(note), _LONGEST_TEXT))}\n" for note in _notes(run)), limit // 2, "notes")
    if run.compared:
        compared = (f"- compared {prose(cut(harmless(text), _LONGEST))}" for text in run.compared)
        lines += [
            f"<details><summary>compared: {len(run.compared):,}</summary>\n",
            *_bounded(compared, limit // 2, "comparisons"),
            "\n</details>",
        ]
    if run.reports and not run.docs:
        lines.append("\n`airflow-schemas explain RULE` tells what a rule means.")
    return ["", *lines, ""]


def _notes(run: CheckRun) -> Iterator[str]:
    yield from run.notes
    for report in run.reports:
        yield from (f"{report.table}: {note}" for note in report.notes)


def _bounded(lines: Iterator[str], limit: int, noun: str) -> list[str]:
    """Return the lines that fit, and how many there are more."""
    shown: list[str] = []
    size = 0
    hidden = 0
    for line in lines:
        size += _size(line)
        if size > limit:
            hidden += 1
        else:
            shown.append(line)
    if hidden:
        shown.append(f"\n... and {hidden:,} more {noun}.")
    return shown
