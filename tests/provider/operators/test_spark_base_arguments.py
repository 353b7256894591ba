"""The Spark operators before Spark: what is a mistake ends the task at once, and no session is started for it."""

import json
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SparkInferSchemaOperator, SparkSchemaAuditOperator, SparkValidateDataOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.spark import run
from tests.provider.operators.support.store_with_table import Context, store_in

pytestmark = pytest.mark.usefixtures("lake")
KINDS: dict[str, Any] = {"validate": SparkValidateDataOperator, "infer": SparkInferSchemaOperator, "audit": SparkSchemaAuditOperator}
GIVEN: dict[str, dict[str, Any]] = {
    "validate": {"table": "shop.orders", "path": "/landed"},
    "infer": {"path": "/landed"},
    "audit": {},
}


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("Spark was started")

    monkeypatch.setattr(run, "local_session", refused)


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return store_in(tmp_path)


def ended(kind: str, context: Context, **said: Any) -> SchemaError:
    """How the task ends that is told this."""
    made = KINDS[kind](task_id="look", conn_id="lake", **GIVEN[kind] | said)
    with pytest.raises(SchemaError) as raised:
        made.execute(context(made))
    return raised.value


@pytest.mark.parametrize(
    ("kind", "said", "words"),
    [
        ("validate", {"on_incompatible": "ignore"}, "is none of fail, skip, warn"),
        ("validate", {"table": NOT_SAID}, "which table is meant is not said"),
        ("validate", {"table": "orders"}, "orders"),
        ("validate", {"table": "shop.nope"}, "shop.nope"),
        ("validate", {"version": 7}, "7"),
        ("validate", {"version": "newest"}, "is no number of a version"),
        ("validate", {"sql": "SELECT 1"}, "files are named, and a query, too"),
        ("validate", {"path": NOT_SAID, "file_format": "orc"}, "no files are named"),
        ("validate", {"options": "[1]"}, "is no mapping"),
        ("validate", {"samples": -1}, "samples: -1 is no number"),
        ("validate", {"samples": "some"}, "samples: 'some' is no number"),
        ("validate", {"min_rows": -1}, "min_rows: -1 is no number"),
        ("validate", {"min_rows": "{{ none }}"}, "min_rows: "),
        ("validate", {"min_rows": "None"}, "min_rows: nothing is said. Pass a whole number; 0 if any number will do."),
        ("validate", {"min_rows": None}, "min_rows: nothing is said"),
        ("validate", {"unique": "perhaps"}, "neither true nor false"),
        ("validate", {"contract": "order_id BIGNIT"}, "BIGNIT"),
        ("validate", {"contract": "@registered"}, "it is no contract"),
        ("validate", {"conf": "spark.x=1"}, "is no mapping"),
        ("infer", {"path": NOT_SAID}, "no rows are named"),
        ("infer", {"path": NOT_SAID, "sql": NOT_SAID}, "no rows are named"),
        ("infer", {"save": True}, "there is no plan to keep"),
        ("infer", {"table": "orders"}, "orders"),
        ("audit", {"databases": []}, "it names nothing"),
        ("audit", {"tables": "shop.orders,,"}, "it names nothing"),
        ("audit", {"data": 7}, "neither true nor false"),
        ("audit", {"parallel": "all"}, "parallel: 'all' is no number"),
    ],
)
def test_a_mistake_ends_the_task_at_once(kind: str, said: dict[str, Any], words: str, context: Context, store: SchemaStore) -> None:
    error = ended(kind, context, **said)
    assert words in str(error)
    assert isinstance(error, AirflowFailException)


@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_that_is_not_there_ends_the_task_at_once(kind: str, context: Context, store: SchemaStore) -> None:
    assert isinstance(ended(kind, context, spark_conn_id="nope"), AirflowFailException)


def test_a_store_that_is_not_there_is_told_before_spark_is_started(context: Context) -> None:
    made = SparkSchemaAuditOperator(task_id="look", conn_id="nope")
    with pytest.raises(AirflowFailException, match="connection nope: it is not defined"):
        made.execute(context(made))


def test_a_verdict_whose_version_has_another_file_by_now_is_not_looked_at(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    seen = {"version": 0, "digest": "0" * 64, "branch": "main", "place": f"{tmp_path}/lake/shop.db/orders/schema", "layout": "paimon"}
    error = ended("validate", context, table={"outcome": "fits", "tables": {"shop.orders": seen}})
    assert "version 0 was checked as 00000000, and its file is another one by now" in str(error)
    assert isinstance(error, AirflowFailException)


class TestSubmitting:
    """To a cluster."""

    @pytest.fixture
    def cluster(self, connect: Any) -> str:
        made: str = connect("cluster", conn_type="spark", host="yarn", extra={"deploy-mode": "cluster"})
        return made

    def test_a_driver_on_another_machine_needs_a_folder_that_both_reach(self, context: Context, store: SchemaStore, cluster: str) -> None:
        error = ended("audit", context, spark_conn_id=cluster)
        assert "Pass result_path=, a folder that this worker and the driver of the job reach" in str(error)
        assert isinstance(error, AirflowFailException)

    def test_arguments_that_the_hook_does_not_take_are_named(self, context: Context, store: SchemaStore, cluster: str) -> None:
        said = {"packages": "a:b:1", "java_class": "X", "nonsense": 1}
        error = ended("audit", context, spark_conn_id=cluster, result_path="s3a://tmp", submit=said)
        assert "java_class, nonsense: SparkSubmitHook takes no such argument from here" in str(error)

    def test_without_the_spark_provider_it_is_said_what_to_install(
        self, context: Context, store: SchemaStore, cluster: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "airflow.providers.apache.spark.hooks.spark_submit", None)
        error = ended("audit", context, spark_conn_id=cluster)
        assert "Install apache-airflow-providers-apache-spark beside airflow-provider-schemas[spark]" in str(error)
        assert isinstance(error, AirflowFailException)


def test_what_runs_nowhere_is_killed_in_silence() -> None:
    SparkSchemaAuditOperator(task_id="look").on_kill()


def test_templates_reach_everything_and_nothing_is_read_when_a_dag_is_parsed() -> None:
    made = SparkValidateDataOperator(task_id="look", table="{{ params.table }}", options="{{ params.options }}", samples="{{ 3 }}")
    assert (made.table, made.options, made.samples) == ("{{ params.table }}", "{{ params.options }}", "{{ 3 }}")
    made.render_template_fields({"params": {"table": "shop.orders", "options": json.dumps({"header": "true"})}})
    assert (made.table, made.options, made.samples) == ("shop.orders", '{"header": "true"}', "3")
