"""`ls`: databases, or the tables of some; with `--long`, their newest versions.

A mounted database stands with what keeps it. Names of its tables that cannot be written as db.table are listed by themselves.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.usage_errors import did_you_mean, near_names
from airflow_provider_schemas.cli.output.result import Answer, Rows, TextLine
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError, StorageError
from airflow_provider_schemas.render.version_entries import origin, provenance, when, written
from airflow_provider_schemas.render.wording import counted, listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_MAX_THREADS = 32
# So many tables are read at once: what was read for them is kept until they are listed.
_BATCH = 1_000
_HEADS = ("table", "version", "columns", "written", "by")
# The code of a folder without a schema: another program's, and no fault of a listing.
_NO_TABLE = "table.not-there"

_Value = TypeVar("_Value")
_Result = TypeVar("_Result")


class _Head(NamedTuple):
    """A table, with its newest version or the error of reading it."""

    name: str
    version: Version | None = None
    error: SchemaError | None = None
    branch: str | None = None
    mounted: bool = False


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument("databases", nargs="*", metavar="DATABASE", help="list the tables of these; without one, the databases")
    parser.add_argument("-l", "--long", action="store_true", help="version, columns, when and by whom; of databases, how many tables")


def run(args: Namespace) -> Answer:
    """Answer with one name a line, or with a row for each table."""
    if args.branch and not (args.databases and args.long):
        fix = "Leave --branch out, or write: ls DATABASE --long --branch NAME."
        raise SchemaError("a list of names looks at no branch.", code="cli.branch", path="--branch", fix=fix)
    store = open_store.store(args)
    cached = store.judging()
    answer = _list(store, cached, args)
    doubt = "" if args.databases and store.mounts.keys() >= set(args.databases) else _doubt(cached)
    if not doubt:
        return answer
    return answer._replace(parts=[*answer.parts, TextLine(doubt)], data={**answer.data, "doubts": [doubt]}, failed=True)


def _doubt(store: "SchemaStore") -> str:
    """Write that tables may be missing, as they lie in a registry that is not there; empty where it is there."""
    try:
        store.check_registry()
    except StorageError as error:
        return f"tables that lie in the registry may be missing: {error.message}"
    return ""


def _list(store: "SchemaStore", cached: "SchemaStore", args: Namespace) -> Answer:
    """List through the cached store; many versions are read through the other one, as they need not be kept."""
    if not args.databases:
        return _list_databases(cached, args.long)
    tables = [f"{database}.{table}" for database in args.databases for table in _tables(cached, database)]
    if args.long:
        answer = _list_heads(cached if len(tables) <= _BATCH else store, tables, args.branch)
    else:
        answer = Answer([*map(TextLine, tables)], {"tables": tables})
    return _with_unaddressable(answer, cached, args.databases)


def _with_unaddressable(answer: Answer, store: "SchemaStore", databases: Sequence[str]) -> Answer:
    """Add the tables of mounted databases whose names cannot be written as db.table."""
    names = {database: list(store.unaddressable(database)) for database in databases if database in store.mounts}
    lines = [TextLine(f"not addressable in {database}: {shown(name)}") for database, listed in names.items() for name in listed]
    if not lines:
        return answer
    return answer._replace(parts=[*answer.parts, *lines], data={**answer.data, "unaddressable": names})


# ---------------------------------------------------------------- databases


def _tables(store: "SchemaStore", database: str) -> tuple[str, ...]:
    """Return the tables of a database; raise an error for a database that is not there."""
    tables = store.tables(database)
    if tables:
        return tables
    known = store.databases()
    if database not in known:
        near = did_you_mean(near_names(database, known, 2))
        fix = f"{near} There are: {listed(known, 10)}.".lstrip() if known else "There is none yet."
        raise NotThereError(f"there is no database {database!r} in {store.url}.", code="cli.no-database", path=database, fix=fix)
    return ()


def _list_databases(store: "SchemaStore", long: bool) -> Answer:
    names = store.databases()
    mounts = {name: {"kind": mount.kind, "url": mount.url} for name, mount in sorted(store.mounts.items())}
    more = {"mounts": mounts} if mounts else {}
    if not long:
        lines = [TextLine(_database_line(name, mounts)) for name in names] or [TextLine(f"there are no databases in {store.url}")]
        return Answer(lines, {"databases": list(names), **more})
    counts = _map_in_threads(partial(_count_tables, store), names)
    rows = [(count.name, count.words, _mount_words(count.name, mounts)) for count in counts]
    entries = [count.entry for count in counts]
    failed = any(count.error is not None for count in counts)
    return Answer([Rows(rows, ("database", "tables", "kept by"))] if rows else [], {"databases": entries, **more}, failed=failed)


class _Count(NamedTuple):
    """A database, with the number of its tables or the error of listing them."""

    name: str
    number: int = 0
    error: SchemaError | None = None

    @property
    def words(self) -> str:
        if self.error is not None:
            return f"cannot be listed: {self.error.message}"
        return counted(self.number, "table")

    @property
    def entry(self) -> dict[str, Any]:
        if self.error is not None:
            return {"database": self.name, "error": str(self.error)}
        return {"database": self.name, "tables": self.number}


def _count_tables(store: "SchemaStore", name: str) -> _Count:
    """Count the tables of a database. A mount that is down hides no other database."""
    try:
        return _Count(name, len(store.tables(name)))
    except SchemaError as error:
        if name not in store.mounts:
            raise
        return _Count(name, error=error)


def _database_line(name: str, mounts: Mapping[str, Mapping[str, str]]) -> str:
    return f"{name}  {_mount_words(name, mounts)}".rstrip()


def _mount_words(name: str, mounts: Mapping[str, Mapping[str, str]]) -> str:
    """Write what keeps a mounted database; nothing for others."""
    mount = mounts.get(name)
    if mount is None:
        return ""
    return f"{mount['kind']}, {mount['url']}"


# ---------------------------------------------------------------- newest versions


def _list_heads(store: "SchemaStore", tables: Sequence[str], branch: str | None) -> Answer:
    heads: list[_Head] = []
    for start in range(0, len(tables), _BATCH):
        heads += _read_heads(store, tables[start : start + _BATCH], branch)
    rows = Rows([*map(_cells, heads)], _HEADS, headed=True)
    return Answer([rows] if heads else [], {"tables": [*map(_data, heads)]}, failed=any(map(_is_unreadable, heads)))


def _read_heads(store: "SchemaStore", tables: Sequence[str], branch: str | None) -> list[_Head]:
    """Read the newest versions of some tables at once."""
    from airflow_provider_schemas.store.layout.identifiers import branch_name, table_name
    from airflow_provider_schemas.store.prefetch import PrefetchRequest

    names = []
    for name in tables:
        with suppress(RefusedNameError):  # the row of the table has the error
            names.append((table_name(name), branch_name(branch)))
    judging = store.judging()
    judging.foresee(PrefetchRequest(tuple(names), rules=False, whole=True))
    return _map_in_threads(lambda name: _read_head(judging, name, branch), tables)


def _read_head(store: "SchemaStore", name: str, branch: str | None) -> _Head:
    try:
        return _Head(name, store.table(name, branch=branch).latest())
    except SchemaError as error:
        return _Head(name, error=error, branch=branch, mounted=name.partition(".")[0] in store.mounts)


def _map_in_threads(call: Callable[[_Value], _Result], values: Iterable[_Value]) -> list[_Result]:
    """Return the result of the call for each value, in their order; several calls run at once."""
    with ThreadPoolExecutor(_MAX_THREADS) as pool:
        return [*pool.map(call, values)]


def _is_unreadable(head: _Head) -> bool:
    """Return whether a table is there and cannot be read. What a source lists and denies is: a folder may be no table."""
    if head.error is None:
        return False
    return head.error.code != _NO_TABLE or (head.mounted and not head.branch)


def _cells(head: _Head) -> tuple[str, ...]:
    version = head.version
    if version is not None:
        return (head.name, f"v{version.number}", str(len(version.schema.fields)), when(version), origin(version))
    if head.error is not None and _is_unreadable(head):
        return (head.name, "?", "", f"cannot be read: {head.error.message}", "")
    why = f"nothing on the branch {head.branch}" if head.branch else "no schema: a folder, and no table"
    return (head.name, "-", "", why, "")


def _data(head: _Head) -> dict[str, Any]:
    version = head.version
    if version is None:
        return {"table": head.name, "error": str(head.error)}
    moment = written(version)
    author = provenance(version)
    return {
        "table": head.name,
        "version": version.number,
        "digest": version.digest,
        "columns": len(version.schema.fields),
        "written": moment.isoformat() if moment else None,
        "actor": author.actor if author else None,
    }
