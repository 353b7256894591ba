"""The hook over a warehouse on this disk: it gives the store, tables and columns, and tells lineage what a task read."""

import asyncio
import json
import pickle
import shlex
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk import BaseHook
from airflow.sdk.execution_time.context import set_current_context
from airflow.sdk.lineage import HookLineageCollector

from airflow_provider_schemas.errors import NotThereError, ReadOnlyError
from airflow_provider_schemas.hooks import BadConnectionError, SchemaStoreHook, schema_store
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import AirflowHome, Connect, MakeContext

COLUMNS = "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)"


def test_the_hook_gives_the_store_of_its_connection(lake: str, tmp_path: Path) -> None:
    hook = SchemaStoreHook(lake)
    assert isinstance(hook.get_conn(), SchemaStore)
    assert hook.get_conn() is hook.store
    assert hook.store.url == str(tmp_path / "lake")


def test_making_a_hook_looks_nothing_up() -> None:
    assert SchemaStoreHook("there is no such connection").conn_id == "there is no such connection"


def test_without_an_id_the_default_connection_is_meant(default_lake: str) -> None:
    assert SchemaStoreHook().conn_id == SchemaStoreHook.default_conn_name == default_lake
    assert SchemaStoreHook().store.databases() == ()


def test_airflow_finds_the_hook_by_the_type_of_the_connection(lake: str) -> None:
    assert isinstance(BaseHook.get_hook(lake), SchemaStoreHook)


def test_the_columns_of_a_table_are_told_with_their_types(lake: str) -> None:
    hook = SchemaStoreHook(lake)
    hook.store.create_table("shop.orders", COLUMNS)
    assert hook.get_table_schema("shop.orders") == [
        {"name": "order_id", "type": "BIGINT NOT NULL"},
        {"name": "amount", "type": "DECIMAL(10, 2)"},
    ]
    with pytest.raises(NotThereError, match=r"shop\.clicks"):
        hook.get_table_schema("shop.clicks")


def test_what_is_written_bears_the_name_of_who_asked(lake: str) -> None:
    SchemaStoreHook(lake, actor="ann").store.create_table("shop.orders", COLUMNS)
    written = SchemaStoreHook(lake).table("shop.orders").latest().provenance
    assert written is not None
    assert written.actor == "ann"


def test_extras_say_how_the_store_is_opened(connect: Connect, tmp_path: Path) -> None:
    extra = {"registry": str(tmp_path / "registry"), "layout": "mini-paimon", "read_only": True, "team": "sales", "single_writer": "true"}
    store = SchemaStoreHook(connect(host=str(tmp_path / "lake"), extra=extra)).store
    assert (store.registry.url, store.layout, store.read_only, store.team, store.single_writer) == (
        str(tmp_path / "registry"),
        "mini-paimon",
        True,
        "sales",
        True,
    )
    with pytest.raises(ReadOnlyError):
        store.create_table("shop.orders", COLUMNS)


def test_a_catalog_keeps_its_tables(connect: Connect, tmp_path: Path) -> None:
    store = SchemaStoreHook(connect(host=str(tmp_path), extra={"catalog": "glue"})).store
    with pytest.raises(ReadOnlyError, match="glue"):
        store.create_table("shop.orders", COLUMNS)


def test_the_address_may_stand_in_the_extra(connect: Connect, tmp_path: Path) -> None:
    assert SchemaStoreHook(connect(extra={"warehouse": str(tmp_path)})).store.url == str(tmp_path)


def test_what_a_form_leaves_empty_was_not_said(connect: Connect, tmp_path: Path) -> None:
    extra = {name: empty for name in ("registry", "layout", "team", "alias", "storage_conn_id", "storage_options") for empty in ("", None)}
    store = SchemaStoreHook(connect(host=f" {tmp_path} ", login="", schema="", extra=extra | {"read_only": None})).store
    assert (store.url, store.read_only) == (str(tmp_path), False)


def test_the_alias_is_the_id_unless_another_is_said(connect: Connect, lake: str, tmp_path: Path) -> None:
    assert SchemaStoreHook(lake).alias == "lake"
    assert SchemaStoreHook(connect("other", host=str(tmp_path), extra={"alias": "gold"})).alias == "gold"


def test_the_hook_works_in_a_thread_of_an_event_loop(lake: str) -> None:
    def look() -> tuple[str, ...]:
        return SchemaStoreHook(lake).store.databases()

    async def looked() -> tuple[str, ...]:
        return await asyncio.to_thread(look)

    SchemaStoreHook(lake).store.create_table("shop.orders", COLUMNS)
    assert asyncio.run(looked()) == ("shop",)


class TestLineage:
    @pytest.fixture
    def collector(self, monkeypatch: pytest.MonkeyPatch) -> HookLineageCollector:
        made: HookLineageCollector = HookLineageCollector()  # type: ignore[no-untyped-call]  # Airflow's own class
        monkeypatch.setattr(schema_store, "get_hook_lineage_collector", lambda: made)
        return made

    def test_a_task_that_reads_a_table_has_it_among_its_inputs(
        self, lake: str, context: MakeContext, collector: HookLineageCollector
    ) -> None:
        running: Any = context()
        with set_current_context(running):
            SchemaStoreHook(lake).table("shop.orders")
            SchemaStoreHook(lake).table("shop.orders", branch="audit")
        uris = [one.asset.uri for one in collector.collected_assets.inputs]
        assert uris == ["schemas://lake/shop/orders", "schemas://lake/shop/orders?branch=audit"]

    def test_where_no_task_runs_nothing_is_collected(self, lake: str, collector: HookLineageCollector) -> None:
        SchemaStoreHook(lake).table("shop.orders")
        assert not collector.has_collected


class TestTheCommandLine:
    def test_airflow_tests_the_connection(self, airflow_home: AirflowHome, tmp_path: Path) -> None:
        airflow_home.connect("lake", host=str(tmp_path / "lake"))
        assert "Connection success!" in airflow_home.run("connections", "test", "lake")
        assert not (tmp_path / "lake").exists()

    def test_the_command_that_an_error_names_makes_a_connection(self, airflow_home: AirflowHome) -> None:
        """It is kept in the database, from which the API server reads it as this process does."""
        _, said = SchemaStoreHook("sea").test_connection()
        command = shlex.split(said.partition("Run: airflow ")[2])
        airflow_home.run(*command)
        airflow_home.environment["_AIRFLOW_PROCESS_CONTEXT"] = "server"
        shown = airflow_home.python("from airflow_provider_schemas.hooks import SchemaStoreHook; print(SchemaStoreHook('sea').settings)")
        assert "warehouse='s3://bucket/warehouse'" in shown
        assert "storage_conn_id='aws_default'" in shown

    def test_it_tells_all_that_is_wrong_at_once(self, airflow_home: AirflowHome, tmp_path: Path) -> None:
        airflow_home.connect("lake", host="lake", extra=json.dumps({"layot": "paimon"}))
        said = " ".join(airflow_home.run("connections", "test", "lake", ends=1).split())
        assert "2 faults" in said
        assert "Did you mean layout?" in said


def test_an_error_about_a_connection_survives_the_way_to_another_process(connect: Connect) -> None:
    with pytest.raises(BadConnectionError) as caught:
        _ = SchemaStoreHook(connect(host="lake")).store
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults
