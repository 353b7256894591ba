"""The S3 that is far away keeps what S3 promises, and counts what was waited for."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import Far


@pytest.fixture
def bucket(far: Far) -> Bucket:
    return far.bucket()


def test_what_is_written_is_listed_and_read(bucket: Bucket) -> None:
    files = bucket.filesystem()
    files.pipe({f"{bucket.name}/db.db/t {number}/schema/schema-0": b"0123456789" for number in range(3)})
    assert [one["type"] for one in files.ls(f"{bucket.name}/db.db", detail=True)] == ["directory"] * 3
    assert len(files.find(bucket.name)) == 3
    assert files.cat_file(f"{bucket.name}/db.db/t 1/schema/schema-0", start=2, end=5) == b"234"
    assert files.info(f"{bucket.name}/db.db/t 1/schema/schema-0")["size"] == 10
    files.rm(f"{bucket.name}/db.db/t 0", recursive=True)
    assert len(files.find(bucket.name)) == 2
    with pytest.raises(FileNotFoundError):
        files.cat_file(f"{bucket.name}/db.db/t 0/schema/schema-0")


def test_of_two_who_create_a_file_one_loses(bucket: Bucket) -> None:
    bucket.filesystem().pipe_file(f"{bucket.name}/x", b"one", mode="create")
    with pytest.raises(FileExistsError):
        bucket.filesystem().pipe_file(f"{bucket.name}/x", b"two", mode="create")
    assert bucket.filesystem().cat_file(f"{bucket.name}/x") == b"one"


def test_listings_come_in_pages_and_each_waits_for_the_one_before(far: Far, bucket: Bucket) -> None:
    files = bucket.filesystem()
    files.pipe({f"{bucket.name}/t{number:02}/schema": b"x" for number in range(50)})
    with far.watched(quiet=0.05, page=20) as asked:
        assert len(files.ls(bucket.name)) == 50
    assert (asked.requests, asked.waits) == (3, 3)
    with far.watched(quiet=0.05, page=20) as asked:
        assert len(files.find(bucket.name)) == 50
    assert (asked.requests, asked.waits) == (3, 3)


@pytest.mark.parametrize("settings", [{"quiet": 0.2}, {"latency": 0.2}], ids=["rounds", "latency"])
def test_what_is_asked_at_once_waits_once(far: Far, bucket: Bucket, settings: dict[str, float]) -> None:
    files = bucket.filesystem(config_kwargs={"max_pool_connections": 20})
    files.pipe_file(f"{bucket.name}/x", b"x")
    with far.watched(**settings) as asked, ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda _: files.cat_file(f"{bucket.name}/x", start=0, end=9), range(10)))
        files.cat_file(f"{bucket.name}/x", start=0, end=9)
    assert (asked.requests, asked.waits) == (11, 2)


def test_no_more_are_answered_at_once_than_was_said(far: Far, bucket: Bucket) -> None:
    files = bucket.filesystem(config_kwargs={"max_pool_connections": 20})
    files.pipe_file(f"{bucket.name}/x", b"x")
    with far.watched(latency=0.05, at_once=2) as asked, ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda _: files.cat_file(f"{bucket.name}/x", start=0, end=9), range(10)))
    assert asked.seconds >= 0.25
