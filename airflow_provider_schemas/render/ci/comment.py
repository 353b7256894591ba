"""A run as Markdown for a comment: the verdict, a table of the tables, what breaks and whom, and below it what was compared.

The first line is a marker, by which a job finds its earlier comment and replaces it. Hosts refuse a comment that is
too long, so findings are left out, whole ones and the mildest first, and counted. Names and contacts of users become
code where a host would take them for a mention: a comment is written anew at every push, and must call nobody.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from airflow_provider_schemas.core.report import SEVERITY, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import Completed, Entry, cut, entries, harmless
from airflow_provider_schemas.render.ci.headline import NOT_JUDGED_MARK, headline
from airflow_provider_schemas.render.ci.sarif_rules import page
from airflow_provider_schemas.render.escaping import inline, markup, prose
from airflow_provider_schemas.render.findings.steps import LabelledText
from airflow_provider_schemas.render.findings.view import readers
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.report.text import subject
from airflow_provider_schemas.render.wording import MARKS, counted, listed

_BLANK_LINES = re.compile(r"\n{3,}")
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
_NAMED_TABLES = 10
_FEWEST_ROWS = 2
_ROWS = 200
# A name or a list of readers of any length must not take the room of all findings.
_LONGEST = 500
_LONGEST_TEXT = 1_500
# The texts of a finding that are not folded.
_OPEN = frozenset(
    {"breaks", "job", "do instead", "fix in the job", "fix in the table", "keep the name", "or accept it", "let it through"}
    | {"owner of the table"}
)
_MORE_NOTES = "\n... and {:,} more notes.".format
_MORE_COMPARISONS = "\n... and {:,} more comparisons.".format


def comment(run: CheckRun, completed: Completed = str, limit: int = GITHUB) -> str:
    """Return the comment, with at most so many bytes."""
    told = entries(run, completed)
    head = [MARKER, f"### {prose(cut(headline(run), _LONGEST))}", ""]
    faults = _within(_fault_blocks(told), limit // _SHARE_OF_FAULTS, partial(_more_findings, "could not be judged, too"))
    faults += [""] * bool(faults)
    tables = _tables(run, limit // _SHARE_OF_TABLES)
    end = _end(run, limit // _SHARE_OF_END)
    used = sum(map(_size, chain(head, faults, tables, end)))
    findings = _within(_finding_blocks(told, run), limit - used - 200, partial(_more_findings, "not shown here, the milder ones"))
    return _BLANK_LINES.sub("\n\n", "\n".join([*head, *faults, *tables, *findings, *end]))


def _size(line: str) -> int:
    return len(line.encode("utf-8", "surrogatepass")) + 1


def _within(blocks: Iterator[str], limit: int, more: Callable[[int], str]) -> list[str]:
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
        shown.append(more(hidden))
    return shown


def _more_findings(what: str, number: int) -> str:
    return f"\n**{counted(number, 'finding')} more: {what}.**\n"


# ---------------------------------------------------------------- tables


def _tables(run: CheckRun, limit: int) -> list[str]:
    """Return the table of the tables, the worst first. Of a single one the headline says as much."""
    if len(run.reports) < _FEWEST_ROWS:
        return []
    numbers = sorted(range(len(run.reports)), key=lambda number: (-SEVERITY[run.reports[number].verdict], number))
    lines = ["| | table | what | breaks |", "| --- | --- | --- | --- |"]
    size = sum(map(_size, lines))
    for shown, number in enumerate(numbers):
        row = _row(run.reports[number])
        size += _size(row)
        if shown == _ROWS or size > limit:
            lines += ["", f"... and {counted(len(numbers) - shown, 'table')} more, none of them worse."]
            break
        lines.append(row)
    return [*lines, ""]


def _row(report: Report) -> str:
    victims = listed(readers(finding for finding in report.findings if finding.verdict is Verdict.BREAK), _NAMED_READERS)
    cells = [MARKS[report.verdict], *(prose(cut(harmless(text), _LONGEST)) for text in (subject(report), _what(report), victims))]
    return f"| {' | '.join(cells)} |"


def _compared_with(number: int, run: CheckRun) -> str:
    """Return what was compared with what, and what the verdict rests on, if it is not schema files alone."""
    basis = run.reports[number].judged_by if number < len(run.reports) else ""
    compared = run.compared[number] if len(run.compared) >= len(run.reports) else ""
    return f"{compared} (judged by {basis})".strip() if basis else compared


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
    """Yield each finding; one that is the same against git and against a store once."""
    blocks = ("\n".join(_finding_lines(entry, run)) for entry in told if entry.finding is not None)
    yield from dict.fromkeys(blocks)


def _finding_lines(entry: Entry, run: CheckRun) -> Iterator[str]:
    """Yield a finding: its line, whom it breaks and what to do; why, and everything else, folded."""
    yield ""
    yield f"{MARKS[entry.verdict]} **{prose(cut(entry.title, _LONGEST))}** {_rule(entry.rule, run)}{_place(entry)}"
    milder = entry.verdict in (Verdict.OK, Verdict.WARN)
    opened = [text for text in entry.texts if not milder and text.label in _OPEN]
    folded = [text for text in entry.texts if text not in opened]
    if opened:
        yield ""
    yield from map(_item, opened)
    if folded:
        labels = dict.fromkeys((text.label or "and").removeprefix("or ") for text in folded)
        yield f"\n<details><summary>{markup(', '.join(labels))}</summary>\n"
        yield from map(_item, folded)
        yield "\n</details>"


def _item(text: LabelledText) -> str:
    return f"- **{text.label or 'and'}:** {_words(text)}"


def _words(text: LabelledText) -> str:
    return f"{inline(cut(text.text, _LONGEST_TEXT), typed=text.typed)} {prose(cut(text.after, _LONGEST))}".rstrip()


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
    notes = (f"- note: {inline(cut(harmless(note), _LONGEST_TEXT), typed=False)}" for note in _notes(run))
    lines = _within(notes, limit // 2, _MORE_NOTES)
    if run.compared:
        texts = [_compared_with(number, run) or text for number, text in enumerate(run.compared)]
        compared = (f"- compared {prose(cut(harmless(text), _LONGEST))}" for text in texts)
        lines += [
            f"\n<details><summary>compared: {len(run.compared):,}</summary>\n",
            *_within(compared, limit // 2, _MORE_COMPARISONS),
            "\n</details>",
        ]
    if run.reports and not run.docs:
        lines.append("\n`airflow-schemas explain RULE` tells what a rule means.")
    return ["", *lines, ""]


def _notes(run: CheckRun) -> Iterator[str]:
    """Yield the notes of the run, then those of tables: the same one once, behind the tables that it is about."""
    yield from run.notes
    tables: dict[str, list[str]] = {}
    for report in run.reports:
        for note in report.notes:
            tables.setdefault(note, []).append(report.table)
    for note, names in tables.items():
        yield f"{listed(dict.fromkeys(names), _NAMED_TABLES)}: {note}"
