"""A connection with its store, opened to read only, and the names of its tables, kept for half a minute."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.blame.lifelines import Lifelines
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.plugins.connections.kept_records import KeptRecords
from airflow_provider_schemas.plugins.connections.kept_values import KeptValues
from airflow_provider_schemas.plugins.connections.several_at_once import each

if TYPE_CHECKING:
    from airflow_provider_schemas.hooks.connection_settings import Settings
    from airflow_provider_schemas.store.schema_store import SchemaStore

_NAMES_SECONDS: Final = 30.0


class DatabaseNames(Struct, frozen=True):
    """The tables of a database."""

    database: str
    tables: tuple[str, ...]
    """In two parts, as people ask for them."""
    is_mounted: bool = False
    unaddressable: int = 0
    """The number of tables of a mounted database whose names nobody can ask for."""
    trouble: str = ""
    """The code of the error where the database could not be listed."""


class OpenConnection:
    """A connection whose store was opened. One process shares it between its threads."""

    def __init__(self, conn_id: str, settings: "Settings", store: "SchemaStore") -> None:
        self.conn_id = conn_id
        self.settings = settings
        self.store = store
        self.records = KeptRecords()
        self.columns: KeptValues[tuple[TableBlame, Lifelines]] = KeptValues()
        """Blame and lifelines of tables that were looked at last."""
        self._names: tuple[float, tuple[DatabaseNames, ...]] | None = None

    def names(self) -> tuple[DatabaseNames, ...]:
        """Return the tables of each database: a listing of each root, and one of each database, no older than half a minute."""
        known = self._names
        if known is not None and time.monotonic() - known[0] < _NAMES_SECONDS:
            return known[1]
        store = self.store.judging()
        databases = store.databases()
        listed = tuple(each(lambda database: _list(store, database), databases))
        self._names = (time.monotonic(), listed)
        return listed

    def without_addresses(self, error: SchemaError) -> SchemaError:
        """Return the error without the addresses of the storage, which whoever may see the page need not know."""
        addresses = sorted(filter(None, self._addresses()), key=len, reverse=True)
        faults = []
        for fault in error.faults:
            message = _hide(fault.message, addresses)
            faults.append(fault._replace(path=_hide(fault.path, addresses), message=message, fix=_hide(fault.fix, addresses)))
        return type(error).of(faults)

    def _addresses(self) -> Iterable[str]:
        """Yield the addresses of the roots, with their protocol and without."""
        mounts = (source.url for source in self.store.mounts.values())
        for url in (self.store.url, self.store.registry.url, *mounts):
            yield url
            yield url.partition("://")[2]


def _hide(text: str, addresses: Iterable[str]) -> str:
    for address in addresses:
        text = text.replace(address, "the storage")
    return text


def _list(store: "SchemaStore", database: str) -> DatabaseNames:
    """Return the tables of a database. One that cannot be listed hides no other."""
    is_mounted = database in store.mounts
    try:
        tables = tuple(f"{database}.{table}" for table in store.tables(database))
        unaddressable = len(store.unaddressable(database))
    except SchemaError as error:
        return DatabaseNames(database, (), is_mounted, trouble=error.code)
    return DatabaseNames(database, tables, is_mounted, unaddressable)
