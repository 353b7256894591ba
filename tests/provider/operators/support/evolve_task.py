"""What the tests of `SchemaEvolveOperator` share: one task that widens shop.orders."""

from typing import Any

from airflow_provider_schemas.operators import SchemaEvolveOperator
from airflow_provider_schemas.store import SchemaStore
from tests.provider.operators.support.store_with_table import Context, aged

COUPON = ["ADD COLUMN coupon STRING", "ALTER COLUMN amount TYPE DECIMAL(12, 2)"]
DIGEST = "0" * 64


def operator(**said: Any) -> SchemaEvolveOperator:
    given: dict[str, Any] = {"task_id": "widen", "conn_id": "lake", "table": "shop.orders"}
    return SchemaEvolveOperator(**given | said)


def run(context: Context, run_id: str = "r1", about: dict[str, Any] | None = None, **said: Any) -> dict[str, Any]:
    made = operator(**said)
    told: dict[str, Any] = made.execute(aged(context(made, run_id=run_id), **(about or {})))
    return told


def head(store: SchemaStore) -> int:
    return store.table("shop.orders").latest().number
