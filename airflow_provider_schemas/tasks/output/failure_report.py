"""The block that ends the log of a task whose tables do not fit: what, who changed it, whom it breaks, and what to do about it."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.report import SEVERITY, Verdict
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.render.layout import commands_apart, display_width, is_command, paragraph
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.report.text import quiet_subject
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS, VERDICTS, counted, counts, listed
from airflow_provider_schemas.store.check_tables import Judgement, TableAnswer
from airflow_provider_schemas.tasks.output.cli_commands import command, undoing, waiver

# A log at night is read from its end: what does not fit on two screens is told in numbers.
_LINES, _TABLES, _FINDINGS, _FITTING, _WAIVED, _LONGEST = 120, 6, 12, 20, 5, 400
# What Airflow's log view shows of a line. Commands are longer where they have to be: one that is broken cannot be pasted.
_WIDTH = 110
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
_VERB = re.compile(r"\bairflow-schemas (evolve|waive|bind|restore) ")
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z])")
_WIDE = re.compile(r"(?<=\S) {4,}")


class Told(Struct, frozen=True, kw_only=True):
    """What a block tells of."""

    judgement: Judgement
    outcome: str
    conn_id: str = ""
    notes: tuple[str, ...] = ()
    again: Mapping[str, str] = {}
    """The command that asks again, by table."""
    about: Mapping[str, str] = {}
    """How each table was judged, in a few words."""
    by_sight: frozenset[str] = frozenset()
    """The tables that were judged against what was seen."""
    guard: bool = False
    """Whether the task is guarded: it is the job itself, and no gate in front of it."""


def unfit(judgement: Judgement) -> list[TableAnswer]:
    """The tables that do not fit or are not there, the worst first."""
    found = [one for one in judgement.tables if not one.fits or one.version is None]
    return sorted(found, key=lambda one: -SEVERITY[one.report.verdict])


def block_of(told: Told) -> str:
    """The whole block; the lines alone, where all is well."""
    if not unfit(told.judgement):
        return "\n".join(line for _, line in lines_of(told))
    return "\n".join(_fitted([*_head(told), *_broken(told), *_fitting(told), *_notes(told), "", *_next(told)]))


def _fitted(lines: Iterable[str]) -> Iterator[str]:
    """Break lines that are too wide, and cut what is far too long; commands stay whole."""
    for line in lines:
        if line.startswith(_AGAIN) or is_command(line) or display_width(line) <= _WIDTH:
            yield line
            continue
        apart = [*commands_apart([line], _WIDTH)]
        indent = len(line) - len(line.lstrip())
        yield from apart if len(apart) > 1 else paragraph(line[:_LONGEST].strip(), _WIDTH, indent=indent, hang=indent + _HANG)


def lines_of(told: Told) -> list[tuple[str, str]]:
    """A line a table, where the task goes on, and what has to be said; each with the outcome as which it is logged."""
    answers = sorted(told.judgement.tables, key=lambda one: -SEVERITY[one.report.verdict])
    shown = [("warn" if one.report.verdict is Verdict.WARN else "fits", line) for one in answers[:_FITTING] for line in _lines(one, told)]
    more = [("fits", f"... and {counted(len(answers) - _FITTING, 'more table')}")] if len(answers) > _FITTING else []
    notes = [("warn", one) for one in _notes(told)]
    return [(outcome, part) for outcome, line in [*shown, *more, *notes, ("fits", _cost(told))] for part in _fitted([line])]


def _lines(answer: TableAnswer, told: Told) -> Iterator[str]:
    report = answer.report
    yield "  ".join(part for part in (summary(report), told.about.get(answer.table, ""), clean(report.basis)) if part)
    for one in [one for one in report.findings if one.waived][:_WAIVED]:
        yield f"  let through: {clean(one.rule)} {clean(one.path)}, {clean(one.waived)}"
    yield from (f"  note: {clean(note)}" for note in report.notes if report.findings)


# ---------------------------------------------------------------- parts


def _head(told: Told) -> Iterator[str]:
    about = told.judgement
    tables = dict.fromkeys(one.table for one in about.tables)
    bad = len({one.table for one in unfit(about)})
    does = "does" if bad == 1 else "do"
    mark = f"{MARKS[about.verdict]} {VERDICTS[about.verdict]}"
    yield f"SCHEMA GATE  {mark}   {clean(about.consumer)} needs {counted(len(tables), 'table')}, {bad} {does} not fit   ({_cost(told)})"


def _cost(told: Told) -> str:
    """What was asked of the storage, registering included."""
    about = told.judgement
    puts = f" + {counted(about.puts, 'put')}" if about.puts else ""
    asked = f"asked {counted(about.lists, 'list')} + {counted(about.gets, 'get')}{puts}, {about.millis} ms"
    return f"{clean(told.conn_id)}: {asked}" if told.conn_id else asked


def _broken(told: Told) -> Iterator[str]:
    broken = unfit(told.judgement)
    shown = broken[:_TABLES]
    for one in shown:
        yield ""
        yield from _cut(list(_report(one, told, max(1, _FINDINGS // len(shown)))), _LINES // len(shown))
    if len(broken) > _TABLES:
        names = listed(
            (f"{clean(one.table)} ({counts(finding.verdict for finding in one.report.findings)})" for one in broken[_TABLES:]), 10
        )
        yield ""
        yield f"and {names}"


def _not_there(answer: TableAnswer, told: Told) -> Iterator[str]:
    """A table without a version: nothing about it can be waived, and nothing but its name can be wrong."""
    finding = answer.report.findings[0]
    yield f"{MARKS[answer.report.verdict]} {VERDICTS[answer.report.verdict]}   {clean(finding.message)}"
    there = command("ls", answer.table.partition(".")[0], conn_id=told.conn_id)
    yield "      next step         Create the table, or mend the name, if it is another."
    yield from [f"        {there}"] if there else []


def _report(answer: TableAnswer, told: Told, limit: int) -> Iterator[str]:
    if answer.version is None and answer.report.findings:
        yield from _not_there(answer, told)
        return
    known = () if answer.version is None else (answer.version,)
    first, *rest = text(answer.report, width=_WIDTH, color=False, limit=limit, versions=known).splitlines()
    conn = f"--conn {shlex.quote(told.conn_id)} " if told.conn_id and told.conn_id.isprintable() else ""
    *body, last = [_VERB.sub(lambda found: f"{found[0]}{conn}", line) for line in rest] or [""]
    yield _WIDE.sub("   ", first)
    if (owner := _owner(answer)) and not any(line.startswith("  owner ") for line in body):
        yield f"  owner {owner}"
    yield from body
    if answer.table in told.by_sight:
        yield from _by_sight(answer, told, limit)
    if len(answer.report.findings) > 1:
        yield last


def _owner(answer: TableAnswer) -> str:
    """Who answers for the table, and how to reach them, as far as its schema says."""
    try:
        said = {} if answer.version is None else answer.version.schema.table_attributes
    except SchemaError:
        return ""
    return ", ".join(clean(str(said[key])) for key in ("owner", "contact") if said.get(key))


def _by_sight(answer: TableAnswer, told: Told, limit: int) -> Iterator[str]:
    """What to type about findings that no contract was asked about: the reports say it of contracts alone."""
    loud = sorted(answer.report.findings, key=lambda one: -SEVERITY[one.verdict])[: min(limit, 3)]
    for finding in loud:
        for label, typed in (("fix in the table", undoing(finding, answer.report.table, told.conn_id)),
                             ("let it through", waiver(finding, answer.table, told.judgement.consumer, told.conn_id))):  # fmt: skip
            if typed:
                yield f"      {label:<18}{typed}"


def _cut(lines: Sequence[str], room: int) -> Iterator[str]:
    yield from lines[:room]
    if len(lines) > room:
        yield f"      ... and {len(lines) - room:,} more lines"


def _fitting(told: Told) -> Iterator[str]:
    bad = unfit(told.judgement)
    fine = [one for one in told.judgement.tables if one not in bad]
    if fine:
        names = listed((clean(quiet_subject(one.report)) for one in fine), _FITTING)
        yield ""
        yield f"fits       {names}"


def _notes(told: Told) -> Iterator[str]:
    yield from (f"note: {clean(without_credentials(one))}" for one in told.notes)


def _next(told: Told) -> Iterator[str]:
    """What to do, and what asks again."""
    yield f"what now   {_OUTCOMES[told.outcome]}"
    yield from (f"{' ' * _HANG}{sentence}" for sentence in _SENTENCE_END.split(_way_out(told)))
    for table, typed in list(told.again.items())[:_TABLES]:
        yield f"{_AGAIN}{typed or command('log', table, conn_id=told.conn_id)}".rstrip()


def _way_out(told: Told) -> str:
    """How the task comes to run."""
    if told.outcome == "warn":
        return "The warning is repeated until the tables fit or what does not is let through."
    mended = "When the table or the job is mended, or what breaks is let through, clear the task."
    seen = any(one.table in told.by_sight for one in unfit(told.judgement))
    if told.guard:
        return f"{mended} {_GUARD_MARKED}{_GUARD_SEEN if seen else ''}"
    behind = _SKIPPED_BEHIND if told.outcome == "skip" else ""
    return f"{mended} {_GATE_SEEN if seen else _GATE_MARKED}{behind}"
