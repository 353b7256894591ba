"""Waiting for a table that others keep: every schema that becomes current is news, also one that had been before."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.triggers import (
    SchemaContractTrigger,
    SchemaVersionEventTrigger,
    SchemaVersionTrigger,
    event,
    shared_heads,
    store_cache,
)
from airflow_provider_schemas.triggers.version_poller import VersionLook, WatchLook
from tests.provider.support.trigger_runs import POLL, ends_after, ends_with, following, run, sent_and_made_again, silent
from tests.store.mounts.support.remembered_source import ORDERS, RememberedSource

LONG = 600.0
ANYTHING = {"conn_id": "lake", "table": "shop.orders", "branch": None, "version": -1, "digest": "", "poll": POLL}


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    return source


@pytest.fixture(autouse=True)
def mounted(tmp_path: Path, source: RememberedSource, monkeypatch: pytest.MonkeyPatch) -> SchemaStore:
    """The store of the connection `lake`, in which the source is mounted, and no look of an earlier test."""
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", actor="ana", mounts={"shop": source})
    monkeypatch.setitem(store_cache._STORES, "lake", store)
    monkeypatch.setattr(event, "_HANDED_ON_SECONDS", 0.0)
    shared_heads._FOUND.clear()
    return store


@pytest.fixture
def table(mounted: SchemaStore) -> Table:
    return mounted.table("shop.orders")


def trigger(**about: Any) -> SchemaVersionTrigger:
    return SchemaVersionTrigger(**{**ANYTHING, **about})


def seen(table: Table, **about: Any) -> SchemaVersionTrigger:
    head = table.latest()
    return trigger(version=head.number, digest=head.digest, table_id=head.table_id, **about)


class State:
    """The state of an asset, as Airflow 3.3 keeps it."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    async def aget(self, key: str, default: Any = None) -> Any:
        return self.value

    async def aset(self, key: str, value: Any) -> None:
        self.value = value


def watcher(state: State | None = None, start: str = "latest") -> SchemaVersionEventTrigger:
    found = SchemaVersionEventTrigger(conn_id="lake", table="shop.orders", poll=POLL, start=start)
    found.asset_state_store = state  # type: ignore[assignment]  # what Airflow sets
    return found


# ---------------------------------------------------------------- a sensor's trigger


def test_a_return_to_the_first_schema_ends_the_wait(source: RememberedSource, table: Table) -> None:
    source.rename("orders", "amount", "total")
    found = ends_after(seen(table), lambda: source.go_to("orders", 0))
    assert "RESTORED: back to version 0, as it was before version 1 came" in found.pop("said")
    assert (found["version"], found["previous"], found["rewound"], found["restored"]) == (0, 1, False, True)
    assert found["changes"] == ["RENAME COLUMN total TO amount"]


def test_a_return_before_the_triggerer_looked_is_not_missed(source: RememberedSource, table: Table) -> None:
    source.rename("orders", "amount", "total")
    waiting = sent_and_made_again(seen(table))
    source.go_to("orders", 0)
    assert ends_with(waiting)["version"] == 0


def test_data_wake_nobody(source: RememberedSource, table: Table) -> None:
    waiting = seen(table)
    source.write_data("orders")
    assert run(silent(waiting.run()))


def test_a_table_that_was_made_again_ends_the_wait(source: RememberedSource, table: Table) -> None:
    found = ends_after(seen(table), lambda: source.create("orders", ORDERS, table_id="t-2"))
    assert "dropped and made again" in found["said"]
    assert (found["version"], found["table_id"], found["replaced"], found["changes"]) == (0, "t-2", True, [])


def test_a_trigger_that_was_stored_before_tables_had_ids_goes_on(source: RememberedSource, table: Table) -> None:
    path, about = seen(table).serialize()
    about.pop("table_id")
    assert path.endswith("SchemaVersionTrigger")
    found = ends_after(SchemaVersionTrigger(**about), lambda: source.rename("orders", "amount", "total"))
    assert found["version"] == 1


