"""What was read once is not read again: while its mark is the same, within bounds, among threads and after a fork."""

import os
import pickle
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.storage.version_cache import VersionCache

SCHEMA = TableSchema.create("a INT")


def version(number: int = 0) -> Version:
    return Version(number, f"digest {number}", SCHEMA)


def test_a_version_is_kept_under_its_path_and_its_mark() -> None:
    cache = VersionCache()
    cache.put("p", "m", version(), 10)
    assert cache.get("p", "m") is not None
    assert [cache.get("p", "other"), cache.get("q", "m"), cache.get("p", "")] == [None, None, None]


def test_what_has_no_mark_is_not_kept() -> None:
    cache = VersionCache()
    cache.put("p", "", version(), 10)
    assert cache.get("p", "") is None


def test_who_was_not_asked_for_longest_makes_room() -> None:
    cache = VersionCache(30)
    for number in range(3):
        cache.put(f"p{number}", "m", version(number), 10)
    assert cache.get("p0", "m") is not None
    cache.put("p3", "m", version(3), 10)
    assert [cache.get(f"p{number}", "m") is not None for number in range(4)] == [True, False, True, True]


def test_what_is_larger_than_all_room_is_not_kept() -> None:
    cache = VersionCache(30)
    cache.put("small", "m", version(), 30)
    cache.put("large", "m", version(), 31)
    assert (cache.get("large", "m"), cache.get("small", "m") is not None) == (None, True)


def test_the_same_put_twice_takes_its_room_once() -> None:
    cache = VersionCache(30)
    for _ in range(10):
        cache.put("p", "m", version(), 20)
    cache.put("q", "m", version(), 10)
    assert cache.get("p", "m") is not None
    assert cache.get("q", "m") is not None
    assert cache._held_bytes == 30


def test_threads_never_hold_more_than_there_is_room_for() -> None:
    cache, start = VersionCache(100), threading.Barrier(16)

    def work(one: int) -> None:
        start.wait()
        for number in range(300):
            cache.put(f"p{(one * number) % 40}", "m", version(number), 1 + number % 17)
            cache.get(f"p{number % 40}", "m")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(work, range(16)))
    assert cache._held_bytes == sum(size for _, size in cache._known.values()) <= 100


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_of_a_fork_begins_with_nothing_and_waits_for_nobody() -> None:
    cache = VersionCache()
    cache.put("p", "m", version(), 10)
    with cache._lock:
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # the end of one that waits for a lock
            cache.put("q", "m", version(), 10)
            os._exit(0 if cache.get("p", "m") is None and cache.get("q", "m") is not None else 1)
        assert os.waitpid(child, 0)[1] == 0
    assert cache.get("p", "m") is not None


def test_another_process_gets_the_size_and_nothing_in_it() -> None:
    cache = VersionCache(25)
    cache.put("p", "m", version(), 10)
    again = pickle.loads(pickle.dumps(cache))
    assert again.get("p", "m") is None
    again.put("large", "m", version(), 26)
    assert again.get("large", "m") is None
