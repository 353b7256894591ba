"""A task that was ever green is never new, whatever of its past is cleared: DAGs that run in a real Airflow, with a real database."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from datetime import timedelta
from airflow.sdk import DAG, task
from airflow.providers.standard.operators.bash import BashOperator
from airflow_provider_schemas.operators import SchemaGateOperator, schema_guard

KINDS = {"plain": "lake", "closed": "closed", "purged": "closed", "emptied": "lake", "deleted": "lake", "dated": "lake"}
KINDS |= {"hidden": "lake", "long": "lake"}
IDS = {"hidden": "_hidden", "long": 220 * "l"}
for name, conn_id in KINDS.items():
    with DAG(IDS.get(name, name), schedule=None) as dag:
        SchemaGateOperator(task_id="gate", conn_id=conn_id, reads=[f"shop.{name}"])
    globals()[name] = dag
with DAG("unmounted", schedule=None, default_args={"retries": 1, "retry_delay": timedelta(seconds=0)}):
    SchemaGateOperator(task_id="gate", conn_id="unmounted", reads=["shop.plain"], on_missing="warn", on_incompatible="warn")
with DAG("guarded", schedule=None):
    BashOperator(task_id="gate", bash_command="true", pre_execute=schema_guard(reads=["shop.guarded"], conn_id="lake"))
with DAG("decorated", schedule=None):
    @task.schema_gate(conn_id="lake")
    def gate(): return {"shop.decorated": None}
    gate()
with DAG("mapped", schedule=None):
    SchemaGateOperator.partial(task_id="gate", conn_id="lake").expand(reads=[["shop.mapped"], ["shop.other"]])
"""

STORY = """
import json, os
from airflow.models.dagrun import DagRun
from airflow.models.xcom import XComModel
from airflow.utils.session import create_session
from sqlalchemy import delete

lake = json.loads(os.environ["AIRFLOW_CONN_LAKE"])
os.environ["AIRFLOW_CONN_CLOSED"] = json.dumps({**lake, "extra": {"read_only": True}})
IDS = {"hidden": "_hidden", "long": 220 * "l"}
NAMES = ("plain", "closed", "purged", "emptied", "deleted", "hidden", "long", "dated", "guarded", "decorated", "mapped", "other")
for name in NAMES:
    store.create_table(f"shop.{name}", "order_id BIGINT NOT NULL, cust_id BIGINT")

def gone(*runs):
    with create_session() as session:
        for one in runs:
            session.execute(delete(DagRun).where(DagRun.dag_id == one.dag_id, DagRun.run_id == one.run_id))

def purge(dag_id):
    with create_session() as session:
        session.execute(delete(XComModel).where(XComModel.dag_id == dag_id))

for name in NAMES[:-1]:
    day = 0 if name == "dated" else None
    dag_id = IDS.get(name, name)
    first = run(dag_id, day)
    second = run(dag_id, None if day is None else 1)
    store.table(f"shop.{name}").evolve("DROP COLUMN cust_id", override="a test")
    third = run(dag_id, None if day is None else 2)
    if name in ("purged", "emptied"):
        purge(name)
        run(name)
    elif name in ("deleted", "hidden", "long"):
        gone(first, second, third)
        run(dag_id)
    else:
        gone(first)
        run(name, day, **({} if day is not None else {"run_after": first.run_after}))
        run(name, None if day is None else 3)

os.environ["AIRFLOW_CONN_UNMOUNTED"] = json.dumps({**lake, "host": lake["host"] + "-elsewhere"})
run("unmounted")
"""

ENDS = {
    "plain": 5,
    "closed": 5,
    "purged": 4,
    "emptied": 4,
    "deleted": 4,
    "hidden": 4,
    "long": 4,
    "dated": 5,
    "guarded": 5,
    "decorated": 5,
    "mapped": 5,
}


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Run]]:
    runs: Any = iter(told(tmp_path_factory.mktemp("kept"), airflow_database, STORY, kept=DAGS))
    return {name: [next(runs) for _ in range(many)] for name, many in {**ENDS, "unmounted": 1}.items()}


@pytest.mark.parametrize("name", ENDS)
def test_clearing_what_it_saw_first_opens_no_gate(story: dict[str, list[Run]], name: str) -> None:
    task = "gate[0]" if name == "mapped" else "gate"
    ends = [run.states[task] for run in story[name]]
    assert ends == ["success", "success", *["failed"] * (len(ends) - 2)]


def test_what_is_kept_nowhere_fails_and_names_what_accepts(story: dict[str, list[Run]]) -> None:
    (finding,) = story["purged"][-1].verdicts["gate"]["tables"]["shop.purged"]["findings"]
    assert "was green before" in finding["message"]
    assert "Mark this task as success: then version 1 counts" in finding["fix"]
    assert "Mark this task as success" in story["purged"][-1].log


def test_other_indexes_of_a_mapped_task_go_on(story: dict[str, list[Run]]) -> None:
    assert {run.states["gate[1]"] for run in story["mapped"]} == {"success"}


def test_a_warehouse_that_is_not_there_is_tried_again_whatever_a_missing_table_means(story: dict[str, list[Run]]) -> None:
    (run,) = story["unmounted"]
    assert (run.states["gate"], run.tries["gate"]) == ("failed", 2)
    assert "lake-elsewhere is not there" in run.log
