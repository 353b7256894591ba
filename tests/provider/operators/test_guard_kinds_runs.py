"""A guard stops every kind of task before it runs, in a real Airflow: tasks that branch, skip others, wait, or are deferred."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from datetime import timedelta
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.providers.standard.sensors.python import PythonSensor
from airflow.providers.standard.sensors.time_delta import TimeDeltaSensor
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import schema_guard

def guard(): return schema_guard("lake", reads={"shop.orders": "cust_id BIGINT"})

with DAG("kinds", schedule=None, default_args={"retries": 2, "retry_delay": timedelta(seconds=0)}):
    after = EmptyOperator(task_id="after")

    @task.branch(pre_execute=guard())
    def branches():
        print("RAN branches")
        return "after"

    @task.short_circuit(pre_execute=guard())
    def shortens():
        print("RAN shortens")
        return False

    @task(pre_execute=guard())
    def plain(): print("RAN plain")

    @task
    def mapped(number): print("RAN mapped")

    branches() >> after
    shortens() >> EmptyOperator(task_id="later")
    plain()
    guard().on(mapped.expand(number=[1, 2]))
    BashOperator(task_id="bash", bash_command="echo RAN bash", pre_execute=guard())
    PythonSensor(task_id="waits", python_callable=lambda: print("RAN waits") or True, pre_execute=guard())
    TimeDeltaSensor(task_id="deferred", delta=timedelta(0), deferrable=True, pre_execute=guard())
"""
STORY = """
store.create_table("shop.orders", "order_id BIGINT, cust_id BIGINT")
run("kinds", 0)
store.table("shop.orders").evolve("DROP COLUMN cust_id", override="a test")
run("kinds", 1)
"""
NAMES = ("branches", "shortens", "plain", "bash", "waits", "deferred", "mapped[0]", "mapped[1]")


@pytest.fixture(scope="module")
def runs(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return told(tmp_path_factory.mktemp("kinds"), airflow_database, STORY, kinds=DAGS)


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_where_the_tables_fit_and_is_stopped_for_good_where_they_do_not(runs: list[Run], name: str) -> None:
    fits, breaks = runs
    assert fits.states[name] == "success"
    assert (breaks.states[name], breaks.tries[name]) == ("failed", 1)


def test_nothing_of_a_task_that_was_stopped_has_run(runs: list[Run]) -> None:
    fits, breaks = runs
    assert "RAN plain" in fits.log
    assert "RAN" not in breaks.log
    assert {breaks.states[one] for one in ("after", "later")} == {"upstream_failed"}
