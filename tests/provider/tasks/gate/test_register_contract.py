"""Under which name what a task needs is registered: what one index, guard or DAG needs is not taken away by another."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.operators import SchemaGateOperator, schema_guard
from airflow_provider_schemas.sensors import SchemaContractSensor
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.registry import register_contract
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.tasks.gate import contract_names
from tests.provider.conftest import MakeContext
from tests.provider.tasks.output.test_failure_report import typed

CUST, ORDER = "cust_id BIGINT", "order_id BIGINT"
NO_PAST: dict[str, Any] = {"xcom_pull": lambda **_: None, "get_task_states": lambda **_: {}, "get_previous_ti": lambda **_: None}


@pytest.fixture
def orders(tmp_path: Path, lake: str) -> Table:
    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)")
    return store.table("shop.orders")


class Gates:
    """Runs of a gate."""

    def __init__(self, context: MakeContext) -> None:
        self.context, self.runs = context, 0

    def __call__(self, need: Any, index: int = -1, task_id: str = "gate", dag_id: str = "reports", **said: Any) -> dict[str, Any]:
        """The verdict of a gate in a run of its own. A task id with a dot is that of a gate in a group."""
        self.runs += 1
        gate = SchemaGateOperator(task_id="gate", **{"conn_id": "lake", "reads": {"shop.orders": need}, **said})
        about: Any = self.context(gate, dag_id=dag_id, map_index=index, run_id=f"manual__{self.runs}", **NO_PAST)
        about["ti"].task_id = task_id
        found: dict[str, Any] = gate.execute(about)
        return found


@pytest.fixture
def gate(context: MakeContext) -> Gates:
    return Gates(context)


def jobs(table: Table) -> dict[str, list[str]]:
    """What is registered: the columns by job."""
    return {one.consumer: [need.name for need in one.contract.columns] for one in table.registered()}


def beside_of(gate: str, need: str) -> str:
    return contract_names.name_beside(contract_names.TaskContract("shop.orders", gate, Contract.of(need), ""))


# ---------------------------------------------------------------- mapped tasks


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=str)
def test_what_each_index_needs_is_protected_in_whatever_order_they_run(gate: Gates, orders: Table, order: tuple[int, int]) -> None:
    needs = [CUST, ORDER]
    for index in order:
        assert gate(needs[index], index)["fits"]
    first, second = (needs[index] for index in order)
    assert jobs(orders) == {"reports.gate": [first.split()[0]], beside_of("reports.gate", second): [second.split()[0]]}
    for name in ("cust_id", "order_id"):
        with pytest.raises(IncompatibleSchemaError, match=r"reports\.gate"):
            orders.evolve(f"DROP COLUMN {name}")


def test_the_same_indexes_again_in_another_order_are_no_new_versions(gate: Gates, orders: Table) -> None:
    for index, need in enumerate([CUST, ORDER]):
        gate(need, index)
    before = {one.consumer: one.number for one in orders.registered()}
    for index, need in enumerate([ORDER, CUST, ORDER]):
        gate(need, index)
    assert {one.consumer: one.number for one in orders.registered()} == before == dict.fromkeys(before, 0)


def test_indexes_that_need_the_same_share_the_name_of_the_task(gate: Gates, orders: Table) -> None:
    for index in range(3):
        gate(CUST, index)
    assert jobs(orders) == {"reports.gate": ["cust_id"]}


def test_a_sensor_that_is_mapped_takes_nothing_from_its_other_indexes_either(context: MakeContext, orders: Table) -> None:
    for index, need in enumerate([CUST, ORDER]):
        one = SchemaContractSensor(task_id="wait", conn_id="lake", reads={"shop.orders": need})
        assert one.execute(context(one, map_index=index, **NO_PAST))["fits"]
    assert sorted(map(sorted, jobs(orders).values())) == [["cust_id"], ["order_id"]]


def test_of_two_indexes_that_come_first_at_once_none_is_lost(gate: Gates, orders: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    found, late = contract_names._known, [ORDER]

    def overtaken(table: Table, consumer: str, team: str) -> Any:
        known = found(table, consumer, team)
        if late:
            table.register(late.pop(), consumer=consumer, owner="sales")
        return known

    monkeypatch.setattr(contract_names, "_known", overtaken)
    gate(CUST, 0)
    assert jobs(orders) == {"reports.gate": ["cust_id"], beside_of("reports.gate", ORDER): ["order_id"]}


def test_what_no_index_gives_any_more_does_not_pile_up(gate: Gates, orders: Table) -> None:
    last_year = datetime.now(UTC) - timedelta(days=400)
    for job, need in (("reports.gate", CUST), (beside_of("reports.gate", ORDER), ORDER), ("reports.gate_of_others", ORDER)):
        register_contract.register(orders.registry, orders.id, Contract.of(need), orders.latest(), consumer=job, now=last_year)
    gate("amount DECIMAL(10, 2)", 0)  # takes the name of what is gone
    gate(CUST, 1)
    assert jobs(orders) == {
        "reports.gate": ["amount"],
        beside_of("reports.gate", CUST): ["cust_id"],
        "reports.gate_of_others": ["order_id"],
    }


# ---------------------------------------------------------------- commands of the block


def test_what_the_block_says_to_type_works_for_an_index_whose_contract_lies_beside(
    gate: Gates, context: MakeContext, orders: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate(ORDER, 0)
    gate(CUST, 1)
    orders.evolve("RENAME COLUMN cust_id TO customer_id", override="test")
    said: list[str] = []
    monkeypatch.setattr("airflow_provider_schemas.tasks.output.log_footer.log_at_end", lambda task, outcome, block: said.append(block))
    with pytest.raises(AirflowFailException):
        gate(CUST, 1)
    lines = [line.strip() for line in said[0].splitlines()]
    again = next(line.removeprefix("again").strip() for line in lines if line.startswith("again"))
    waive = next(line[line.index("airflow-schemas") :] for line in lines if "airflow-schemas waive" in line)
    assert "--for=reports.gate " in waive
    ended, told = typed(again)
    assert (ended, "EXPECT_FIELD_RENAMED" in told) == (1, True), told
    assert typed(waive.replace("WHY", "INC-1"))[0] == 0
    assert typed(again)[0] == 0
    assert gate(CUST, 1)["fits"]


# ---------------------------------------------------------------- one task


def test_a_contract_that_its_author_changed_replaces_the_old_one(gate: Gates, orders: Table) -> None:
    gate(CUST)
    assert gate(ORDER)["notes"] == []
    assert jobs(orders) == {"reports.gate": ["order_id"]}


def test_two_guards_of_one_task_keep_both_their_contracts(context: MakeContext, orders: Table) -> None:
    for run_id in ("manual__1", "manual__2"):
        job: Any = BashOperator(task_id="job", bash_command="true")
        for need in (CUST, ORDER):
            schema_guard("lake", reads={"shop.orders": need}).on(job)
        job._pre_execute_hook(context(job, run_id=run_id, **NO_PAST))
    assert jobs(orders) == {"reports.job": ["cust_id"], beside_of("reports.job", ORDER): ["order_id"]}
    assert {one.number for one in orders.registered()} == {0}


# ---------------------------------------------------------------- two DAGs of one name


def test_tasks_of_two_dags_whose_names_join_to_one_are_told_of_each_other(gate: Gates, orders: Table) -> None:
    gate(CUST, dag_id="etl.daily", task_id="gate")
    gate(ORDER, dag_id="etl", task_id="daily.gate")
    notes = gate(CUST, dag_id="etl.daily", task_id="gate")["notes"]
    assert ["another contract was registered for shop.orders as etl.daily.gate, and this one has replaced it" in one for one in notes] == [
        True
    ]
    assert "another DAG than etl.daily" in notes[0]


def test_a_task_in_a_group_whose_contract_is_changed_hears_nothing_of_it(gate: Gates, orders: Table) -> None:
    for need in (CUST, ORDER, "amount DECIMAL(10, 2)"):
        assert gate(need, task_id="group.gate")["notes"] == []
    assert jobs(orders) == {"reports.group.gate": ["amount"]}
