"""Jobs behind gates and guards that must not turn green: each DAG is an attack that once went through."""

from typing import Any

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import DAG, task

from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.operators import SchemaGateOperator, schema_guard

SOON = {"retries": 1, "retry_delay": 3}


def work() -> None:
    """Do the job's work."""


def of_gate(name: str, conn: str = "attacked", **said: Any) -> None:
    """Make a DAG with one gate."""
    with DAG(f"attack_{name}"):
        SchemaGateOperator(task_id="gate", conn_id=conn, **said)


with DAG("attack_two_files"):
    BashOperator(task_id="gate", bash_command="airflow-schemas check {{ dag_run.conf['old'] }} {{ dag_run.conf['new'] }}")
with DAG("attack_alias"):
    NEEDS = {"columns": "cust_id BIGINT"}
    PythonOperator(task_id="gate", python_callable=work, pre_execute=schema_guard("attacked", reads={"attacks.alias": NEEDS}))
of_gate("described", reads={"attacks.described": "order_id BIGINT"}, policy={"descriptions": "block"})
of_gate("footer", reads={"attacks.footer": "cust_id BIGINT"})
of_gate("ambiguous", reads={"attacks.ambiguous": "a STRING"})
of_gate("stale", reads={"attacks.stale": "@registered"})
of_gate("first_run", reads=["attacks.first_run"])
of_gate("struct", writes={"attacks.struct": {"columns": "id INT, r ROW<a INT>", "shape": "positional"}})
of_gate("order", writes={"attacks.order": {"columns": "id INT, r ROW<b STRING, a STRING>", "shape": "positional"}})
of_gate("emptied", conn="{{ none }}", reads={"attacks.footer": "order_id BIGINT"})
with DAG("attack_unmounted", default_args=SOON):
    SchemaGateOperator(task_id="gate", conn_id="unmounted", reads={"attacks.held": "cust_id BIGINT"}, on_missing="warn")

with DAG("attack_rename"):

    @task(task_id="gate")
    def rename() -> None:
        """Give a table that somebody reads another name."""
        SchemaStoreHook("attacked").get_conn().rename_table("attacks.rename", "attacks.renamed")

    rename()
