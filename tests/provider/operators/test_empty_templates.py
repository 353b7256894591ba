"""A template, or a task, that leaves nothing behind is an error for every argument, and never the default."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.operators import (
    SchemaCreateOperator,
    SchemaEvolveOperator,
    SchemaGateOperator,
    SchemaRestoreOperator,
    SchemaValidateOperator,
    SparkInferSchemaOperator,
    SparkSchemaAuditOperator,
    SparkValidateDataOperator,
    schema_guard,
)
from airflow_provider_schemas.operators.decorated import SchemaGateDecoratedOperator
from airflow_provider_schemas.operators.verify import SchemaVerifyOperator
from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import Connect, MakeContext
from tests.provider.operators.support.guarded_tasks import NO_PAST, bash

READS = {"shop.orders": "order_id BIGINT"}
ORDERS = {"table": "shop.orders"}
CHANGE = {**ORDERS, "changes": "ADD COLUMN coupon STRING"}
ROWS = {**ORDERS, "path": "/data/x"}

Make = Callable[..., Any]
DOORS: dict[str, tuple[Make, dict[str, Any], str]] = {
    "gate": (SchemaGateOperator, {"reads": READS}, "conn_id branch version policy on_incompatible on_missing"),
    "decorator": (
        SchemaGateDecoratedOperator,
        {"python_callable": lambda: READS, "op_args": [], "op_kwargs": {}},
        "conn_id branch version policy on_incompatible on_missing",
    ),
    "contract sensor": (SchemaContractSensor, {"reads": READS}, "conn_id branch policy until register partition"),
    "version sensor": (SchemaVersionSensor, ORDERS, "conn_id branch since table"),
    "create": (SchemaCreateOperator, {**ORDERS, "columns": "a INT"}, "conn_id table policy key target options comment primary_keys"),
    "validate": (SchemaValidateOperator, CHANGE, "conn_id table policy key target branch applied_by save on_incompatible"),
    "evolve": (SchemaEvolveOperator, CHANGE, "conn_id table policy key target branch plan expected_version"),
    "restore": (SchemaRestoreOperator, {**ORDERS, "version": 0}, "conn_id table policy key branch version expected_version"),
    "validate rows": (
        SparkValidateDataOperator,
        ROWS,
        "conn_id table contract path file_format options sql branch version quarantine samples unique spark_conn_id conf on_incompatible",
    ),
    "infer": (SparkInferSchemaOperator, ROWS, "conn_id table path file_format options sql branch save evidence spark_conn_id conf"),
    "audit": (SparkSchemaAuditOperator, {}, "conn_id databases tables data branches parallel save spark_conn_id conf"),
}
CASES = [(door, argument) for door, (_, _, arguments) in DOORS.items() for argument in arguments.split()]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, lake: str, connect: Connect) -> SchemaStore:
    """Two stores: what an emptied connection would fall back to has the table as well, and fits."""
    connect("schema_store_default", host=(tmp_path / "lake").as_uri())
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    return made


def refused(argument: str, run: Callable[[], object]) -> None:
    """Check that a task fails at once, and names the argument."""
    with pytest.raises(AirflowFailException) as caught:
        run()
    error: Any = caught.value
    assert argument in error.path or str(error).startswith(f"{argument} "), str(error)
    assert error.fix


@pytest.mark.parametrize("template", ["{{ none }}", "{{ '' }}"])
@pytest.mark.parametrize(("door", "argument"), CASES, ids=lambda part: part)
def test_a_template_that_renders_to_nothing_is_an_error(
    door: str, argument: str, template: str, context: MakeContext, store: SchemaStore
) -> None:
    make, given, _ = DOORS[door]
    operator = make(task_id="job", **{"conn_id": "lake", **given, argument: template})
    made: Any = context(operator, **NO_PAST)
    operator.render_template_fields(made)
    refused(argument, lambda: operator.execute(made))
    assert store.table("shop.orders").numbers() == (0,)


@pytest.mark.parametrize("value", [None, ""])
@pytest.mark.parametrize(("door", "argument"), CASES, ids=lambda part: part)
def test_what_another_task_left_empty_is_an_error(door: str, argument: str, value: Any, context: MakeContext) -> None:
    make, given, _ = DOORS[door]
    operator = make(task_id="job", **{"conn_id": "lake", **given})
    setattr(operator, argument, value)  # as Airflow does when it has resolved the output of a task
    refused(argument, lambda: operator.execute(context(operator, **NO_PAST)))


@pytest.mark.parametrize("template", ["{{ none }}", "{{ '' }}"])
@pytest.mark.parametrize("argument", ["conn_id", "branch", "version", "policy", "on_incompatible", "on_missing", "reads"])
def test_a_template_of_a_guard_that_renders_to_nothing_is_an_error(argument: str, template: str, context: MakeContext) -> None:
    given: dict[str, Any] = {"conn_id": "lake", "reads": READS, argument: template}
    operator = schema_guard(**given).on(bash())
    refused(argument, lambda: operator._pre_execute_hook(context(operator, **NO_PAST)))


@pytest.mark.parametrize("version", [{}, {"shop.orders": None}, {"shop.orders": "{{ none }}"}], ids=repr)
def test_a_version_that_is_empty_for_a_table_is_not_the_newest(version: Any, context: MakeContext) -> None:
    operator = SchemaGateOperator(task_id="gate", conn_id="lake", reads=READS, version=version)
    made: Any = context(operator, **NO_PAST)
    operator.render_template_fields(made)
    refused("version", lambda: operator.execute(made))


@pytest.mark.parametrize("door", ["gate", "decorator", "contract sensor", "version sensor", "create", "validate", "evolve"])
def test_an_author_who_says_nothing_gets_the_defaults(door: str, context: MakeContext) -> None:
    make, given, _ = DOORS[door]
    columns = {"columns": "a INT", "table": "shop.users"} if door == "create" else {}
    operator = make(task_id="job", **{**given, **columns})
    made: Any = context(operator, **NO_PAST)
    operator.render_template_fields(made)
    assert operator.execute(made)


def test_an_override_that_is_empty_is_none_and_the_change_is_judged(context: MakeContext, store: SchemaStore) -> None:
    store.table("shop.orders").register("cust_id BIGINT", consumer="daily")
    operator = SchemaEvolveOperator(task_id="job", conn_id="lake", table="shop.orders", changes="DROP COLUMN cust_id", override="{{ '' }}")
    made: Any = context(operator, **NO_PAST)
    operator.render_template_fields(made)
    with pytest.raises(AirflowFailException, match="daily"):
        operator.execute(made)


@pytest.mark.parametrize("empty", [{}, "{}", "empty.yaml"], ids=repr)
@pytest.mark.parametrize("door", [door for door, argument in CASES if argument == "policy"])
def test_a_policy_that_says_nothing_is_an_error(door: str, empty: Any, context: MakeContext, store: SchemaStore, tmp_path: Path) -> None:
    (tmp_path / "dags").mkdir(exist_ok=True)
    (tmp_path / "dags/empty.yaml").write_text("# nothing is said here\n")
    make, given, _ = DOORS[door]
    operator = make(task_id="job", **{"conn_id": "lake", **given, "policy": empty})
    refused("policy", lambda: operator.execute(context(operator, **NO_PAST)))
    assert store.table("shop.orders").numbers() == (0,)


@pytest.mark.parametrize("table", [None, "", "None", "shop.users"], ids=repr)
def test_a_table_beside_a_plan_is_the_table_of_the_plan(table: Any, context: MakeContext, store: SchemaStore) -> None:
    plan: Any = SchemaValidateOperator(task_id="plan", conn_id="lake", **CHANGE, save=True)
    found = plan.execute(context(plan))
    change: Any = SchemaEvolveOperator(task_id="apply", conn_id="lake", plan=found)
    done = change.execute(context(change))
    for change_said in ({}, {"change": done}):
        operator: Any = SchemaVerifyOperator(task_id="verify", conn_id="lake", plan=found, table=table, **change_said)
        refused("table", partial(operator.execute, context(operator)))
        fitting: Any = SchemaVerifyOperator(task_id="verify", conn_id="lake", plan=found, table="shop.orders", **change_said)
        assert fitting.execute(context(fitting))["verified"]
