"""Gates of teams whose jobs have one name, and of jobs that move whole structs, in runs of a real Airflow."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from airflow.sdk import DAG
from airflow_provider_schemas.operators import SchemaGateOperator

STRUCT = "r ROW<a STRING, b STRING>"
with DAG("daily", schedule=None, params={"conn": "one"}):
    SchemaGateOperator(task_id="gate", conn_id="{{ params.conn }}", reads={"db.t": "id INT, c INT"})
with DAG("sight", schedule=None, params={"conn": "one"}):
    SchemaGateOperator(task_id="gate", conn_id="{{ params.conn }}", reads=["db.t"])
with DAG("given", schedule=None):
    SchemaGateOperator(task_id="gate", conn_id="one", reads={"db.s": STRUCT})
with DAG("registered", schedule=None):
    SchemaGateOperator(task_id="gate", conn_id="one", reads={"db.s": "@registered"})
"""

STORY = """
import json
from airflow_provider_schemas.store import SchemaStore

def of(team):
    return SchemaStore(store.url, team=team)

for team in ("one", "two"):
    about = {"conn_type": "schema_store", "host": store.url, "extra": {"team": team}}
    os.environ[f"AIRFLOW_CONN_{team.upper()}"] = json.dumps(about)
store.create_table("db.t", "id INT, c INT")
store.create_table("db.s", "r ROW<a STRING, b STRING>")
for dag in ("daily", "sight"):
    for team in ("one", "two"):
        run(dag, 0 if team == "one" else 1, conf={"conn": team})
of("one").table("db.s").register("r ROW<a STRING, b STRING>", consumer="registered.gate")
run("given", 0)
run("registered", 0)
store.table("db.t").evolve("DROP COLUMN c", override="x")
for rule, job in (("EXPECT_FIELD_MISSING", "daily.gate"), ("FIELD_DROPPED", "sight.gate")):
    of("two").table("db.t").waive(rule, "c", until="2999-01-01", reason="agreed", consumer=job)
for dag in ("daily", "sight"):
    for number, team in enumerate(("one", "two")):
        run(dag, 2 + number, conf={"conn": team})
for old, new in (("a", "x"), ("b", "a"), ("x", "b")):
    change = {"action": "renameColumn", "fieldNames": ["r", old], "newName": new}
    store.table("db.s").evolve(change, override="x")
run("registered", 1)
"""


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return told(tmp_path_factory.mktemp("teams"), airflow_database, STORY, teams=DAGS)


def states(runs: list[Run]) -> list[str]:
    return [run.states["gate"] for run in runs]


def test_what_one_team_accepted_lets_the_job_of_no_other_team_run(story: list[Any]) -> None:
    assert states(story[:6]) == ["success"] * 6
    assert states(story[6:10]) == ["failed", "success"] * 2


def test_a_registered_struct_whose_fields_exchanged_their_names_stops_its_job(story: list[Any]) -> None:
    run = story[10]
    assert run.states["gate"] == "failed"
    assert "EXPECT_FIELD_RENAMED" in run.log
    assert "r.a" in run.log
