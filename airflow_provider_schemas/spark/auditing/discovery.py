"""Which tables an audit is about: found with one listing a database and root, whatever the number of tables, and no look into any table."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError, SparkError
from airflow_provider_schemas.spark.auditing.bulk_reads import list_table_folders
from airflow_provider_schemas.spark.auditing.rows import Row, unread_row
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.store.layout.paths import Layout, database_folder, database_of
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table_inspection import no_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WILDCARDS: Final = frozenset("*?[")


class AuditTarget(NamedTuple):
    """A table, and where its schemas lie as far as listings show it."""

    name: TableName
    layouts: tuple[Layout, ...] = ()
    """In what roots it was seen; empty if nobody looked."""


class AuditTargets(NamedTuple):
    """The tables of a warehouse, and what could not be listed."""

    tables: tuple[AuditTarget, ...]
    unread: tuple[Row, ...] = ()
    mounted: tuple[str, ...] = ()
    """The names of tables that others keep."""


def find_targets(
    store: SchemaStore, databases: str | Iterable[str], tables: str | Iterable[str], spark: "SparkSession | None" = None
) -> AuditTargets:
    """Return the tables whose databases and names fit one of the patterns each, by name. Raise NotThereError if there is none."""
    database_patterns = _check_patterns(databases, "databases")
    table_patterns = _check_patterns(tables, "tables")
    targets = _name_targets(table_patterns) if _are_names(table_patterns) else _list_targets(store, database_patterns, spark)
    chosen = [target for target in targets.tables if _is_chosen(target.name, database_patterns, table_patterns)]
    chosen = [target for target in chosen if target.name.database not in store.mounts]
    mounts = [database for database in sorted(store.mounts) if _is_mount_meant(database, database_patterns, table_patterns)]
    unread = list(targets.unread)
    listed = chain.from_iterable(_list_mounted(store, database, unread) for database in mounts)
    mounted = [str(name) for name in listed if _is_chosen(name, database_patterns, table_patterns)]
    if not chosen and not mounted and not unread:
        wanted = f"{', '.join(map(shown, table_patterns))} in databases {', '.join(map(shown, database_patterns))}"
        message = f"there is no table in {store.url} that fits {wanted}."
        fix = "Look at the names with `airflow-schemas ls`, and at the address."
        raise NotThereError(message, code="audit.no-table", path="tables", fix=fix)
    return AuditTargets(tuple(sorted(chosen)), tuple(unread), tuple(mounted))


def _check_patterns(given: object, argument: str) -> tuple[str, ...]:
    """Return the patterns of an argument, one text or several. Raise SparkError if they are something else."""
    patterns = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    if not patterns or not _are_texts(patterns):
        message = f"{argument} are names or patterns, and {shown(str(given))} is none."
        raise SparkError(message, code="audit.patterns", path=argument, fix='Pass text such as "shop.*", or a list of such.')
    return patterns


def _are_texts(patterns: tuple[object, ...]) -> TypeGuard[tuple[str, ...]]:
    return all(isinstance(pattern, str) and pattern.strip() for pattern in patterns)


def _are_names(patterns: Iterable[str]) -> bool:
    """Return whether the tables are named one by one, so that nothing has to be listed."""
    return all("." in pattern and not _WILDCARDS.intersection(pattern) for pattern in patterns)


def _is_chosen(name: TableName, database_patterns: Iterable[str], table_patterns: Iterable[str]) -> bool:
    return _fits_any(name.database, database_patterns) and any(_fits_table(name, pattern) for pattern in table_patterns)


def _is_mount_meant(database: str, database_patterns: Iterable[str], table_patterns: Iterable[str]) -> bool:
    """Return whether tables of a mounted database would be chosen."""
    of_tables = [pattern.partition(".")[0] if "." in pattern else database for pattern in table_patterns]
    return _fits_any(database, database_patterns) and _fits_any(database, of_tables)


def _list_mounted(store: SchemaStore, database: str, unread: list[Row]) -> list[TableName]:
    """Return the tables of a mounted database; note why, where it cannot be listed, and tables whose names cannot be written."""
    try:
        tables = store.tables(database)
        unread += [unread_row(f"{database}.{name}", no_name(database, name)) for name in store.unaddressable(database)]
    except SchemaError as error:
        unread += [unread_row(f"{database}.*", fault) for fault in error.faults]
        return []
    return [TableName(database, table) for table in tables]


def _fits_any(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _fits_table(name: TableName, pattern: str) -> bool:
    """Return whether a pattern fits a table; one with a dot is about the database, too."""
    return fnmatchcase(str(name) if "." in pattern else name.table, pattern)


def _name_targets(names: Iterable[str]) -> AuditTargets:
    return AuditTargets(tuple(AuditTarget(table_name(name)) for name in dict.fromkeys(names)))


# ---------------------------------------------------------------- listing


def _list_targets(store: SchemaStore, database_patterns: tuple[str, ...], spark: "SparkSession | None") -> AuditTargets:
    layouts: dict[TableName, list[Layout]] = {}
    unread: list[Row] = []
    for files, layout in _roots(store):
        for database, folder in _list_folders(files, layout, database_patterns, unread, spark):
            name = _parse_name(database, folder, unread)
            if name is not None:
                layouts.setdefault(name, []).append(layout)
    return AuditTargets(tuple(AuditTarget(name, tuple(places)) for name, places in layouts.items()), tuple(unread))


def _roots(store: SchemaStore) -> Iterator[tuple[Files, Layout]]:
    if store.layout is not Layout.REGISTRY:
        yield store.warehouse, store.layout
    yield store.registry, Layout.REGISTRY


def _list_folders(
    files: Files, layout: Layout, database_patterns: tuple[str, ...], unread: list[Row], spark: "SparkSession | None"
) -> Iterator[tuple[str, str]]:
    """List the databases that are wanted, and in each the folders that may be tables."""
    if isinstance(files, SparkFiles) and spark is not None:  # which lists no folder without all data below it
        for database, table in list_table_folders(spark, files, layout):
            if _fits_any(database, database_patterns) and not _is_hidden(table):
                yield database, table
        return
    for database in _list_databases(files, layout, database_patterns):
        try:
            entries = files.list(database_folder(database, layout))
        except SchemaError as error:
            unread += [unread_row(f"{database}.*", fault) for fault in error.faults]
        else:
            yield from ((database, entry.name) for entry in entries if entry.folder and not _is_hidden(entry.name))


def _list_databases(files: Files, layout: Layout, patterns: tuple[str, ...]) -> list[str]:
    databases = {database_of(entry.name, layout) for entry in files.list("") if entry.folder}
    return sorted(database for database in databases if database is not None and _fits_any(database, patterns))


def _is_hidden(folder: str) -> bool:
    return folder.startswith((".", "_"))


def _parse_name(database: str, folder: str, unread: list[Row]) -> TableName | None:
    try:
        return table_name(f"{database}.{folder}")
    except SchemaError as error:
        unread += [unread_row(f"{database}.{folder}", fault) for fault in error.faults]
        return None
