"""The gate in runs of a real Airflow: it fails closed, its verdict is there whatever happens, and the log ends with the reason."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from datetime import timedelta
from airflow.sdk import DAG, task, task_group
from airflow_provider_schemas.operators import SchemaGateOperator

NEEDS = {"shop.orders": "order_id BIGINT NOT NULL, cust_id BIGINT", "shop.users": ["user_id"]}
ABOUT = {"conn_id": "lake", "owner": "team-bi", "retries": 2, "retry_delay": timedelta(seconds=0)}
heard = lambda context: print("HEARD BY THE AUTHOR")

def job():
    @task(retries=0)
    def daily(): print("RAN")
    return daily()

for outcome in ("fail", "skip", "warn"):
    with DAG(f"direct_{outcome}", schedule=None, default_args=ABOUT) as dag:
        about = {"on_failure_callback": heard, "on_skipped_callback": [heard]}
        SchemaGateOperator(task_id="gate", reads=NEEDS, on_incompatible=outcome, **about) >> job()
    globals()[dag.dag_id] = dag
    with DAG(f"missing_{outcome}", schedule=None, default_args=ABOUT) as dag:
        SchemaGateOperator(task_id="gate", reads={"shop.nope": ["x"]}, on_missing=outcome, on_incompatible="warn") >> job()
    globals()[dag.dag_id] = dag
    with DAG(f"groups_{outcome}", schedule=None, default_args=ABOUT) as dag:
        @task_group
        def each(table):
            SchemaGateOperator(task_id="gate", reads=table, on_incompatible=outcome) >> job()
        each.expand(table=[{"shop.orders": ["cust_id"]}, {"shop.users": ["user_id"]}])
    globals()[dag.dag_id] = dag
    with DAG(f"mapped_{outcome}", schedule=None, default_args=ABOUT) as dag:
        gates = SchemaGateOperator.partial(task_id="gate", on_incompatible=outcome)
        gates.expand(reads=[{"shop.orders": ["cust_id"]}, {"shop.users": ["user_id"]}]) >> job()
    globals()[dag.dag_id] = dag

with DAG("storage", schedule=None, default_args=ABOUT | {"retries": 1}):
    SchemaGateOperator(task_id="gate", reads=NEEDS, conn_id="broken") >> job()
with DAG("past", schedule=None, default_args=ABOUT):
    @task(trigger_rule="all_done", retries=0)
    def cleans_up(): print("RAN")
    SchemaGateOperator(task_id="gate", reads=NEEDS) >> cleans_up()
"""

STORY = """
import json, os
os.environ["AIRFLOW_CONN_BROKEN"] = json.dumps({"conn_type": "schema_store", "host": "http://127.0.0.1:9/lake"})
store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)")
table = store.table("shop.orders")
store.create_table("shop.users", "user_id BIGINT NOT NULL, country STRING")
run("direct_fail", 0)
note([one.contract.model_dump(mode="json", include={"name", "owner"}) for one in table.registered()])
table.evolve("RENAME COLUMN cust_id TO customer_id", run="evolve_shop/scheduled__1/apply", approval="raj", override="a test")
for kind in ("direct", "missing", "groups", "mapped"):
    for outcome in ("fail", "skip", "warn"):
        run(f"{kind}_{outcome}", 1)
run("storage", 1)
run("past", 1)
"""

NAMES = [f"{kind}_{outcome}" for kind in ("direct", "missing", "groups", "mapped") for outcome in ("fail", "skip", "warn")]


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    first, registered, *runs = told(tmp_path_factory.mktemp("gates"), airflow_database, STORY, gates=DAGS)
    return {"first": first, "registered": registered, **dict(zip([*NAMES, "storage", "past"], runs, strict=True))}


def logged(run: Run) -> list[str]:
    """What our lines in the log say, without the time in front of them and the place behind."""
    lines = [line for line in run.log.splitlines() if "[airflow.task.schemas]" in line]
    return [line.split("] ", 1)[1].split("[airflow.task.schemas]")[0].rstrip() for line in lines]


# ---------------------------------------------------------------- fits


def test_where_all_fits_the_job_runs_and_there_is_a_line_a_table(story: dict[str, Any]) -> None:
    run = story["first"]
    assert run.states == {"gate": "success", "daily": "success"}
    said = [line.partition("  judged by schema files, ")[0] for line in logged(run)[:2]]
    assert said == ["shop.orders v0 fits  2 of 3 columns needed", "shop.users v0 fits  1 of 2 columns needed"]
    assert run.verdicts["gate"]["tables"]["shop.orders"]["judged_by"] == "schema files"
    assert run.verdicts["gate"]["fits"]


def test_what_it_needs_is_registered_under_its_name_with_the_owner_of_the_dag(story: dict[str, Any]) -> None:
    assert story["registered"] == [{"name": "direct_fail.gate", "owner": "team-bi"}]


# ---------------------------------------------------------------- does not fit

STATES: dict[str, dict[str, str]] = {
    "direct_fail": {"gate": "failed", "daily": "upstream_failed"},
    "direct_skip": {"gate": "skipped", "daily": "skipped"},
    "direct_warn": {"gate": "success", "daily": "success"},
    "missing_fail": {"gate": "failed", "daily": "upstream_failed"},
    "missing_skip": {"gate": "skipped", "daily": "skipped"},
    "missing_warn": {"gate": "success", "daily": "success"},
    "groups_fail": {
        "each.gate[0]": "failed",
        "each.daily[0]": "upstream_failed",
        "each.gate[1]": "success",
        "each.daily[1]": "success",
    },
    "groups_skip": {"each.gate[0]": "skipped", "each.daily[0]": "skipped", "each.gate[1]": "success", "each.daily[1]": "success"},
    "groups_warn": {"each.gate[0]": "success", "each.daily[0]": "success", "each.gate[1]": "success", "each.daily[1]": "success"},
    "mapped_fail": {"gate[0]": "failed", "gate[1]": "success", "daily": "upstream_failed"},
    "mapped_skip": {"gate[0]": "skipped", "gate[1]": "success", "daily": "skipped"},
    "mapped_warn": {"gate[0]": "success", "gate[1]": "success", "daily": "success"},
}


