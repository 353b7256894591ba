"""The block that ends the log of a task whose tables do not fit: what, who changed it, whom it breaks, and what to do about it."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.layout import commands_apart, display_width, is_command, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.report.text import body, header, last_line, owner, quiet_subject
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted, counts, listed
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.output.cli_commands import format_command, format_undo, format_waiver

# A log at night is read from its end: what does not fit on two screens is only counted.
_MAX_LINES = 120
_MAX_TABLES = 6
_MAX_FINDINGS = 12
_MAX_FITTING_TABLES = 20
_MAX_WAIVED = 5
_MAX_COMMANDED_FINDINGS = 3
_MAX_CHARACTERS = 400
# What Airflow's log view shows of a line. Commands are longer where they have to be: one that is broken cannot be pasted.
_WIDTH = 110
_WIDEST_GAP = 3
_HANG = 4
_AGAIN = "again      "
_OUTCOMES = {
    "fail": "The task has failed and is not tried again.",
    "skip": "The task is skipped (on_incompatible or on_missing is 'skip').",
    "warn": "The task goes on (on_incompatible or on_missing is 'warn').",
}
# What marking the task as success does. A guard stands on the job itself, which Airflow then counts as done without running it.
_GATE_MARKED = "Marked as success, this gate lets the tasks behind it run in this run."
_GATE_SEEN = "If the job is right as it is, mark the task as success: what it saw just now is what it is judged by from then on."
_SKIPPED_BEHIND = " Clear the tasks behind it as well: they were skipped, and Airflow does not start them by itself."
_GUARD_MARKED = "Marked as success, this task does not run, and the tasks behind it work with what an earlier run left."
_GUARD_SEEN = " Later runs are then judged by what it saw just now."
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z])")


class FailureReport(Struct, frozen=True, kw_only=True):
    """A judgement with all that the end of a log says besides."""

    judgement: Judgement
    outcome: str
    conn_id: str = ""
    notes: tuple[str, ...] = ()
    check_commands: Mapping[str, str] = {}
    """The command that checks each table again."""
    bases: Mapping[str, str] = {}
    """How each table was judged, in a few words."""
    baseline_tables: frozenset[str] = frozenset()
    """The tables that were judged against the version that an earlier run saw."""
    is_guard: bool = False
    """Whether the task is guarded: it is the job itself, and no gate in front of it."""


def unfit(judgement: Judgement) -> list[TableAnswer]:
    """Return the tables that do not fit or are not there, the worst first."""
    return _worst_first(answer for answer in judgement.tables if not answer.fits or answer.version is None)


def _worst_first(answers: Iterable[TableAnswer]) -> list[TableAnswer]:
    return sorted(answers, key=lambda answer: -SEVERITY[answer.report.verdict])


def format_block(report: FailureReport) -> str:
    """Write the whole block; where all is well, the lines about the tables alone."""
    if not unfit(report.judgement):
        return "\n".join(line for _, line in format_lines(report))
    lines = [*_head(report), *_unfit_tables(report), *_fitting_tables(report), *_notes(report), "", *_next_steps(report)]
    return "\n".join(_fit_to_width(lines))


def format_lines(report: FailureReport) -> list[tuple[str, str]]:
    """Write a line for each table of a task that goes on, and the notes; each line with the outcome that decides its log level."""
    lines: list[tuple[str, str]] = []
    answers = _worst_first(report.judgement.tables)
    for answer in answers[:_MAX_FITTING_TABLES]:
        outcome = "warn" if answer.report.verdict is Verdict.WARN else "fits"
        lines += [(outcome, line) for line in _table_lines(answer, report)]
    if len(answers) > _MAX_FITTING_TABLES:
        lines.append(("fits", f"... and {counted(len(answers) - _MAX_FITTING_TABLES, 'more table')}"))
    lines += [("warn", note) for note in _notes(report)]
    lines.append(("fits", _requests(report)))
    return [(outcome, part) for outcome, line in lines for part in _fit_to_width([line])]


def _table_lines(answer: TableAnswer, report: FailureReport) -> Iterator[str]:
    """Write the verdict on one table, the findings that are let through, and the notes about findings."""
    about = answer.report
    yield "  ".join(part for part in (summary(about), report.bases.get(answer.table, ""), clean(about.basis)) if part)
    waived = [finding for finding in about.findings if finding.waived]
    for finding in waived[:_MAX_WAIVED]:
        yield f"  let through: {clean(finding.rule)} {clean(finding.path)}, {clean(finding.waived)}"
    if about.findings:
        yield from (f"  note: {clean(note)}" for note in about.notes)


def _fit_to_width(lines: Iterable[str]) -> Iterator[str]:
    """Break lines that are too wide, and cut what is far too long; commands stay whole."""
    for line in lines:
        if line.startswith(_AGAIN) or is_command(line) or display_width(line) <= _WIDTH:
            yield line
            continue
        parts = [*commands_apart([line], _WIDTH)]
        if len(parts) > 1:
            yield from parts
        else:
            indent = len(line) - len(line.lstrip())
            yield from paragraph(line[:_MAX_CHARACTERS].strip(), _WIDTH, indent=indent, hang=indent + _HANG)


# ---------------------------------------------------------------- the head


def _head(report: FailureReport) -> Iterator[str]:
    judgement = report.judgement
    tables = {answer.table for answer in judgement.tables}
    unfit_tables = {answer.table for answer in unfit(judgement)}
    do = "does" if len(unfit_tables) == 1 else "do"
    verdict = f"{MARKS[judgement.verdict]} {VERDICTS[judgement.verdict]}"
    needs = f"{clean(judgement.consumer)} needs {counted(len(tables), 'table')}, {len(unfit_tables)} {do} not fit"
    yield f"SCHEMA GATE  {verdict}   {needs}   ({_requests(report)})"


def _requests(report: FailureReport) -> str:
    """Count the requests to the storage, those for registering included."""
    judgement = report.judgement
    counts = [counted(judgement.lists, "list"), counted(judgement.gets, "get")]
    if judgement.puts:
        counts.append(counted(judgement.puts, "put"))
    requests = f"asked {' + '.join(counts)}, {judgement.millis} ms"
    if report.conn_id:
        return f"{clean(report.conn_id)}: {requests}"
    return requests


# ---------------------------------------------------------------- the tables


def _unfit_tables(report: FailureReport) -> Iterator[str]:
    """Write about the worst tables, each in its share of the room, and name the others."""
    answers = unfit(report.judgement)
    shown, others = answers[:_MAX_TABLES], answers[_MAX_TABLES:]
    limit = max(1, _MAX_FINDINGS // len(shown))
    for answer in shown:
        yield ""
        yield from _cut([*_unfit_table(answer, report, limit)], _MAX_LINES // len(shown))
    if others:
        yield ""
        yield f"and {listed((_counted_findings(answer) for answer in others), 10)}"


def _counted_findings(answer: TableAnswer) -> str:
    return f"{clean(answer.table)} ({counts(finding.verdict for finding in answer.report.findings)})"


def _cut(lines: Sequence[str], limit: int) -> Iterator[str]:
    yield from lines[:limit]
    if len(lines) > limit:
        yield f"      ... and {len(lines) - limit:,} more lines"


def _unfit_table(answer: TableAnswer, report: FailureReport, limit: int) -> Iterator[str]:
    if answer.version is None and answer.report.findings:
        return _missing_table(answer, report)
    return (line.rstrip().replace(JOINED, " ") for line in _broken_table(answer, report, limit))


def _missing_table(answer: TableAnswer, report: FailureReport) -> Iterator[str]:
    """Write about a table without a version: nothing about it can be waived, and nothing but its name can be wrong."""
    finding = answer.report.findings[0]
    yield f"{MARKS[answer.report.verdict]} {VERDICTS[answer.report.verdict]}   {clean(finding.message)}"
    yield "      next step         Create the table, or mend the name, if it is another."
    command = format_command("ls", answer.table.partition(".")[0], conn_id=report.conn_id)
    if command:
        yield f"        {command}"


def _broken_table(answer: TableAnswer, report: FailureReport, limit: int) -> Iterator[str]:
    """Write the report on one table, with its owner below the first line, and what can be typed about its findings."""
    about = answer.report
    sheet = Sheet(width=_WIDTH, limit=limit, connection=_connection_option(report.conn_id))
    versions = {} if answer.version is None else {about.table: (answer.version,)}
    first, *rest = header(about, sheet, versions, widest_gap=_WIDEST_GAP)
    yield first
    table_owner = _table_owner(answer)
    if table_owner and not owner(about):
        yield f"  owner {table_owner}"
    yield from rest
    yield from body(about, sheet)
    if answer.table in report.baseline_tables:
        yield from _baseline_commands(answer, report, limit)
    if len(about.findings) > 1:
        yield from last_line(about, sheet)


def _connection_option(conn_id: str) -> str:
    """Return the option that names the connection in a command; empty where it could not be typed as it is shown."""
    if conn_id and conn_id.isprintable():
        return f"--conn {shlex.quote(conn_id)}"
    return ""


def _table_owner(answer: TableAnswer) -> str:
    """Return who answers for the table, and how to reach them, as far as its schema says."""
    if answer.version is None:
        return ""
    try:
        attributes = answer.version.schema.table_attributes
    except SchemaError:
        return ""
    return ", ".join(clean(str(attributes[key])) for key in ("owner", "contact") if attributes.get(key))


def _baseline_commands(answer: TableAnswer, report: FailureReport, limit: int) -> Iterator[str]:
    """Write the commands about findings that no contract was checked for: the renderer has commands for contracts alone."""
    worst_first = sorted(answer.report.findings, key=lambda finding: -SEVERITY[finding.verdict])
    for finding in worst_first[: min(limit, _MAX_COMMANDED_FINDINGS)]:
        commands = {
            "fix in the table": format_undo(finding, answer.report.table, report.conn_id, kept_elsewhere=answer.report.kept_elsewhere),
            "let it through": format_waiver(finding, answer.table, report.judgement.consumer, report.conn_id),
        }
        yield from (f"      {label:<18}{command}" for label, command in commands.items() if command)


def _fitting_tables(report: FailureReport) -> Iterator[str]:
    broken = unfit(report.judgement)
    fitting = [answer for answer in report.judgement.tables if answer not in broken]
    if fitting:
        yield ""
        yield f"fits       {listed((clean(quiet_subject(answer.report)) for answer in fitting), _MAX_FITTING_TABLES)}"


def _notes(report: FailureReport) -> Iterator[str]:
    yield from (f"note: {clean(without_credentials(note))}" for note in report.notes)


# ---------------------------------------------------------------- the next steps


def _next_steps(report: FailureReport) -> Iterator[str]:
    """Write what to do, and the commands that check the tables again."""
    yield f"what now   {_OUTCOMES[report.outcome]}"
    yield from (f"{' ' * _HANG}{sentence}" for sentence in _SENTENCE_END.split(_way_out(report)))
    for table, command in list(report.check_commands.items())[:_MAX_TABLES]:
        yield f"{_AGAIN}{command or format_command('log', table, conn_id=report.conn_id)}".rstrip()


def _way_out(report: FailureReport) -> str:
    """Return the sentences that say how the task comes to run."""
    if report.outcome == "warn":
        return "The warning is repeated until the tables fit or what does not is let through."
    mended = "When the table or the job is mended, or what breaks is let through, clear the task."
    from_baseline = any(answer.table in report.baseline_tables for answer in unfit(report.judgement))
    if report.is_guard:
        seen = _GUARD_SEEN if from_baseline else ""
        return f"{mended} {_GUARD_MARKED}{seen}"
    again = _GATE_SEEN if from_baseline else _GATE_MARKED
    behind = _SKIPPED_BEHIND if report.outcome == "skip" else ""
    return f"{mended} {again}{behind}"
