"""Stores with a table or two, for tests of the store as a whole; and what somebody does in the middle of a commit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.formats.table_file import TableFile
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.paths import REGISTRY_ID
from airflow_provider_schemas.store.registry import policies
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table
from tests.servers.bucket import Bucket

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"


def lake(folder: Path, **said: Any) -> SchemaStore:
    """A store in a folder of its own, by ana."""
    (folder / "lake").mkdir(parents=True, exist_ok=True)
    return SchemaStore(folder / "lake", **{"actor": "ana", **said})


def open_store(bucket: Bucket, **settings: Any) -> SchemaStore:
    """Return a store in a bucket that knows nothing yet, as in the process of a task."""
    return SchemaStore(bucket.url("lake"), **{"storage_options": bucket.storage_options, "actor": "ana", **settings})


def orders(store: SchemaStore, **said: Any) -> Table:
    """The table shop.orders, made just now."""
    store.create_table("shop.orders", COLUMNS, primary_keys=["order_id"], **said)
    return store.table("shop.orders")


def guarded(store: SchemaStore) -> Table:
    """The same where every version counts, whether or not files of it are known."""
    policies.save(store.registry, {"against": "all"})
    return orders(store)


def columns(table: Table, number: int | None = None) -> dict[str, int]:
    """The names of the columns with their ids."""
    return {one.name: one.id for one in table.schema(number).fields}


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path, but the id of a registry, which the first record makes and nothing takes away."""
    files = [one for one in sorted(folder.rglob("*")) if one.is_file() and one.name != REGISTRY_ID]
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def written(text: str) -> TableFile:
    """A table file."""
    return table_file.read(text.encode(), "orders.yaml")


@contextmanager
def at(phase: str, call: Callable[[], object]) -> Iterator[list[str]]:
    """Have something done by somebody else the next time that a commit gets here; the phases that were met."""
    met: list[str] = []

    def heard(reached: str) -> None:
        first = phase not in met
        met.append(reached)
        if reached == phase and first:
            call()

    commit_steps.listen(heard)
    try:
        yield met
    finally:
        commit_steps.listen(None)