def test_a_trigger_of_our_own_layouts_is_stored_as_ever() -> None:
    _, about = trigger(version=3, digest="d").serialize()
    assert list(about) == ["conn_id", "table", "branch", "version", "digest", "poll"]


@pytest.mark.parametrize(("number", "is_over"), [(0, False), (1, True), (2, False)])
def test_a_number_alone_is_the_last_head_of_that_number(source: RememberedSource, number: int, is_over: bool) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    look = VersionLook(conn_id="lake", table="shop.orders", branch=None, version=number, digest="")
    assert (look.look().event is not None) is is_over


def test_who_made_the_schema_current_is_told_where_the_source_says_so(source: RememberedSource, table: Table) -> None:
    waiting = seen(table)
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0, origin="spark application_17")
    source.go_to("orders", 1, origin="trino raj")
    assert ends_with(waiting)["by"] == "trino raj"


# ---------------------------------------------------------------- a watcher


def test_each_head_is_one_event_in_order(source: RememberedSource, table: Table) -> None:
    look = WatchLook(conn_id="lake", table="shop.orders", branch=None)
    begun = look.look(None, "latest")
    source.rename("orders", "amount", "total")
    source.rename("orders", "cust_id", "client")
    source.go_to("orders", 1)
    step = look.look(begun.seen, "latest")
    told = [(one["kind"], one["version"], one["previous"], one.get("restored", False)) for one in step.events]
    assert told == [("version", 1, 0, False), ("version", 2, 1, False), ("version", 1, 2, True)]
    assert [one["changes"] for one in step.events] == [
        ["RENAME COLUMN amount TO total"],
        ["RENAME COLUMN cust_id TO client"],
        ["RENAME COLUMN client TO cust_id"],
    ]
    assert step.message.startswith("shop.orders: v1, v2, v1 came.")
    assert look.look(step.seen, "latest").events == []


def test_a_watcher_wakes_at_a_return_and_remembers_the_table(source: RememberedSource, table: Table) -> None:
    source.rename("orders", "amount", "total")
    head = table.latest()
    state = State({"version": 1, "digest": head.digest})  # as it was written down before tables had ids
    source.go_to("orders", 0)

    async def watched() -> list[Any]:
        events = watcher(state).run()
        found = await following(events)
        waiting = asyncio.ensure_future(anext(events))
        for _ in range(500):
            if state.value["version"] == 0:
                break
            await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return found

    (found,) = run(watched())
    assert (found["kind"], found["version"], found["restored"]) == ("version", 0, True)
    assert state.value == {"version": 0, "digest": table.latest().digest, "table_id": "t-1"}


def test_a_table_that_was_made_again_is_an_event_of_its_own_kind(source: RememberedSource, table: Table) -> None:
    look = WatchLook(conn_id="lake", table="shop.orders", branch=None)
    begun = look.look(None, "latest")
    source.create("orders", "order_id BIGINT, client STRING", table_id="t-2")
    source.rename("orders", "client", "customer")
    step = look.look(begun.seen, "latest")
    assert [(one["kind"], one["version"], one["table_id"]) for one in step.events] == [("replaced", 0, "t-2"), ("version", 1, "t-2")]
    assert step.events[0]["changes"] == []
    assert look.look(step.seen, "latest").events == []


def test_from_the_earliest_all_heads_are_told(source: RememberedSource) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    step = WatchLook(conn_id="lake", table="shop.orders", branch=None).look(None, "earliest")
    assert [one["version"] for one in step.events] == [0, 1, 0]


def test_a_head_whose_schema_the_peer_tidied_away_is_told_without_its_changes(source: RememberedSource) -> None:
    look = WatchLook(conn_id="lake", table="shop.orders", branch=None)
    begun = look.look(None, "latest")
    source.rename("orders", "amount", "total")
    source.rename("orders", "total", "sum")
    del source.peer["orders"].schemas[1]
    step = look.look(begun.seen, "latest")
    assert [(one["version"], one["changes"]) for one in step.events] == [(1, []), (2, [])]


