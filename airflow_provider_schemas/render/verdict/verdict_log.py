"""What a log says of a verdict, printed from the plain values in XCom alone: the log of a task and a page about it say the same."""

from collections.abc import Iterable, Iterator, Sequence

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.findings.groups import ViewGroup
from airflow_provider_schemas.render.layout import commands_apart, display_width, is_command, paragraph, two_sided
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.text import finding_lines
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.verdict.entries import StepEntry, TableEntry, VerdictEntry, read_verdict
from airflow_provider_schemas.render.verdict.finding_entry import view_of
from airflow_provider_schemas.render.verdict.table_texts import (
    NamedTable,
    hidden_numbers,
    is_loud,
    numbers_text,
    quiet_table,
    requests_text,
    table_subject,
    verdict_numbers,
    worst_first,
)
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted, listed

# A log at night is read from its end: what does not fit on two screens is only counted.
MAX_TABLES = 6
"""So many tables are told in full, the worst first."""
MAX_FINDINGS = 12
"""So many findings are told of all of them."""
MAX_FITTING_TABLES = 20
"""So many tables that fit are named."""
_MAX_LINES = 120
_MAX_WAIVED = 5
_MAX_CHARACTERS = 400
# What Airflow's log view shows of a line. Commands are longer where they have to be: one that is broken cannot be pasted.
_WIDTH = 110
_WIDEST_GAP = 3
_HANG = 4
_AGAIN = "again      "


def log_block(value: object) -> str:
    """Write the block that ends a log, from what XCom holds; where all is well, the lines about the tables alone."""
    verdict = read_verdict(value)
    unfit = worst_first(item for item in verdict.tables.items() if item[1].stands_out)
    if not unfit:
        return "\n".join(line for _, line in _outcome_lines(verdict))
    lines = [*_head(verdict, len(unfit)), *_unfit_tables(unfit, verdict), *_fitting_tables(verdict), *_notes(verdict)]
    steps = [*_next_steps(verdict, unfit)]
    if steps:
        lines += ["", *steps]
    return "\n".join(_fit_to_width(lines))


def log_lines(value: object) -> list[tuple[str, str]]:
    """Write a line for each table of a task that goes on, and the notes; each line with the outcome that decides its log level."""
    return _outcome_lines(read_verdict(value))


def _outcome_lines(verdict: VerdictEntry) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    tables = worst_first(verdict.tables.items())
    for name, table in tables[:MAX_FITTING_TABLES]:
        outcome = "warn" if table.verdict is Verdict.WARN else "fits"
        lines += [(outcome, line) for line in _table_lines(name, table)]
    if len(tables) > MAX_FITTING_TABLES:
        lines.append(("fits", f"... and {counted(len(tables) - MAX_FITTING_TABLES, 'more table')}"))
    lines += [("warn", note) for note in _notes(verdict)]
    lines.append(("fits", requests_text(verdict)))
    return [(outcome, part) for outcome, line in lines for part in _fit_to_width([line])]


def _table_lines(name: str, table: TableEntry) -> Iterator[str]:
    """Write the verdict on one table, the findings that are let through, and the notes about findings."""
    sentence = table.sentence or f"{table_subject(name, table)} {VERDICTS[table.verdict]}"
    yield "  ".join(part for part in (sentence, table.how, clean(table.basis)) if part)
    waived = [finding for finding in table.findings if finding.waived]
    for finding in waived[:_MAX_WAIVED]:
        yield f"  let through: {clean(finding.rule)} {clean(finding.path)}, {clean(finding.waived)}"
    if table.findings or table.more:
        yield from _table_notes(table)


def _table_notes(table: TableEntry) -> Iterator[str]:
    yield from (f"  note: {clean(note)}" for note in table.notes)
    if table.more_notes:
        yield f"  ... and {counted(table.more_notes, 'more note')}"


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


def _head(verdict: VerdictEntry, unfit: int) -> Iterator[str]:
    do = "does" if unfit == 1 else "do"
    word = f"{MARKS[verdict.verdict]} {VERDICTS[verdict.verdict]}"
    needs = f"{clean(verdict.consumer)} needs {counted(len(verdict.tables), 'table')}, {unfit} {do} not fit"
    yield f"SCHEMA GATE  {word}   {needs}   ({requests_text(verdict)})"


# ---------------------------------------------------------------- the tables


