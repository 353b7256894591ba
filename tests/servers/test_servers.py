"""The storages that other tests stand on keep the promises that those tests need, or break them as announced."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.servers.bucket import Bucket, Storage

WRITERS = 16
ROUNDS = 10


def create(bucket: Bucket, name: str, data: bytes) -> bool:
    """Whether this writer was the one that created the file."""
    try:
        bucket.filesystem().pipe_file(f"{bucket.name}/{name}", data, mode="create")
    except FileExistsError:
        return False
    return True


def test_a_file_that_was_written_is_listed_and_read(bucket: Bucket) -> None:
    files = bucket.filesystem()
    files.pipe_file(f"{bucket.name}/db.db/t/schema/schema-0", b"\r\n--one\n\n\x00\xff--")
    files.pipe_file(f"{bucket.name}/db.db/t/schema/schema-1", b"two")
    files.pipe_file(f"{bucket.name}/db.db/t/schema-not", b"")
    assert sorted(files.ls(f"{bucket.name}/db.db/t/schema", detail=False)) == [
        f"{bucket.name}/db.db/t/schema/schema-{number}" for number in (0, 1)
    ]
    assert [one["type"] for one in files.ls(f"{bucket.name}/db.db", detail=True)] == ["directory"]
    assert len(files.find(bucket.name)) == 3
    assert files.cat_file(f"{bucket.name}/db.db/t/schema/schema-0") == b"\r\n--one\n\n\x00\xff--"
    assert files.cat_file(f"{bucket.name}/db.db/t/schema/schema-1", start=0, end=2) == b"tw"


def test_a_listing_has_what_changes_with_the_content_and_when(bucket: Bucket) -> None:
    files = bucket.filesystem()
    files.pipe_file(f"{bucket.name}/x", b"one")
    (first,) = files.ls(bucket.name, detail=True)
    files.pipe_file(f"{bucket.name}/x", b"two")
    (second,) = bucket.filesystem().ls(bucket.name, detail=True)
    mark = {"s3": "ETag", "gcs": "generation", "azure": "etag"}[bucket.storage.kind]
    moment = {"s3": "LastModified", "gcs": "mtime", "azure": "last_modified"}[bucket.storage.kind]
    assert first[mark] != second[mark]
    assert first[moment].timestamp() <= second[moment].timestamp()


def test_long_listings_come_in_pages(gcs_bucket: Bucket) -> None:
    files = gcs_bucket.filesystem()
    files.pipe({f"{gcs_bucket.name}/t{number:04}/schema": b"x" for number in range(1_200)})
    assert len(files.ls(gcs_bucket.name)) == 1_200
    assert len(files.find(gcs_bucket.name)) == 1_200


def test_a_file_written_in_parts_is_whole(gcs_bucket: Bucket) -> None:
    data = bytes(range(256)) * 4096
    gcs_bucket.filesystem().pipe_file(f"{gcs_bucket.name}/x", data, chunksize=2**18)
    assert gcs_bucket.filesystem().cat_file(f"{gcs_bucket.name}/x") == data


def test_what_was_copied_or_deleted_is_as_it_should_be(bucket: Bucket) -> None:
    files = bucket.filesystem()
    files.pipe_file(f"{bucket.name}/a/x", b"one")
    files.cp_file(f"{bucket.name}/a/x", f"{bucket.name}/b/x")
    files.rm(f"{bucket.name}/a", recursive=True)
    assert bucket.filesystem().find(bucket.name) == [f"{bucket.name}/b/x"]
    assert bucket.filesystem().cat_file(f"{bucket.name}/b/x") == b"one"


def test_the_second_exclusive_create_is_refused(bucket: Bucket) -> None:
    assert create(bucket, "x", b"one")
    assert not create(bucket, "x", b"two")
    assert bucket.filesystem().cat_file(f"{bucket.name}/x") == b"one"


def test_of_many_writers_at_once_one_creates_the_file(bucket: Bucket) -> None:
    filesystems = [bucket.filesystem() for _ in range(WRITERS)]

    def won(number: int, name: str) -> bool:
        try:
            filesystems[number].pipe_file(f"{bucket.name}/{name}", b"%d" % number * 1_000, mode="create")
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(WRITERS) as pool:
        for attempt in range(ROUNDS):
            winners = [number for number, one in enumerate(pool.map(won, range(WRITERS), [f"x{attempt}"] * WRITERS)) if one]
            assert [b"%d" % number * 1_000 for number in winners] == [filesystems[0].cat_file(f"{bucket.name}/x{attempt}")]


def test_the_dishonest_server_lets_the_second_create_through(dishonest_gcs_bucket: Bucket) -> None:
    assert create(dishonest_gcs_bucket, "x", b"one")
    assert create(dishonest_gcs_bucket, "x", b"two")
    assert dishonest_gcs_bucket.filesystem().cat_file(f"{dishonest_gcs_bucket.name}/x") == b"two"


def test_each_test_has_a_bucket_of_its_own(s3_server: Storage) -> None:
    one, other = s3_server.bucket(), s3_server.bucket()
    one.filesystem().pipe_file(f"{one.name}/x", b"one")
    assert other.filesystem().find(other.name) == []


def test_a_bucket_that_nobody_made_is_missing(bucket: Bucket) -> None:
    nowhere = bucket.named("nobody-made-this")
    with pytest.raises(FileNotFoundError):
        nowhere.filesystem().cat_file(f"{nowhere.name}/x")