# ---------------------------------------------------------------- one look for all that wait


def looks(count: int, table: Table, poll: float) -> list[VersionLook]:
    head = table.latest()
    about: dict[str, Any] = {
        "conn_id": "lake",
        "table": "shop.orders",
        "branch": None,
        "version": head.number,
        "digest": head.digest,
        "poll": poll,
    }
    return [VersionLook(**about) for _ in range(count)]


def test_all_that_wait_on_a_table_share_one_look(source: RememberedSource, table: Table) -> None:
    waiting = looks(20, table, LONG)
    for one in waiting:
        assert one.look().event is None  # the first look finds out that the table is mounted
    source.looks.clear()
    for one in waiting:
        assert one.look().event is None
    assert len(source.looks) <= 1


def test_they_share_it_too_when_they_look_at_once(source: RememberedSource, table: Table) -> None:
    waiting = looks(8, table, LONG)
    shared_heads._FOUND.clear()
    source.looks.clear()
    threads = [threading.Thread(target=one.look) for one in waiting]
    for one in threads:
        one.start()
    for one in threads:
        one.join(timeout=30)
    assert len(source.looks) == 1


def test_a_look_that_failed_is_shared_by_nobody(source: RememberedSource, table: Table) -> None:
    (waiting,) = looks(1, table, LONG)
    source.is_down = True
    with pytest.raises(StorageError):
        waiting.look()
    source.is_down = False
    source.rename("orders", "amount", "total")
    assert waiting.look().event is not None


def test_a_table_that_moved_is_looked_at_anew_by_whoever_saw_the_earlier_head(source: RememberedSource, table: Table) -> None:
    first, second = looks(2, table, LONG)
    source.rename("orders", "amount", "total")
    assert first.look().event is not None
    assert second.look().event is not None


def test_a_sensor_that_begins_never_takes_the_look_of_another(source: RememberedSource, table: Table) -> None:
    (waiting,) = looks(1, table, LONG)
    assert waiting.look().event is None
    source.rename("orders", "amount", "total")
    (begun,) = looks(1, table, 0.0)
    assert begun.look().event is None  # the head of now is what it has seen
    source.go_to("orders", 0)
    assert begun.look().event is not None


# ---------------------------------------------------------------- waiting for a contract


def contract_trigger(reads: dict[str, Any], since: dict[str, Any]) -> SchemaContractTrigger:
    return SchemaContractTrigger(
        conn_id="lake", reads=reads, branch=None, until="schema", partition=None, policy=None, consumer="daily", since=since, poll=POLL
    )


def test_a_contract_that_a_returned_schema_fits_ends_its_wait(source: RememberedSource) -> None:
    source.rename("orders", "amount", "total")
    waiting = contract_trigger({"shop.orders": {"columns": ["amount"]}}, {})
    assert ends_after(waiting, lambda: source.go_to("orders", 0))["tables"]["shop.orders"]["version"] == 0


def test_a_baseline_of_an_earlier_table_fits_nobody(source: RememberedSource, table: Table) -> None:
    since = {"shop.orders": {"version": 0, "digest": table.latest().digest, "table_id": "t-1"}}
    source.create("orders", "order_id BIGINT NOT NULL, client STRING", table_id="t-2")
    assert run(silent(contract_trigger({"shop.orders": None}, since).run()))


def test_a_look_of_an_earlier_poll_serves_nobody(source: RememberedSource, table: Table) -> None:
    (waiting,) = looks(1, table, LONG)
    assert waiting.look().event is None
    (found,) = shared_heads._FOUND.values()
    found.began -= LONG
    source.looks.clear()
    assert waiting.look().event is None
    assert len(source.looks) == 1
