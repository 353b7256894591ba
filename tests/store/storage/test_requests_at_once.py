"""Requests that are made at once are answered as each would be by itself, and no thread waits for one of them."""

import threading

import pytest

from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.files_snapshot import ForeseenRequest, Snapshot, SnapshotFiles, make_all
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.storage.requests_at_once import FarRequest, answers
from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import Far

MANY = 30
LIMIT = 1_000


@pytest.fixture(scope="module")
def bucket(far: Far) -> Bucket:
    bucket = far.bucket()
    files = {f"{bucket.name}/lake/t{number}/file": str(number).encode() for number in range(MANY)}
    bucket.filesystem().pipe({**files, f"{bucket.name}/lake/empty": b"", f"{bucket.name}/lake/long": b"x" * (LIMIT + 1)})
    return bucket


@pytest.fixture
def files(bucket: Bucket) -> Files:
    return open_files(bucket.url("lake"), storage_options=bucket.storage_options)


def test_answers_come_in_the_order_of_the_requests(files: Files) -> None:
    requests: list[FarRequest] = []
    for number in range(9):
        requests += [FarRequest(files, "read", f"t{number}/file", LIMIT)]
        requests += [FarRequest(files, kind, f"t{number}", LIMIT) for kind in ("list", "walk")]
    told = [tell() for tell in answers(requests, 4)]
    assert told[::3] == [str(number).encode() for number in range(9)]
    assert [[entry.name for entry in listing] for listing in told[1::3]] == [["file"]] * 9
    assert [[path for path, _ in walk] for walk in told[2::3]] == [[f"t{number}/file"] for number in range(9)]


def test_each_request_has_its_own_error(files: Files) -> None:
    paths = ("t1/file", "nothing", "long", "empty", "t2/file")
    first, missing, long, empty, last = answers([FarRequest(files, "read", path, LIMIT) for path in paths], MANY)
    assert (first(), empty(), last()) == (b"1", b"", b"2")
    with pytest.raises(NotThereError):
        missing()
    with pytest.raises(StorageError):
        long()


def test_a_storage_that_cannot_be_opened_says_so_to_whoever_asks() -> None:
    files = open_files("s3://bucket/lake", storage_options={"key": object(), "secret": 1, "no_such_option_of_s3fs": 1, "client_kwargs": 3})
    for tell in answers([FarRequest(files, "list", "", LIMIT), FarRequest(files, "read", "x", LIMIT)], MANY):
        with pytest.raises(StorageError):
            tell()


def test_no_more_are_under_way_than_may_be(far: Far, files: Files) -> None:
    with far.watched(quiet=0.25) as asked:
        answers([FarRequest(files, "list", f"t{number}", LIMIT) for number in range(12)], 5)
    assert [asked.depths().count(depth) for depth in (1, 2, 3)] == [5, 5, 2], asked.told()


def test_no_thread_waits_for_a_request(files: Files, far: Far) -> None:
    files.list("")  # the loop of the library has begun
    before, most = threading.active_count(), 0

    def watch() -> None:
        nonlocal most
        while not done.wait(0.005):
            most = max(most, threading.active_count())

    done = threading.Event()
    watcher = threading.Thread(target=watch)
    watcher.start()
    with far.watched(latency=0.05, at_once=MANY):
        answers([FarRequest(files, "list", f"t{number}", LIMIT) for number in range(MANY)], MANY)
    done.set()
    watcher.join()
    assert most <= before + 1


def test_threads_ask_where_the_library_has_no_loop() -> None:
    files = open_files("memory://at-once")
    files.put("a/x", b"one")
    tell, missing = answers([FarRequest(files, "read", "a/x", LIMIT), FarRequest(files, "read", "a/y", LIMIT)], MANY)
    assert tell() == b"one"
    with pytest.raises(NotThereError):
        missing()


def test_requests_are_counted_as_if_each_were_made_by_itself(files: Files) -> None:
    before = files.count.snapshot()
    for tell in answers([FarRequest(files, "list", "t1", LIMIT), FarRequest(files, "read", "t1/file", LIMIT)], MANY):
        tell()
    assert tuple(now - then for now, then in zip(files.count.snapshot(), before, strict=True)) == (1, 1, 0)


def test_an_interruption_leaves_nobody_waiting(bucket: Bucket, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = SnapshotFiles(files, Snapshot())
    with monkeypatch.context() as patch:
        patch.setattr("airflow_provider_schemas.store.storage.files_snapshot.answers", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            make_all([ForeseenRequest(seen, "read", "t1/file")], MANY)
    assert seen.read("t1/file") == b"1"


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt
