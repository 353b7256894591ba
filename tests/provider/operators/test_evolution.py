"""`schema_evolution`: plan, ask only where something breaks, apply exactly what was approved, verify."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import DAG, TriggerRule
from airflow.serialization.serialized_objects import DagSerialization

from airflow_provider_schemas.operators import SchemaEvolveOperator, schema_evolution
from airflow_provider_schemas.operators.verify import SchemaVerifyOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from tests.provider.operators.support.store_with_table import Context, store_in

_ANSWERING = Path(__file__).parent / "support" / "dag_test_answers.py"

# ---------------------------------------------------------------- as it is parsed


def group(**said: Any) -> DAG:
    with DAG("evolve_shop", schedule=None, default_args={"conn_id": "lake", "retries": 2}) as dag:
        schema_evolution(target="orders.yaml", **said)
    return dag


def said(dag: DAG, task_id: str, name: str) -> Any:
    return getattr(dag.get_task(task_id), name)


def test_the_group_has_four_tasks_and_ends_with_one() -> None:
    dag = group(approvers=["ana"])
    names = ["schema_evolution.plan", "schema_evolution.ask", "schema_evolution.apply", "schema_evolution.verify"]
    assert [one.task_id for one in dag.tasks] == names
    assert [one.task_id for one in dag.leaves] == names[-1:]
    assert {said(dag, name, "conn_id") for name in names} == {"lake"}, "as default_args say"


def test_a_skipped_question_goes_on_and_a_failed_one_does_not() -> None:
    dag = group()
    assert dag.get_task("schema_evolution.apply").trigger_rule == TriggerRule.NONE_FAILED_MIN_ONE_SUCCESS
    assert {dag.get_task(f"schema_evolution.{name}").trigger_rule for name in ("ask", "verify")} == {TriggerRule.ALL_SUCCESS}
    assert dag.get_task("schema_evolution.apply").upstream_task_ids == {"schema_evolution.plan", "schema_evolution.ask"}


def test_whoever_applies_knows_the_approvers() -> None:
    assert said(group(approvers=["ana"]), "schema_evolution.apply", "approvers") == ["ana"]


def test_what_default_args_say_to_other_tasks_is_not_said_beside_the_plan() -> None:
    others = {"policy": "strict.yaml", "table": "shop.users", "branch": "audit", "changes": "ADD COLUMN x INT", "expected_version": 1}
    with DAG("evolve_shop", schedule=None, default_args=others) as dag:
        schema_evolution(target="orders.yaml")
    assert {said(dag, "schema_evolution.apply", name) for name in others} == {NOT_SAID}


def test_the_group_may_have_another_name_and_stand_there_twice() -> None:
    with DAG("evolve_shop", schedule=None) as dag:
        schema_evolution(target="orders.yaml", group_id="orders", conn_id="lake", answer_within=timedelta(minutes=5))
        schema_evolution(target="users.yaml")
        schema_evolution(target="clicks.yaml")
    assert said(dag, "orders.ask", "response_timeout") == timedelta(minutes=5)
    assert {"schema_evolution.plan", "schema_evolution__1.plan"} <= set(dag.task_ids)
    assert said(dag, "orders.plan", "applied_by") == "orders.apply"
    assert said(dag, "schema_evolution__1.plan", "applied_by") == "schema_evolution__1.apply"


def test_the_group_is_mapped_over_targets_and_serialises() -> None:
    with DAG("evolve_shop", schedule=None) as dag:
        schema_evolution.partial(conn_id="lake", approvers=["ana"]).expand(target=["orders.yaml", "users.yaml"])
        schema_evolution.partial(changes=["ADD COLUMN x INT"], group_id="each").expand(table=["shop.a", "shop.b"])
    told = json.dumps(DagSerialization.to_dict(dag))
    assert "schema_versions" in told, "the outlet, as others may be scheduled on it"
    assert "SchemaApprovalOperator" in told


def test_a_mapped_operator_keeps_its_outlet_and_serialises() -> None:
    with DAG("evolve_shop", schedule=None) as dag:
        mapped = SchemaEvolveOperator.partial(task_id="widen", changes=["ADD COLUMN x INT"]).expand(table=["shop.a", "shop.b"])
    assert [one.name for one in mapped.outlets] == ["schema_versions"]
    assert isinstance(mapped.outlets, list), "Airflow joins it with a list of inlets"
    assert "schema_versions" in json.dumps(DagSerialization.to_dict(dag))


@pytest.mark.parametrize(
    "said", [{"answer_within": 24}, {"answer_within": "24h"}, {"approver": ["ana"]}, {"defaults": ["Approve"]}], ids=str
)
def test_a_mistake_is_an_error_of_the_dag_file(said: dict[str, Any]) -> None:
    with pytest.raises(TypeError), DAG("evolve_shop", schedule=None):
        schema_evolution(target="orders.yaml", **said)


def test_how_long_an_answer_is_waited_for_is_not_mapped() -> None:
    with pytest.raises(TypeError, match="answer_within"), DAG("evolve_shop", schedule=None):
        schema_evolution.expand(answer_within=[timedelta(hours=1)])


# ---------------------------------------------------------------- verifying


def verify(context: Context, plan: Any, **said: Any) -> dict[str, Any]:
    made = SchemaVerifyOperator(task_id="verify", conn_id="lake", plan=plan, **said)
    told: dict[str, Any] = made.execute(context(made))
    return told


@pytest.fixture
def planned(lake: str, tmp_path: Path) -> tuple[SchemaStore, dict[str, Any]]:  # the connection has to be there
    store = store_in(tmp_path)
    plan = store.table("shop.orders").plan("ADD COLUMN coupon STRING")
    store.table("shop.orders").save_plan(plan)
    return store, {"outcome": "planned", "saved": True, "plan": plan.digest, "table": "shop.orders", "branch": "main"}


def test_a_table_that_is_what_the_plan_said_is_verified(planned: tuple[SchemaStore, dict[str, Any]], context: Context) -> None:
    store, plan = planned
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING")
    assert verify(context, plan)["version"] == 1


def test_a_table_that_is_not_says_what_differs(planned: tuple[SchemaStore, dict[str, Any]], context: Context) -> None:
    _, plan = planned
    with pytest.raises(Exception, match="ADD COLUMN coupon STRING"):
        verify(context, plan)


def test_it_is_the_version_that_was_written_that_is_verified(planned: tuple[SchemaStore, dict[str, Any]], context: Context) -> None:
    store, plan = planned
    done = store.table("shop.orders").evolve("ADD COLUMN coupon STRING")
    store.table("shop.orders").evolve("ADD COLUMN voucher STRING")
    assert verify(context, plan, change={"version": done.number, "digest": done.digest})["version"] == 1
    with pytest.raises(Exception, match="somebody has put another in its place"):
        verify(context, plan, change={"version": done.number, "digest": "0" * 64})


def test_where_nothing_was_to_be_done_nothing_is_verified(planned: tuple[SchemaStore, dict[str, Any]], context: Context) -> None:
    assert verify(context, {"outcome": "already applied", "table": "shop.orders", "branch": "main"})["verified"]


# ---------------------------------------------------------------- as it runs

_DAG = """
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaEvolveOperator, schema_evolution

