"""Watching a table for an asset: one event a version, in order, across restarts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.triggers import SchemaVersionEventTrigger, event, version_poller
from airflow_provider_schemas.triggers.version_poller import WatchLook
from tests.provider.support.trigger_runs import PATIENCE, POLL, Heard, following, made, run, sent_and_made_again, silent, until


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are handed on at once."""
    monkeypatch.setattr(event, "_HANDED_ON_SECONDS", 0.0)


class State:
    """The state of an asset, as Airflow 3.3 keeps it: awaited, and plain JSON."""

    def __init__(self, value: Any = None) -> None:
        self.values: dict[str, Any] = {} if value is None else {"schemas.seen:shop.orders@None": value}
        self.failing = 0
        self.writes: list[Any] = []

    def _asked(self) -> None:
        if self.failing:
            self.failing -= 1
            raise RuntimeError("the API server is away")

    async def aget(self, key: str, default: Any = None) -> Any:
        self._asked()
        return self.values.get(key, default)

    async def aset(self, key: str, value: Any) -> None:
        self._asked()
        self.writes.append(value)
        self.values[key] = value


class BlockingState:
    """The same before 3.3.2, where it can only be waited for."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def get(self, key: str, default: Any = None) -> Any:
        return self.values.get(key, default)

    def set(self, key: str, value: Any) -> None:
        self.values[key] = value


class SharedState:
    """What is injected where one trigger watches for two assets."""

    async def aget(self, key: str, default: Any = None) -> Any:
        raise ValueError("Task has 2 concrete inlets and outlets")


def watcher(state: Any = None, **said: Any) -> SchemaVersionEventTrigger:
    about = {"conn_id": "lake", "table": "shop.orders", "branch": None, "poll": POLL, "start": "latest", **said}
    found = SchemaVersionEventTrigger(**about)
    found.asset_state_store = state
    return found


def versions(found: list[Any]) -> list[int]:
    return [one["version"] for one in found]


async def watched(trigger: SchemaVersionEventTrigger, change: Any, count: int) -> list[Any]:
    """The events that come of a change, once the trigger has begun to watch."""
    log: Any = trigger._log
    events, heard = trigger.run(), log if isinstance(log, Heard) else Heard(trigger)
    first = asyncio.ensure_future(anext(events))
    await until(lambda: any("atching for" in one or "Waiting for" in one for one in heard.lines))
    assert not first.done()
    await asyncio.to_thread(change)
    found = [(await asyncio.wait_for(first, PATIENCE)).payload, *(await following(events, count - 1))]
    assert await silent(events)
    return found


# ---------------------------------------------------------------- one event a version


def test_each_version_is_one_event_in_order_however_many_came_between_two_looks(lake: str, store: SchemaStore) -> None:
    table = made(store)
    found = run(watched(watcher(State(), poll=0.4), lambda: made(store, "ADD COLUMN a INT", "ADD COLUMN b INT", "ADD COLUMN c INT"), 3))
    assert versions(found) == [1, 2, 3]
    assert [one["previous"] for one in found] == [0, 1, 2]
    assert [one["changes"] for one in found] == [["ADD COLUMN a INT"], ["ADD COLUMN b INT"], ["ADD COLUMN c INT"]]
    assert found[2] == {
        "kind": "version",
        "table": "shop.orders",
        "branch": "main",
        "version": 3,
        "previous": 2,
        "digest": table.latest().digest,
        "changes": ["ADD COLUMN c INT"],
        "by": "ana",
        "run": "",
    }


def test_a_change_of_thousands_of_columns_is_told_in_twenty_short_texts(lake: str, store: SchemaStore) -> None:
    made(store)
    many = [f"ADD COLUMN c{number} STRING COMMENT '{'x' * 300}'" for number in range(2_000)]
    found = run(watched(watcher(State()), lambda: store.table("shop.orders").evolve(many), 1))
    assert len(found[0]["changes"]) == 20
    assert max(map(len, found[0]["changes"])) <= 500


def test_at_first_sight_what_is_there_is_no_event(lake: str, store: SchemaStore) -> None:
    state = State()
    head = made(store, "ADD COLUMN a INT").latest()
    assert run(silent(watcher(state).run()))
    assert list(state.values.values()) == [{"version": 1, "digest": head.digest}]


def test_from_the_earliest_version_on_each_is_an_event(lake: str, store: SchemaStore) -> None:
    made(store, "ADD COLUMN a INT")

    async def all_of() -> list[Any]:
        events = watcher(State(), start="earliest").run()
        found = await following(events, 2)
        assert await silent(events)
        return found

    found = run(all_of())
    assert versions(found) == [0, 1]
    assert found[0]["previous"] is None


def test_a_long_history_is_announced_in_portions_without_a_gap(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_poller, "_MAX_VERSIONS", 3)
    made(store, *(f"ADD COLUMN c{number} INT" for number in range(7)))

    async def all_of() -> list[Any]:
        events = watcher(State(), start="earliest").run()
        found = await following(events, 8)
        assert await silent(events)
        return found

    assert versions(run(all_of())) == list(range(8))


def test_the_first_version_of_a_table_that_was_not_there_is_an_event(lake: str, store: SchemaStore) -> None:
    assert versions(run(watched(watcher(State()), lambda: made(store), 1))) == [0]


# ---------------------------------------------------------------- restarts


def test_after_a_restart_nothing_is_announced_twice_and_nothing_is_missed(lake: str, store: SchemaStore) -> None:
    state = State()
    made(store)
    assert versions(run(watched(watcher(state), lambda: made(store, "ADD COLUMN a INT"), 1))) == [1]
    made(store, "ADD COLUMN b INT", "ADD COLUMN c INT")

    async def again() -> list[Any]:
        events = watcher(state).run()
        found = await following(events, 2)
        assert await silent(events)
        return found

    assert versions(run(again())) == [2, 3]
    assert run(silent(watcher(state).run()))


def test_who_is_stopped_before_an_event_was_handed_on_announces_it_again(
    lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event too many can be told from its table and version; one that never came, from nothing."""
    monkeypatch.setattr(event, "_HANDED_ON_SECONDS", 3600.0)
    state = State({"version": 0, "digest": made(store).latest().digest})
    made(store, "ADD COLUMN a INT")

    async def once() -> list[Any]:
        events = watcher(state).run()
        found = await following(events)
        assert await silent(events, 0.2)
        return found

    assert versions(run(once())) == versions(run(once())) == [1]


