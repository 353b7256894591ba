"""Waiting in the triggerer for a version."""

import asyncio
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.triggers import SchemaVersionTrigger, look
from airflow_provider_schemas.triggers.version_poller import VersionLook
from tests.provider.conftest import Connect
from tests.provider.support.trigger_runs import (
    PATIENCE,
    POLL,
    Heard,
    ends_after,
    ends_with,
    following,
    made,
    run,
    sent_and_made_again,
    silent,
    until,
)


def trigger(**said: Any) -> SchemaVersionTrigger:
    about = {"conn_id": "lake", "table": "shop.orders", "branch": None, "version": -1, "digest": "", "poll": POLL, **said}
    return SchemaVersionTrigger(**about)


def seen(table: Table, **said: Any) -> SchemaVersionTrigger:
    """A trigger that has seen the newest version of the table."""
    head = table.latest()
    return trigger(version=head.number, digest=head.digest, **said)


def test_a_new_version_ends_the_wait_and_is_told_in_plain_values(lake: str, store: SchemaStore) -> None:
    table = made(store)
    found = ends_after(seen(table), lambda: table.evolve(["ADD COLUMN coupon STRING"], actor="raj", run="evolve/r1/widen"))
    assert found.pop("said").startswith("shop.orders v1: newer than v0 (20")
    assert found == {
        "status": "ok",
        "table": "shop.orders",
        "branch": "main",
        "version": 1,
        "previous": 0,
        "digest": table.latest().digest,
        "changes": ["ADD COLUMN coupon STRING"],
        "by": "raj",
        "run": "evolve/r1/widen",
        "rewound": False,
    }


def test_a_version_that_came_before_the_triggerer_looked_is_not_missed(lake: str, store: SchemaStore) -> None:
    waiting = seen(made(store))
    made(store, "ADD COLUMN coupon STRING")
    assert ends_with(waiting)["version"] == 1


def test_of_several_versions_the_newest_is_told_with_all_that_changed(lake: str, store: SchemaStore) -> None:
    waiting = seen(made(store))
    made(store, "ADD COLUMN a INT", "ADD COLUMN b INT")
    found = ends_with(waiting)
    assert found["version"] == 2
    assert found["changes"] == ["ADD COLUMN a INT", "ADD COLUMN b INT"]


def test_a_table_that_is_not_there_is_waited_for(lake: str, store: SchemaStore) -> None:
    assert ends_after(trigger(), lambda: made(store))["version"] == 0


def test_a_branch_is_watched_by_itself(lake: str, store: SchemaStore) -> None:
    table = made(store)
    dev = table.create_branch("dev")
    waiting = seen(dev, branch="dev")
    table.evolve(["ADD COLUMN other INT"])
    assert run(silent(waiting.run()))
    dev.evolve(["ADD COLUMN coupon STRING"])
    assert ends_with(waiting)["branch"] == "dev"


def test_a_number_that_was_not_seen_yet_is_waited_for(lake: str, store: SchemaStore) -> None:
    made(store)
    assert run(silent(trigger(version=2).run()))
    made(store, "ADD COLUMN a INT", "ADD COLUMN b INT")
    assert run(silent(trigger(version=2).run()))
    made(store, "ADD COLUMN c INT")
    assert ends_with(trigger(version=2))["version"] == 3


