"""Files that arguments name, in runs of a real Airflow: what a run is started with leads no task out of the bundle of its DAG."""

from pathlib import Path

from tests.provider.support.dag_runs import told

SECRET = "wJalrXUt"
DAGS = """
from datetime import timedelta
from airflow.sdk import DAG, Param, task
from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator, schema_guard

ABOUT = {"conn_id": "lake", "retries": 2, "retry_delay": timedelta(seconds=0)}
with DAG("asks", schedule=None, default_args=ABOUT, params={"x": Param("needs.yaml", type="string")}):
    gate = SchemaGateOperator(task_id="gate", reads={"shop.orders": "{{ params.x }}"})

    @task(pre_execute=schema_guard(reads="{{ {'shop.orders': params.x} }}", conn_id="lake"))
    def job(): print("RAN")
    gate >> job()
with DAG("changes", schedule=None, default_args=ABOUT, params={"x": Param("policy.yaml", type="string")}):
    SchemaEvolveOperator(task_id="policy", table="shop.orders", changes=["ADD COLUMN b INT"], policy="{{ params.x }}")
    SchemaEvolveOperator(task_id="target", target="{{ params.x }}")
"""
STORY = """
store.create_table("shop.orders", "a INT")
run("asks", 0)
run("asks", 1, conf={"x": "../shared/needs.yaml"})
for day, name in enumerate(("OUTSIDE/needs.yaml", "../../outside/needs.yaml", "FILE://OUTSIDE/needs.yaml", "link.yaml"), 2):
    run("asks", day, conf={"x": name})
run("changes", 1, conf={"x": "OUTSIDE/policy.yaml"})
os.environ["AIRFLOW__SCHEMAS__CONTRACT_URLS"] = "OUTSIDE"
run("asks", 9, conf={"x": "OUTSIDE/needs.yaml"})
"""


def test_a_run_reads_files_of_its_bundle_and_none_beyond(airflow_database: Path, tmp_path: Path) -> None:
    outside, team = tmp_path / "outside", tmp_path / "dags/team"
    for folder in (outside, team, tmp_path / "dags/shared"):
        folder.mkdir(parents=True)
        (folder / "needs.yaml").write_text("columns: [a]\n" if folder != outside else f"columns: [a]\nowner: {SECRET}\n")
    (outside / "policy.yaml").write_text(f"mode: full\nname: {SECRET}\n")
    (team / "link.yaml").symlink_to(outside / "needs.yaml")
    story = STORY.replace("OUTSIDE", str(outside))
    own, shared, *out, changes, allowed = told(tmp_path, airflow_database, story, **{"team/reports": DAGS})
    for run in (own, shared, allowed):
        assert set(run.states.values()) == {"success"}
    assert len(out) == 4
    for run in (*out, changes):
        assert "success" not in run.states.values()
        assert "up_for_retry" not in run.states.values()
        assert {run.tries[task] for task, state in run.states.items() if state == "failed"} == {1}
        assert f"contract_urls = {outside}" in run.log
        assert SECRET not in run.log
        assert "RAN" not in run.log
    assert [run.states["gate"] for run in out] == ["failed"] * 4
    assert changes.states == {"policy": "failed", "target": "failed"}
