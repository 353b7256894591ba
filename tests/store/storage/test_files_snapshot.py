"""A snapshot asks nothing twice, ends with the first write, and never hides what went wrong."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.storage.files_snapshot import Snapshot, SnapshotFiles, live
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.object_storage import open_files
from tests.servers.bucket import Bucket


@pytest.fixture
def disk(tmp_path: Path) -> LocalFiles:
    files = LocalFiles(str(tmp_path))
    files.put("a/x", b"one")
    return files


@pytest.fixture
def seen(disk: LocalFiles) -> SnapshotFiles:
    return SnapshotFiles(disk, Snapshot())


def test_what_was_asked_is_not_asked_again(disk: LocalFiles, seen: SnapshotFiles) -> None:
    first = ([entry.name for entry in seen.list("a")], next(iter(seen.walk("a")))[0], seen.read("a/x"))
    disk.put("a/x", b"two")
    disk.put("a/y", b"new")
    asked = disk.count.snapshot()
    assert ([entry.name for entry in seen.list("a")], next(iter(seen.walk("a")))[0], seen.read("a/x")) == first
    assert seen.read_many(["a/x"]) == {"a/x": b"one"}
    assert disk.count.snapshot() == asked
    assert live(seen).read("a/x") == b"two"


def test_what_is_asked_after_a_write_is_asked_of_the_storage(disk: LocalFiles, seen: SnapshotFiles) -> None:
    assert seen.read("a/x") == b"one"
    seen.put("b", b"mine")
    disk.put("a/x", b"two")
    assert seen.read("a/x") == b"two"
    disk.put("a/x", b"three")
    assert seen.read("a/x") == b"three"


def test_a_write_in_a_part_ends_the_part_alone(disk: LocalFiles, seen: SnapshotFiles) -> None:
    seen.read("a/x")
    part, other = (seen.within(seen.snapshot.branch()) for _ in range(2))
    part.create("b", b"mine")
    disk.put("a/x", b"two")
    assert (part.read("a/x"), other.read("a/x"), seen.read("a/x")) == (b"two", b"one", b"one")


def test_a_file_that_has_gone_since_it_was_listed_has_its_folder_listed_anew(disk: LocalFiles, seen: SnapshotFiles) -> None:
    assert [entry.name for entry in seen.list("a")] == ["x"]
    assert [path for path, _ in seen.walk("")] == ["a/x"]
    disk.delete("a/x")
    with pytest.raises(NotThereError):
        seen.read("a/x")
    assert seen.list("a") == []
    assert list(seen.walk("")) == []


def test_a_file_that_comes_after_it_was_missed_is_found(disk: LocalFiles, seen: SnapshotFiles) -> None:
    with pytest.raises(NotThereError):
        seen.read("late")
    disk.put("late", b"here")
    assert seen.read("late") == b"here"


def test_a_limit_counts_for_what_is_known_already(seen: SnapshotFiles) -> None:
    assert seen.read("a/x") == b"one"
    with pytest.raises(SchemaError):
        seen.read("a/x", 2)


def test_who_comes_while_somebody_asks_waits_for_that_answer(disk: LocalFiles) -> None:
    let = threading.Event()

    class Slow(LocalFiles):
        def read(self, path: str, limit: int = 100) -> bytes:
            let.wait(10)
            return super().read(path, limit)

    seen = SnapshotFiles(Slow(disk.root), Snapshot())
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(seen.read, "a/x") for _ in range(4)]
        let.set()
        assert {answer.result() for answer in answers} == {b"one"}
    assert seen.count.gets == 1


def test_a_folder_above_that_was_listed_tells_that_there_is_none_on_object_stores(s3_bucket: Bucket) -> None:
    files = open_files(s3_bucket.url("lake"), storage_options=s3_bucket.storage_options)
    files.put("shop.db/t/schema/schema-0", b"x")
    seen = SnapshotFiles(files, Snapshot())
    seen.list("")
    asked = files.count.snapshot()
    assert seen.list("other.db/t/schema") == []
    assert list(seen.walk("policies/databases")) == []
    with pytest.raises(NotThereError):
        seen.read("registry-id.json")
    assert files.count.snapshot() == asked
    assert [entry.name for entry in seen.list("shop.db/t/schema")] == ["schema-0"]


def test_on_disks_it_is_looked_for_as_names_of_folders_may_not_be_as_they_are_written(disk: LocalFiles, seen: SnapshotFiles) -> None:
    seen.list("")
    disk.put("late/x", b"x")
    assert [entry.name for entry in seen.list("late")] == ["x"]