with DAG("evolve_shop", schedule=None, default_args={"conn_id": "lake", "retries": 2}) as evolve_shop:
    group = schema_evolution.partial(approvers=["ana", "raj"]).expand(target=["a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"])

    @task
    def after():
        raise AssertionError("a change was rejected")

    group >> after()

with DAG("changed_meanwhile", schedule=None, default_args={"conn_id": "lake"}) as changed_meanwhile:
    schema_evolution(target="a.yaml")

with DAG("quickstart", schedule=None, default_args={"conn_id": "lake"}) as quickstart:
    create = SchemaCreateOperator(task_id="create", table="shop.orders", columns="order_id BIGINT NOT NULL, amount DECIMAL(10, 2)")
    widen = SchemaEvolveOperator(task_id="widen", table="{{ 'shop.orders' }}", changes=["ADD COLUMN coupon STRING"])
    mapped = SchemaEvolveOperator.partial(task_id="mapped", changes=["ADD COLUMN x INT"]).expand(table=["shop.orders"])
    create >> widen >> mapped
"""
_COLUMNS = "columns:\n  - {name: id, type: BIGINT NOT NULL}\n"
_RENAMED = "  - {name: customer_id, type: BIGINT, was: cust_id}\n"
_KEPT = "  - {name: cust_id, type: BIGINT}\n"
_FILES = {"a": _RENAMED, "b": _RENAMED, "c": _RENAMED, "d": _KEPT + "  - {name: coupon, type: STRING}\n", "e": _KEPT}
_ANSWERS = {"0": ["Reject", "ana"], "1": ["Approve", "raj"], "2": ["Reject", None]}


@pytest.fixture
def home(airflow_home: Any, tmp_path: Path) -> Any:
    """An Airflow with both DAGs, and a store with tables whose readers a rename breaks."""
    (airflow_home.dags / "evolution.py").write_text(_DAG, "utf-8")
    store = SchemaStore(tmp_path / "lake")
    for name, columns in _FILES.items():
        (airflow_home.dags / f"{name}.yaml").write_text(f"table: shop.{name}\n{_COLUMNS}{columns}", "utf-8")
        store.create_table(f"shop.{name}", "id BIGINT NOT NULL, cust_id BIGINT")
        store.table(f"shop.{name}").register("cust_id BIGINT", consumer="daily_report")
    airflow_home.connect("lake", host=(tmp_path / "lake").as_uri())
    return airflow_home


def ran(home: Any, dag_id: str, answers: Any = ()) -> dict[str, Any]:
    """What became of a run, and the log of it."""
    line = [sys.executable, str(_ANSWERING), str(home.dags / "evolution.py"), dag_id, json.dumps(dict(answers))]
    done = subprocess.run(line, cwd=home.folder, env=home.environment, capture_output=True, text=True, check=False)
    told = [one for one in done.stdout.splitlines() if one.startswith("TOLD ")]
    assert told, done.stdout + done.stderr
    return {**json.loads(told[-1].removeprefix("TOLD ")), "log": done.stdout + done.stderr}


def test_in_a_mapped_group_exactly_the_approved_change_is_applied(home: Any, tmp_path: Path) -> None:
    told = ran(home, "evolve_shop", _ANSWERS)
    states = {name: [told["states"].get(f"schema_evolution.{name}[{index}]") for index in range(5)] for name in ("ask", "apply", "verify")}
    assert states == {
        "ask": ["failed", "success", "failed", "skipped", "skipped"],
        "apply": ["upstream_failed", "success", "upstream_failed", "success", "success"],
        "verify": ["upstream_failed", "success", "upstream_failed", "success", "success"],
    }, told["log"]
    assert (told["states"]["after"], told["state"]) == ("upstream_failed", "failed")
    store = SchemaStore(tmp_path / "lake")
    assert {name: store.table(f"shop.{name}").latest().number for name in _FILES} == {"a": 0, "b": 1, "c": 0, "d": 1, "e": 0}
    past = store.table("shop.b").latest().provenance
    assert past is not None
    assert (past.approval, past.run) == ("raj", f"evolve_shop/{told['run_id']}/schema_evolution.apply[1]")
    assert sorted((one["uri"], one["version"]) for one in told["events"]) == [("schemas://lake/shop/b", 1), ("schemas://lake/shop/d", 1)]
    assert "ana rejected plan" in told["log"]
    assert "nobody answered in time" in told["log"]


def test_an_answer_to_what_the_page_showed_before_lets_nothing_else_through(home: Any, tmp_path: Path) -> None:
    """Airflow keeps the question of a task that is cleared, so that somebody may approve one plan while another waits."""
    (home.dags / "a.yaml.next").write_text(f"table: shop.a\n{_COLUMNS}dropped: [cust_id]\n", "utf-8")
    told = ran(home, "changed_meanwhile", {"-1": ["clear", "a.yaml"]})
    assert [told["states"][f"schema_evolution.{name}"] for name in ("plan", "ask", "apply", "verify")] == [
        "success", "failed", "upstream_failed", "upstream_failed",
    ], told["log"]  # fmt: skip
    assert "the page showed an earlier question" in told["log"]
    assert SchemaStore(tmp_path / "lake").table("shop.a").latest().number == 0


def test_every_version_is_announced_once_and_a_second_run_announces_nothing(home: Any) -> None:
    first, second = (ran(home, "quickstart") for _ in range(2))
    assert (first["state"], second["state"]) == ("success", "success"), first["log"] + second["log"]
    assert [(one["uri"], one["version"], one["previous"]) for one in first["events"]] == [
        ("schemas://lake/shop/orders", 0, None), ("schemas://lake/shop/orders", 1, 0), ("schemas://lake/shop/orders", 2, 1),
    ]  # fmt: skip
    assert second["events"] == first["events"]
    for words in (
        "exists at version 2; this definition is its version 0: nothing to do",
        f"already applied as version 1 (run quickstart/{first['run_id']}/widen",
        f"already applied as version 2 (run quickstart/{first['run_id']}/mapped[0]",
    ):
        assert words in second["log"]
