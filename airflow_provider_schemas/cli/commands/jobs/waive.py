"""`waive`: let a finding through, for a reason and until a day; or list the waivers."""

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import times
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.arguments.usage_errors import did_you_mean, near_names
from airflow_provider_schemas.cli.judging import dry_run
from airflow_provider_schemas.cli.operands import open_whole_table
from airflow_provider_schemas.cli.output.result import Answer, TextLine, rows_or_line
from airflow_provider_schemas.core.policies.policy import Waiver
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table

# The words that stand for a reason in the command that a report shows.
_NO_REASONS = ("", "WHY", "…")
_HEADS = ("rule", "path", "for", "until", "reason", "by")


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="the rule of the finding: FIELD_RENAMED")
    parser.add_argument("path", nargs="?", default="*", metavar="PATH", help="the column that it is about; without one, all")
    parser.add_argument("--until", action=RequiredText, metavar="WHEN", help="2026-12-31, 2026-12-31T09:00Z, 09:00 (UTC), 3d, 12h")
    parser.add_argument("--reason", help="why")
    parser.add_argument("--for", action=RequiredText, dest="job", default="", metavar="JOB", help="for this job alone")
    parser.add_argument("--by", action=RequiredText, default="", help="who lets it through; without it, who types")
    parser.add_argument("--list", action="store_true", help="what is let through today")
    dry_run.add(parser, "say what would be let through; write nothing")


def run(args: Namespace) -> Answer:
    """Grant a waiver, or list all of them."""
    table = open_whole_table(args.table, args, "Write: airflow-schemas waive db.table RULE ...")
    if args.list:
        return _list(table, args)
    waived = _waive(table, args)
    return dry_run.not_written(waived) if args.dry_run else waived


# ---------------------------------------------------------------- a new waiver


def _waive(table: "Table", args: Namespace) -> Answer:
    _check_line(table, args)
    now = datetime.now(UTC)
    end = times.until(args.until, now)
    by = args.by or open_store.actor()
    waiver = table.waive(args.rule, args.path, until=end, reason=args.reason, consumer=args.job, by=by)
    whom = f"for {waiver.consumer} only" if waiver.consumer else "for every reader and writer"
    finding = args.rule if args.path == "*" else f"{args.rule} {args.path}"
    parts = [
        TextLine(f"{table.name}  {finding} is let through until {times.in_words(end, now)}, {whom}."),
        TextLine("Every report shows it until it ends.", 2),
        *(TextLine(note, 2) for note in _notes_about_unknown(table, args)),
    ]
    return Answer(parts, _data(waiver))


def _check_line(table: "Table", args: Namespace) -> None:
    """Refuse a line with missing words. The typed words come back unchanged in the fix, and none is invented."""
    missing = [name for name, value in (("RULE", args.rule), ("--until", args.until), ("--reason", args.reason)) if not value]
    if missing:
        table.latest()  # a table that is not there is the fault to report first
        fix = f"{_explain_placeholders(args)}. Write: {_complete_line(args)}"
        raise SchemaError(f"{' and '.join(missing)} must be said.", code="cli.waiver", path=args.table, fix=fix)
    if args.reason.strip(" .").upper() in _NO_REASONS:
        fix = "Put yours in its place: in a few words, why it may break until then."
        raise SchemaError("this is no reason.", code="cli.no-reason", path="--reason", fix=fix)


def _complete_line(args: Namespace) -> str:
    """Return the line with all typed words, and a word in capitals for each missing one."""
    words = [args.table, args.rule or "RULE"]
    if args.path != "*":
        words.append(args.path)
    if args.job:
        words += ["--for", args.job]
    if args.by:
        words += ["--by", args.by]
    words += ["--until", args.until or "WHEN", "--reason", args.reason or "WHY"]
    return f"airflow-schemas waive {shlex.join(words)}"


def _explain_placeholders(args: Namespace) -> str:
    """Write what the words in capitals stand for."""
    explanations = [
        (args.rule, "RULE is the rule of the finding, as check, plan or a refusal names it"),
        (args.until, "WHEN is a day, a time or a span such as 3d"),
        (args.reason, "WHY is your reason"),
    ]
    return listed([text for value, text in explanations if not value], 3)


def _notes_about_unknown(table: "Table", args: Namespace) -> Iterator[str]:
    """Yield notes about a column and a job that are not known today: they may be misspelled, or yet to come."""
    column = args.path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0].strip("`")
    known = {name for version in table.versions() for name in version.schema.names}
    if args.path != "*" and column not in known and args.path not in table.schema().options:
        meant = did_you_mean(near_names(column, sorted(known), 2))
        yield f"note: no version of {table.name} has a column {column!r} so far. {meant}".rstrip()
    contracts = table.registered()
    if args.job and not any(args.job in (contract.consumer, str(contract)) for contract in contracts):
        near = near_names(args.job, [contract.consumer for contract in contracts], 2)
        yield f"note: nobody called {args.job!r} has registered a contract about {table.name} so far. {did_you_mean(near)}".rstrip()


# ---------------------------------------------------------------- the list


def _list(table: "Table", args: Namespace) -> Answer:
    if args.rule or args.until or args.reason or args.job or args.by:
        fix = f"Write: airflow-schemas waive {shlex.quote(args.table)} --list; or leave --list out."
        raise SchemaError("--list shows all waivers, and grants none.", code="cli.waiver", path=args.table, fix=fix)
    table.latest()  # an error for a table that is not there
    now = datetime.now(UTC)
    waivers = table.waivers()
    rows = [_cells(waiver, now) for waiver in waivers]
    parts = [rows_or_line(rows, _HEADS, f"{table.name}  nothing is let through")]
    unreadable = table.unreadable_waivers()
    parts += [TextLine(f"cannot be read, and lifts nothing: {reason}") for reason in unreadable]
    data = {"table": table.name, "waivers": [_data(waiver) for waiver in waivers], "unreadable": list(unreadable)}
    return Answer(parts, data, failed=bool(unreadable))


def _cells(waiver: Waiver, now: datetime) -> tuple[str, ...]:
    whom = waiver.consumer or "every reader and writer"
    return (waiver.rule, waiver.path, whom, times.in_words(waiver.until, now), waiver.reason, waiver.by)


def _data(waiver: Waiver) -> dict[str, Any]:
    return waiver.model_dump(mode="json")
