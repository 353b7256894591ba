"""A task that waits for a version."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException, AirflowSensorTimeout, AirflowSkipException

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.sensors import SchemaVersionSensor
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.versions.history import HistoryEntry
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.triggers.version_poller import VersionLook
from tests.provider.conftest import Connect, MakeContext
from tests.provider.sensors.support.sensor_runs import NOBODY, Earlier, deferred, resumed
from tests.provider.support.trigger_runs import Heard, made


def sensor(**said: Any) -> SchemaVersionSensor:
    return SchemaVersionSensor(**{"task_id": "wait", "conn_id": "lake", "table": "shop.orders", "poke_interval": 0.02, **said})


@pytest.fixture
def begun(context: MakeContext) -> Callable[..., dict[str, Any]]:
    """The context of a sensor whose task has never run before."""
    return lambda one, earlier=NOBODY, **more: context(one, **earlier, **more)


Begun = Callable[..., dict[str, Any]]


# ---------------------------------------------------------------- what is waited for


def test_a_newer_version_that_is_there_ends_it_without_a_deferral(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store, "ADD COLUMN coupon STRING")
    one = sensor(since=0)
    found = one.execute(begun(one))
    assert (found["version"], found["previous"], found["changes"]) == (1, 0, ["ADD COLUMN coupon STRING"])
    json.dumps(found)


def test_it_defers_and_resumes_with_the_version_that_came(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(since=0)
    context = begun(one)
    sleep = deferred(one, context)
    assert sleep.timeout is not None
    assert timedelta(hours=5, minutes=59) < sleep.timeout <= timedelta(hours=6)
    made(store, "ADD COLUMN coupon STRING")
    found = resumed(one, context, sleep)
    assert found == {
        "table": "shop.orders",
        "branch": "main",
        "version": 1,
        "previous": 0,
        "digest": store.table("shop.orders").latest().digest,
        "changes": ["ADD COLUMN coupon STRING"],
        "by": "ana",
        "run": "",
        "rewound": False,
    }
    assert one.changed_by_run == ""


def test_the_first_run_of_all_takes_the_table_as_it_is(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store, "ADD COLUMN coupon STRING")
    one = sensor()
    assert one.execute(begun(one))["version"] == 1


def test_a_later_run_waits_for_what_its_last_green_run_had_not_seen(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    first = sensor()
    context = begun(first)
    first.execute(context)
    earlier = Earlier(context["ti"].pushed[VERDICT]).as_ti()
    second = sensor()
    context = begun(second, earlier)
    sleep = deferred(second, context)
    made(store, "ADD COLUMN coupon STRING")
    assert resumed(second, context, sleep)["version"] == 1
    said = context["ti"].pushed[VERDICT]["tables"]["shop.orders"]
    assert (said["before"]["version"], said["seen"]["version"]) == (0, 1)


def test_now_waits_for_the_next_version(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store, "ADD COLUMN a INT")
    one = sensor(since="now")
    context = begun(one)
    sleep = deferred(one, context)
    made(store, "ADD COLUMN b INT")
    assert resumed(one, context, sleep)["version"] == 2


def test_a_digest_is_what_was_seen(lake: str, store: SchemaStore, begun: Begun) -> None:
    first = made(store).latest()
    one = sensor(since=first.digest)
    sleep = deferred(one, begun(one))
    assert (sleep.trigger.version, sleep.trigger.digest) == (0, first.digest)
    made(store, "ADD COLUMN a INT")
    again = sensor(since=first.digest.upper())
    assert again.execute(begun(again))["version"] == 1


def test_a_digest_that_no_version_has_any_more_is_news(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(since="0" * 64)
    assert one.execute(begun(one))["version"] == 0


@pytest.mark.parametrize("said", ["0", " 0 "])
def test_a_number_may_come_as_text_out_of_a_template(lake: str, store: SchemaStore, begun: Begun, said: Any) -> None:
    made(store)
    one = sensor(since=said)
    assert deferred(one, begun(one)).trigger.version == 0


@pytest.mark.parametrize("said", ["None", ""])
def test_a_template_that_had_nothing_to_say_is_not_the_last_run(lake: str, store: SchemaStore, begun: Begun, said: Any) -> None:
    made(store)
    one = sensor(since=said)
    with pytest.raises(AirflowFailException, match="since came out empty"):
        one.execute(begun(one))


@pytest.mark.parametrize("said", [-5, 1.5, True, "soon", "v41", "a" * 63, [1], {"version": 1}])
def test_what_could_not_have_been_seen_fails_at_once(lake: str, store: SchemaStore, begun: Begun, said: Any) -> None:
    made(store)
    one = sensor(since=said)
    with pytest.raises(AirflowFailException, match=r"Pass 'last_run', 'now'|Pass a number"):
        one.execute(begun(one))


def test_a_table_that_is_not_there_is_waited_for(lake: str, store: SchemaStore, begun: Begun) -> None:
    for since in ("last_run", "now", 3):
        one = sensor(since=since)
        assert deferred(one, begun(one)).trigger.serialize()[1]["table"] == "shop.orders"


def test_the_table_and_the_connection_may_come_out_of_templates(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(conn_id="{{ 'lake' }}", table="shop.{{ 'orders' }}", branch="{{ 'main' }}", since="{{ 0 }}")
    context: Any = begun(one)
    one.render_template_fields(context)
    assert deferred(one, context).trigger.serialize()[1]["branch"] == "main"


def test_it_says_once_what_it_waits_for_and_whom_to_ask(lake: str, store: SchemaStore, begun: Begun) -> None:
    text = 'table: shop.orders\nowner: team-orders\ncontact: "#orders"\ncolumns: [{name: a, type: INT}]\n'
    store.create_table("shop.orders", table_file.read(text.encode(), "orders.yaml"))
    one = sensor(since=0, poke_interval=60)
    heard = Heard(one)
    deferred(one, begun(one))
    assert len(heard.lines) == 1
    assert heard.lines[0].startswith("shop.orders: nothing newer than v0 yet. Looking every 60 s until ")
    assert heard.lines[0].endswith(" UTC. Owner team-orders, #orders.")


# ---------------------------------------------------------------- trouble


def test_a_storage_that_is_away_at_the_first_look_is_tried_again_by_the_task(
    lake: str, store: SchemaStore, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store)
    monkeypatch.setattr(VersionLook, "look", _raising(StorageError("away.", fix="")))
    one = sensor(since=0)
    with pytest.raises(StorageError) as caught:
        one.execute(begun(one))
    assert not isinstance(caught.value, AirflowFailException)


def _raising(error: Exception) -> Callable[[Any], Any]:
    def raises(look: Any) -> Any:
        raise error

    return raises


AWAY = {"status": "error", "retry": True, "message": "away.", "faults": [{"code": "storage.x", "path": "", "message": "away.", "fix": ""}]}
BROKEN = {**AWAY, "retry": False}


@pytest.mark.parametrize("way", [{}, {"soft_fail": True}, {"never_fail": True}], ids=["plain", "soft_fail", "never_fail"])
def test_trouble_of_the_trigger_is_raised_for_a_retry_and_never_a_skip(lake: str, store: SchemaStore, begun: Begun, way: Any) -> None:
    made(store)
    one = sensor(since=0, **way)
    context = begun(one)
    sleep = deferred(one, context)
    for event in (AWAY, {}, "nonsense"):
        with pytest.raises(StorageError) as caught:
            resumed(one, context, sleep, event)
        assert not isinstance(caught.value, AirflowFailException | AirflowSkipException)


def test_what_no_retry_mends_fails_at_once_and_never_skips(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(since=0)
    context = begun(one)
    with pytest.raises(AirflowFailException, match="away"):
        resumed(one, context, deferred(one, context), BROKEN)
    soft = sensor(since=0, soft_fail=True)
    context = begun(soft)
    with pytest.raises(SchemaError, match="away") as caught:
        resumed(soft, context, deferred(soft, context), BROKEN)
    assert not isinstance(caught.value, AirflowFailException | AirflowSkipException)


def test_a_timeout_says_what_is_missing_still(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(since=0, timeout=timedelta(hours=1))
    with pytest.raises(AirflowSensorTimeout, match=r"Waited 1:00:00 in vain. shop.orders: nothing newer than v0 yet."):
        one.resume_execution("__fail__", {"error": "Trigger timeout"}, begun(one))


def test_a_timeout_is_a_skip_where_the_author_says_so_but_not_while_the_storage_is_away(
    lake: str, store: SchemaStore, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store)
    one = sensor(since=0, soft_fail=True)
    with pytest.raises(AirflowSkipException):
        one.resume_execution("__fail__", {"error": "Trigger timeout"}, begun(one))
    monkeypatch.setattr(VersionLook, "look", _raising(StorageError("away.", fix="")))
    with pytest.raises(StorageError):
        one.resume_execution("__fail__", {"error": "Trigger timeout"}, begun(one))


def test_a_wrong_name_fails_at_once(lake: str, begun: Begun) -> None:
    one = sensor(table="orders")
    with pytest.raises(AirflowFailException, match=r"Write it as 'db.table'"):
        one.execute(begun(one))


def test_a_connection_of_another_type_fails_at_once(connect: Connect, begun: Begun) -> None:
    connect("lake", conn_type="http", host="example.org")
    one = sensor()
    with pytest.raises(AirflowFailException, match="http"):
        one.execute(begun(one))


# ---------------------------------------------------------------- in a worker


def test_without_the_triggerer_it_looks_in_the_worker_until_it_is_there(
    lake: str, store: SchemaStore, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store)
    one = sensor(since=0, deferrable=False)
    looks = _counted(monkeypatch, lambda count: count == 3 and made(store, "ADD COLUMN a INT"))
    assert one.execute(begun(one))["version"] == 1
    assert looks() >= 3


def _counted(monkeypatch: pytest.MonkeyPatch, happens: Callable[[int], object]) -> Callable[[], int]:
    real, count = VersionLook.look, 0

    def look(self: VersionLook) -> Any:
        nonlocal count
        count += 1
        happens(count)
        return real(self)

    monkeypatch.setattr(VersionLook, "look", look)
    return lambda: count


def test_a_worker_bears_a_storage_that_is_away_for_a_while(
    lake: str, store: SchemaStore, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store)

    def happens(count: int) -> None:
        if count == 2:
            raise StorageError("away.", fix="")
        if count == 4:
            made(store, "ADD COLUMN a INT")

    _counted(monkeypatch, happens)
    one = sensor(since=0, deferrable=False)
    assert one.execute(begun(one))["version"] == 1


def test_a_worker_gives_up_at_its_timeout_and_says_what_is_missing(lake: str, store: SchemaStore, begun: Begun) -> None:
    made(store)
    one = sensor(since=0, deferrable=False, timeout=0.1)
    with pytest.raises(AirflowSensorTimeout, match="nothing newer than v0 yet"):
        one.execute(begun(one))


def test_now_is_when_the_first_of_many_short_looks_began(
    lake: str, store: SchemaStore, begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look of mode='reschedule' is a process of its own."""
    from airflow.sdk.exceptions import AirflowRescheduleException

    made(store)
    one = sensor(since="now", deferrable=False, mode="reschedule")
    with pytest.raises(AirflowRescheduleException):
        one.execute(begun(one, get_first_reschedule_date=lambda _: None))
    began = datetime.now(UTC)
    made(store, "ADD COLUMN a INT")
    context = begun(one, get_first_reschedule_date=lambda _: began)
    assert one.execute({**context, "task_reschedule_count": 1})["version"] == 1


