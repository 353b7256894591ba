"""Iceberg tables that are changed through a store: the catalog, what a test does to its answers, and the store over it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import IcebergMount, SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create, sql_catalog

ORDERS = (NAMESPACE, "orders")


class FaultyCatalog:
    """A catalog of pyiceberg between which and its client a test does something."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.name = inner.name
        self.properties = inner.properties
        self.before: list[Callable[[], object]] = []
        """What happens before the next commits arrive."""
        self.after: list[Callable[[], object]] = []
        """What happens after they were made."""
        self.sent: list[tuple[Any, Any]] = []
        self.loads: list[Callable[[], object]] = []
        """What happens before a table is loaded."""

    def load_table(self, identifier: Any) -> Any:
        if self.loads:
            self.loads.pop(0)()
        return self.inner.load_table(identifier)

    def list_tables(self, namespace: Any) -> Any:
        return self.inner.list_tables(namespace)

    def commit_table(self, table: Any, requirements: Any, updates: Any) -> Any:
        self.sent.append((requirements, updates))
        if self.before:
            self.before.pop(0)()
        response = self.inner.commit_table(table, requirements, updates)
        if self.after:
            self.after.pop(0)()
        return response


def lose() -> None:
    """Lose an answer, as a gateway does that gives up."""
    from pyiceberg.exceptions import CommitStateUnknownException

    raise CommitStateUnknownException("the gateway gave up")


class ChangedLake:
    """A catalog with a table `orders`, and a store that may change it."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.catalog = sql_catalog(folder)
        create(self.catalog, **options)
        self.faulty = FaultyCatalog(self.catalog)
        self.store = open_store(folder, IcebergMount(self.faulty, NAMESPACE, evolve=True))

    @property
    def table(self) -> Table:
        return self.store.table("shop.orders")

    @property
    def peer(self) -> Any:
        """The table as pyiceberg has it now."""
        return self.catalog.load_table(ORDERS)

    def peer_changes(self, act: Callable[[Any], Any]) -> None:
        """Change the schema by pyiceberg alone."""
        with self.peer.update_schema() as update:
            act(update)

    def columns(self) -> dict[str, int]:
        """The names of the columns with their ids, as pyiceberg has them."""
        return {field.name: field.field_id for field in self.peer.schema().fields}


def open_store(folder: Path, mount: Any, **settings: Any) -> SchemaStore:
    """Return a store whose registry lies beside the catalog, by ana."""
    (folder / "registry").mkdir(exist_ok=True)
    return SchemaStore(folder / "registry", mounts={"shop": mount}, **{"actor": "ana", **settings})
