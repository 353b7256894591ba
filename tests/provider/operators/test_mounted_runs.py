"""Gates and guards over a mounted Iceberg table in runs of a real Airflow, whose own hook finds it; pyiceberg changes it meanwhile."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from datetime import timedelta
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaGateOperator, SchemaValidateOperator, schema_guard

ABOUT = {"conn_id": "lake", "owner": "team-bi", "retries": 1, "retry_delay": timedelta(seconds=0)}
NEEDS = {"shop.orders": "order_id BIGINT NOT NULL, cust_id BIGINT", "mart.users": ["user_id"]}

def job(**more):
    @task(retries=0, **more)
    def daily(): print("RAN")
    return daily()

with DAG("gated", schedule=None, default_args=ABOUT):
    SchemaGateOperator(task_id="gate", reads=NEEDS) >> job()
with DAG("unsaid", schedule=None, default_args=ABOUT):
    SchemaGateOperator(task_id="gate", reads=["shop.orders"]) >> job()
with DAG("guarded", schedule=None, default_args=ABOUT):
    job(pre_execute=schema_guard("lake", reads={"shop.orders": ["cust_id"]}))
with DAG("planned", schedule=None, default_args=ABOUT):
    SchemaValidateOperator(task_id="validate", table="shop.orders", changes=["DROP COLUMN cust_id"])
with DAG("evolved", schedule=None, default_args=ABOUT):
    SchemaEvolveOperator(task_id="evolve", table="shop.orders", changes=["ADD COLUMN coupon STRING"])
"""

STORY = """
import json, os
from pathlib import Path
from tests.support import iceberg_catalog as peer

folder = Path(os.environ["AIRFLOW_HOME"]) / "iceberg"
os.environ["AIRFLOW_CONN_ICEBERG_LOCAL"] = json.dumps(peer.connection(folder))
lake = json.loads(os.environ["AIRFLOW_CONN_LAKE"])
os.environ["AIRFLOW_CONN_LAKE"] = json.dumps({**lake, "extra": {"mounts": {"shop": peer.MOUNT}}})
catalog = peer.open_catalog(folder)
orders = peer.make_orders(catalog)
store.create_table("mart.users", "user_id BIGINT NOT NULL, country STRING")

def all_of():
    for dag in ("gated", "unsaid", "guarded"):
        run(dag)

all_of()
run("planned")
run("evolved")
peer.rename(orders, "cust_id", "customer_id")
all_of()
peer.rename(orders, "customer_id", "cust_id")
all_of()
catalog.drop_table(f"{peer.NAMESPACE}.orders")
run("gated")
peer.make_orders(catalog)
run("gated")
run("unsaid")
(folder / "catalog.db").write_text("no database any more" * 1_000)
run("gated")
"""

NAMES = [
    *(f"{dag} first" for dag in ("gated", "unsaid", "guarded")),
    "planned",
    "evolved",
    *(f"{dag} {when}" for when in ("renamed", "reverted") for dag in ("gated", "unsaid", "guarded")),
    "gated dropped",
    "gated replaced",
    "unsaid replaced",
    "gated down",
]


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    runs = told(tmp_path_factory.mktemp("mounted"), airflow_database, STORY, gates=DAGS)
    return dict(zip(NAMES, runs, strict=True))


def table_of(run: Run, task: str = "gate", table: str = "shop.orders") -> dict[str, Any]:
    verdict: dict[str, Any] = run.verdicts[task]["tables"][table]
    return verdict


def rules(run: Run, task: str = "gate") -> list[str]:
    return [finding["rule"] for finding in table_of(run, task)["findings"]]


def test_a_table_that_fits_lets_the_job_run_and_says_by_what_it_was_judged(story: dict[str, Run]) -> None:
    run = story["gated first"]
    assert run.states == {"gate": "success", "daily": "success"}
    assert table_of(run)["judged_by"] == "metadata"
    assert table_of(run, table="mart.users")["judged_by"] == "schema files"
    assert table_of(run)["layout"] == "mounted"
    assert "shop.orders v0 fits  2 of 4 columns needed  judged by metadata" in run.log


@pytest.mark.parametrize(("name", "task"), [("gated", "gate"), ("guarded", "daily")])
def test_a_rename_by_another_program_stops_the_job(name: str, task: str, story: dict[str, Run]) -> None:
    run = story[f"{name} renamed"]
    assert run.states["daily"] in ("failed", "upstream_failed")
    assert run.states[task] == "failed"
    assert run.tries[task] == 1
    assert rules(run, task) == ["EXPECT_FIELD_RENAMED"]
    assert "RAN" not in run.log


def test_the_block_offers_what_can_be_done_to_a_table_that_an_engine_keeps(story: dict[str, Run]) -> None:
    log = story["gated renamed"].log
    assert "cust_id is now customer_id (field id 2)" in log
    assert "airflow-schemas evolve" not in log
    assert "airflow-schemas plan --conn lake shop.orders 'RENAME COLUMN customer_id TO cust_id' --sql spark" in log
    assert "airflow-schemas waive --conn lake shop.orders EXPECT_FIELD_RENAMED" in log


def test_without_a_contract_it_is_what_came_since_that_stops_it(story: dict[str, Run]) -> None:
    assert story["unsaid first"].states == {"gate": "success", "daily": "success"}
    run = story["unsaid renamed"]
    assert run.states == {"gate": "failed", "daily": "upstream_failed"}
    assert "FIELD_RENAMED" in rules(run)


@pytest.mark.parametrize("name", ["gated", "unsaid", "guarded"])
def test_a_rename_that_was_taken_back_fits_again(name: str, story: dict[str, Run]) -> None:
    assert set(story[f"{name} reverted"].states.values()) == {"success"}


def test_a_table_that_was_dropped_stops_the_job(story: dict[str, Run]) -> None:
    run = story["gated dropped"]
    assert run.states == {"gate": "failed", "daily": "upstream_failed"}
    assert rules(run) == ["TABLE_MISSING"]


def test_a_table_that_was_dropped_and_made_again_is_another_one(story: dict[str, Run]) -> None:
    run = story["unsaid replaced"]
    assert rules(run) == ["TABLE_REPLACED"]
    assert table_of(run)["verdict"] == "warn"
    assert table_of(run)["table_id"] != table_of(story["unsaid first"])["table_id"]


def test_a_catalog_that_is_down_is_tried_again_and_never_fits(story: dict[str, Run]) -> None:
    run = story["gated down"]
    assert run.states == {"gate": "failed", "daily": "upstream_failed"}
    assert run.tries["gate"] == 2


def test_a_change_can_be_judged_and_is_not_made(story: dict[str, Run]) -> None:
    assert "gated.gate" in story["planned"].log
    run = story["evolved"]
    assert (run.states, run.tries) == ({"evolve": "failed"}, {"evolve": 1})
    assert "ALTER TABLE" in run.log
    assert "coupon" in run.log