def test_a_state_that_cannot_be_awaited_is_asked_in_a_thread(lake: str, store: SchemaStore) -> None:
    state = BlockingState()
    made(store)
    assert versions(run(watched(watcher(state), lambda: made(store, "ADD COLUMN a INT"), 1))) == [1]
    assert [one["version"] for one in state.values.values()] == [1]


@pytest.mark.parametrize("state", [None, SharedState()])
@pytest.mark.parametrize("start", ["latest", "earliest"])
def test_without_a_state_it_begins_at_the_newest_version_and_says_so_once(lake: str, store: SchemaStore, state: Any, start: str) -> None:
    made(store, "ADD COLUMN a INT")
    trigger = watcher(state, start=start)
    heard = Heard(trigger)
    assert versions(run(watched(trigger, lambda: made(store, "ADD COLUMN b INT"), 1))) == [2]
    assert heard.lines[0] == "Airflow keeps no state for this watcher: it begins at the newest version each time it is started."
    assert sum("keeps no state" in one for one in heard.lines) == 1


def test_where_airflow_has_no_such_thing_as_state_it_works_as_well(lake: str, store: SchemaStore) -> None:
    trigger = watcher()
    del trigger.asset_state_store
    made(store)
    assert versions(run(watched(trigger, lambda: made(store, "ADD COLUMN a INT"), 1))) == [1]


@pytest.mark.parametrize("value", ["forty-one", 41, {"version": "41"}, [1, "x"]])
def test_a_state_that_cannot_be_read_is_said_and_begun_anew(lake: str, store: SchemaStore, value: Any) -> None:
    made(store)
    trigger = watcher(State(value))
    heard = Heard(trigger)
    assert versions(run(watched(trigger, lambda: made(store, "ADD COLUMN a INT"), 1))) == [1]
    assert heard.warnings == ["What was written down for this watcher cannot be read, so that it begins anew."]


# ---------------------------------------------------------------- history that went back