def test_a_version_of_the_millisecond_in_which_the_first_look_began_is_not_missed(lake: str, store: SchemaStore, begun: Begun) -> None:
    """A version tells the millisecond in which it was made, and Airflow the microsecond in which a look began."""
    made(store)
    made(store, "ADD COLUMN a INT")
    when = HistoryEntry(store.table("shop.orders").latest()).when
    assert when is not None
    sensing = sensor(since="now", deferrable=False, mode="reschedule")
    context = begun(sensing, get_first_reschedule_date=lambda _: when + timedelta(microseconds=500))
    assert sensing.execute({**context, "task_reschedule_count": 1})["version"] == 1


# ---------------------------------------------------------------- as Airflow has it


def test_its_constructor_only_assigns() -> None:
    one = sensor(table="{{ x }}", since="{{ y }}", branch="{{ z }}")
    assert (one.table, one.since, one.branch, one.conn_id) == ("{{ x }}", "{{ y }}", "{{ z }}", "lake")
    assert set(one.template_fields) == {"conn_id", "table", "branch", "since"}


def test_it_waits_in_the_triggerer_for_six_hours_unless_somebody_says_otherwise(tmp_path: Path) -> None:
    one = SchemaVersionSensor(task_id="wait", table="shop.orders")
    assert (one.deferrable, one.timeout, one.poke_interval, one.conn_id) == (True, 6 * 3600, 60, "schema_store_default")


def test_it_can_be_mapped_over_tables_and_serialized() -> None:
    from airflow.sdk import DAG
    from airflow.serialization.serialized_objects import DagSerialization

    with DAG("d", schedule=None, default_args={"conn_id": "lake"}) as dag:
        SchemaVersionSensor.partial(task_id="wait", since="now").expand(table=["shop.orders", "shop.users"])
        SchemaVersionSensor(task_id="one", table="shop.orders")
    plain: Any = dag.task_dict["one"]
    assert plain.conn_id == "lake"
    DagSerialization.to_dict(dag)
