"""The two warehouses of the system test, one in a folder and one on S3, with the tables that its DAGs speak of."""

from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore
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
    }


def fill(store: SchemaStore) -> None:
    """The tables, as they are when the DAGs begin."""
    for name in _TABLES:
        store.create_table(name, COLUMNS)
    store.table("gated.wider").evolve("ADD COLUMN note STRING")
    store.create_table("shop.orders", f"{COLUMNS}, coupon STRING", primary_keys=["order_id"])
    for name in _READ:
        store.table(name).register("cust_id BIGINT", consumer="daily_report", owner="team-bi", contact="#bi-oncall")
