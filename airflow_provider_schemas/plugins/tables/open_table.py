"""The connection and the table that a query names: read in one snapshot, so that a page asks nothing twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaError
from airflow_provider_schemas.plugins.common.allow_list import SETTING, VARIABLE
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.connections.open_connection import OpenConnection
from airflow_provider_schemas.plugins.connections.open_connections import OPENED
from airflow_provider_schemas.plugins.tables.addresses import BranchLinks, address, tabs
from airflow_provider_schemas.render.html.links import Links
from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName, branch_name, table_name
from airflow_provider_schemas.store.layout.paths import contracts_folder
from airflow_provider_schemas.store.prefetch import PrefetchRequest
from airflow_provider_schemas.store.table import Table

_NO_TABLE: Final = "table.not-there"


class OpenTable(Struct, frozen=True):
    """A table, as one page sees it."""

    conn_id: str
    connection: OpenConnection
    table: Table
    may_see_addresses: bool = False
    links: Links = Links()

    @property
    def name(self) -> str:
        return self.table.name

    @property
    def branch(self) -> str:
        return self.table.branch_name

    @property
    def is_mounted(self) -> bool:
        return self.table.subject.is_mounted

    def address(self, path: str, **query: str | int | None) -> str:
        """Return the address of another page about the table, on the same branch."""
        return address(path, conn=self.conn_id, t=self.name, branch=self.branch, **query)

    def frame(self, here: str) -> dict[str, object]:
        """Return what the page at a path begins with: the table, the pages about it, and links that keep to its branch."""
        around = tabs(here, self.conn_id, self.name, self.branch)
        return {"opened": self, "tabs": around, "links": BranchLinks(self.links, self.branch)}


def connection_of(asked: Asked) -> OpenConnection | None:
    """Return the connection that the query names, or the first that may be shown; None where none may."""
    conn_id = asked.query.get("conn", "") or next(iter(asked.conn_ids), "")
    if not conn_id:
        return None
    if conn_id not in asked.conn_ids:
        fix = f"Have {SETTING} name it ({VARIABLE}), or ask for the right to read it."
        raise NotThereError(f"the connection {shown(conn_id)} is not shown here.", code="page.no-connection", path="conn", fix=fix)
    return OPENED.get(conn_id)


@contextmanager
def open_table(asked: Asked, *, rules: bool = False, jobs: bool = False) -> Iterator[OpenTable]:
    """Open the table that the query names. Rules is whether its policy and waivers are read, jobs whether its contracts are, too."""
    connection = connection_of(asked)
    if connection is None:
        raise NotThereError("no connection is named.", code="page.no-connection", path="conn", fix="Choose one on the page of tables.")
    name = table_name(asked.query.get("t", ""))
    branch = branch_name(asked.query.get("branch") or MAIN)
    may_see_addresses = connection.conn_id in asked.own_conn_ids
    try:
        with _snapshot(connection, name, branch, rules=rules or jobs, jobs=jobs) as table:
            yield OpenTable(connection.conn_id, connection, table, may_see_addresses, asked.links)
    except RefusedNameError:
        raise
    except SchemaError as error:
        if error.code == _NO_TABLE:
            raise _missing(connection, name, branch) from error
        raise connection.without_addresses(error) from error


@contextmanager
def _snapshot(connection: OpenConnection, name: TableName, branch: str, *, rules: bool, jobs: bool) -> Iterator[Table]:
    """Give the table in a snapshot; contracts that were read before are handed to it, and those that it reads are kept."""
    store = connection.store.judging()
    walked = connection.records.walk(store.registry, contracts_folder(name)) if jobs else None
    contracts = ((name, ""),) if jobs else ()
    store.foresee(PrefetchRequest(((name, branch),), contracts=contracts, rules=rules))
    yield store.table(name, branch)
    if walked is not None:
        walked.keep()


def _missing(connection: OpenConnection, name: TableName, branch: str) -> NotThereError:
    """Return the error about a table that is not there, with the name that was probably meant."""
    where = "" if branch == MAIN else f" on branch {shown(branch)}"
    message = f"there is no table {name}{where} in the connection {connection.conn_id}."
    known = [table for database in connection.names() for table in database.tables]
    near = get_close_matches(str(name), known, n=3, cutoff=0.75)
    fix = f"Did you mean {' or '.join(near)}?" if near else "It may have been dropped or renamed: search for it on the page of tables."
    if str(name) in known and branch != MAIN:
        fix = "Look at its main branch."
    return NotThereError(message, code=_NO_TABLE, path=str(name), fix=fix)
