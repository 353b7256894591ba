"""Gates of every colour: one that breaks, one mapped, one that warns, one that fits, a guard, and tasks that have no verdict."""

from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import DAG, task

from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator, schema_guard

ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT"
USERS = "user_id BIGINT NOT NULL, email STRING"
ITEMS = "item_id BIGINT NOT NULL"


@task
def job() -> str:
    """What runs behind a gate."""
    return "ran"


def gated(dag_id: str, reads: object) -> None:
    """A gate and its job."""
    with DAG(dag_id):
        SchemaGateOperator(task_id="gate", conn_id="lake", reads=reads) >> job()


with DAG("evolve_shop"):
    SchemaEvolveOperator(
        task_id="rename",
        conn_id="lake",
        table="shop.orders",
        changes=["RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING"],
        override="INC-7: the new checkout needs it",
    )

gated("daily", {"shop.orders": ORDERS, "shop.users": USERS, "shop.items": ITEMS})
gated("green", {"shop.users": USERS})
gated("payroll", {"hr.salaries": "person_id BIGINT"})
gated("seen", ["shop.prices"])
gated("waived", {"shop.clicks": "click_id BIGINT, session STRING"})

with DAG("ltv"):
    NEEDS = [{"shop.users": USERS}, {"shop.orders": ORDERS}, {"shop.items": ITEMS}]
    SchemaGateOperator.partial(task_id="load", conn_id="lake").expand(reads=NEEDS)

with DAG("weekly"):
    PythonOperator(task_id="report", python_callable=print, pre_execute=schema_guard("lake", reads={"shop.items": ITEMS}))
