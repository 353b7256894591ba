"""64 mounted tables judged at once: what a catalog is asked, how often one waits for it, and what a second look costs."""

import threading
from pathlib import Path
from typing import Any, Final

import pytest

from airflow_provider_schemas.store import IcebergMount, SchemaStore, judge
from airflow_provider_schemas.store.storage.files import AT_ONCE
from tests.servers.iceberg_rest import Answer, IcebergRest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create
from tests.support import stores

COUNT: Final = 64
NEED: Final = "order_id BIGINT NOT NULL, cust STRING, amount DECIMAL(10, 2)"
NEEDS: Final = {f"{NAMESPACE}.t{number}": NEED for number in range(COUNT)}
LOADS: Final = sorted(("GET", f"/v1/namespaces/{NAMESPACE}/tables/t{number}") for number in range(COUNT))


class Turnstile:
    """Answers a catalog only once so many requests wait for it: whoever asks one after the other waits in vain."""

    def __init__(self, rest: IcebergRest, together: int) -> None:
        self._answer = rest.answer
        self._barrier = threading.Barrier(together, self._count)
        self.rounds = 0
        self.statuses: list[int] = []
        rest.answer = self  # type: ignore[method-assign,assignment]  # the server asks the object

    def _count(self) -> None:
        self.rounds += 1

    def __call__(self, *request: Any) -> Answer:
        self._barrier.wait(60)
        answer = self._answer(*request)
        self.statuses.append(answer.status)
        return answer


@pytest.fixture
def mount(rest: IcebergRest) -> IcebergMount:
    """A mount of 64 tables."""
    location = create(rest.behind, "t0").metadata_location
    for number in range(1, COUNT):
        rest.behind.register_table((NAMESPACE, f"t{number}"), location)
    mount = IcebergMount(rest.client(), NAMESPACE)
    rest.asked.clear()
    return mount


@pytest.fixture
def store(tmp_path: Path, mount: IcebergMount) -> SchemaStore:
    return stores.lake(tmp_path / "registry", mounts={NAMESPACE: mount})


def test_64_tables_take_a_request_each_and_one_wait_whether_they_are_read_or_written(store: SchemaStore, rest: IcebergRest) -> None:
    turnstile = Turnstile(rest, AT_ONCE)
    answer = judge(store, NEEDS, NEEDS)
    assert (answer.fits, len(answer.tables)) == (True, 2 * COUNT)
    assert sorted(rest.asked) == LOADS
    assert turnstile.rounds == COUNT / AT_ONCE == 1


def test_the_next_judgement_asks_again_and_is_told_that_nothing_changed(store: SchemaStore, rest: IcebergRest) -> None:
    assert judge(store, NEEDS).fits
    rest.asked.clear()
    turnstile = Turnstile(rest, AT_ONCE)
    assert judge(store, NEEDS).fits
    assert sorted(rest.asked) == LOADS
    assert (turnstile.rounds, set(turnstile.statuses)) == (1, {304})


def test_one_of_64_that_changed_stops_the_job_and_is_asked_for_its_past_alone(
    store: SchemaStore, mount: IcebergMount, rest: IcebergRest
) -> None:
    assert judge(store, NEEDS).fits
    rest.behind.load_table((NAMESPACE, "t7")).update_schema().rename_column("cust", "customer").commit()
    rest.asked.clear()
    before = mount.count.snapshot()
    answer = judge(store, NEEDS)
    assert [table.table for table in answer.tables if not table.fits] == [f"{NAMESPACE}.t7"]
    assert sorted(rest.asked) == LOADS
    asked = [now - then for now, then in zip(mount.count.snapshot(), before, strict=True)]
    assert asked == [COUNT, 1, 0]  # the one file that the log of the changed table names


def test_no_connection_is_thrown_away(store: SchemaStore, rest: IcebergRest, caplog: pytest.LogCaptureFixture) -> None:
    Turnstile(rest, AT_ONCE)
    assert judge(store, NEEDS).fits
    assert [record.getMessage() for record in caplog.records if "pool is full" in record.getMessage()] == []
