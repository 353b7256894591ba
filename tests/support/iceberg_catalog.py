"""A catalog of pyiceberg on this disk, and the connection of Airflow's own type `iceberg` that leads to it: the peer changes its tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

CONN_ID = "iceberg_local"
NAMESPACE = "prod.shop"
MOUNT = {"source": "iceberg", "conn_id": CONN_ID, "namespace": NAMESPACE}
ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"


def connection(folder: Path) -> dict[str, Any]:
    """The fields of the connection."""
    return {
        "conn_type": "iceberg",
        "host": f"sqlite:///{folder}/catalog.db",
        "extra": {"type": "sql", "warehouse": folder.as_uri()},
    }


def open_catalog(folder: Path, name: str = CONN_ID) -> "Catalog":
    """The catalog, as another program opens it. Its tables are kept under its name."""
    from pyiceberg.catalog import load_catalog

    folder.mkdir(exist_ok=True)
    catalog = load_catalog(name, type="sql", uri=f"sqlite:///{folder}/catalog.db", warehouse=folder.as_uri())
    for namespace in ("prod", NAMESPACE):
        catalog.create_namespace_if_not_exists(namespace)
    return catalog


def make_orders(catalog: "Catalog", name: str = "orders") -> Any:
    """A table of orders, whose answer is pyiceberg's table."""
    from pyiceberg.schema import Schema
    from pyiceberg.types import DecimalType, LongType, NestedField, StringType

    columns = Schema(
        NestedField(1, "order_id", LongType(), required=True),
        NestedField(2, "cust_id", LongType()),
        NestedField(3, "amount", DecimalType(10, 2)),
        NestedField(4, "note", StringType()),
    )
    return catalog.create_table(f"{NAMESPACE}.{name}", columns)


def rename(table: Any, old: str, new: str) -> None:
    """Rename a column, as another program does."""
    with table.refresh().update_schema() as update:
        update.rename_column(old, new)