@pytest.mark.parametrize("name", STATES)
def test_what_does_not_fit_stops_exactly_what_is_behind_it(story: dict[str, Any], name: str) -> None:
    assert story[name].states == STATES[name]


@pytest.mark.parametrize("name", [one for one in STATES if not one.endswith("warn")])
def test_nothing_is_tried_again_that_no_try_mends(story: dict[str, Any], name: str) -> None:
    assert {tries for task, tries in story[name].tries.items() if "gate" in task} == {1}


@pytest.mark.parametrize("name", STATES)
def test_the_verdict_is_there_whatever_became_of_the_task(story: dict[str, Any], name: str) -> None:
    outcome = name.rsplit("_", 1)[1]
    said = next(one for task, one in story[name].verdicts.items() if task in ("gate", "gate[0]", "each.gate[0]"))
    assert (said["outcome"], said["conn_id"]) == (outcome, "lake")
    if not name.startswith("missing"):
        table = said["tables"]["shop.orders"]
        assert (said["verdict"], table["fits"], table["version"]) == ("break", False, 1)
        assert table["changed"] | {"at": ""} == {"by": "ana", "at": "", "run": "evolve_shop/scheduled__1/apply", "approval": "raj"}
        assert [(one["rule"], one["path"]) for one in table["findings"]] == [("EXPECT_FIELD_RENAMED", "cust_id")]


@pytest.mark.parametrize("name", [one for one in STATES if not one.endswith("warn")])
def test_the_log_ends_with_the_reason_told_once_outside_of_any_group(story: dict[str, Any], name: str) -> None:
    lines = [line for line in story[name].log.splitlines() if "[airflow.task.schemas]" in line or "::" in line or "HEARD" in line]
    begins = [number for number, line in enumerate(lines) if "SCHEMA GATE" in line]
    assert len(begins) == 1
    ends = next(number for number, line in enumerate(lines) if "] again " in line)
    assert "::endgroup::" in lines[begins[0] - 1]
    assert "::group::Post Execute" in next(line for line in reversed(lines[: begins[0]]) if "::group::" in line)
    assert not any("::" in line or "HEARD" in line for line in lines[begins[0] : ends + 1])
    assert "::endgroup::" in lines[ends + 1], "what Airflow itself says last"
    if name.startswith("direct"):
        assert "HEARD BY THE AUTHOR" in "\n".join(lines[: begins[0]]), "the author's own callback stays"


def test_the_block_says_what_who_for_whom_and_what_now(story: dict[str, Any]) -> None:
    block = "\n".join(logged(story["direct_fail"]))
    for words in (
        "SCHEMA GATE  ✖ breaks   direct_fail.gate needs 2 tables, 1 does not fit",
        "shop.orders v0 -> v1",
        "by ana (run evolve_shop/scheduled__1/apply, approved by raj",
        "job direct_fail.gate (team-bi)",
        "cust_id is now customer_id (field id 1)",
        "Use customer_id instead of cust_id in the job.",
        "airflow-schemas evolve --conn lake shop.orders 'RENAME COLUMN customer_id TO cust_id'",
        "airflow-schemas waive --conn lake shop.orders EXPECT_FIELD_RENAMED cust_id --for=direct_fail.gate --until=3d --reason=WHY",
        "fits       shop.users v0",
        "Marked as success, this gate lets the tasks behind it run in this run.",
        "again      airflow-schemas check --conn lake shop.orders --for=direct_fail.gate",
    ):
        assert words in block


def test_the_error_is_one_line(story: dict[str, Any]) -> None:
    error = "FinalIncompatibleSchemaError: shop.orders v1 breaks direct_fail.gate: cust_id renamed to customer_id"
    assert story["direct_fail"].log.count(error) == 1
    assert "reason='shop.orders v1 breaks direct_skip.gate: cust_id renamed" in story["direct_skip"].log


def test_a_warning_shows_the_block_and_lets_the_job_run(story: dict[str, Any]) -> None:
    assert "SCHEMA GATE" in "\n".join(logged(story["direct_warn"]))
    assert "RAN" in story["direct_warn"].log


def test_a_storage_that_cannot_be_read_is_tried_again_and_no_verdict(story: dict[str, Any]) -> None:
    assert story["storage"].states["gate"] in ("up_for_retry", "failed")
    assert "SCHEMA GATE" not in story["storage"].log
    assert story["storage"].verdicts == {}
    assert "daily" not in [task for task, state in story["storage"].states.items() if state == "success"]


def test_a_task_that_would_run_past_the_gate_is_named(story: dict[str, Any]) -> None:
    run = story["past"]
    assert run.states == {"gate": "failed", "cleans_up": "success"}
    noted = [one for one in run.verdicts["gate"]["notes"] if "GATE_BYPASSED" in one]
    assert noted == [one for one in noted if "cleans_up" in one and "all_done" in one]
    assert len(noted) == 1
    assert any("GATE_BYPASSED" in line for line in logged(run))
