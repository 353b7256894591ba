"""`ls`: databases, or the tables of some; with `--long`, what their newest versions are."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.output.result import Answer, Line, Rows
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.render.version_entries import origin, provenance, when, written
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_AT_ONCE = 32
_HEADS = ("table", "version", "columns", "written", "by")


# The folder of a table in which no schema lies: somebody else's, and no fault of a listing.
_NO_TABLE = "table.not-there"


class _Head(NamedTuple):
    """A table, and its newest version or why that cannot be read."""

    name: str
    version: Version | None = None
    error: SchemaError | None = None


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("databases", nargs="*", metavar="DATABASE", help="list the tables of these; without one, the databases")
    parser.add_argument("-l", "--long", action="store_true", help="version, columns, when and by whom; of databases, how many tables")


def run(args: Namespace) -> Answer:
    """One name a line."""
    store = open_store.store(args)
    if not args.databases:
        return _databases(store, args.long)
    tables = [f"{database}.{table}" for database in args.databases for table in _tables(store, database)]
    return _heads(store, tables, args.branch) if args.long else Answer([*map(Line, tables)], {"tables": tables})


def _tables(store: "SchemaStore", database: str) -> tuple[str, ...]:
    """The tables of a database, which has to be there."""
    found = store.tables(database)
    known = store.databases() if not found else (database,)
    if database not in known:
        there = f"There are: {listed(known, 10)}." if known else "There is none yet."
        raise NotThereError(f"there is no database {database!r} in {store.url}.", code="cli.no-database", path=database, fix=there)
    return found


def _databases(store: "SchemaStore", long: bool) -> Answer:
    names = store.databases()
    if not long:
        lines = [*map(Line, names)] or [Line(f"there are no databases in {store.url}")]
        return Answer(lines, {"databases": list(names)})
    numbers = _together(names, lambda name: len(store.tables(name)))
    rows = [(name, counted(number, "table")) for name, number in zip(names, numbers, strict=True)]
    found = [{"database": name, "tables": number} for name, number in zip(names, numbers, strict=True)]
    return Answer([Rows(rows, ("database", "tables"))] if rows else [], {"databases": found})


def _heads(store: "SchemaStore", tables: Iterable[str], branch: str | None) -> Answer:
    heads = _together(tables, lambda name: _head(store, name, branch))
    rows = Rows([_cells(one) for one in heads], _HEADS, headed=True)
    return Answer([rows] if heads else [], {"tables": [*map(_data, heads)]}, failed=any(map(_unreadable, heads)))


def _head(store: "SchemaStore", name: str, branch: str | None) -> _Head:
    try:
        return _Head(name, store.table(name, branch=branch).latest())
    except SchemaError as error:
        return _Head(name, error=error)


def _together(values: Iterable[str], call: Any) -> list[Any]:
    """The call for each, several at once, in their order."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return [*pool.map(call, values)]


def _unreadable(head: _Head) -> bool:
    return head.error is not None and head.error.code != _NO_TABLE


def _cells(head: _Head) -> tuple[str, ...]:
    if head.version is None:
        if head.error is not None and head.error.code == _NO_TABLE:
            return (head.name, "-", "", "no schema: a folder, and no table", "")
        return (head.name, "?", "", f"cannot be read: {head.error.message if head.error else ''}", "")
    return (head.name, f"v{head.version.number}", str(len(head.version.schema.fields)), when(head.version), origin(head.version))


def _data(head: _Head) -> dict[str, Any]:
    version = head.version
    if version is None:
        return {"table": head.name, "error": str(head.error)}
    at, past = written(version), provenance(version)
    return {
        "table": head.name,
        "version": version.number,
        "digest": version.digest,
        "columns": len(version.schema.fields),
        "written": at.isoformat() if at else None,
        "actor": past.actor if past else None,
    }
