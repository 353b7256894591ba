"""`log`: the history of a table, the newest version first."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options, times
from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.operands import stored, thing
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.history.text import changed, name
from airflow_provider_schemas.render.json_form import history_dict
from airflow_provider_schemas.render.page import LIMIT
from airflow_provider_schemas.render.version_entries import Entry, entries, origin, when, written
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("objects", nargs="+", metavar="TABLE|FILE", help="a table of the store, or its schema files")
    parser.add_argument("--since", action=Said, metavar="WHEN", help="versions since then: 2026-11-01, yesterday, 09:00, 7d")
    parser.add_argument("-n", type=options.number, metavar="N", help="the newest N versions")


def run(args: Namespace) -> Answer:
    """The versions that are asked for, each with what changed since the one before."""
    title, versions = _versions(args)
    found = entries(versions)
    since = times.since(args.since, datetime.now(UTC)) if args.since else None
    shown = [one for one in found if since is None or _after(one.version, since)]
    shown = shown if args.n is None else shown[: args.n]
    numbers = {(one.version.branch, one.version.number) for one in shown}
    data = history_dict(versions, title)
    data["versions"] = [one for one in data["versions"] if (one["branch"], one["number"]) in numbers]
    doubts = [f"{one.rule} {one.path}: {one.message}" for one in _doubts(versions)]
    return Answer([*_parts(title, shown, len(found)), *map(Line, doubts)], {**data, "doubts": doubts})


def _versions(args: Namespace) -> tuple[str, Sequence[Version]]:
    named = stored(args.objects[0], args) if len(args.objects) == 1 else None
    if named is not None:
        table = open_store.table(args, named)
        return table.name, _newest(table, args)
    things = [thing(one, args) for one in args.objects]
    odd = next((one.label for one in things if one.version is None), None)
    if odd is not None:
        message = f"{odd} is no version of a table, and has no history."
        raise SchemaError(message, code="cli.no-history", fix="Name a table of a store, or schema files such as schema-*.")
    return "", [one.version for one in things if one.version is not None]


def _doubts(versions: Sequence[Version]) -> Sequence[Finding]:
    """What does not fit together in the history: who is named may not have written what stands there."""
    if not versions or versions[0].number == versions[-1].number:
        return ()
    from airflow_provider_schemas.store.versions.changes_since import inspected

    return inspected(sorted(versions, key=lambda one: one.number)).findings


def _newest(table: "Table", args: Namespace) -> Sequence[Version]:
    """The versions that can be shown, and one more to compare the last of them with."""
    if args.n is None or args.since:
        return table.versions()
    numbers = table.numbers()
    return [table.version(one) for one in numbers[max(len(numbers) - args.n - 1, 0) :]] if numbers else table.versions()


def _after(version: Version, since: datetime) -> bool:
    at = written(version)
    return at is not None and at >= since


def _parts(title: str, shown: Sequence[Entry], known: int) -> Iterator[Part]:
    subject = title or "the table"
    yield Line(f"{subject}  {counted(len(shown), 'version')}" if shown else f"{subject}  no versions" + (" since then" if known else ""))
    for one in shown:
        yield Rows([(name(one.version), when(one.version), origin(one.version))], ("version", "written", "by"))
        yield from (Line(step.text, 6, typed=step.typed) for step in changed(one, LIMIT))
