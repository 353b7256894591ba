"""The job that asks is seen: its own contract never only warns, and its gate, guard, decorator or sensor notes it, once a day."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.operators import SchemaGateOperator, schema_guard
from airflow_provider_schemas.sensors import SchemaContractSensor
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from airflow_provider_schemas.store.table import Table
from tests.provider.conftest import Connect, MakeContext

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT"
LONG_AGO = "2020-01-01T00:00:00+00:00"


@pytest.fixture
def orders(tmp_path: Path, lake: str) -> Table:
    """A table whose reader was registered years ago."""
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.orders", COLUMNS)
    table = store.table("shop.orders")
    table.register("cust_id BIGINT", consumer="reports.gate")
    for contract in (tmp_path / "lake/_schemas/contracts").rglob("contract-0"):
        contract.write_text(re.sub(r'("at": )"[^"]*"', rf'\1"{LONG_AGO}"', contract.read_text()))
    assert table.registered().registered[0].stale(datetime.now(UTC))
    return table


def seen_file(folder: Path) -> list[Path]:
    return list((folder / "lake/_schemas/contracts").rglob("seen"))


def ask(door: str, context: MakeContext, needs: Any) -> None:
    """Ask through one of the doors that a task has."""
    about: dict[str, Any] = {"conn_id": "lake", "reads": {"shop.orders": needs}}
    if door == "gate":
        operator: Any = SchemaGateOperator(task_id="gate", **about)
        operator.execute(context(operator))
    elif door == "sensor":
        operator = SchemaContractSensor(task_id="gate", timeout=1, poke_interval=1, **about)
        operator.execute(context(operator))
    else:
        from airflow.providers.standard.operators.empty import EmptyOperator

        operator = EmptyOperator(task_id="gate")
        schema_guard(**about)(context(operator))


@pytest.mark.parametrize("door", ["gate", "guard", "sensor"])
def test_whoever_asks_as_registered_was_seen(door: str, orders: Table, context: MakeContext, tmp_path: Path) -> None:
    ask(door, context, "@registered")
    assert not orders.registered().registered[0].stale(datetime.now(UTC))
    (note,) = seen_file(tmp_path)
    before = note.stat().st_mtime_ns
    ask(door, context, "@registered")
    assert note.stat().st_mtime_ns == before
    assert not orders.plan("DROP COLUMN cust_id").report.fits


@pytest.mark.parametrize("needs", ["@registered", "cust_id BIGINT"])
def test_a_gate_that_is_closed_was_seen_as_well(needs: str, orders: Table, context: MakeContext) -> None:
    orders.evolve("DROP COLUMN cust_id", override="a test")
    with pytest.raises(AirflowFailException):
        ask("gate", context, needs)
    assert not orders.registered().registered[0].stale(datetime.now(UTC))


@pytest.mark.parametrize("days", [89, 91, 5_000])
def test_its_own_contract_never_only_warns(days: int, orders: Table, tmp_path: Path) -> None:
    orders.evolve("DROP COLUMN cust_id", override="a test")
    now = datetime.now(UTC) + timedelta(days=days)
    assert not judge(SchemaStore(tmp_path / "lake"), {"shop.orders": "@registered"}, consumer="reports.gate", now=now).fits
    assert seen_file(tmp_path) == []  # who merely asks for another does not say that its job lives


def test_a_connection_that_is_read_only_notes_nothing(orders: Table, context: MakeContext, connect: Connect, tmp_path: Path) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"read_only": True})
    ask("gate", context, "@registered")
    assert seen_file(tmp_path) == []


def test_a_note_that_is_lost_stops_nothing(orders: Table, context: MakeContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from airflow_provider_schemas.errors import StorageError
    from airflow_provider_schemas.store.storage.local import LocalFiles

    def full(*_: Any, **__: Any) -> Callable[[], None]:
        raise StorageError("the disk is full.")

    monkeypatch.setattr(LocalFiles, "put", full)
    ask("gate", context, "@registered")
    assert seen_file(tmp_path) == []
