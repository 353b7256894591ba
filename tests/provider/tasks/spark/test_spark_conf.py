"""What a guard hands to the Spark job behind it."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from airflow.providers.apache.spark.operators.spark_pyspark import PySparkOperator
from airflow.providers.apache.spark.operators.spark_sql import SparkSqlOperator
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.operators.trigger_dagrun import TriggerDagRunOperator
from airflow.sdk import DAG, task

from airflow_provider_schemas.operators import schema_guard
from airflow_provider_schemas.spark.gate_handover import KEY
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import MakeContext
from tests.provider.operators.support.guarded_tasks import NEEDS, run


@pytest.fixture
def store(tmp_path: Path, lake: str) -> SchemaStore:
    made = SchemaStore(tmp_path / "lake", actor="ana")
    made.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    made.create_table("shop.users", "user_id BIGINT NOT NULL, country STRING")
    return made


def test_the_operators_of_spark_are_told_what_was_checked(store: SchemaStore, context: MakeContext) -> None:
    shared = {"spark.ui.enabled": "false"}
    operators: dict[str, Any] = {
        "conf": SparkSubmitOperator(task_id="daily", application="job.py", conf=shared),
        "config_kwargs": PySparkOperator(task_id="daily", python_callable=lambda: None, config_kwargs=shared),
        "_conf": SparkSqlOperator(task_id="daily", sql="SELECT 1", conf=shared),
    }
    for attribute, operator in operators.items():
        run(schema_guard("lake", reads=NEEDS).on(operator), context)
        conf = getattr(operator, attribute)
        said = json.loads(conf[KEY])["shop.orders"]
        assert set(conf) == {"spark.ui.enabled", KEY}
        assert said["digest"] == store.table("shop.orders").latest().digest
        assert said["place"].endswith("/lake/shop.db/orders/schema")
    assert shared == {"spark.ui.enabled": "false"}


def test_a_decorated_spark_task_is_told_and_so_is_an_operator_of_ones_own(store: SchemaStore, context: MakeContext) -> None:
    class Ours(SparkSubmitOperator):
        pass

    with DAG("d"):

        @task.pyspark(pre_execute=schema_guard("lake", reads=NEEDS))
        def job(spark: Any) -> None: ...

        decorated: Any = cast("Any", job)().operator
    own: Any = schema_guard("lake", reads=NEEDS).on(Ours(task_id="own", application="job.py"))
    run(decorated, context)
    run(own, context)
    assert KEY in decorated.config_kwargs
    assert KEY in own.conf


def test_what_is_no_configuration_of_spark_stays_as_it_is(store: SchemaStore, context: MakeContext) -> None:
    other = TriggerDagRunOperator(task_id="daily", trigger_dag_id="x", conf={"day": 1})
    text = SparkSqlOperator(task_id="daily", sql="SELECT 1", conf="a=b")
    for operator in (other, text):
        run(schema_guard("lake", reads=NEEDS).on(operator), context)
    assert (other.conf, text._conf) == ({"day": 1}, "a=b")


def test_what_a_gate_handed_over_stays_beside_it(store: SchemaStore, context: MakeContext) -> None:
    operator: Any = SparkSubmitOperator(task_id="daily", application="job.py", conf={KEY: '{"shop.users":{"version":0}}'})
    run(schema_guard("lake", reads=NEEDS).on(operator), context)
    assert list(json.loads(operator.conf[KEY])) == ["shop.users", "shop.orders"]


@pytest.mark.parametrize("version", [0, "0", {"shop.orders": 0}, '{"shop.orders": 0}', "{{ 0 }}"], ids=repr)
def test_a_version_that_the_job_reads_is_said_to_be_that(store: SchemaStore, context: MakeContext, version: Any) -> None:
    store.table("shop.orders").evolve("ADD COLUMN x INT")
    operator: Any = SparkSubmitOperator(task_id="daily", application="job.py")
    run(schema_guard("lake", reads=NEEDS, version=version).on(operator), context)
    said = json.loads(operator.conf[KEY])["shop.orders"]
    assert (said["version"], said["pinned"]) == (0, True)


def test_the_newest_version_is_not_pinned_and_a_table_that_is_missing_is_not_handed_over(store: SchemaStore, context: MakeContext) -> None:
    operator: Any = SparkSubmitOperator(task_id="daily", application="job.py")
    run(schema_guard("lake", reads=["shop.orders", "shop.nope"], on_missing="warn").on(operator), context)
    assert [(name, "pinned" in one) for name, one in json.loads(operator.conf[KEY]).items()] == [("shop.orders", False)]
