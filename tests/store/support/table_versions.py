"""A table with a few versions, for tests of what hangs on tables."""

from datetime import UTC, datetime

from airflow_provider_schemas.core import TableSchema, Version, evolve
from airflow_provider_schemas.store.layout.identifiers import TableName

ORDERS = TableName("shop", "orders")
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
FIRST = TableSchema.create("order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2), address ROW<city STRING, zip STRING>")
RENAMED = evolve(FIRST, ["RENAME COLUMN cust_id TO customer_id"])


def version(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)
