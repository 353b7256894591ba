"""`ls`: databases, or the tables of some, or those that patterns match; with `--long`, their newest versions. One line a table.

A mounted database stands with what keeps it. Names of its tables that cannot be written as db.table are listed by themselves.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.output.result import Answer, OneLineRows, Part, Rows, TextLine
from airflow_provider_schemas.cli.table_patterns import Matches, matches
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import RefusedNameError, SchemaError, StorageError
from airflow_provider_schemas.render.version_entries import origin, provenance, when, written
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

_MAX_THREADS = 32
# So many tables are read at once: what was read for them is kept until they are listed.
_BATCH = 1_000
_MAX_REASONS = 20
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
    parser.add_argument(
        "databases",
        nargs="*",
        metavar="DATABASE|TABLE|PATTERN",
        help="list the tables of these: shop, shop.orders, 'shop.ord*', '*.orders'; without one, the databases",
    )
    parser.add_argument("-l", "--long", action="store_true", help="version, columns, when and by whom; of databases, how many tables")


def run(args: Namespace) -> Answer:
    """Answer with one name a line, or with a row for each table."""
    if args.branch and not (args.databases and args.long):
        fix = "Leave --branch out, or write: ls DATABASE --long --branch NAME."
        raise SchemaError("a list of names looks at no branch.", code="cli.branch", path="--branch", fix=fix)
    store = open_store.store(args)
    cached = store.judging()
    if not args.databases:
        answer = _list_databases(cached, args)
        doubt = _doubt(cached)
    else:
        found = matches(cached, args.databases)
        answer = _list_tables(store, cached, found, args)
        doubt = "" if store.mounts.keys() >= found.databases else _doubt(cached)
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


def _list_tables(store: "SchemaStore", cached: "SchemaStore", found: Matches, args: Namespace) -> Answer:
    """List through the cached store; many versions are read through the other one, as they need not be kept."""
    if args.long:
        answer = _list_heads(cached if len(found.tables) <= _BATCH else store, found.tables, args)
    else:
        answer = Answer([TextLine(table, typed=True) for table in found.tables], {"tables": list(found.tables)})
    return _with_unlisted(_with_unaddressable(answer, found.unaddressable), found.unlisted)


def _with_unaddressable(answer: Answer, names: Mapping[str, Sequence[str]]) -> Answer:
    """Add the tables of mounted databases whose names cannot be written as db.table."""
    lines = [TextLine(f"not addressable in {database}: {shown(name)}") for database, of_it in names.items() for name in of_it]
    if not lines:
        return answer
    plain = {database: list(of_it) for database, of_it in names.items()}
    return answer._replace(parts=[*answer.parts, *lines], data={**answer.data, "unaddressable": plain})


def _with_unlisted(answer: Answer, errors: Mapping[str, SchemaError]) -> Answer:
    """Add the databases that match and cannot be listed: their tables are not known, so the listing has failed."""
    if not errors:
        return answer
    lines = [TextLine(f"{database} cannot be listed: {error.message}") for database, error in errors.items()]
    entries = [{"database": database, "error": str(error)} for database, error in errors.items()]
    return answer._replace(parts=[*answer.parts, *lines], data={**answer.data, "unlisted": entries}, failed=True)


# ---------------------------------------------------------------- databases


def _list_databases(store: "SchemaStore", args: Namespace) -> Answer:
    names = store.databases()
    mounts = {name: {"kind": mount.kind, "url": mount.url} for name, mount in sorted(store.mounts.items())}
    more = {"mounts": mounts} if mounts else {}
    if not args.long:
        lines = [TextLine(_database_line(name, mounts)) for name in names] or [TextLine(f"there are no databases in {store.url}")]
        return Answer(lines, {"databases": list(names), **more})
    args.progress.begin("listing databases", len(names))
    counts = _map_in_threads(partial(_count_tables, store), names, args)
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


def _list_heads(store: "SchemaStore", tables: Sequence[str], args: Namespace) -> Answer:
    args.progress.begin("reading tables", len(tables))
    heads: list[_Head] = []
    for start in range(0, len(tables), _BATCH):
        heads += _read_heads(store, tables[start : start + _BATCH], args)
    unreadable = [head for head in heads if _is_unreadable(head)]
    parts: list[Part] = [OneLineRows([*map(_cells, heads)], _HEADS)] if heads else []
    return Answer([*parts, *_reasons(unreadable)], {"tables": [*map(_data, heads)]}, failed=bool(unreadable))


def _reasons(unreadable: Sequence[_Head]) -> Iterator[TextLine]:
    """Yield why tables cannot be read, below their rows, which are cut."""
    for head in unreadable[:_MAX_REASONS]:
        yield TextLine(f"{head.name} cannot be read: {head.error.message if head.error else ''}")
    if len(unreadable) > _MAX_REASONS:
        yield TextLine(f"... and {len(unreadable) - _MAX_REASONS:,} more cannot be read")


def _read_heads(store: "SchemaStore", tables: Sequence[str], args: Namespace) -> list[_Head]:
    """Read the newest versions of some tables at once."""
    from airflow_provider_schemas.store.layout.identifiers import branch_name, table_name
    from airflow_provider_schemas.store.prefetch import PrefetchRequest

    names = []
    for name in tables:
        with suppress(RefusedNameError):  # the row of the table has the error
            names.append((table_name(name), branch_name(args.branch)))
    judging = store.judging()
    judging.foresee(PrefetchRequest(tuple(names), rules=False, whole=True))
    return _map_in_threads(lambda name: _read_head(judging, name, args.branch), tables, args)


def _read_head(store: "SchemaStore", name: str, branch: str | None) -> _Head:
    try:
        return _Head(name, store.table(name, branch=branch).latest())
    except SchemaError as error:
        return _Head(name, error=error, branch=branch, mounted=name.partition(".")[0] in store.mounts)


def _map_in_threads(call: Callable[[_Value], _Result], values: Iterable[_Value], args: Namespace) -> list[_Result]:
    """Return the result of the call for each value, in their order; several calls run at once."""

    def counted_call(value: _Value) -> _Result:
        result = call(value)
        args.progress.advance()
        return result

    with ThreadPoolExecutor(_MAX_THREADS) as pool:
        return [*pool.map(counted_call, values)]


def _is_unreadable(head: _Head) -> bool:
    """Return whether a table is there and cannot be read. What a source lists and denies is: a folder may be no table."""
    if head.error is None:
        return False
    return head.error.code != _NO_TABLE or (head.mounted and not head.branch)


def _cells(head: _Head) -> tuple[str, ...]:
    version = head.version
    if version is not None:
        return (head.name, f"v{version.number}", str(len(version.schema.fields)), when(version), origin(version).removeprefix("by "))
    if head.error is not None and _is_unreadable(head):
        return (head.name, "?", "", "cannot be read", "")
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
