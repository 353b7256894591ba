"""Connections with which no store can be opened: all that is wrong is said at once, with what to type, and no try is made again."""

from typing import Any

import pytest
from airflow.sdk.execution_time import supervisor

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.hooks import BadConnectionError, SchemaStoreHook
from airflow_provider_schemas.tasks.error_handling import state_of
from tests.provider.conftest import Connect

ADD = 'Run: airflow connections add lake --conn-json \'{"conn_type": "schema_store"'

# What is said, and what is answered.
CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no host": ({}, ["connection lake, host: it names no warehouse.", ADD]),
    "another type": ({"conn_type": "aws"}, ["it is of the type 'aws', and not of the type schema_store.", "storage_conn_id"]),
    "a relative path": ({"host": "lake"}, ["connection lake, host: 'lake' is no address of a warehouse.", "begins with '/'"]),
    "one slash": ({"host": "s3:/bucket/lake"}, ["'s3:/bucket/lake' is no address of a warehouse."]),
    "a password in the address": ({"host": "s3://ann:hunter2@bucket/lake"}, ["s3://****@bucket/lake holds a password or a key."]),
    "a path that Airflow took for the schema": (
        {"host": "s3://bucket", "schema": "warehouse"},
        ["connection lake, schema: something stands there, and no store reads it.", "with the whole address in host"],
    ),
    "an unknown extra": (
        {"host": "/lake", "extra": {"layot": "x"}},
        ["'layot' is no extra of a schema_store connection. Did you mean layout?"],
    ),
    "an extra like no other": ({"host": "/lake", "extra": {"x": 1}}, ["There are warehouse, registry, registry_conn_id"]),
    "extras that are a list": ({"host": "/lake", "extra": [1]}, ["connection lake, extra: it is no JSON object."]),
    "an unknown layout": (
        {"host": "/lake", "extra": {"layout": "hive"}},
        ["extra.layout: it is no layout", "paimon, mini-paimon, registry"],
    ),
    "no truth": ({"host": "/lake", "extra": {"read_only": "perhaps"}}, ["extra.read_only: it is neither true nor false."]),
    "no text": ({"host": "/lake", "extra": {"team": ["a"]}}, ["extra.team: it is no text."]),
    "a team that is a path": ({"host": "/lake", "extra": {"team": "../x"}}, ["'../x' cannot be the name of a team"]),
    "an alias that is a path": ({"host": "/lake", "extra": {"alias": "a/b"}}, ["'a/b' cannot stand in the address of an asset."]),
    "a registry without an address": ({"host": "/lake", "extra": {"registry": "reg"}}, ["extra.registry: 'reg' is no address"]),
    "a connection for no registry": ({"host": "/lake", "extra": {"registry_conn_id": "x"}}, ["it opens a registry, and none is named."]),
    "options that are no JSON": ({"host": "s3://b", "extra": {"storage_options": "{"}}, ["extra.storage_options: it is no JSON."]),
    "options that are a list": ({"host": "s3://b", "extra": {"storage_options": "[1]"}}, ["extra.storage_options: it is no object."]),
    "an unknown option": (
        {"host": "s3://b", "extra": {"storage_options": {"keyy": "x"}}},
        ["'keyy' is no option of s3. Did you mean key?"],
    ),
    "an option that reaches into the client": (
        {"host": "s3://b", "extra": {"storage_options": {"client_kwargs": {"a": 1}}}},
        ["'client_kwargs' is no option of s3."],
    ),
    "an option of another kind": (
        {"host": "s3://b", "extra": {"storage_options": {"anon": "yes", "key": True, "connect_timeout": False}}},
        ["anon: it is text. Write true or false.", "key: it is true or false. Write text.", "connect_timeout: it is true or false."],
    ),
    "options of a disk": (
        {"host": "/lake", "extra": {"storage_options": {"a": 1}}},
        ["a storage of the kind 'file' takes no options here."],
    ),
    "options twice": (
        {"host": "s3://b", "extra": {"storage_conn_id": "aws", "storage_options": {"key": "x"}}},
        ["storage_conn_id says how the storage is reached already."],
    ),
    "a protocol that nobody knows": ({"host": "corp://b"}, ["connection lake: cannot open corp://b: 'corp' is no protocol"]),
    "a storage connection that is not there": (
        {"host": "s3://b", "extra": {"storage_conn_id": "nowhere"}},
        ["connection lake, extra.storage_conn_id: connection nowhere: it is not defined. Make it, or name another."],
    ),
    "a storage connection of our own type": (
        {"host": "s3://b", "extra": {"storage_conn_id": "lake"}},
        ["extra.storage_conn_id: 'lake' is of the type schema_store itself."],
    ),
    "a storage that no provider opens": (
        {"host": "hdfs://namenode:8020/lake", "extra": {"storage_conn_id": "files"}},
        ["no provider of this Airflow opens hdfs:// with a connection.", "leave storage_conn_id out"],
    ),
    "a provider that is not installed": (
        {"host": "gs://bucket/lake", "extra": {"storage_conn_id": "files"}},
        ["no provider of this Airflow opens gs:// with a connection.", "pip install 'apache-airflow-providers-google'"],
    ),
    "a registry that no provider opens": (
        {"host": "/lake", "extra": {"registry": "hdfs://namenode/reg", "registry_conn_id": "files"}},
        ["extra.registry_conn_id: no provider of this Airflow opens hdfs://"],
    ),
}


