"""Version, owner and date of tables: what the list of names shows besides, asked for by a request of its own."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.plugins.connections.open_connection import OpenConnection
from airflow_provider_schemas.plugins.connections.several_at_once import each
from airflow_provider_schemas.plugins.tables.addresses import address
from airflow_provider_schemas.render.version_entries import origin, when
from airflow_provider_schemas.store.layout.identifiers import MAIN, table_name
from airflow_provider_schemas.store.prefetch import PrefetchRequest
from airflow_provider_schemas.store.schema_store import SchemaStore

_NO_VERSION: Final = "no schema: a folder of another program, or a table that was just dropped"
_UNREAD: Final = "cannot be read"


class TableRow(Struct, frozen=True):
    """A table in the list. Before its version is read, the name alone is known."""

    name: str
    address: str
    version: str = ""
    written: str = ""
    origin: str = ""
    owner: str = ""
    contact: str = ""
    columns: int | None = None
    trouble: str = ""


def bare_row(name: str, conn_id: str) -> TableRow:
    """Return the row of a table of which only the name is known."""
    return TableRow(name, address("table", conn=conn_id, t=name))


def read_rows(connection: OpenConnection, names: Sequence[str]) -> list[TableRow]:
    """Return the rows of these tables, read at once. One that cannot be read hides no other; a storage in trouble hides all."""
    store = connection.store.judging()
    store.foresee(PrefetchRequest(tuple((table_name(name), MAIN) for name in names), rules=False))
    return each(lambda name: _read_row(store, connection.conn_id, name), names)


def _read_row(store: SchemaStore, conn_id: str, name: str) -> TableRow:
    row = bare_row(name, conn_id)
    try:
        return _filled(row, store.table(name).latest())
    except StorageError:
        raise
    except NotThereError:
        return TableRow(row.name, row.address, trouble=_NO_VERSION)
    except SchemaError:
        return TableRow(row.name, row.address, trouble=_UNREAD)


def _filled(row: TableRow, head: Version) -> TableRow:
    about = attributes(head)
    is_mounted = bool(head.table_id)
    return TableRow(
        row.name,
        row.address,
        f"v{head.number}",
        "" if is_mounted else when(head),
        "kept by another catalog" if is_mounted else origin(head),
        about.get("owner", ""),
        about.get("contact", ""),
        len(head.schema.fields),
    )


def attributes(version: Version) -> Mapping[str, str]:
    """Return the attributes of a table that are texts; none where they cannot be read."""
    try:
        known = version.schema.table_attributes
    except SchemaError:
        return {}
    return {key: value for key, value in known.items() if isinstance(value, str)}
