"""Which tasks run past a gate that has stopped: measured with every trigger rule that this Airflow has, and told beforehand."""

from pathlib import Path
from typing import Any

import pytest
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, TriggerRule, task_group, teardown

from airflow_provider_schemas.operators import SchemaGateOperator
from airflow_provider_schemas.tasks.gate.bypass import TRIGGER_RULES, write_notes
from tests.provider.support.dag_runs import Run, told

# Only a teardown has it, and that is meant to run.
OF_TEARDOWNS = "all_done_setup_success"
# Airflow refuses it in a mapped task group.
NOT_IN_GROUPS = "always"

DAGS = """
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.providers.standard.operators.python import PythonOperator
from airflow.sdk import DAG, TriggerRule, task_group
from airflow_provider_schemas.operators import SchemaGateOperator

def behind(gate, ok, without=("all_done_setup_success",)):
    for rule in TriggerRule:
        if rule.value not in without:
            gate >> PythonOperator(task_id=f"alone_{rule.value}", python_callable=print, trigger_rule=rule)
            [gate, ok] >> PythonOperator(task_id=f"beside_{rule.value}", python_callable=print, trigger_rule=rule)

for outcome in ("fail", "skip"):
    about = {"task_id": "gate", "conn_id": "lake", "on_missing": outcome}
    with DAG(f"direct_{outcome}", schedule=None) as direct:
        behind(SchemaGateOperator(reads=["shop.nope"], **about), PythonOperator(task_id="ok", python_callable=print))
    with DAG(f"mapped_{outcome}", schedule=None) as mapped:
        gates = SchemaGateOperator.partial(**about).expand(reads=[["shop.nope"], ["shop.none"]])
        behind(gates, PythonOperator(task_id="ok", python_callable=print))
    with DAG(f"partly_{outcome}", schedule=None) as partly:
        gates = SchemaGateOperator.partial(**about).expand(reads=[["shop.nope"], ["shop.orders"]])
        behind(gates, PythonOperator(task_id="ok", python_callable=print))
    with DAG(f"groups_{outcome}", schedule=None) as groups:
        @task_group
        def each(tables):
            gate = SchemaGateOperator(reads=tables, **about)
            behind(gate, PythonOperator(task_id="ok", python_callable=print), ("all_done_setup_success", "always"))
        each.expand(tables=[["shop.nope"], ["shop.orders"]])
    globals().update({dag.dag_id: dag for dag in (direct, mapped, partly, groups)})
"""

STORY = """
store.create_table("shop.orders", "order_id BIGINT")
for kind in ("direct", "mapped", "partly", "groups"):
    for outcome in ("fail", "skip"):
        run(f"{kind}_{outcome}", 0)
"""

KINDS = [f"{kind}_{outcome}" for kind in ("direct", "mapped", "partly", "groups") for outcome in ("fail", "skip")]


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    runs = told(tmp_path_factory.mktemp("rules"), airflow_database, STORY, rules=DAGS)
    return dict(zip(KINDS, runs, strict=True))


def test_every_rule_of_this_airflow_is_known() -> None:
    assert set(TRIGGER_RULES) == {rule.value for rule in TriggerRule} - {OF_TEARDOWNS}


