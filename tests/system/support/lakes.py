"""The two warehouses of the system test, one in a folder and one on S3, with the tables that its DAGs speak of."""

from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import IcebergMount, SchemaStore
from tests.servers.bucket import Bucket
from tests.servers.s3 import REGION

Connections = dict[str, dict[str, Any]]

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
_TABLES = """
    waiting.orders watched.orders announced.orders guarded.orders seen.orders gated.fits gated.broken gated.wider
    fleet.stays fleet.breaks evolved.approved evolved.rejected evolved.unanswered
""".split()
_READ = ("evolved.approved", "evolved.rejected", "evolved.unanswered", "shop.orders")
RENAME = "RENAME COLUMN cust_id TO customer_id"


def stores(folder: Path, bucket: Bucket) -> dict[str, SchemaStore]:
    """The warehouses as somebody outside of Airflow opens them, by the id of their connection."""
    return {
        "lake": SchemaStore(folder, actor="flink"),
        "lake_s3": SchemaStore(bucket.url("lake"), fs=bucket.filesystem(), actor="flink"),
    }


def connections(folder: Path, bucket: Bucket) -> Connections:
    """The connections as `airflow connections import` reads them. Only that of the cloud holds keys."""
    endpoint = {"endpoint_url": bucket.storage_options["client_kwargs"]["endpoint_url"], "region_name": REGION}
    return {
        "lake": {"conn_type": "schema_store", "host": folder.as_uri()},
        "lake_s3": {"conn_type": "schema_store", "host": bucket.url("lake"), "extra": {"storage_conn_id": "cloud"}},
        "cloud": {"conn_type": "aws", "login": "testing", "password": "testing", "extra": endpoint},
        "fs_default": {"conn_type": "fs"},
        **_iced(folder.parent / "iced"),
    }


# The id of the connection is the name under which a SQL catalog keeps its tables.
ICEBERG = "iceberg_sql"


def _iced(folder: Path) -> Connections:
    """A registry with a mounted database, and the catalog behind it."""
    mounts = {"web": {"source": "iceberg", "conn_id": ICEBERG, "namespace": "web", "evolve": True}}
    warehouse = (folder / "warehouse").as_uri()
    return {
        "iced": {"conn_type": "schema_store", "host": (folder / "registry").as_uri(), "extra": {"mounts": mounts}},
        ICEBERG: {"conn_type": "iceberg", "host": f"sqlite:///{folder}/catalog.db", "extra": {"type": "sql", "warehouse": warehouse}},
    }


def iceberg_catalog(connection: dict[str, Any]) -> Any:
    """The catalog of a connection, as another program opens it."""
    from pyiceberg.catalog.sql import SqlCatalog

    return SqlCatalog(ICEBERG, uri=connection["host"], warehouse=connection["extra"]["warehouse"])


def fill_iceberg(folder: Path, connection: dict[str, Any]) -> None:
    """Make the tables of the catalog, and register who reads them."""
    from pyiceberg.schema import Schema
    from pyiceberg.types import IntegerType, LongType, NestedField, StringType

    for name in ("registry", "warehouse"):
        (folder / "iced" / name).mkdir(parents=True)
    catalog = iceberg_catalog(connection)
    catalog.create_namespace("web")
    page_id, seconds = NestedField(1, "page_id", LongType(), required=True), NestedField(3, "seconds", IntegerType())
    for table in ("pages", "visits"):
        catalog.create_table(("web", table), Schema(page_id, NestedField(2, "url", StringType()), seconds))
    store = SchemaStore(folder / "iced" / "registry", mounts={"web": IcebergMount(catalog, "web")}, actor="spark")
    store.table("web.pages").register("url STRING", consumer="weekly_pages", owner="team-web", contact="#web")


def fill(store: SchemaStore) -> None:
    """The tables, as they are when the DAGs begin."""
    for name in _TABLES:
        store.create_table(name, COLUMNS)
    store.table("gated.wider").evolve("ADD COLUMN note STRING")
    store.create_table("shop.orders", f"{COLUMNS}, coupon STRING", primary_keys=["order_id"])
    for name in _READ:
        store.table(name).register("cust_id BIGINT", consumer="daily_report", owner="team-bi", contact="#bi-oncall")
