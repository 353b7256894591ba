"""Mounts in a connection: what is wrong in them is said at once, each fault at its place and with what to write."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.hooks import BadConnectionError, SchemaStoreHook
from airflow_provider_schemas.hooks.mount_settings import MountSettings
from airflow_provider_schemas.tasks.error_handling import state_of
from tests.provider.conftest import Connect

GOOD = {"source": "iceberg", "conn_id": "rest", "namespace": "prod.shop"}

# What is said of the mounts, and what is answered.
CASES: dict[str, tuple[Any, list[str]]] = {
    "a list": ([GOOD], ["extra.mounts: it is no object.", '{"shop": {"source": "iceberg"']),
    "a text that is no JSON": ("{", ["extra.mounts: it is no JSON."]),
    "a mount that is a text": ({"shop": "rest"}, ["extra.mounts.shop: it is no object."]),
    "a database that no table could name": ({"a.b": GOOD}, ["extra.mounts.a.b: 'a.b' cannot be the name of a database"]),
    "no source": ({"shop": {"conn_id": "rest"}}, ["extra.mounts.shop.source: it is not said what keeps the tables."]),
    "another source": ({"shop": {**GOOD, "source": "hudi"}}, ["shop.source: 'hudi' cannot be mounted. There are: iceberg, delta."]),
    "a way that Delta does not have": (
        {"shop": {"source": "delta", "conn_id": "rest"}},
        ["shop.conn_id: tables of delta are not found by conn_id. Write url, the folder of a table, or one with such folders."],
    ),
    "Delta without an address": ({"shop": {"source": "delta"}}, ["shop: it names no way to its tables. Write url"]),
    "Delta that is to be changed": (
        {"shop": {"source": "delta", "url": "/lake", "evolve": True}},
        ["shop.evolve: tables of Delta are read only here. Leave it out: engines change tables of Delta"],
    ),
    "a source that is a list": ({"shop": {**GOOD, "source": ["iceberg"]}}, ["shop.source: \"['iceberg']\" cannot be mounted."]),
    "no way": ({"shop": {"source": "iceberg"}}, ["extra.mounts.shop: it names no way to its tables. Write conn_id"]),
    "an empty way": ({"shop": {"source": "iceberg", "conn_id": " "}}, ["it names no way to its tables."]),
    "several ways": ({"shop": {**GOOD, "url": "/lake"}}, ["shop: conn_id and url are several ways to its tables. Keep one of them."]),
    "an unknown key": ({"shop": {**GOOD, "namspace": "x"}}, ["shop.namspace: 'namspace' is no key of a mount. Did you mean namespace?"]),
    "a key like no other": ({"shop": {**GOOD, "x": 1}}, ["There are source, conn_id, url, catalog, namespace, evolve."]),
    "a connection that is a number": ({"shop": {"source": "iceberg", "conn_id": 7}}, ["shop.conn_id: it is no text. Write text."]),
    "no truth": ({"shop": {**GOOD, "evolve": "yes"}}, ["shop.evolve: it is neither true nor false."]),
    "an empty level": ({"shop": {**GOOD, "namespace": "a..b"}}, ["shop.namespace: 'a..b' is no namespace.", "prod.shop"]),
    "a relative address": ({"shop": {"source": "iceberg", "url": "lake"}}, ["shop.url: 'lake' is no address of a warehouse."]),
    "a password in the address": (
        {"shop": {"source": "iceberg", "url": "s3://ann:hunter2@bucket/lake"}},
        ["shop.url: s3://****@bucket/lake holds a password or a key."],
    ),
}


def error_of(connect: Connect, mounts: Any, **extra: Any) -> BadConnectionError:
    with pytest.raises(BadConnectionError) as caught:
        _ = SchemaStoreHook(connect(host="/lake", extra={"mounts": mounts, **extra})).settings
    return caught.value


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_with_what_to_do(name: str, connect: Connect) -> None:
    mounts, expected = CASES[name]
    error = error_of(connect, mounts)
    for words in expected:
        assert words in str(error)
    assert "hunter2" not in str(error)
    assert state_of(error) == "fail"
    assert {fault.code for fault in error.faults} == {"connection.mount"}
    assert all(fault.fix for fault in error.faults)


def test_everything_is_said_at_once(connect: Connect) -> None:
    mounts = {"a.b": {"source": "hudi", "evolve": 1}, "web": {**GOOD, "url": "lake", "x": 1}}
    error = error_of(connect, mounts, layout="x")
    assert [fault.path.partition(", extra.")[2] for fault in error.faults] == [
        "layout",
        "mounts.a.b",
        "mounts.a.b.source",
        "mounts.a.b",
        "mounts.a.b.evolve",
        "mounts.web.x",
        "mounts.web",
        "mounts.web.url",
    ]


def test_a_connection_that_may_not_write_has_no_mount_that_may_be_changed(connect: Connect) -> None:
    error = error_of(connect, {"shop": {**GOOD, "evolve": True}}, read_only=True)
    assert "extra.mounts.shop.evolve: read_only refuses all changes. Keep one of them." in str(error)


@pytest.mark.parametrize("form", [dict, json.dumps])
def test_the_mounts_of_a_form_are_text_and_mean_the_same(form: Any, connect: Connect) -> None:
    mounts = {"shop": {**GOOD, "url": "", "evolve": True}, "web": {"source": "iceberg", "url": " s3://lake/web "}}
    mounts["raw"] = {"source": "delta", "url": "s3://lake/raw", "namespace": "main.raw"}
    settings = SchemaStoreHook(connect(host="/lake", extra={"mounts": form(mounts)})).settings
    assert settings.mounts == {
        "shop": MountSettings("iceberg", conn_id="rest", namespace="prod.shop", evolve=True),
        "web": MountSettings("iceberg", url="s3://lake/web"),
        "raw": MountSettings("delta", url="s3://lake/raw", namespace="main.raw"),
    }


def test_nothing_said_is_no_mount(connect: Connect) -> None:
    assert SchemaStoreHook(connect(host="/lake", extra={"mounts": None})).settings.mounts == {}
