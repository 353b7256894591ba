"""`log`: the history of a table, the newest version first."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import asdict

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options, times
from airflow_provider_schemas.cli.arguments.said import Said
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.operands import stored, thing
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.render.history import changed, name
from airflow_provider_schemas.render.json_form import history_dict
from airflow_provider_schemas.render.page import LIMIT
from airflow_provider_schemas.render.version_entries import VersionEntry, entries, origin, when, written
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.registry.removals import Removed
    from airflow_provider_schemas.store.table import Table


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("objects", nargs="+", metavar="TABLE|FILE", help="a table of the store, or its schema files")
    parser.add_argument("--since", action=Said, metavar="WHEN", help="versions since then: 2026-11-01, yesterday, 09:00, 7d")
    parser.add_argument("-n", type=options.number, metavar="N", help="the newest N versions")


class _Told(NamedTuple):
    """What the registry tells of a name beside the versions, and what it could not tell."""

    removed: tuple["Removed", ...] = ()
    doubts: tuple[str, ...] = ()


def run(args: Namespace) -> Answer:
    """The versions that are asked for, each with what changed since the one before; and why tables of the name were taken away."""
    named = stored(args.objects[0], args) if len(args.objects) == 1 else None
    if named is None:
        return _answer("", _of_files(args), _Told(), args)
    if named.version is not None:
        fix = f"Write: log {named.name}; or show {args.objects[0]}, and diff {args.objects[0]} for the step to it."
        raise SchemaError("a history is that of a whole table.", code="cli.version", path=args.objects[0], fix=fix)
    table = open_store.table(args, named)
    told = _told(table.name, args)
    try:
        return _answer(table.name, _newest(table, args), told, args)
    except NotThereError as error:
        if error.code != missing_tables.CODE or not told.removed:
            raise
        return _answer(table.name, (), told, args)._replace(failed=True)


def _answer(title: str, versions: Sequence[Version], told: _Told, args: Namespace) -> Answer:
    found = entries(versions)
    since = times.since(args.since, datetime.now(UTC)) if args.since else None
    shown = [one for one in found if since is None or _after(one.version, since)]
    shown = shown if args.n is None else shown[: args.n]
    numbers = {(one.version.branch, one.version.number) for one in shown}
    data = history_dict(versions, title)
    data["versions"] = [one for one in data["versions"] if (one["branch"], one["number"]) in numbers]
    doubts = [*(f"{one.rule} {one.path}: {one.message}" for one in _doubts(versions)), *told.doubts]
    removed = [one for one in reversed(told.removed) if since is None or datetime.fromisoformat(one.at) >= since]
    lines = [*map(Line, doubts), *(Line(str(one)) for one in removed)]
    more = {"doubts": doubts, "removals": [asdict(one) for one in removed]}
    return Answer([*_parts(title, shown, len(found)), *lines], {**data, **more})


def _told(table: str, args: Namespace) -> _Told:
    """Ask the registry why tables of this name were taken away. One that is not there tells nothing; the versions are told without it."""
    store = open_store.store(args)
    try:
        found = store.removals(table)
    except StorageError as error:
        if store.expects_registry:
            raise
        return _Told(doubts=(f"whether a table of this name was dropped or renamed before is not known: {error.message}",))
    return _Told(found.removed, tuple(map(str, found.unreadable)))


def _of_files(args: Namespace) -> Sequence[Version]:
    things = [thing(one, args) for one in args.objects]
    odd = next((one.label for one in things if one.version is None), None)
    if odd is not None:
        message = f"{odd} is no version of a table, and has no history."
        raise SchemaError(message, code="cli.no-history", fix="Name a table of a store, or schema files such as schema-*.")
    return [one.version for one in things if one.version is not None]


def _doubts(versions: Sequence[Version]) -> Sequence[Finding]:
    """What does not fit together in the history: who is named may not have written what stands there."""
    if not versions or versions[0].number == versions[-1].number:
        return ()
    from airflow_provider_schemas.store.versions.inspect_history import inspect_history

    return inspect_history(sorted(versions, key=lambda one: one.number)).findings


def _newest(table: "Table", args: Namespace) -> Sequence[Version]:
    """The versions that can be shown, and one more to compare the last of them with."""
    if args.n is None or args.since:
        return table.versions()
    numbers = table.numbers()
    return [table.version(one) for one in numbers[max(len(numbers) - args.n - 1, 0) :]] if numbers else table.versions()


def _after(version: Version, since: datetime) -> bool:
    at = written(version)
    return at is not None and at >= since


def _parts(title: str, shown: Sequence[VersionEntry], known: int) -> Iterator[Part]:
    subject = title or "the table"
    nothing = "no versions since then" if known else "is not there any more"
    yield Line(f"{subject}  {counted(len(shown), 'version') if shown else nothing}")
    for one in shown:
        yield Rows([(name(one.version), when(one.version), origin(one.version))], ("version", "written", "by"))
        yield from (Line(step.text, 6, typed=step.typed) for step in changed(one, LIMIT))
