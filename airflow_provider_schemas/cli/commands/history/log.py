"""`log`: the history of a table, the newest version first."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import asdict

from airflow_provider_schemas.cli import mounted_log, open_store
from airflow_provider_schemas.cli.arguments import options, times
from airflow_provider_schemas.cli.arguments.required_text import RequiredText
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.operands import read_operand, stored
from airflow_provider_schemas.cli.output.result import Answer, Part, TextLine
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.render.history import changed, name
from airflow_provider_schemas.render.json_form import history_dict
from airflow_provider_schemas.render.page import LIMIT
from airflow_provider_schemas.render.version_entries import VersionEntry, entries, origin, when, written
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.render.html.pictures.timeline_rows import TableHistory
    from airflow_provider_schemas.store.registry.removals import Removed
    from airflow_provider_schemas.store.table import Table


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("objects", nargs="+", metavar="TABLE|FILE", help="a table of the store, or its schema files")
    parser.add_argument("--since", action=RequiredText, metavar="WHEN", help="versions since then: 2026-11-01, yesterday, 09:00, 7d")
    parser.add_argument("-n", type=options.number, metavar="N", help="the newest N versions")


class _Removals(NamedTuple):
    """Tables of a name that were dropped or renamed, as the registry records them, and what could not be read there."""

    removed: tuple["Removed", ...] = ()
    doubts: tuple[str, ...] = ()


def run(args: Namespace) -> Answer:
    """Answer with the versions, each with what changed since the one before; and why tables of the name were removed."""
    reference = stored(args.objects[0], args) if len(args.objects) == 1 else None
    if reference is None:
        return _answer("", _versions_in_files(args), _Removals(), args)
    if reference.version is not None:
        typed = quote(args.objects[0])
        fix = (
            f"Write `airflow-schemas log {quote(reference.name)}`; or `airflow-schemas show {typed}`, "
            f"and `airflow-schemas diff {typed}` for the step to it."
        )
        raise SchemaError("a history is that of a whole table.", code="cli.version", path=args.objects[0], fix=fix)
    table = open_store.open_table(args, reference)
    if table.subject.is_mounted:
        return mounted_log.answer(table, args.n, times.since(args.since, datetime.now(UTC)) if args.since else None)
    removals = _read_removals(table.name, args)
    try:
        return _answer(table.name, _newest(table, args), removals, args)
    except NotThereError as error:
        if error.code != missing_tables.CODE or not removals.removed:
            raise
        return _answer(table.name, (), removals, args)._replace(failed=True)


def _answer(title: str, versions: Sequence[Version], removals: _Removals, args: Namespace) -> Answer:
    history = entries(versions)
    since = times.since(args.since, datetime.now(UTC)) if args.since else None
    shown = [entry for entry in history if since is None or _is_after(entry.version, since)][: args.n]
    doubts = [*(f"{finding.rule} {finding.path}: {finding.message}" for finding in _doubts(versions)), *removals.doubts]
    removed = [removal for removal in reversed(removals.removed) if since is None or datetime.fromisoformat(removal.at) >= since]
    data = _data(title, versions, shown) | {"doubts": doubts, "removals": [asdict(removal) for removal in removed]}
    besides = (*doubts, *map(str, removed))
    return Answer([*_parts(title, shown, len(history)), *map(TextLine, besides)], data, page=partial(_page, title, shown, besides))


def _page(title: str, shown: Sequence[VersionEntry], besides: tuple[str, ...]) -> "TableHistory":
    """Return the versions as a page shows them."""
    from airflow_provider_schemas.render.html.pictures.timeline_rows import TableHistory

    return TableHistory(title, tuple(shown), besides)


def _data(title: str, versions: Sequence[Version], shown: Sequence[VersionEntry]) -> dict[str, Any]:
    """Return the history for machines, without the versions that are not shown."""
    numbers = {(entry.version.branch, entry.version.number) for entry in shown}
    data = history_dict(versions, title)
    data["versions"] = [version for version in data["versions"] if (version["branch"], version["number"]) in numbers]
    return data


def _parts(title: str, shown: Sequence[VersionEntry], known: int) -> Iterator[Part]:
    none_shown = "no versions since then" if known else "is not there any more"
    yield TextLine(f"{title or 'the table'}  {counted(len(shown), 'version') if shown else none_shown}")
    for entry in shown:
        yield TextLine(f"{name(entry.version)}  {when(entry.version)}  {origin(entry.version)}", hang=6)
        yield from (TextLine(step.text, 6, typed=step.typed) for step in changed(entry, LIMIT))


# ---------------------------------------------------------------- reading


def _read_removals(table: str, args: Namespace) -> _Removals:
    """Read why tables of this name were removed. A registry that is not there is a doubt; the versions are shown without it."""
    store = open_store.store(args)
    try:
        removals = store.removals(table)
    except StorageError as error:
        if store.expects_registry:
            raise
        return _Removals(doubts=(f"whether a table of this name was dropped or renamed before is not known: {error.message}",))
    return _Removals(removals.removed, tuple(map(str, removals.unreadable)))


def _versions_in_files(args: Namespace) -> Sequence[Version]:
    versions: list[Version] = []
    for operand in [read_operand(text, args) for text in args.objects]:
        if operand.version is None:
            message = f"{operand.label} is no version of a table, and has no history."
            raise SchemaError(message, code="cli.no-history", fix="Name a table of a store, or schema files such as schema-*.")
        versions.append(operand.version)
    return versions


def _newest(table: "Table", args: Namespace) -> Sequence[Version]:
    """Return the versions that can be shown, and one more to compare the last of them with."""
    args.progress.begin(f"reading the history of {table.name}")
    if args.n is None or args.since:
        return table.versions()
    numbers = table.numbers()
    if not numbers:
        return table.versions()
    first = max(len(numbers) - args.n - 1, 0)
    wanted = numbers[first:]
    return [table.version(number) for number in args.progress.each("reading versions", wanted, len(wanted))]


def _doubts(versions: Sequence[Version]) -> Sequence[Finding]:
    """Return findings about a history that does not fit together: its versions may not be by the authors that it names."""
    if not versions or versions[0].number == versions[-1].number:
        return ()
    from airflow_provider_schemas.store.versions.inspect_history import inspect_history

    return inspect_history(sorted(versions, key=lambda version: version.number)).findings


def _is_after(version: Version, since: datetime) -> bool:
    moment = written(version)
    return moment is not None and moment >= since
