"""The announcement of a new version: once, and only where one was written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import Asset, AssetAlias

from airflow_provider_schemas.store import Committed, SchemaStore
from airflow_provider_schemas.tasks.change import summary
from airflow_provider_schemas.tasks.change.asset_events import ALIAS, OUTLETS, announce, with_alias
from airflow_provider_schemas.tasks.task_run import Run


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return SchemaStore(tmp_path / "lake")


def told(done: Committed, context: dict[str, Any]) -> list[Any]:
    announce(done, context, run=Run.of(context), alias="Lake", entry=summary.change_entry(done, store="file:///lake", conn_id="lake"))
    found: list[Any] = context["outlet_events"][ALIAS].asset_alias_events
    return found


def test_a_version_that_was_written_is_an_event_of_the_tables_asset(store: SchemaStore, context: Callable[..., dict[str, Any]]) -> None:
    store.create_table("shop.orders", "id INT")
    events = told(store.table("shop.orders").evolve("ADD COLUMN x INT"), context())
    assert [(one.source_alias_name, one.dest_asset_key.name, one.dest_asset_key.uri) for one in events] == [
        ("schema_versions", "lake/shop.orders", "schemas://lake/shop/orders")
    ]
    assert {key: events[0].extra[key] for key in ("table", "version", "previous", "changes")} == {
        "table": "shop.orders", "version": 1, "previous": 0, "changes": ["ADD COLUMN x INT"],
    }  # fmt: skip


def test_what_was_there_already_is_no_news(store: SchemaStore, context: Callable[..., dict[str, Any]]) -> None:
    store.create_table("shop.orders", "id INT")
    store.table("shop.orders").evolve("ADD COLUMN x INT", key="k")
    for key in ("k", None):
        assert told(store.table("shop.orders").evolve("ADD COLUMN x INT", key=key), context()) == []


def test_a_version_of_a_branch_is_an_event_of_another_asset(store: SchemaStore, context: Callable[..., dict[str, Any]]) -> None:
    store.create_table("shop.orders", "id INT")
    events = told(store.table("shop.orders").create_branch("audit").evolve("ADD COLUMN x INT"), context())
    assert events[0].dest_asset_key.uri != "schemas://lake/shop/orders"


@pytest.mark.parametrize("outlets", [(), None, [], OUTLETS, (AssetAlias("schema_versions"),)], ids=repr)
def test_the_alias_is_an_outlet_once(outlets: Any) -> None:
    assert with_alias(outlets) == [ALIAS]


@pytest.mark.parametrize("many", [False, True])
def test_the_outlets_of_an_author_stay(many: bool) -> None:
    own = Asset("own")
    assert with_alias([own] if many else own) == [own, ALIAS]
    assert OUTLETS == [ALIAS], "the default is shared, and stays as it is"