def _unfit_tables(unfit: Sequence[NamedTable], verdict: VerdictEntry) -> Iterator[str]:
    """Write about the worst tables, each in its share of the room, and name the others."""
    shown, others = unfit[:MAX_TABLES], unfit[MAX_TABLES:]
    sheet = Sheet(width=_WIDTH, limit=max(1, MAX_FINDINGS // len(shown)))
    for name, table in shown:
        yield ""
        yield from _cut([*_unfit_table(name, table, verdict, sheet)], _MAX_LINES // len(shown))
    if others:
        yield ""
        yield f"and {listed((f'{clean(name)} ({numbers_text(verdict_numbers(table))})' for name, table in others), 10)}"


def _cut(lines: Sequence[str], limit: int) -> Iterator[str]:
    yield from lines[:limit]
    if len(lines) > limit:
        yield f"      ... and {len(lines) - limit:,} more lines"


def _unfit_table(name: str, table: TableEntry, verdict: VerdictEntry, sheet: Sheet) -> Iterator[str]:
    if table.is_missing and table.findings:
        return _missing_table(table)
    return (line.rstrip().replace(JOINED, " ") for line in _broken_table(name, table, verdict, sheet))


def _missing_table(table: TableEntry) -> Iterator[str]:
    yield f"{MARKS[table.verdict]} {VERDICTS[table.verdict]}   {clean(table.findings[0].message)}"
    yield from map(_step_line, table.steps)


def _broken_table(name: str, table: TableEntry, verdict: VerdictEntry, sheet: Sheet) -> Iterator[str]:
    """Write about one table: its version, its owner, the findings, the notes, and what can be typed."""
    left = f"{MARKS[table.verdict]} {VERDICTS[table.verdict]}   {table_subject(name, table)}"
    yield from two_sided(left, table.written, _WIDTH, widest_gap=_WIDEST_GAP)
    for fact in _facts(table):
        yield from paragraph(fact, _WIDTH, indent=2, hang=6)
    yield from _findings(table, verdict, sheet)
    yield from map(_step_line, table.steps)
    if sum(verdict_numbers(table).values()) > 1:
        yield from paragraph(numbers_text(verdict_numbers(table)), _WIDTH)


def _facts(table: TableEntry) -> Iterator[str]:
    owner = ", ".join(part for part in (table.owner, table.contact) if part)
    if owner:
        yield f"owner {owner}"
    if table.job:
        yield f"job {table.job}"
    if table.basis:
        yield clean(table.basis)


def _findings(table: TableEntry, verdict: VerdictEntry, sheet: Sheet) -> Iterator[str]:
    loud = [finding for finding in table.findings if is_loud(finding)]
    groups = [ViewGroup((view_of(finding, verdict.rules),)) for finding in loud[: sheet.limit]]
    yield from finding_lines(groups, sheet, contracts=table.contracts, job_is_known=bool(table.job))
    hidden = hidden_numbers(table, loud[: sheet.limit])
    if any(hidden.values()):
        yield from paragraph(f"... and {sum(hidden.values()):,} more: {numbers_text(hidden)}", _WIDTH, indent=2, hang=4)
    if table.fine.count:
        yield from paragraph(f"{MARKS[Verdict.OK]} ok  {table.fine.text}", _WIDTH, indent=2, hang=8)
    for note in _table_notes(table):
        yield from paragraph(note.strip(), _WIDTH, indent=2, hang=4)


def _step_line(step: StepEntry) -> str:
    if not step.label:
        return f"        {step.command or step.text}"
    return f"      {step.label:<18}{step.command or step.text}"


def _fitting_tables(verdict: VerdictEntry) -> Iterator[str]:
    fitting = sorted((item for item in verdict.tables.items() if not item[1].stands_out), key=lambda item: item[1].position)
    if fitting:
        yield ""
        yield f"fits       {listed((quiet_table(name, table) for name, table in fitting), MAX_FITTING_TABLES)}"


def _notes(verdict: VerdictEntry) -> Iterator[str]:
    yield from (f"note: {clean(note)}" for note in verdict.notes)
    if verdict.more_notes:
        yield f"... and {counted(verdict.more_notes, 'more note')}"


# ---------------------------------------------------------------- the next steps


def _next_steps(verdict: VerdictEntry, unfit: Sequence[NamedTable]) -> Iterator[str]:
    """Write what to do, and the commands that check the tables again."""
    for number, sentence in enumerate(verdict.next_steps):
        lead = " " * _HANG if number else "what now   "
        yield f"{lead}{sentence}"
    commands = [table.again for _, table in unfit if table.again]
    yield from (f"{_AGAIN}{command}" for command in commands[:MAX_TABLES])