def error_of(conn_id: Any) -> BadConnectionError:
    with pytest.raises(BadConnectionError) as caught:
        _ = SchemaStoreHook(conn_id).store
    return caught.value


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_with_what_to_do(name: str, connect: Connect) -> None:
    fields, expected = CASES[name]
    connect("files", conn_type="fs")
    error = error_of(connect(**fields))
    for words in expected:
        assert words in str(error)
    assert state_of(error) == "fail"
    assert all(fault.fix for fault in error.faults)


@pytest.mark.parametrize("name", CASES)
def test_a_test_of_the_connection_says_the_same(name: str, connect: Connect) -> None:
    fields, _ = CASES[name]
    connect("files", conn_type="fs")
    error = error_of(connect(**fields))
    assert SchemaStoreHook("lake").test_connection() == (False, str(error))


def test_everything_is_said_at_once(connect: Connect) -> None:
    extra = {"layout": "x", "read_only": "perhaps", "alias": "a/b", "layot": 1, "storage_options": "{"}
    error = error_of(connect(host="lake", login="ann", extra=extra))
    assert [fault.path.partition(", ")[2] for fault in error.faults] == [
        "login",
        "host",
        "extra.layout",
        "extra.read_only",
        "extra.alias",
        "extra.storage_options",
        "extra.layot",
    ]


def test_no_value_of_an_option_is_shown(connect: Connect) -> None:
    options = {"secret": ["hunter2"], "hunter2": "hunter2", "token": 5}
    error = error_of(connect(host="s3://bucket", extra={"storage_options": options}))
    assert "hunter2" not in str(error).replace("'hunter2' is no option", "")


@pytest.mark.parametrize("conn_id", [None, "", "  ", 7])
def test_what_is_no_id_is_no_connection(conn_id: Any) -> None:
    assert "is no id of a connection. Pass its id." in str(error_of(conn_id))


def test_an_unknown_connection_comes_with_the_command_that_makes_it() -> None:
    error = error_of("lake")
    assert str(error).startswith("connection lake: it is not defined. Run: airflow connections add lake --conn-json")
    assert (error.code, state_of(error)) == ("connection.unknown", "fail")


def test_a_connection_that_is_no_json_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_LAKE", '{"conn_type": ')
    assert "it cannot be read" in str(error_of("lake"))


class TestBackendsThatDoNotAnswer:
    """Airflow calls a connection not defined whatever kept it from looking: here another try may find it."""

    class Down:
        def get_connection(self, conn_id: str) -> None:
            raise ConnectionError("vault is sealed")

    class Empty:
        def get_connection(self, conn_id: str) -> None:
            return None

    def test_a_backend_that_is_down_is_tried_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(supervisor, "ensure_secrets_backend_loaded", lambda: [self.Empty(), self.Down()])
        with pytest.raises(StorageError) as caught:
            _ = SchemaStoreHook("lake").store
        assert "Airflow could not look it up: ConnectionError (vault is sealed)." in str(caught.value)
        assert state_of(caught.value) == "retry"

    def test_backends_that_know_of_none_are_believed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(supervisor, "ensure_secrets_backend_loaded", lambda: [self.Empty()])
        assert error_of("lake").code == "connection.unknown"

    @pytest.mark.parametrize(
        ("answer", "state"), [("API_SERVER_ERROR", "retry"), ("GENERIC_ERROR", "retry"), ("CONNECTION_NOT_FOUND", "fail")]
    )
    def test_the_api_server_is_asked_why(self, answer: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
        from airflow.sdk.exceptions import ErrorType
        from airflow.sdk.execution_time import comms, task_runner

        class Comms:
            def send(self, message: object) -> comms.ErrorResponse:
                return comms.ErrorResponse(error=ErrorType[answer])

        monkeypatch.setattr(task_runner, "SUPERVISOR_COMMS", Comms(), raising=False)
        with pytest.raises((StorageError, BadConnectionError)) as caught:
            _ = SchemaStoreHook("lake").store
        assert state_of(caught.value) == state

    def test_access_that_is_denied_is_denied_for_good(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from airflow.sdk.exceptions import ErrorType
        from airflow.sdk.execution_time import comms, task_runner

        class Comms:
            def send(self, message: object) -> comms.ErrorResponse:
                return comms.ErrorResponse(error=ErrorType.PERMISSION_DENIED)

        monkeypatch.setattr(task_runner, "SUPERVISOR_COMMS", Comms(), raising=False)
        error = error_of("lake")
        assert (error.code, state_of(error)) == ("connection.denied", "fail")
