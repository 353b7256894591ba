"""What the tests of operators that change tables share: a store with a table, and a run of an operator in it."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.change.asset_events import ALIAS

Context = Callable[..., Any]
COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
FILE = """\
table: shop.orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
"""
LONG_AGO, TOMORROW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)


def store_in(folder: Path) -> SchemaStore:
    """The store of the connection `lake`, with the table shop.orders."""
    found = SchemaStore(folder / "lake")
    found.create_table("shop.orders", COLUMNS, primary_keys=["order_id"])
    return found


def table_file(folder: Path, text: str = FILE, name: str = "orders.yaml") -> str:
    """A table file beside the DAG; its path from there."""
    (folder / "dags").mkdir(exist_ok=True)
    (folder / "dags" / name).write_text(text, "utf-8")
    return name


def announced(context: dict[str, Any]) -> list[Any]:
    """The events that a task has left."""
    found: list[Any] = context["outlet_events"][ALIAS].asset_alias_events
    return found


def aged(context: Any, **about: Any) -> Any:
    """The context, with more known of its run: run_after, clear_number, run_type."""
    context["dag_run"].__dict__.update(about)
    return context
