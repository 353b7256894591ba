"""Which tables an audit is about: found with one listing a database and root, whatever the number of tables, and no look into any table."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError, SparkError
from airflow_provider_schemas.spark.auditing.bulk_reads import folders
from airflow_provider_schemas.spark.auditing.rows import Row, unread
from airflow_provider_schemas.store.layout.identifiers import TableName, table_name
from airflow_provider_schemas.store.layout.paths import Layout, database_folder, database_of
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.storage.files import Files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WILD: Final = frozenset("*?[")


class Spot(NamedTuple):
    """A table, and where its schemas lie as far as listings show it."""

    name: TableName
    layouts: tuple[Layout, ...] = ()
    """In what roots it was seen; empty if nobody looked."""


class Spots(NamedTuple):
    """The tables of a warehouse, and what could not be listed."""

    tables: tuple[Spot, ...]
    unread: tuple[Row, ...] = ()


def spots(store: SchemaStore, databases: str | Iterable[str], tables: str | Iterable[str], spark: "SparkSession | None" = None) -> Spots:
    """The tables whose databases and names fit one of the patterns each, by name. An error if there is none."""
    of_databases, of_tables = _patterns(databases, "databases"), _patterns(tables, "tables")
    found = _named(of_tables) if _are_names(of_tables) else _listed(store, of_databases, spark)
    chosen = [one for one in found.tables if _fits(one.name.database, of_databases) and _fits_table(one.name, of_tables)]
    if not chosen and not found.unread:
        message = f"there is no table in {store.url} that fits {_said(of_databases, of_tables)}."
        fix = "Look at the names with `airflow-schemas ls`, and at the address."
        raise NotThereError(message, code="audit.no-table", path="tables", fix=fix)
    return Spots(tuple(sorted(chosen)), found.unread)


def _patterns(given: Any, what: str) -> tuple[str, ...]:
    found = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    if not found or not all(isinstance(one, str) and one.strip() for one in found):
        message = f"{what} are names or patterns, and {shown(str(given))} is none."
        raise SparkError(message, code="audit.patterns", path=what, fix='Pass text such as "shop.*", or a list of such.')
    return found


def _are_names(patterns: Iterable[str]) -> bool:
    """Whether the tables are named one by one, so that nothing has to be listed."""
    return all("." in one and not _WILD.intersection(one) for one in patterns)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, one) for one in patterns)


def _fits_table(name: TableName, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(str(name) if "." in one else name.table, one) for one in patterns)


def _said(databases: tuple[str, ...], tables: tuple[str, ...]) -> str:
    return f"{', '.join(map(shown, tables))} in databases {', '.join(map(shown, databases))}"


def _named(names: Iterable[str]) -> Spots:
    return Spots(tuple(Spot(table_name(one)) for one in dict.fromkeys(names)))


# ---------------------------------------------------------------- listing


def _listed(store: SchemaStore, patterns: tuple[str, ...], spark: "SparkSession | None") -> Spots:
    found: dict[TableName, list[Layout]] = {}
    lacking: list[Row] = []
    for files, layout in _roots(store):
        for database, name in _folders(files, layout, patterns, lacking, spark):
            table = _table(database, name, lacking)
            if table is not None:
                found.setdefault(table, []).append(layout)
    return Spots(tuple(Spot(name, tuple(layouts)) for name, layouts in found.items()), tuple(lacking))


def _roots(store: SchemaStore) -> Iterator[tuple[Files, Layout]]:
    if store.layout is not Layout.REGISTRY:
        yield store.warehouse, store.layout
    yield store.registry, Layout.REGISTRY


def _databases(files: Files, layout: Layout) -> set[str]:
    return {name for one in files.list("") if one.folder and (name := database_of(one.name, layout)) is not None}


def _folders(files: Files, layout: Layout, patterns: tuple[str, ...], lacking: list[Row], spark: Any) -> Iterator[tuple[str, str]]:
    """The databases that are wanted, and in each the folders that may be tables."""
    if isinstance(files, SparkFiles):  # which lists no folder without all data below it
        yield from (one for one in folders(spark, files, layout) if _fits(one[0], patterns) and not _is_hidden(one[1]))
        return
    for database in sorted(one for one in _databases(files, layout) if _fits(one, patterns)):
        try:
            entries = files.list(database_folder(database, layout))
        except SchemaError as error:
            lacking += [unread(f"{database}.*", fault) for fault in error.faults]
        else:
            yield from ((database, one.name) for one in entries if one.folder and not _is_hidden(one.name))


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "_"))


def _table(database: str, name: str, lacking: list[Row]) -> TableName | None:
    try:
        return table_name(f"{database}.{name}")
    except SchemaError as error:
        lacking += [unread(f"{database}.{name}", fault) for fault in error.faults]
        return None
