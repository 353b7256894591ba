"""Guards for a whole fleet, by the tables among the inlets of tasks: which get one, over which connection, and that no DAG is lost."""

import logging
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.sensors.bash import BashSensor
from airflow.sdk import DAG, Asset, AssetAlias, task, task_group
from airflow.triggers.base import StartTriggerArgs

from airflow_provider_schemas.assets import schema_asset
from airflow_provider_schemas.operators import SchemaGateOperator, SchemaGuard, guard_by_inlets, schema_guard
from airflow_provider_schemas.operators.pre_execute import hooks_on
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.not_said import is_left_out
from tests.provider.conftest import Connect, MakeContext
from tests.provider.operators.support.guarded_tasks import NO_PAST
from tests.provider.support.dag_runs import Run, told

ORDERS, USERS = schema_asset("lake", "shop.orders"), schema_asset("lake", "shop.users")


def bash(*inlets: Any, **said: Any) -> Any:
    return BashOperator(task_id="daily", bash_command="true", inlets=list(inlets), **said)


def asked(operator: Any) -> list[tuple[str, list[str], str | None]]:
    """What the guards of a task ask: connection, tables, branch."""
    return [
        (one.asked.conn_id, one.asked.reads, None if is_left_out(one.asked.branch) else one.asked.branch)
        for one in hooks_on(operator)
        if isinstance(one, SchemaGuard)
    ]


def guarded(*inlets: Any, **said: Any) -> list[tuple[str, list[str], str | None]]:
    operator = bash(*inlets)
    guard_by_inlets(operator, **said)
    return asked(operator)


# ---------------------------------------------------------------- which tasks


@pytest.mark.parametrize(
    "inlet",
    [ORDERS, Asset.ref(name=ORDERS.name), Asset.ref(uri=ORDERS.uri), schema_asset("LAKE", "shop.orders", watch="lake")],
    ids=["asset", "by name", "by URI", "watched"],
)
def test_a_table_among_the_inlets_puts_a_guard_on_the_task(inlet: Any) -> None:
    assert guarded(inlet) == [("lake", ["shop.orders"], None)]


def test_all_tables_of_a_store_are_asked_about_at_once_and_each_branch_by_itself() -> None:
    dev = schema_asset("lake", "shop.orders", branch="dev")
    assert guarded(USERS, ORDERS, Asset.ref(name=ORDERS.name), Asset("s3://bucket/x")) == [("lake", ["shop.orders", "shop.users"], None)]
    assert guarded(ORDERS, dev) == [("lake", ["shop.orders"], None), ("lake", ["shop.orders"], "dev")]


@pytest.mark.parametrize(
    "inlets",
    [
        [],
        [Asset("s3://bucket/shop.orders")],
        [Asset("plain")],
        [AssetAlias("lake/shop.orders")],
        ["lake/shop.orders"],
        [Asset.ref(name="x")],
    ],
    ids=str,
)
def test_other_tasks_are_left_alone(inlets: list[Any]) -> None:
    operator = bash()
    operator.inlets = inlets
    guard_by_inlets(operator)
    assert operator._pre_execute_hook is None


def test_mapped_and_decorated_tasks_are_guarded_in_groups_too() -> None:
    with DAG("d") as dag:

        @task(inlets=[ORDERS])
        def decorated(x: int = 0) -> int:
            return x

        decorated()
        decorated.override(task_id="mapped").expand(x=[1, 2])
        BashOperator.partial(task_id="classic", inlets=[ORDERS]).expand(bash_command=["a"])

        @task_group
        def each(x: int) -> None:
            decorated(x)

        each.expand(x=[1, 2])
    for one in dag.tasks:
        guard_by_inlets(one)
    assert [one.task_id for one in dag.tasks] == ["decorated", "mapped", "classic", "each.decorated"]
    assert [asked(one) for one in dag.tasks] == [[("lake", ["shop.orders"], None)]] * 4


def test_a_policy_that_is_called_again_changes_nothing() -> None:
    operator = bash(ORDERS, USERS)
    guard_by_inlets(operator)
    first = operator._pre_execute_hook
    guard_by_inlets(operator)
    assert operator._pre_execute_hook is first


