"""A task that waits for a version of a table that others keep."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.sensors import SchemaVersionSensor
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.triggers import shared_heads, store_cache
from tests.provider.conftest import MakeContext
from tests.provider.sensors.support.sensor_runs import NOBODY, Earlier, deferred, resumed
from tests.store.mounts.support.remembered_source import ORDERS, RememberedSource

Begun = Callable[..., dict[str, Any]]


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    return source


@pytest.fixture
def table(tmp_path: Path, lake: str, source: RememberedSource, monkeypatch: pytest.MonkeyPatch) -> Table:
    mounts: Any = {"shop": source}
    store = SchemaStore(tmp_path / "lake", actor="ana", mounts=mounts)
    monkeypatch.setitem(store_cache._STORES, "lake", store)
    shared_heads._FOUND.clear()
    return store.table("shop.orders")


@pytest.fixture
def begun(context: MakeContext) -> Begun:
    return lambda one, earlier=NOBODY, **more: context(one, **earlier, **more)


def sensor(**about: Any) -> SchemaVersionSensor:
    return SchemaVersionSensor(task_id="wait", conn_id="lake", table="shop.orders", poke_interval=0.02, **about)


def test_a_sensor_that_waits_since_1_wakes_when_0_is_current_again(source: RememberedSource, table: Table, begun: Begun) -> None:
    source.rename("orders", "amount", "total")
    one = sensor(since=1)
    context = begun(one)
    sleep = deferred(one, context)
    source.go_to("orders", 0)
    found = resumed(one, context, sleep)
    assert (found["version"], found["previous"], found["restored"], found["rewound"]) == (0, 1, True, False)


def test_it_does_not_wait_where_that_happened_before(source: RememberedSource, table: Table, begun: Begun) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    one = sensor(since=1)
    assert one.execute(begun(one))["version"] == 0


def test_a_digest_is_what_was_seen(source: RememberedSource, table: Table, begun: Begun) -> None:
    source.rename("orders", "amount", "total")
    one = sensor(since=table.latest().digest)
    context = begun(one)
    sleep = deferred(one, context)
    assert (sleep.trigger.version, sleep.trigger.table_id) == (1, "t-1")
    source.go_to("orders", 0)
    assert resumed(one, context, sleep)["version"] == 0


def test_now_waits_for_the_next_head_whatever_its_number(source: RememberedSource, table: Table, begun: Begun) -> None:
    source.rename("orders", "amount", "total")
    one = sensor(since="now")
    context = begun(one)
    sleep = deferred(one, context)
    source.go_to("orders", 0)
    assert resumed(one, context, sleep)["version"] == 0


def test_the_last_run_counts_with_the_table_that_it_saw(source: RememberedSource, table: Table, begun: Begun) -> None:
    source.rename("orders", "amount", "total")
    first = sensor()
    context = begun(first)
    assert first.execute(context)["version"] == 1
    left = context["ti"].pushed[VERDICT]
    assert left["tables"]["shop.orders"]["seen"] == {"version": 1, "digest": table.latest().digest, "table_id": "t-1"}
    second = sensor()
    sleep = deferred(second, begun(second, Earlier(left).as_ti()))
    assert sleep.trigger.table_id == "t-1"
    source.create("orders", ORDERS, table_id="t-2")
    third = sensor()
    context = begun(third, Earlier(left).as_ti())
    found = third.execute(context)
    assert (found["version"], found["replaced"], found["table_id"]) == (0, True, "t-2")
    assert context["ti"].pushed[VERDICT]["tables"]["shop.orders"]["before"]["table_id"] == "t-1"


def test_where_a_worker_looks_again_and_again_the_head_counts_that_was_current_when_it_began(
    source: RememberedSource, table: Table, begun: Begun
) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)  # two minutes after the first schema, in the log of the source
    second = source.peer["orders"].heads[1].moment
    assert second is not None
    began = datetime.fromtimestamp(second / 1000 + 30, UTC)
    one = sensor(since="now", deferrable=False, mode="reschedule")
    context = begun(one, get_first_reschedule_date=lambda _: began)
    found = one.execute({**context, "task_reschedule_count": 1})
    assert (found["version"], found["previous"]) == (0, 1)


def test_data_end_no_wait(source: RememberedSource, table: Table, begun: Begun) -> None:
    one = sensor(since="now")
    sleep = deferred(one, begun(one))
    source.write_data("orders")
    look = sleep.trigger.make_look(**sleep.trigger.about())
    assert look.look().event is None
