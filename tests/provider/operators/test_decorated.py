"""`@task.schema_gate`: a function says what is needed, because it depends on the run."""

from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import DAG
from airflow.serialization.serialized_objects import DagSerialization

from airflow_provider_schemas.errors import ContractError, SchemaError
from airflow_provider_schemas.operators import SchemaGateOperator, schema_gate
from airflow_provider_schemas.operators.decorated import SchemaGateDecoratedOperator
from airflow_provider_schemas.store import SchemaStore
from tests.provider.support.dag_runs import Run, told

NEEDS = "order_id BIGINT NOT NULL"


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    return made


def gate(call: Any, /, *args: Any, **said: Any) -> SchemaGateDecoratedOperator:
    """The operator that a call of the decorated function makes."""
    with DAG("reports", schedule=None):
        output: Any = schema_gate(**{"conn_id": "lake", **said})(call)(*args)
    made = output.operator
    assert isinstance(made, SchemaGateDecoratedOperator)
    return made


def test_the_function_is_asked_with_the_run_and_with_what_it_was_called_with(context: Any, store: SchemaStore) -> None:
    def needs(column: str, ds: str | None = None, **more: Any) -> Any:
        assert (ds, "ti" in more) == ("2026-03-01", True)
        return {"shop.orders": [column]}

    one = gate(needs, "order_id")
    assert one.execute(context(one))["tables"]["shop.orders"]["fits"]
    with pytest.raises(SchemaError, match="nope is missing"):
        (other := gate(needs, "nope")).execute(context(other))


def test_it_may_say_what_is_read_and_what_is_written(context: Any, store: SchemaStore) -> None:
    both = gate(lambda: {"reads": {"shop.orders": ["order_id"]}, "writes": {"shop.orders": ["order_id", "nope"]}}, task_id="needs")
    with pytest.raises(SchemaError, match="nope is missing"):
        both.execute(context(both))
    one = gate(lambda: {"shop.orders": NEEDS}, task_id="needs", writes={"shop.orders": [*"o"]})
    with pytest.raises(SchemaError, match="o is missing"):
        one.execute(context(one))


@pytest.mark.parametrize("said", [None, {}, [], "", "None", {"reads": None}, {"reads": {}}, 7], ids=repr)
def test_a_function_that_names_no_table_is_a_mistake(context: Any, store: SchemaStore, said: Any) -> None:
    one = gate(lambda: said, task_id="needs")
    with pytest.raises(SchemaError) as refused:
        one.execute(context(one))
    assert refused.value.fix


@pytest.mark.parametrize("nothing", [None, "", [], "[]", "None"], ids=repr)
@pytest.mark.parametrize("named", ["reads", "writes"])
def test_a_half_that_comes_out_as_nothing_is_a_mistake_beside_the_other(context: Any, store: SchemaStore, named: str, nothing: Any) -> None:
    other = {"reads": "writes", "writes": "reads"}[named]
    one = gate(lambda: {named: nothing, other: {"shop.orders": NEEDS}}, task_id="needs")
    with pytest.raises(SchemaError, match=f"{named}.*no table is named"):
        one.execute(context(one))
    one = gate(lambda: {other: {"shop.orders": NEEDS}}, task_id="needs", **{named: nothing})
    with pytest.raises(SchemaError, match=f"{named}.*no table is named"):
        one.execute(context(one))


def test_what_is_said_in_two_places_is_a_contradiction(context: Any, store: SchemaStore) -> None:
    one = gate(lambda: {"shop.orders": NEEDS}, task_id="needs", reads=["shop.orders"])
    with pytest.raises(SchemaError, match="stands in the decorator"):
        one.execute(context(one))


def test_several_outputs_are_refused_and_an_annotation_asks_for_none(context: Any, store: SchemaStore) -> None:
    with pytest.raises(ContractError, match="one output"):
        schema_gate(multiple_outputs=True)

    @schema_gate(conn_id="lake")
    def needs() -> dict[str, str]:
        return {"shop.orders": NEEDS}

    with DAG("reports", schedule=None):
        assert not needs().operator.multiple_outputs  # type: ignore[attr-defined]  # an XComArg of one task


def test_templates_of_the_function_and_of_the_gate_are_both_rendered(context: Any, store: SchemaStore) -> None:
    assert set(SchemaGateDecoratedOperator.template_fields) == {"op_args", "op_kwargs", *SchemaGateOperator.template_fields}
    one = gate(lambda table: {table: NEEDS}, "shop.{{ t }}", task_id="needs", conn_id="{{ c }}")
    about = context(one)
    words: Any = {**about, "t": "orders", "c": "lake"}
    one.render_template_fields(words)
    assert one.execute(about)["fits"]


def test_it_serialises_plain_overridden_and_expanded() -> None:
    @schema_gate(conn_id="lake")
    def needs(table: str) -> dict[str, str]:
        return {table: NEEDS}

    with DAG("reports", schedule=None) as dag:
        needs("shop.orders")
        needs.override(task_id="other", on_incompatible="warn")("shop.orders")
        needs.override(task_id="many").expand(table=["shop.orders", "shop.users"])
        needs.override(task_id="some", conn_id="lake2").partial().expand(table=["shop.orders"])
    assert len(DagSerialization.to_dict(dag)["dag"]["tasks"]) == 4
    assert [dag.get_task(one).operator_name for one in ("needs", "other", "many")] == ["@task.schema_gate"] * 3


# ---------------------------------------------------------------- in a real Airflow

DAGS = """
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import schema_gate

def dag(name, decorator):
    with DAG(name, schedule=None, default_args={"conn_id": "lake"}) as made:
        @decorator
        def needs(ds) -> dict[str, str]:
            assert ds == "2026-03-01"
            return {"shop.orders": "order_id BIGINT NOT NULL"}
        @task
        def daily(verdict): print("READ", verdict["tables"]["shop.orders"]["version"])
        daily(needs())
    return made

imported, attribute = dag("imported", schema_gate), dag("attribute", task.schema_gate)
with DAG("expanded", schedule=None, default_args={"conn_id": "lake"}):
    @schema_gate
    def needs(column):
        return {"shop.orders": [column]}
    @task(trigger_rule="none_failed_min_one_success")
    def daily(verdict): print("READ", verdict["tables"]["shop.orders"]["version"])
    daily.expand(verdict=needs.override(on_incompatible="skip").expand(column=["order_id", "nope"]))
"""

STORY = """
store.create_table("shop.orders", "order_id BIGINT NOT NULL")
for name in ("imported", "attribute", "expanded"):
    run(name, 0)
"""


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    return told(tmp_path_factory.mktemp("decorated"), airflow_database, STORY, decorated=DAGS)


def test_imported_or_as_an_attribute_of_task_it_hands_its_verdict_on(story: list[Run]) -> None:
    for run in story[:2]:
        assert run.states == {"needs": "success", "daily": "success"}
        assert "READ 0" in run.log


def test_expanded_it_skips_the_one_that_does_not_fit(story: list[Run]) -> None:
    states = story[2].states
    assert states == {"needs[0]": "success", "needs[1]": "skipped", "daily[0]": "success"}