def test_tasks_with_a_guard_sensors_and_our_own_are_left_alone() -> None:
    own = schema_guard("lake", reads={"shop.orders": ["order_id"]}).on(bash(ORDERS))
    sensor = BashSensor(task_id="waits", bash_command="true", inlets=[ORDERS])
    gate = SchemaGateOperator(task_id="gate", reads=["shop.orders"], inlets=[ORDERS])
    with DAG("d"):
        gates: Any = SchemaGateOperator.partial(task_id="gates", inlets=[ORDERS]).expand(reads=[["shop.orders"]])
        sensors: Any = BashSensor.partial(task_id="sensors", inlets=[ORDERS]).expand(bash_command=["true"])
    for one in (own, sensor, gate, gates, sensors):
        guard_by_inlets(one)
    assert len(hooks_on(own)) == 1
    assert [hooks_on(one) for one in (sensor, gate, gates, sensors)] == [(), (), (), ()]


def test_a_hook_that_is_there_stays() -> None:
    operator = bash(ORDERS, pre_execute=print)
    guard_by_inlets(operator)
    assert hooks_on(operator)[0] is print
    assert asked(operator) == [("lake", ["shop.orders"], None)]


def test_a_task_that_begins_on_the_triggerer_stays_as_it_is_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    class Starts(BashOperator):
        start_trigger_args = StartTriggerArgs("airflow.providers.standard.triggers.temporal.TimeDeltaTrigger", "execute_complete")
        start_from_trigger = True

    operator = Starts(task_id="starts", bash_command="true", inlets=[ORDERS])
    guard_by_inlets(operator)
    assert hooks_on(operator) == ()
    assert "starts begins on the triggerer (start_from_trigger), before any hook" in caplog.text
    assert "Put a SchemaGateOperator in front of it" in caplog.text


# ---------------------------------------------------------------- over which connection


@pytest.mark.parametrize(
    ("conn_id", "found"),
    [(None, "lake"), ("prod", "prod"), (MappingProxyType({"lake": "prod"}), "prod"), ({"other": "prod"}, "lake")],
    ids=["alias", "one for all", "by alias", "not this one"],
)
def test_the_connection_is_that_of_the_alias_unless_it_is_said(conn_id: Any, found: str) -> None:
    assert guarded(ORDERS, conn_id=conn_id) == [(found, ["shop.orders"], None)]


def test_a_watched_asset_names_its_connection_itself() -> None:
    assert guarded(schema_asset("lake", "shop.orders", watch="lake_ro")) == [("lake_ro", ["shop.orders"], None)]


def test_tables_of_two_stores_are_asked_about_in_both() -> None:
    assert guarded(ORDERS, schema_asset("hive", "shop.users")) == [("lake", ["shop.orders"], None), ("hive", ["shop.users"], None)]


# ---------------------------------------------------------------- what becomes of a task


def run(operator: Any, context: MakeContext, **known: Asset) -> dict[str, Any]:
    """Call the guards of a task; known is what Airflow has found for references by name."""
    made = context(operator, **NO_PAST)
    made["inlet_events"] = type("Accessors", (), {"_assets": known})()
    operator._pre_execute_hook(made)
    return made


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", "order_id BIGINT NOT NULL")
    return made


def test_the_name_of_an_asset_counts_where_it_turns_out_to_be_a_table(store: SchemaStore, context: MakeContext) -> None:
    ours, theirs = bash(Asset.ref(name=ORDERS.name)), bash(Asset.ref(name="reports/daily.csv"))
    for operator in (ours, theirs):
        guard_by_inlets(operator, on_incompatible="fail", on_missing="fail")
    assert list(run(ours, context, one=ORDERS)["ti"].pushed["schema_verdict"]["tables"]) == ["shop.orders"]
    assert run(theirs, context, one=Asset(name="reports/daily.csv", uri="s3://reports/daily.csv"))["ti"].pushed == {}


