"""`ls`: databases, or the tables of some; with `--long`, what their newest versions are."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.output.result import Answer, Line, Rows
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError, StorageError
from airflow_provider_schemas.render.version_entries import origin, provenance, when, written
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_AT_ONCE = 32
# So many tables are asked for at once: what was read for them is kept until they are told.
_BATCH = 1_000
_HEADS = ("table", "version", "columns", "written", "by")


# The folder of a table in which no schema lies: somebody else's, and no fault of a listing.
_NO_TABLE = "table.not-there"


class _Head(NamedTuple):
    """A table, and its newest version or why that cannot be read."""

    name: str
    version: Version | None = None
    error: SchemaError | None = None
    branch: str | None = None


def arguments(parser: ArgumentParser) -> None:
    """What can be typed."""
    parser.add_argument("databases", nargs="*", metavar="DATABASE", help="list the tables of these; without one, the databases")
    parser.add_argument("-l", "--long", action="store_true", help="version, columns, when and by whom; of databases, how many tables")


def run(args: Namespace) -> Answer:
    """One name a line."""
    if args.branch and not (args.databases and args.long):
        fix = "Leave --branch out, or write: ls DATABASE --long --branch NAME."
        raise SchemaError("a list of names looks at no branch.", code="cli.branch", path="--branch", fix=fix)
    store = open_store.store(args)
    looking = store.judging()
    found = _listed(store, looking, args)
    missing = _missing(looking)
    if not missing:
        return found
    more = {**found.data, "doubts": [missing]}
    return found._replace(parts=[*found.parts, Line(missing)], data=more, failed=True)


def _missing(store: "SchemaStore") -> str:
    """Say that tables may be missing, as those lie in a registry that is not there; empty where it is."""
    try:
        store.check_registry()
    except StorageError as error:
        return f"tables that lie in the registry may be missing: {error.message}"
    return ""


def _listed(store: "SchemaStore", looking: "SchemaStore", args: Namespace) -> Answer:
    """Answer with what looking finds; many versions are read through the store, as they need not be kept."""
    if not args.databases:
        return _databases(looking, args.long)
    tables = [f"{database}.{table}" for database in args.databases for table in _tables(looking, database)]
    few = len(tables) <= _BATCH
    return _heads(looking if few else store, tables, args.branch) if args.long else Answer([*map(Line, tables)], {"tables": tables})


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


def _heads(store: "SchemaStore", tables: Sequence[str], branch: str | None) -> Answer:
    heads: list[_Head] = []
    for start in range(0, len(tables), _BATCH):
        heads += _heads_of(store, tables[start : start + _BATCH], branch)
    rows = Rows([_cells(one) for one in heads], _HEADS, headed=True)
    return Answer([rows] if heads else [], {"tables": [*map(_data, heads)]}, failed=any(map(_unreadable, heads)))


def _heads_of(store: "SchemaStore", tables: Sequence[str], branch: str | None) -> list[_Head]:
    """The newest versions of some tables, asked for at once."""
    from airflow_provider_schemas.store.layout.identifiers import branch_name, table_name
    from airflow_provider_schemas.store.prefetch import PrefetchRequest

    names = []
    for name in tables:
        with suppress(RefusedNameError):  # which its line says
            names.append((table_name(name), branch_name(branch)))
    judging = store.judging()
    judging.foresee(PrefetchRequest(tuple(names), rules=False, whole=True))
    return _together(tables, lambda name: _head(judging, name, branch))


def _head(store: "SchemaStore", name: str, branch: str | None) -> _Head:
    try:
        return _Head(name, store.table(name, branch=branch).latest())
    except SchemaError as error:
        return _Head(name, error=error, branch=branch)


def _together(values: Iterable[str], call: Any) -> list[Any]:
    """The call for each, several at once, in their order."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return [*pool.map(call, values)]


def _unreadable(head: _Head) -> bool:
    return head.error is not None and head.error.code != _NO_TABLE


def _cells(head: _Head) -> tuple[str, ...]:
    if head.version is None:
        if head.error is not None and head.error.code == _NO_TABLE:
            why = f"nothing on the branch {head.branch}" if head.branch else "no schema: a folder, and no table"
            return (head.name, "-", "", why, "")
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