def test_a_history_that_went_back_ends_the_wait_and_says_so(lake: str, store: SchemaStore, tmp_path: Path) -> None:
    table = made(store, "ADD COLUMN a INT")
    waiting = seen(table)
    (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink()
    found = ends_with(waiting)
    assert (found["version"], found["rewound"]) == (0, True)


def test_a_number_that_was_given_out_again_ends_the_wait(lake: str, store: SchemaStore, tmp_path: Path) -> None:
    table = made(store, "ADD COLUMN a INT")
    waiting = seen(table)
    (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink()
    made(SchemaStore(tmp_path / "lake"), "ADD COLUMN b INT")
    assert ends_with(waiting)["rewound"] is True


# ---------------------------------------------------------------- as the triggerer has it


def test_it_is_the_same_after_its_way_through_the_database(lake: str) -> None:
    one = trigger(version=41, digest="a" * 64, branch="dev", poll=60.0)
    assert sent_and_made_again(one).serialize() == one.serialize()
    assert list(one.serialize()[1]) == ["conn_id", "table", "branch", "version", "digest", "poll"]


def test_in_the_steady_state_a_look_is_one_listing(lake: str, store: SchemaStore) -> None:
    head = made(store).latest()
    look = VersionLook(conn_id=lake, table="shop.orders", branch=None, version=head.number, digest=head.digest)
    look.look()
    before = look._store.warehouse.count.snapshot()
    look.look()
    assert [now - then for now, then in zip(look._store.warehouse.count.snapshot(), before, strict=True)] == [1, 0, 0]


def test_the_loop_goes_on_while_a_storage_hangs(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, answered, ended = seen(made(store)), threading.Event(), list[bool]()

    def look(self: VersionLook) -> Any:
        ended.append(answered.wait(PATIENCE))
        raise TimeoutError("the storage hung, and nobody waits for its answer any more")

    monkeypatch.setattr(VersionLook, "look", look)

    async def beats() -> None:
        task = asyncio.ensure_future(anext(waiting.run()))
        for _ in range(10):
            await asyncio.sleep(0.02)
        answered.set()  # which a look on the loop itself would wait for in vain
        await until(lambda: ended)
        task.cancel()

    run(beats())
    assert ended[0]


def test_a_storage_that_hangs_keeps_nobody_waiting_who_asks_another(
    connect: Connect, lake: str, store: SchemaStore, tmp_path: Path
) -> None:
    made(store)
    connect("hangs", host=(tmp_path / "other").as_uri())
    answered = threading.Event()

    async def both() -> Any:
        hanging = [asyncio.ensure_future(look.in_thread("connection-hangs", answered.wait, PATIENCE)) for _ in range(100)]
        await asyncio.sleep(0)
        found = await following(trigger().run())
        answered.set()
        await asyncio.gather(*hanging)
        return found[0]

    assert run(both())["version"] == 0


# ---------------------------------------------------------------- trouble


class Flaky:
    """A look that fails some times before it does what it always did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: Exception, times: int) -> None:
        self.left, self.error, self.real = times, error, VersionLook.look
        monkeypatch.setattr(VersionLook, "look", lambda look: self.look(look))  # noqa: PLW0108  # a function becomes a method

    def look(self, look: VersionLook) -> Any:
        if self.left:
            self.left -= 1
            raise self.error
        return self.real(look)


def test_a_storage_that_is_down_for_a_while_does_not_end_the_wait(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    table = made(store)
    waiting = seen(table)
    heard = Heard(waiting)
    Flaky(monkeypatch, StorageError("s3://lake does not answer.", fix="Try again."), 6)
    assert ends_after(waiting, lambda: table.evolve(["ADD COLUMN a INT"]), lines=2)["status"] == "ok"
    assert heard.warnings == [f"s3://lake does not answer. Try again. Looking again every {POLL:g} s."]
    assert heard.lines[:2] == ["The schema store answers again.", "shop.orders: nothing newer than v0 yet."]
    assert len(heard.lines) == 3


def test_trouble_without_end_is_an_error_that_another_try_may_mend(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = seen(made(store))
    monkeypatch.setattr(look, "PATIENCE_SECONDS", 0.1)
    Flaky(monkeypatch, StorageError("s3://lake does not answer.", code="storage.away", fix="Try again."), 10_000)
    found = ends_with(waiting)
    assert (found["status"], found["retry"], found["message"]) == ("error", True, "s3://lake does not answer. Try again.")
    assert found["faults"] == [{"code": "storage.away", "path": "", "message": "s3://lake does not answer.", "fix": "Try again."}]


def test_an_unknown_error_is_borne_and_then_told_without_its_words(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = seen(made(store))
    monkeypatch.setattr(look, "PATIENCE_SECONDS", 0.1)
    Flaky(monkeypatch, RuntimeError("password=hunter2"), 10_000)
    found = ends_with(waiting)
    assert found["retry"] is True
    assert "hunter2" not in str(found)


def test_a_broken_schema_file_ends_the_wait_at_once(lake: str, store: SchemaStore, tmp_path: Path) -> None:
    waiting = seen(made(store))
    (tmp_path / "lake/shop.db/orders/schema/schema-1").write_text("{")
    found = ends_with(waiting)
    assert (found["status"], found["retry"]) == ("error", False)
    assert "schema-1" in found["message"]


def test_a_connection_of_another_type_ends_the_wait_at_once(connect: Connect) -> None:
    connect("lake", conn_type="http", host="example.org")
    found = ends_with(trigger())
    assert (found["status"], found["retry"]) == ("error", False)


def test_after_an_error_the_connection_is_read_again(
    lake: str, connect: Connect, store: SchemaStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a password has been changed: the store that was open would ask with the old one for ever."""
    table = made(store)
    waiting = seen(table)

    async def changed() -> Any:
        heard, events = Heard(waiting), waiting.run()
        first = asyncio.ensure_future(anext(events))
        await until(lambda: heard.lines)
        shutil.copytree(tmp_path / "lake", tmp_path / "moved")
        connect("lake", host=(tmp_path / "moved").as_uri())
        Flaky(monkeypatch, StorageError("denied.", fix=""), 1)
        await asyncio.to_thread(made, SchemaStore(tmp_path / "moved"), "ADD COLUMN a INT")
        return (await asyncio.wait_for(first, 20)).payload

    assert run(changed())["version"] == 1


def test_it_waits_after_each_look(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """On every path: a look that fails at once must not become a storm."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(0)

    monkeypatch.setattr("airflow_provider_schemas.triggers.polling_trigger.pause", sleep)
    waiting = seen(made(store), poll=60.0)
    flaky = Flaky(monkeypatch, StorageError("away.", fix=""), 3)

    async def some() -> None:
        events = waiting.run()
        task = asyncio.ensure_future(anext(events))
        while len(slept) < 8:
            await asyncio.sleep(0.01)
        task.cancel()

    run(asyncio.wait_for(some(), 20))
    assert flaky.left == 0
    assert set(slept) == {60.0}


def test_looks_spread_around_their_poll() -> None:
    async def pauses() -> list[float]:
        slept: list[float] = []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        real, asyncio.sleep = asyncio.sleep, sleep  # type: ignore[assignment]  # for the length of this test
        try:
            for _ in range(50):
                await look.pause(60)
        finally:
            asyncio.sleep = real
        return slept

    found = run(pauses())
    assert all(54 <= one <= 66 for one in found)
    assert len(set(found)) > 40


def test_who_wants_no_pause_gets_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    run(look.pause(0))
    assert slept[0] > 0.04


def test_what_a_file_says_of_itself_cannot_forge_a_line_of_the_log(lake: str, store: SchemaStore) -> None:
    table = made(store)
    waiting = seen(table)
    heard = Heard(waiting)
    table.evolve(["ADD COLUMN a INT"], actor="ana\nERROR all is lost \x1b[31m", run="r\u2028x")
    found = ends_with(waiting)
    assert found["by"].isprintable()
    assert found["run"].isprintable()
    assert len(heard.lines) == 1
    assert heard.lines[0].isprintable()


def test_nothing_secret_is_in_what_the_database_holds(connect: Connect, tmp_path: Path) -> None:
    connect("lake", host="s3://bucket/lake", extra={"storage_options": {"key": "AKIA", "secret": "hunter2"}})
    assert "hunter2" not in str(trigger().serialize())


def test_events_follow_only_where_there_is_one(lake: str, store: SchemaStore) -> None:
    made(store)

    async def both() -> None:
        events = trigger().run()
        assert [one["version"] for one in await following(events)] == [0]
        with pytest.raises(StopAsyncIteration):
            await anext(events)

    run(both())