def test_a_guard_that_warns_stops_nothing_also_if_nobody_can_tell(
    connect: Connect, context: MakeContext, caplog: pytest.LogCaptureFixture
) -> None:
    connect("lake", host="http://127.0.0.1:9/lake")
    for inlet in (ORDERS, schema_asset("unknown", "shop.orders")):
        operator = bash(inlet)
        guard_by_inlets(operator)
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            assert run(operator, context)["ti"].pushed == {}
        assert "SCHEMA GUARD  the tables of this task were not checked" in caplog.text


def test_a_guard_that_stops_also_does_if_nobody_can_tell(connect: Connect, context: MakeContext) -> None:
    connect("lake", host="http://127.0.0.1:9/lake")
    operator = bash(ORDERS)
    guard_by_inlets(operator, on_incompatible="fail")
    with pytest.raises(OSError, match="cannot"):
        run(operator, context)


# ---------------------------------------------------------------- a policy must not raise


class Broken:
    """What no task should be."""

    task_id = "broken"

    @property
    def inlets(self) -> Any:
        raise RuntimeError("no inlets today")


def test_whatever_goes_wrong_is_logged_and_takes_no_dag_away(caplog: pytest.LogCaptureFixture) -> None:
    for strange in (None, 3, Broken(), type("Task", (), {"task_id": "x", "inlets": [ORDERS]})()):
        guard_by_inlets(strange)
    assert "the task broken was not guarded" in caplog.text
    assert "the task x was not guarded" in caplog.text
    operator = bash(ORDERS)
    guard_by_inlets(operator, conn_id=3)  # type: ignore[arg-type]  # as a policy may be written
    guard_by_inlets(bash(ORDERS), on_incompatible=None)  # type: ignore[arg-type]  # likewise


def test_the_policy_costs_nothing_of_ours_where_no_table_is_an_inlet() -> None:
    script = """
import sys
from airflow_provider_schemas.operators import guard_by_inlets
guard_by_inlets(type("Task", (), {"task_id": "x", "inlets": []})())
print(sorted(name for name in sys.modules if name.startswith(("airflow.", "airflow_provider_schemas."))))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    ours = "airflow_provider_schemas."
    assert done.stdout.strip() == str([f"{ours}_airflow", f"{ours}_lazy", f"{ours}operators", f"{ours}operators.fleet_guard"])


# ---------------------------------------------------------------- in Airflow

POLICY = """
from airflow_provider_schemas.operators import guard_by_inlets

def task_policy(task):
    guard_by_inlets(task, on_incompatible="fail")
"""

FLEET = """
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, Asset, task, task_group

from airflow_provider_schemas.assets import schema_asset

orders = schema_asset("lake", "shop.orders")
other = Asset(name="reports/daily.csv", uri="s3://reports/daily.csv")
with DAG("fleet", schedule=None):
    BashOperator(task_id="plain", bash_command="echo RAN", inlets=[orders])
    BashOperator(task_id="by_name", bash_command="echo RAN", inlets=[Asset.ref(name=orders.name)])
    BashOperator(task_id="other", bash_command="echo RAN", inlets=[Asset.ref(name=other.name)])
    BashOperator(task_id="none", bash_command="echo RAN", outlets=[other])
    BashOperator.partial(task_id="mapped", inlets=[orders]).expand(bash_command=["echo RAN", "echo RAN"])

    @task_group
    def each(x):
        @task(inlets=[orders])
        def inner(x): print("RAN")
        inner(x)
    each.expand(x=[1, 2])
"""

FLEET_STORY = """
store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
run("fleet", 0)
store.table("shop.orders").evolve("DROP COLUMN cust_id", override="a test")
run("fleet", 1)
"""
GUARDED = ("plain", "by_name", "mapped[0]", "mapped[1]", "each.inner[0]", "each.inner[1]")


def test_a_policy_of_the_cluster_guards_mapped_and_unmapped_tasks(airflow_database: Path, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config/airflow_local_settings.py").write_text(POLICY)
    runs: list[Run] = told(tmp_path, airflow_database, FLEET_STORY, fleet=FLEET)
    fits, breaks = runs
    assert fits.states == dict.fromkeys([*GUARDED, "other", "none"], "success")
    assert set(fits.verdicts) == set(GUARDED)
    assert breaks.states == {**dict.fromkeys(GUARDED, "failed"), "other": "success", "none": "success"}
