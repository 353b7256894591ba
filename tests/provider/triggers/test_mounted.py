"""A watcher of a mounted Iceberg table: one event for each schema that became current, in order, a return to an old one too."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.triggers import SchemaVersionEventTrigger, event
from tests.provider.conftest import Connect
from tests.provider.support.trigger_runs import PATIENCE, POLL, Heard, run, silent, until
from tests.support import iceberg_catalog
from tests.support.iceberg_catalog import CONN_ID, MOUNT


class State:
    """The state of an asset, as Airflow 3.3 keeps it."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    async def aget(self, key: str, default: Any = None) -> Any:
        return self.values.get(key, default)

    async def aset(self, key: str, value: Any) -> None:
        self.values[key] = value


@pytest.fixture
def orders(connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The table prod.shop.orders of a catalog that the connection `lake` mounts as shop."""
    monkeypatch.setattr(event, "_HANDED_ON_SECONDS", 0.0)
    (tmp_path / "lake").mkdir()
    connect(CONN_ID, **iceberg_catalog.connection(tmp_path / "iceberg"))
    connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": {"shop": MOUNT}})
    return iceberg_catalog.make_orders(iceberg_catalog.open_catalog(tmp_path / "iceberg"))


def watcher(state: State) -> SchemaVersionEventTrigger:
    trigger = SchemaVersionEventTrigger(conn_id="lake", table="shop.orders", branch=None, poll=POLL, start="latest")
    kept: Any = state
    trigger.asset_state_store = kept
    return trigger


async def told(trigger: SchemaVersionEventTrigger, *changes: tuple[Any, str, str]) -> list[Any]:
    """The event that comes of each change, once the trigger has begun to watch; nothing comes behind the last."""
    heard = Heard(trigger)
    events = trigger.run()
    found = []
    for change in changes:
        waiting = asyncio.ensure_future(anext(events))
        await until(lambda: heard.lines)
        await asyncio.sleep(4 * POLL)
        assert not waiting.done()
        await asyncio.to_thread(iceberg_catalog.rename, *change)
        found.append((await asyncio.wait_for(waiting, PATIENCE)).payload)
    assert await silent(events)
    return found


def test_each_change_by_another_program_is_an_event_and_so_is_a_return(orders: Any) -> None:
    renamed, reverted = run(told(watcher(State()), (orders, "cust_id", "customer_id"), (orders, "customer_id", "cust_id")))
    assert (renamed["version"], renamed["previous"], renamed["changes"]) == (1, 0, ["RENAME COLUMN cust_id TO customer_id"])
    assert (reverted["version"], reverted["previous"]) == (0, 1)


def test_a_watcher_that_begins_anew_goes_on_where_it_was(orders: Any) -> None:
    state = State()
    run(told(watcher(state), (orders, "cust_id", "customer_id")))
    iceberg_catalog.rename(orders, "customer_id", "cust_id")

    async def first() -> Any:
        return (await asyncio.wait_for(anext(watcher(state).run()), PATIENCE)).payload

    assert run(first())["version"] == 0
