"""A connection is opened once a process, to read only; it is opened anew once it has changed, and after some minutes."""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import ReadOnlyError
from airflow_provider_schemas.hooks import BadConnectionError, SchemaStoreHook
from airflow_provider_schemas.plugins.connections.open_connections import OpenConnections
from tests.provider.conftest import Connect


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(clock: Clock) -> OpenConnections:
    return OpenConnections(clock)


def lake(connect: Connect, folder: Path, **extra: object) -> str:
    folder.mkdir(exist_ok=True)
    return connect(host=folder.as_uri(), extra=extra)


def test_a_connection_is_opened_once(connect: Connect, tmp_path: Path, opened: OpenConnections, clock: Clock) -> None:
    conn_id = lake(connect, tmp_path / "lake")
    first = opened.get(conn_id)
    clock.seconds = 100
    assert opened.get(conn_id) is first


def test_it_is_opened_anew_once_it_has_changed(connect: Connect, tmp_path: Path, opened: OpenConnections, clock: Clock) -> None:
    conn_id = lake(connect, tmp_path / "lake")
    first = opened.get(conn_id)
    lake(connect, tmp_path / "other")
    assert opened.get(conn_id) is first
    clock.seconds = 31
    second = opened.get(conn_id)
    assert second is not first
    assert second.store.url.endswith("/other")


def test_it_is_opened_anew_after_some_minutes(connect: Connect, tmp_path: Path, opened: OpenConnections, clock: Clock) -> None:
    conn_id = lake(connect, tmp_path / "lake")
    first = opened.get(conn_id)
    clock.seconds = 601
    assert opened.get(conn_id) is not first


def test_a_connection_that_is_gone_is_shown_no_more(connect: Connect, tmp_path: Path, opened: OpenConnections, clock: Clock) -> None:
    conn_id = lake(connect, tmp_path / "lake")
    opened.get(conn_id)
    connect(conn_id, conn_type="aws")
    clock.seconds = 31
    with pytest.raises(BadConnectionError):
        opened.get(conn_id)


def test_no_more_than_sixteen_are_kept(connect: Connect, tmp_path: Path, opened: OpenConnections) -> None:
    (tmp_path / "lake").mkdir()
    ids = [connect(f"lake{number}", host=(tmp_path / "lake").as_uri()) for number in range(20)]
    first = opened.get(ids[0])
    for conn_id in ids[1:]:
        opened.get(conn_id)
    assert len(opened._kept) == 16
    assert opened.get(ids[0]) is not first


def test_a_page_cannot_write(connect: Connect, tmp_path: Path, opened: OpenConnections) -> None:
    conn_id = lake(connect, tmp_path / "lake")
    with pytest.raises(ReadOnlyError):
        opened.get(conn_id).store.create_table("shop.orders", "a INT")
    assert SchemaStoreHook(conn_id).store.create_table("shop.orders", "a INT").version.number == 0


def test_a_connection_that_may_change_mounts_is_opened_to_read_only_as_well(
    connect: Connect, tmp_path: Path, opened: OpenConnections
) -> None:
    mounts = {"shop": {"source": "iceberg", "catalog": "prod", "namespace": "shop", "evolve": True}}
    store = opened.get(lake(connect, tmp_path / "lake", mounts=mounts)).store
    assert store.read_only
