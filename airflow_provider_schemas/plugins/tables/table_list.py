"""Names of tables of a connection, searched and paged; of the page that is shown, version and owner by a second request."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.plugins.common.allow_list import SETTING, VARIABLE, allow_listed
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.common.paging import page_count, rows_of_page
from airflow_provider_schemas.plugins.common.query import page_number
from airflow_provider_schemas.plugins.connections.open_connection import DatabaseNames, OpenConnection
from airflow_provider_schemas.plugins.tables.addresses import address
from airflow_provider_schemas.plugins.tables.open_table import connection_of
from airflow_provider_schemas.plugins.tables.table_rows import TableRow, bare_row, read_rows

_ROWS: Final = 50
_LONGEST_SEARCH: Final = 200
_DETAILS: Final = "details"


class DatabaseEntry(Struct, frozen=True):
    """A database in the list."""

    name: str
    count: int
    address: str
    is_mounted: bool = False
    unaddressable: int = 0
    trouble: str = ""


class TableListing(Struct, frozen=True):
    """A page of the list of tables."""

    conn_id: str = ""
    connections: tuple[tuple[str, str], ...] = ()
    """The connections that may be shown, each with its address."""
    search: str = ""
    databases: tuple[DatabaseEntry, ...] = ()
    rows: tuple[TableRow, ...] = ()
    total: int = 0
    matches: int = 0
    page: int = 1
    pages: int = 1
    previous: str = ""
    following: str = ""
    rows_address: str = ""
    """Where the rows come from, with versions and owners; empty where they are filled already."""
    details_address: str = ""


def content(asked: Asked) -> Mapping[str, object]:
    """Return what the page shows; the connections to choose from where none is chosen."""
    return {
        "listing": listing(asked, details=bool(asked.query.get(_DETAILS))),
        "setting": SETTING,
        "variable": VARIABLE,
        "allowed": allow_listed(),
    }


def rows_content(asked: Asked) -> Mapping[str, object]:
    """Return the rows of the names that the list shows for the same query."""
    return {"rows": listing(asked, details=True).rows}


def listing(asked: Asked, *, details: bool) -> TableListing:
    """Return a page of the names; with details, what their newest versions tell."""
    connection = connection_of(asked)
    connections = tuple((conn_id, address("tables", conn=conn_id)) for conn_id in asked.conn_ids)
    if connection is None:
        return TableListing(connections=connections)
    databases = connection.names()
    search = asked.query.get("q", "").strip()[:_LONGEST_SEARCH]
    found = matching(databases, search)
    pages = page_count(len(found), _ROWS)
    page = min(page_number(asked.query), pages)
    shown = rows_of_page(found, page, _ROWS)

    def at(path: str, number: int, **more: str) -> str:
        return address(path, conn=connection.conn_id, q=search, page=number if number > 1 else None, **more)

    return TableListing(
        connection.conn_id,
        connections,
        search,
        tuple(_entry(connection.conn_id, database) for database in databases),
        tuple(_rows(connection, shown, details=details)),
        sum(len(database.tables) for database in databases),
        len(found),
        page,
        pages,
        at("tables", page - 1) if page > 1 else "",
        at("tables", page + 1) if page < pages else "",
        "" if details or not shown else at("rows", page),
        "" if details or not shown else at("tables", page, **{_DETAILS: "yes"}),
    )


def _rows(connection: OpenConnection, names: Sequence[str], *, details: bool) -> list[TableRow]:
    if details:
        return read_rows(connection, names)
    return [bare_row(name, connection.conn_id) for name in names]


def matching(databases: Sequence[DatabaseNames], search: str) -> list[str]:
    """Return the names that hold every word of a search, whatever their case; those that begin with it first."""
    words = search.casefold().split()
    names = [table for database in databases for table in database.tables]
    if not words:
        return names
    found = [name for name in names if _holds(name.casefold(), words)]
    return sorted(found, key=lambda name: not name.casefold().startswith(words[0]))


def _holds(name: str, words: Sequence[str]) -> bool:
    return all(word in name for word in words)


def _entry(conn_id: str, database: DatabaseNames) -> DatabaseEntry:
    here = address("tables", conn=conn_id, q=f"{database.database}.")
    return DatabaseEntry(database.database, len(database.tables), here, database.is_mounted, database.unaddressable, database.trouble)
