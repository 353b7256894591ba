"""Where a Spark job runs: what a connection and the arguments of a task come to."""

from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.spark.run import settled
from airflow_provider_schemas.tasks.spark.target import SparkPlace, read_place


def test_without_a_connection_the_session_is_the_tasks_own() -> None:
    for nothing in (NOT_SAID,):
        found = read_place(nothing, NOT_SAID, NOT_SAID)
        assert found == SparkPlace(kind="local", conf=found.conf)
        assert (found.conf["spark.master"], found.conf["spark.ui.enabled"]) == ("local[*]", "false")


def test_conf_is_what_the_author_wrote_and_may_name_the_master() -> None:
    found = read_place(NOT_SAID, '{"spark.master": "local[1]", "spark.ui.enabled": true}', NOT_SAID)
    assert (found.conf["spark.master"], found.conf["spark.ui.enabled"]) == ("local[1]", "true")


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ({"host": "spark.acme", "port": 15002}, "sc://spark.acme:15002/"),
        ({"host": "sc://spark.acme"}, "sc://spark.acme/"),
        ({"host": "h", "login": "ana b", "password": "t;k=1"}, "sc://h/;user_id=ana%20b;token=t%3Bk%3D1"),
        ({"host": "h", "extra": {"use_ssl": True}}, "sc://h/;use_ssl=true"),
    ],
)
def test_spark_connect_is_asked_at_the_address_of_its_connection(fields: dict[str, Any], url: str, connect: Any) -> None:
    found = read_place(connect("sc", conn_type="spark_connect", **fields), NOT_SAID, NOT_SAID)
    assert (found.kind, found.url) == ("connect", url)
    assert "t%3Bk" not in f"{found.name} {found!r}", "a token is for nobody's eyes"


def test_what_the_extra_of_spark_connect_says_of_spark_is_configuration_and_the_task_overrides_it(connect: Any) -> None:
    said = {"spark.sql.shuffle.partitions": 4, "spark.sql.ansi.enabled": "false", "team": "bi"}
    found = read_place(connect("sc", conn_type="spark_connect", host="h", extra=said), {"spark.sql.ansi.enabled": True}, NOT_SAID)
    assert found.conf == {"spark.sql.shuffle.partitions": "4", "spark.sql.ansi.enabled": "true"}


@pytest.mark.parametrize(
    ("fields", "submit", "far", "alone"),
    [
        ({"conn_type": "spark", "host": "spark://master", "port": 7077}, NOT_SAID, False, False),
        ({"conn_type": "spark", "host": "local[2]"}, NOT_SAID, False, True),
        ({"conn_type": "spark", "host": "yarn", "extra": {"deploy-mode": "cluster"}}, NOT_SAID, True, False),
        ({"conn_type": "spark", "host": "yarn", "extra": {"deploy-mode": "cluster"}}, {"deploy_mode": "client"}, False, False),
        ({"conn_type": "k8s", "host": "https://k8s.acme"}, "{'deploy_mode': 'cluster'}", True, False),
    ],
)
def test_a_cluster_is_submitted_to(fields: dict[str, Any], submit: Any, far: bool, alone: bool, connect: Any) -> None:
    found = read_place(connect("cluster", **fields), NOT_SAID, submit)
    assert (found.kind, found.conn_id, found.is_far, found.alone) == ("submit", "cluster", far, alone)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"conn_type": "aws"}, "its type is 'aws', which starts no Spark. Name a connection of the type spark_connect or spark"),
        ({"conn_type": "spark_connect"}, "'' is no host of Spark Connect"),
        ({"conn_type": "spark_connect", "host": "h/path"}, "'h/path' is no host"),
        ({"conn_type": "spark_connect", "host": "h/;token=s3cret"}, "is no host"),
    ],
)
def test_a_connection_that_starts_no_spark_fails_the_task_at_once(fields: dict[str, Any], words: str, connect: Any) -> None:
    with pytest.raises(AirflowFailException) as raised, settled():
        read_place(connect("other", **fields), NOT_SAID, NOT_SAID)
    assert words in str(raised.value)
    assert "connection other" in str(raised.value)


def test_a_connection_that_is_not_there_is_told_as_one_of_spark() -> None:
    with pytest.raises(SchemaError, match=r"connection nope: it is not defined. Name a connection of the type spark_connect or spark"):
        read_place("nope", NOT_SAID, NOT_SAID)


@pytest.mark.parametrize("conf", ["[1]", 7, {"spark.x": [1]}])
def test_configuration_that_is_none_is_refused(conf: Any) -> None:
    with pytest.raises(SchemaError, match="conf"):
        read_place(NOT_SAID, conf, NOT_SAID)