def test_a_history_that_went_back_is_one_event_of_its_own_kind(lake: str, store: SchemaStore, tmp_path: Path) -> None:
    made(store, "ADD COLUMN a INT")
    state = State()
    found = run(watched(watcher(state), (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink, 1))
    assert (found[0]["kind"], found[0]["version"], found[0]["previous"]) == ("rewound", 0, 1)
    assert run(silent(watcher(state).run()))


def test_a_table_that_was_dropped_and_made_again_is_told_as_that(lake: str, store: SchemaStore) -> None:
    made(store, "ADD COLUMN a INT")

    def again() -> None:
        store.drop_table("shop.orders")
        SchemaStore(store.url).create_table("shop.orders", "x INT")

    assert [one["kind"] for one in run(watched(watcher(State()), again, 1))] == ["rewound"]


# ---------------------------------------------------------------- trouble


def test_a_storage_that_is_away_is_said_once_and_nothing_is_lost(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    made(store)
    trigger, real, failures = watcher(State()), WatchLook.look, iter(range(8))
    heard = Heard(trigger)

    def look(self: WatchLook, *args: Any) -> Any:
        number = next(failures, None)
        if number is not None and number >= 2:
            raise StorageError("s3://lake does not answer.", fix="Try again.")
        return real(self, *args)

    monkeypatch.setattr(WatchLook, "look", look)
    assert versions(run(watched(trigger, lambda: made(store, "ADD COLUMN a INT"), 1))) == [1]
    assert heard.warnings == [f"s3://lake does not answer. Try again. Looking again every {POLL:g} s."]


def test_what_no_look_can_mend_by_itself_does_not_end_a_watcher_either(lake: str, store: SchemaStore, tmp_path: Path) -> None:
    """A watcher that ends is started again at once, for ever."""
    made(store)
    folder = tmp_path / "lake/shop.db/orders/schema"
    trigger = watcher(State())
    heard = Heard(trigger)

    async def mended() -> list[Any]:
        events = trigger.run()
        first = asyncio.ensure_future(anext(events))
        await until(lambda: heard.lines)
        (folder / "schema-1").write_text("{")
        await until(lambda: heard.warnings)
        assert not first.done()
        (folder / "schema-1").unlink()
        await asyncio.to_thread(made, store, "ADD COLUMN a INT")
        return [(await asyncio.wait_for(first, PATIENCE)).payload]

    assert versions(run(mended())) == [1]
    assert len(heard.warnings) == 1


def test_a_state_that_does_not_answer_holds_nothing_up_and_is_asked_again(lake: str, store: SchemaStore) -> None:
    made(store)
    state = State()
    trigger = watcher(state)
    heard = Heard(trigger)
    state.failing = 3

    async def all_of() -> list[Any]:
        events = trigger.run()
        first = asyncio.ensure_future(anext(events))
        await until(lambda: state.failing == 0 and state.writes)
        state.failing = 2
        await asyncio.to_thread(made, store, "ADD COLUMN a INT")
        found = [(await asyncio.wait_for(first, PATIENCE)).payload]
        assert await silent(events)
        return found

    assert versions(run(all_of())) == [1]
    assert state.writes[-1]["version"] == 1
    assert [one.split(":")[0] for one in heard.warnings] == ["the state of the asset does not answer (RuntimeError)"] * 2


# ---------------------------------------------------------------- as Airflow has it


def test_it_is_the_same_after_its_way_through_the_database() -> None:
    one = watcher(asset="lake/shop.orders?x=1", branch="dev", poll=60)
    assert sent_and_made_again(one).serialize() == one.serialize()
    assert one.serialize() == (
        "airflow_provider_schemas.triggers.event.SchemaVersionEventTrigger",
        {"conn_id": "lake", "table": "shop.orders", "branch": "dev", "poll": 60.0, "start": "latest", "asset": "lake/shop.orders?x=1"},
    )


def test_the_same_watcher_has_one_hash_and_another_setting_another_one() -> None:
    def hashed(**said: Any) -> int:
        path, about = watcher(**said).serialize()
        return SchemaVersionEventTrigger.hash(path, about)

    assert hashed(poll=60) == hashed(poll=60.0) != hashed(poll=61)
