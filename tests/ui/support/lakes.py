"""The warehouses of the browser's tests: one that everybody may see, one that few may see, and one whose storage never answers."""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore

Connections = dict[str, dict[str, Any]]
LAKE = "lake"
SECRET = "secret_lake"
HANGING = "hanging_lake"
HANGING_TOO = "other_hanging_lake"
LARGE = "large_lake"
HOSTILE = "hostile_lake"
ALLOWED = (LAKE, HANGING, HANGING_TOO, LARGE, HOSTILE)
COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
WIDE = "wide.events"
MANY = "many"
# The last change of each is what a reader loses.
_HISTORY = [
    "ADD COLUMN note STRING",
    "ALTER COLUMN amount TYPE DECIMAL(12, 2)",
    "ALTER COLUMN amount COMMENT 'gross, in euros'",
    "ADD COLUMN placed_at TIMESTAMP AFTER order_id",
    "DROP COLUMN note",
    """SET OPTION schemas.table = '{"owner": "team-orders", "contact": "#orders-oncall"}'""",
]


def connections(folder: Path, hanging_port: int) -> Connections:
    """Return the connections as `airflow connections import` reads them."""
    endpoint = {"endpoint_url": f"http://127.0.0.1:{hanging_port}", "region_name": "eu-west-1"}
    return {
        **{name: {"conn_type": "schema_store", "host": (folder / name).as_uri()} for name in (LAKE, SECRET, LARGE, HOSTILE)},
        HANGING: {"conn_type": "schema_store", "host": "s3://never/answers", "extra": {"storage_conn_id": "cloud"}},
        HANGING_TOO: {"conn_type": "schema_store", "host": "s3://never/this", "extra": {"storage_conn_id": "cloud"}},
        "cloud": {"conn_type": "aws", "login": "testing", "password": "testing", "extra": endpoint},
    }


def fill(folder: Path) -> None:
    """Make the tables, as they are before a DAG runs."""
    store = _store(folder / LAKE)
    store.create_table("shop.orders", COLUMNS, primary_keys=["order_id"])
    orders = store.table("shop.orders")
    for change in _HISTORY:
        orders.evolve(change)
    orders.register("cust_id BIGINT", consumer="churn_model", owner="team-ml", contact="#ml-oncall")
    orders.register("order_id BIGINT, amount DECIMAL(12, 2)", consumer="daily_report", owner="team-bi", contact="#bi-oncall")
    store.create_table("shop.users", "user_id BIGINT NOT NULL, email STRING, born DATE", primary_keys=["user_id"])
    store.create_table("shop.items", "item_id BIGINT NOT NULL, name STRING")
    store.create_table("shop.prices", "item_id BIGINT NOT NULL, price DECIMAL(10, 2)")
    store.create_table("shop.clicks", "click_id BIGINT NOT NULL, session STRING")
    clicks = store.table("shop.clicks")
    clicks.evolve("RENAME COLUMN session TO session_id")
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")
    clicks.waive("EXPECT_FIELD_RENAMED", "session", until=tomorrow, reason="INC-9: the job is rewritten on Monday")
    store.create_table("hr.salaries", "person_id BIGINT NOT NULL, salary DECIMAL(10, 2)")
    _store(folder / SECRET).create_table("vault.keys", "key_id BIGINT NOT NULL, hidden STRING")


def fill_large(folder: Path, tables: int, columns: int) -> None:
    """Make a database of many tables, all alike, and one wide table with a change in every third column."""
    store = _store(folder / LARGE)
    store.create_table(f"{MANY}.t00000", COLUMNS)
    first = next((folder / LARGE).glob(f"{MANY}*/t00000"))
    for number in range(1, tables):
        shutil.copytree(first, first.with_name(f"t{number:05}"), copy_function=os.link)
    store.create_table(WIDE, ", ".join(f"column_{number:04} INT" for number in range(columns)))
    widened = [f"ALTER COLUMN column_{number:04} TYPE BIGINT" for number in range(0, columns, 5)]
    added = [f"ADD COLUMN extra_{number:04} STRING" for number in range(columns // 6)]
    store.table(WIDE).evolve([*widened, *added])


def _store(folder: Path) -> SchemaStore:
    folder.mkdir(parents=True, exist_ok=True)
    return SchemaStore(folder, actor="ana", team="team-orders")
