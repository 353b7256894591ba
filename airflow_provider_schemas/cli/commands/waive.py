"""`waive`: let a finding through, for a reason and until a day; or list what is let through."""

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import times
from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.operands import stored
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.core.policies.policy import Waiver
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table

# What stands in the command that a report shows, to be replaced.
_NO_REASONS = ("", "WHY", "…")
_HEADS = ("rule", "path", "for", "until", "reason", "by")


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("table", metavar="TABLE", help="db.table")
    parser.add_argument("rule", nargs="?", metavar="RULE", help="the rule of the finding: FIELD_RENAMED")
    parser.add_argument("path", nargs="?", default="*", metavar="PATH", help="the column that it is about; without one, all")
    parser.add_argument("--until", action=Said, metavar="WHEN", help="2026-12-31, 2026-12-31T09:00Z, 09:00 (UTC), 3d, 12h")
    parser.add_argument("--reason", help="why")
    parser.add_argument("--for", action=Said, dest="job", default="", metavar="JOB", help="for this job alone")
    parser.add_argument("--by", action=Said, default="", help="who lets it through; without it, who types")
    parser.add_argument("--list", action="store_true", help="what is let through today")


def run(args: Namespace) -> Answer:
    """The waiver as it is kept; or all of them."""
    named = stored(args.table, args)
    if named is None or named.version is not None:
        raise SchemaError("this is no table of a store.", code="cli.no-table", path=args.table, fix="Write: waive db.table RULE ...")
    table = open_store.table(args, named)
    return _listed(table, args) if args.list else _waived(table, args)


def _waived(table: "Table", args: Namespace) -> Answer:
    _check_said(table, args)
    now = datetime.now(UTC)
    end, by = times.until(args.until, now), args.by or open_store.actor()
    waiver = table.waive(args.rule, args.path, until=end, reason=args.reason, consumer=args.job, by=by)
    whom = f"for {waiver.consumer} only" if waiver.consumer else "for every reader and writer"
    what = args.rule if args.path == "*" else f"{args.rule} {args.path}"
    parts: list[Part] = [Line(f"{table.name}  {what} is let through until {times.in_words(end, now)}, {whom}.")]
    parts += [Line("Every report shows it until it ends.", 2), *(Line(one, 2) for one in _strangers(table, args))]
    return Answer(parts, _data(waiver))


def _check_said(table: "Table", args: Namespace) -> None:
    """Refuse a line that does not say everything. What it says comes back as it was typed; nothing is made up for the rest."""
    missing = [name for name, value in (("RULE", args.rule), ("--until", args.until), ("--reason", args.reason)) if not value]
    if missing:
        table.latest()  # of a table that is not there, that is what has to be told
        fix = f"{_left_to_say(args)}. Write: {_line(args)}"
        raise SchemaError(f"{' and '.join(missing)} must be said.", code="cli.waiver", path=args.table, fix=fix)
    if args.reason.strip(" .").upper() in _NO_REASONS:
        fix = "Put yours in its place: in a few words, why it may break until then."
        raise SchemaError("this is no reason.", code="cli.no-reason", path="--reason", fix=fix)


def _line(args: Namespace) -> str:
    """Return the line with all that was typed, and a word in capitals for each thing that is missing."""
    words = [args.table, args.rule or "RULE"]
    if args.path != "*":
        words.append(args.path)
    words += ["--for", args.job] if args.job else []
    words += ["--by", args.by] if args.by else []
    words += ["--until", args.until or "WHEN", "--reason", args.reason or "WHY"]
    return f"airflow-schemas waive {shlex.join(words)}"


def _left_to_say(args: Namespace) -> str:
    """Say what stands for the words in capitals."""
    said = [
        (args.rule, "RULE is the rule of the finding, as check, plan or a refusal names it"),
        (args.until, "WHEN is a day, a time or a span such as 3d"),
        (args.reason, "WHY is your reason"),
    ]
    return listed([text for value, text in said if not value], 3)


def _strangers(table: "Table", args: Namespace) -> Iterator[str]:
    """What the waiver names and nobody knows today: it may be misspelled, or yet to come."""
    column = args.path.split(".", 1)[0].split("[", 1)[0].split("{", 1)[0].strip("`")
    known = {name for version in table.versions() for name in version.schema.names}
    if args.path != "*" and column not in known and args.path not in table.schema().options:
        yield f"note: no version of {table.name} has a column {column!r} so far."
    jobs = {name for one in table.registered() for name in (one.consumer, str(one))}
    if args.job and args.job not in jobs:
        yield f"note: nobody called {args.job!r} has registered a contract about {table.name} so far."


def _listed(table: "Table", args: Namespace) -> Answer:
    if args.rule or args.until or args.reason or args.job or args.by:
        fix = f"Write: airflow-schemas waive {shlex.quote(args.table)} --list; or leave --list out."
        raise SchemaError("--list shows all waivers, and grants none.", code="cli.waiver", path=args.table, fix=fix)
    table.latest()  # of a table that is not there, nothing was looked at
    now = datetime.now(UTC)
    found = table.waivers()
    whom = "every reader and writer"
    rows = [(one.rule, one.path, one.consumer or whom, times.in_words(one.until, now), one.reason, one.by) for one in found]
    title = Line(f"{table.name}  nothing is let through")
    parts: list[Part] = [Rows(rows, _HEADS, headed=True)] if rows else [title]
    unreadable = table.unreadable_waivers()
    parts += [Line(f"cannot be read, and lifts nothing: {one}") for one in unreadable]
    data = {"table": table.name, "waivers": [_data(one) for one in found], "unreadable": list(unreadable)}
    return Answer(parts, data, failed=bool(unreadable))


def _data(one: Waiver) -> dict[str, Any]:
    return one.model_dump(mode="json")
