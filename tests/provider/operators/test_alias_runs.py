"""A column whose old name stays as an alias, in runs of a real Airflow: only jobs for which the alias works are let through."""

from pathlib import Path

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

from airflow_provider_schemas.operators import SchemaGateOperator, schema_gate, schema_guard
from airflow_provider_schemas.sensors import SchemaContractSensor

WAYS = {"by_name": "", "by_engine": "spark-4-parquet", "by_read_table": "read_table", "by_view": "view"}

def returns(needs):
    def said(): return needs
    return said

with DAG("ways", schedule=None, default_args={"conn_id": "lake"}):
    for name, way in WAYS.items():
        needs = {"shop.orders": {"columns": "cust_id BIGINT", "read_with": way}}
        schema_guard("lake", reads=needs).on(BashOperator(task_id=f"{name}_guard", bash_command="echo RAN"))
        SchemaGateOperator(task_id=f"{name}_gate", reads=needs)
        schema_gate(task_id=f"{name}_task")(returns(needs))()
        SchemaContractSensor(task_id=f"{name}_sensor", reads=needs, poke_interval=0.1, timeout=0.2, deferrable=False)
"""

STORY = """
store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
alias = '''SET OPTION schemas.field.1 = '{"alias": {"cust_id": "2999-12-31"}}' '''.strip()
store.table("shop.orders").evolve(["RENAME COLUMN cust_id TO customer_id", alias], override="a test")
run("ways", 0)
"""


@pytest.fixture(scope="module")
def run(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    runs: list[Run] = told(tmp_path_factory.mktemp("aliases"), airflow_database, STORY, aliases=DAGS)
    return runs[0]


@pytest.mark.parametrize("door", ["guard", "gate", "task", "sensor"])
def test_an_alias_opens_the_doors_of_jobs_for_which_it_works_and_of_no_others(run: Run, door: str) -> None:
    found = {way: run.states[f"{way}_{door}"] for way in ("by_name", "by_engine", "by_read_table", "by_view")}
    assert found == {"by_name": "failed", "by_engine": "failed", "by_read_table": "success", "by_view": "success"}


def test_the_refusal_says_what_the_column_is_called_and_no_job_ran_that_should_not(run: Run) -> None:
    assert "cust_id is now customer_id (field id 1)" in run.log
    assert sum(line.startswith("RAN") or " RAN  " in line for line in run.log.splitlines()) == 2
