"""One store object in many threads, in a forked child and in a process that it was sent to: on S3, and wherever else connections live."""

import multiprocessing
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.store.support.backends import Backend
from tests.support import crowd

THREADS = 16
# The library's loop is a thread, and forking beside one is what these tests are about.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def add(store: SchemaStore, column: str) -> int:
    """The number of the version that has one column more."""
    return store.table("db.t").evolve([f"ADD COLUMN {column} STRING"]).number


def checked(store: SchemaStore, columns: set[str]) -> None:
    """All of these columns are there, each with an id of its own, and every version follows the one before it."""
    versions = store.table("db.t").versions()
    fields = versions[-1].schema.fields
    assert {one.name for one in fields} == {"id", *columns}
    assert sorted(one.id for one in fields) == list(range(len(fields)))
    parents = [None if one.provenance is None else one.provenance.parent_sha256 for one in versions]
    assert parents == [None, *(one.digest for one in versions[:-1])]


def test_threads_share_a_store(backend: Backend) -> None:
    store, start = backend.store(layout="paimon"), Barrier(THREADS)
    store.create_table("db.t", "id BIGINT")

    def work(number: int) -> int:
        start.wait()
        return add(store, f"c{number}")

    with ThreadPoolExecutor(THREADS) as pool:
        numbers = list(pool.map(work, range(THREADS)))
    assert sorted(numbers) == list(range(1, THREADS + 1))
    checked(backend.store(), {f"c{number}" for number in range(THREADS)})


def test_threads_read_while_others_write(stored: Backend) -> None:
    store = stored.store(layout="paimon")
    store.create_table("db.t", "id BIGINT")

    def reads(_: int) -> list[int]:
        table = store.table("db.t")
        return [table.latest().number for _ in range(5)]

    with ThreadPoolExecutor(THREADS) as pool:
        written = [pool.submit(add, store, f"c{number}") for number in range(4)]
        found = list(pool.map(reads, range(THREADS - 4)))
        assert sorted(one.result() for one in written) == [1, 2, 3, 4]
    assert all(numbers == sorted(numbers) for numbers in found)


def test_a_forked_child_uses_the_store_that_it_was_born_with(stored: Backend) -> None:
    store = stored.store(layout="paimon")
    store.create_table("db.t", "id BIGINT")
    add(store, "parent_0")  # connections are open, the promise is proven, the cache is warm

    def child(number: int, signals: crowd.Signals) -> None:
        assert "not asked yet" in store.guarantee()  # what another process has proven counts for nothing here
        assert store.table("db.t").latest().number == 1
        signals.wait()
        add(store, f"child_{number}")
        assert store.table("db.t").register("id BIGINT", consumer=f"job {number}").number == 0

    assert crowd.run([partial(child, number) for number in range(3)]) == [0, 0, 0]
    add(store, "parent_1")
    checked(store, {"parent_0", "parent_1", "child_0", "child_1", "child_2"})
    assert len(store.table("db.t").contracts()) == 3


def test_a_child_that_was_forked_while_threads_were_at_work_is_not_stuck(stored: Backend) -> None:
    store = stored.store(layout="paimon")
    store.create_table("db.t", "id BIGINT")
    busy = [True]

    def reads(_: int) -> None:
        while busy[0]:
            store.table("db.t").latest()

    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(reads, number) for number in range(4)]
        try:
            assert [crowd.alone(partial(add, store, f"c{number}")) for number in range(3)] == [0, 0, 0]  # type: ignore[arg-type]  # what it returns is not looked at
        finally:
            busy[0] = False
        assert [one.result() for one in working] == [None] * 4
    checked(store, {"c0", "c1", "c2"})


def test_a_store_can_be_sent_to_another_process(stored: Backend) -> None:
    store = stored.store(layout="paimon", team="bi")
    store.create_table("db.t", "id BIGINT")
    sent = pickle.loads(pickle.dumps(store))
    assert (sent.url, sent.team, sent.layout, sent.actor) == (store.url, "bi", "paimon", "ana")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(add, (store, "c1")) == 1
    assert add(sent, "c2") == 2
    checked(store, {"c1", "c2"})


def test_a_filesystem_that_was_handed_in_can_be_sent_along(stored: Backend) -> None:
    import fsspec

    fs = fsspec.filesystem(stored.url.partition("://")[0], **stored.options)
    store = SchemaStore(stored.url, fs=fs, layout="paimon")
    store.create_table("db.t", "id BIGINT")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(add, (store, "c1")) == 1
    assert crowd.alone(partial(add, store, "c2")) == 0  # type: ignore[arg-type]  # as above
    checked(store, {"c1", "c2"})


def test_nothing_secret_is_shown_by_a_store(stored: Backend) -> None:
    store = stored.store(layout="paimon")
    shown = f"{store!r} {store.url} {store.warehouse!r} {store.warehouse.identity} {store.table('db.t')!r} {os.getpid()}"
    for secret in ("AccountKey", "testing", "anon"):
        assert secret not in shown