@pytest.mark.parametrize("rule", TRIGGER_RULES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_runs_past_a_gate_is_what_was_measured(story: dict[str, Run], kind: str, rule: str) -> None:
    place, outcome = kind.split("_")
    if place == "groups" and rule == NOT_IN_GROUPS:
        return
    group, index = ("each.", "[0]") if place == "groups" else ("", "")
    ran = {
        company: story[kind].states.get(f"{group}{company}_{rule}{index}", story[kind].states.get(f"{group}{company}_{rule}")) == "success"
        for company in ("alone", "beside")
    }
    known = TRIGGER_RULES[rule]
    alone, beside = getattr(known, outcome), getattr(known, f"{outcome}_beside")
    # A mapped gate is alone with those of its kind, of which here another one lets its table through.
    assert ran == {"alone": beside if place == "partly" else alone, "beside": beside}


# ---------------------------------------------------------------- told beforehand


def gate(**more: Any) -> SchemaGateOperator:
    return SchemaGateOperator(task_id="gate", reads=["shop.orders"], **more)


def said(one: Any, *outcomes: str, mapped: bool = False) -> list[str]:
    return [note.split()[1] for note in write_notes(one, outcomes or ("fail",), mapped=mapped)]


def test_each_task_is_named_with_its_rule_and_what_to_do() -> None:
    with DAG("reports", schedule=None):
        first = gate()
        first >> [EmptyOperator(task_id="waits"), BashOperator(task_id="cleans", bash_command="true", trigger_rule="all_done")]
    (note,) = write_notes(first, ["fail"])
    assert note.startswith("GATE_BYPASSED: cleans runs even if this task fails: its trigger rule is all_done.")
    assert note.endswith("Put a schema_guard on it, or give it the trigger rule all_success.")


def test_only_what_the_gate_may_do_is_told() -> None:
    with DAG("reports", schedule=None):
        first = gate()
        first >> [EmptyOperator(task_id="a", trigger_rule="none_failed"), EmptyOperator(task_id="b", trigger_rule="one_failed")]
    assert (said(first, "fail"), said(first, "skip"), said(first, "warn")) == (["b"], ["a"], [])
    assert said(first, "fail", "skip") == ["a", "b"]


def test_company_changes_what_a_rule_does() -> None:
    with DAG("reports", schedule=None):
        first, other = gate(), EmptyOperator(task_id="other")
        first >> EmptyOperator(task_id="alone", trigger_rule="one_success")
        [first, other] >> EmptyOperator(task_id="beside", trigger_rule="one_success")
    assert said(first) == ["beside"]
    assert said(first, mapped=True) == ["alone", "beside"]


def test_in_a_mapped_task_group_each_has_a_gate_of_its_own() -> None:
    with DAG("reports", schedule=None) as dag:

        @task_group
        def each(tables: Any) -> None:
            SchemaGateOperator(task_id="gate", reads=tables) >> EmptyOperator(task_id="inside", trigger_rule="one_success")

        each.expand(tables=[["shop.orders"]]) >> EmptyOperator(task_id="outside")
        dag.get_task("each.gate") >> EmptyOperator(task_id="behind", trigger_rule="one_success")
    assert said(dag.get_task("each.gate"), mapped=True) == ["behind"]


def test_a_task_with_a_guard_is_not_named_whether_mapped_or_not() -> None:
    class SchemaGuard:
        is_schema_guard = True

        def __call__(self, context: Any) -> None: ...

    class Both:
        hooks = (print, SchemaGuard())

        def run(self, context: Any) -> None: ...

    with DAG("reports", schedule=None):
        first = gate()
        hooks: list[Any] = [SchemaGuard(), Both(), Both().run]
        for number, hook in enumerate(hooks):
            first >> BashOperator(task_id=f"guarded_{number}", bash_command="true", trigger_rule="all_done", pre_execute=hook)
        first >> BashOperator(task_id="other_hook", bash_command="true", trigger_rule="all_done", pre_execute=print)
        mapped = BashOperator.partial(task_id="guarded_mapped", trigger_rule="all_done", pre_execute=SchemaGuard())
        first >> mapped.expand(bash_command=["a", "b"])
        first >> EmptyOperator(task_id="never_asked", trigger_rule="all_done", pre_execute=SchemaGuard())
    assert said(first) == ["never_asked", "other_hook"]
    assert write_notes(first, ["fail"])[0].endswith("its trigger rule is all_done. Give it the trigger rule all_success.")


def test_a_teardown_is_meant_to_run() -> None:
    with DAG("reports", schedule=None):
        first = gate()

        @teardown
        def drops() -> None: ...

        first >> drops()
    assert said(first, "fail", "skip") == []


def test_a_rule_that_came_later_counts_as_one_that_runs() -> None:
    with DAG("reports", schedule=None):
        first, later = gate(), EmptyOperator(task_id="later")
        later.trigger_rule = "of_tomorrow"  # type: ignore[assignment]  # as another Airflow may have it
        first >> later
    assert said(first) == ["later"]
