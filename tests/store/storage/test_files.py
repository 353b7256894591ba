"""What every storage must do alike: the contract of Files, of numbered files and of the exclusive create."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.store.storage import exclusive_create
from airflow_provider_schemas.store.storage.files import PathTaken
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.storage.object_storage import open_files
from tests.servers.bucket import Bucket
from tests.store.support.backends import MEANS, OBJECT_STORES, Backend, Watched, of_bucket, of_kind

NAMES = ("plain", "two words", "über-Straße", "заказы", "表", "a[1]", "[a-z]", "dot.ted", "x=1", "a+b&c", "it's", "{1}", "~tilde")
WRITERS = 8

# ---------------------------------------------------------------- looking


def test_a_listing_has_the_files_and_folders_of_a_folder_and_of_no_other(backend: Backend) -> None:
    files = backend.files()
    for path in ("a/x", "a/y", "a/b/deep", "a/b/deeper/z", "ab/no", "a b/no", "b/a/no", "top"):
        files.put(path, b"1")
    assert sorted((entry.name, entry.folder) for entry in files.list("a")) == [("b", True), ("x", False), ("y", False)]
    assert sorted((entry.name, entry.folder) for entry in files.list("")) == [
        ("a", True), ("a b", True), ("ab", True), ("b", True), ("top", False),
    ]  # fmt: skip  # one line is one listing


def test_a_folder_that_is_not_there_is_empty(backend: Backend) -> None:
    files = backend.files()
    files.put("there/x", b"1")
    assert (files.list("nowhere"), list(files.walk("nowhere")), files.exists("nowhere")) == ([], [], False)
    assert backend.files().list("there/x") == []  # a file is no folder


def test_a_root_that_is_not_there_yet_is_empty(backend: Backend) -> None:
    files = backend.files()
    assert (files.list(""), list(files.walk("")), files.exists("x")) == ([], [], False)


def test_what_was_just_written_is_listed_and_what_was_just_deleted_is_not(backend: Backend) -> None:
    files, other = backend.files(), backend.anew()
    assert files.list("a") == []
    for number in range(3):
        other.put(f"a/x{number}", b"1")
        assert len(files.list("a")) == len(list(files.walk("a"))) == number + 1
    other.delete("a/x0")
    assert sorted(entry.name for entry in files.list("a")) == ["x1", "x2"]


def test_a_listing_says_size_and_time_and_what_changes_with_the_content(backend: Backend) -> None:
    files = backend.files()
    files.put("a/x", b"one")
    (first,) = files.list("a")
    assert (first.size, bool(first.mark)) == (3, True)
    assert first.modified is not None
    assert abs(first.modified - time.time()) < 3600
    assert backend.anew().list("a")[0].mark == first.mark
    files.put("a/x", b"two")
    (second,) = files.list("a")
    assert second.mark != first.mark
    ((path, third),) = files.walk("a")
    assert (path, third.mark, third.size) == ("a/x", second.mark, 3)


def test_a_walk_meets_every_file_below_with_its_path(backend: Backend) -> None:
    files, paths = backend.files(), ["a/x", "a/b/x", "a/b/c/d/x", "a/b.c/x", "a1/x"]
    for path in paths:
        files.put(path, path.encode())
    assert sorted(path for path, _ in files.walk("a")) == sorted(paths[:-1])
    assert sorted(path for path, _ in files.walk("")) == sorted(paths)
    assert {path: one.name for path, one in files.walk("a/b")} == {"a/b/x": "x", "a/b/c/d/x": "x"}


# ---------------------------------------------------------------- reading


def test_a_file_is_read_as_it_was_written(backend: Backend) -> None:
    files = backend.files()
    for number, data in enumerate([b"", b"\x00", b"\r\n--one\n\n\xff--", bytes(range(256)) * 2_000]):
        files.put(f"p{number}", data)
        files.create(f"c{number}", data)
        assert backend.files().read(f"p{number}") == backend.files().read(f"c{number}") == data


def test_a_file_that_is_not_there_is_told_from_one_that_cannot_be_read(backend: Backend) -> None:
    with pytest.raises(NotThereError) as missing:
        backend.files().read("a/x")
    assert (missing.value.code, missing.value.path) == ("storage.not-there", "a/x")


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(backend: Backend) -> None:
    files = backend.files()
    files.put("x", b"12345")
    assert files.read("x", 5) == b"12345"
    for limit in (4, 0):
        with pytest.raises(StorageError) as large:
            files.read("x", limit)
        assert large.value.code == "storage.too-large"


def test_of_many_files_each_is_read_or_says_why_not(backend: Backend) -> None:
    files = backend.files()
    for number in range(20):
        files.put(f"x{number}", b"1" * number)
    found = files.read_many([*(f"x{number}" for number in range(20)), "missing", "x1", "x1"], limit=18)
    assert [found[f"x{number}"] for number in range(19)] == [b"1" * number for number in range(19)]
    assert isinstance(found["missing"], NotThereError)
    assert isinstance(found["x19"], StorageError)
    assert len(found) == 21
    assert files.read_many([]) == {}


def test_names_may_hold_blanks_brackets_and_letters_of_any_script(backend: Backend) -> None:
    files, paths = backend.files(), {name: f"db.db/{name}/schema/{name}-0" for name in NAMES}
    for path in paths.values():
        files.create(path, path.encode())
        with pytest.raises(PathTaken):
            files.create(path, b"two")
    assert sorted(entry.name for entry in files.list("db.db")) == sorted(NAMES)
    assert backend.paths() == sorted(paths.values())
    for name, path in paths.items():
        assert (files.read(path), files.exists(path)) == (path.encode(), True)
        assert [entry.name for entry in files.list(f"db.db/{name}/schema")] == [f"{name}-0"]
        files.move_folder(f"db.db/{name}", f"db.db/new {name}")
        assert [path for path, _ in files.walk(f"db.db/new {name}")] == [f"db.db/new {name}/schema/{name}-0"]
        files.delete_folder(f"db.db/new {name}")
    assert backend.paths() == []


# ---------------------------------------------------------------- writing


def test_a_file_is_created_once(backend: Backend) -> None:
    files, other = backend.files(), backend.anew()
    files.create("a/x", b"one")
    for data in (b"two", b"one", b""):
        with pytest.raises(PathTaken):
            other.create("a/x", data)
    assert files.read("a/x") == b"one"


def test_an_empty_file_is_created_once_as_well(backend: Backend) -> None:
    backend.files().create("x", b"")
    with pytest.raises(PathTaken):
        backend.files().create("x", b"")


def test_asked_for_a_file_that_is_there_it_refuses_and_nothing_changes(backend: Backend) -> None:
    files = backend.files()
    files.create("a/x", b"one")
    before = files.list("a")[0].mark
    assert backend.files().refuses("a/x", b"one")
    assert (files.read("a/x"), files.list("a")[0].mark) == (b"one", before)


def test_of_many_at_once_one_creates_the_file(backend: Backend) -> None:
    files, start = backend.files(), Barrier(WRITERS)

    def won(number: int, path: str) -> bool:
        start.wait()
        try:
            files.create(path, b"%d" % number)
        except PathTaken:
            return False
        return True

    with ThreadPoolExecutor(WRITERS) as pool:
        for attempt in range(5):
            winners = [number for number, one in enumerate(pool.map(won, range(WRITERS), [f"x{attempt}"] * WRITERS)) if one]
            assert [b"%d" % number for number in winners] == [files.read(f"x{attempt}")]


def test_a_put_replaces_what_was_there(backend: Backend) -> None:
    files = backend.files()
    for data in (b"one", b"", b"three"):
        files.put("a/x", data)
        assert backend.files().read("a/x") == data


def test_what_is_gone_may_be_deleted_again(backend: Backend) -> None:
    files = backend.files()
    files.put("a/x", b"1")
    files.put("a/y", b"1")
    for _ in range(2):
        files.delete("a/x")
        assert backend.paths() == ["a/y"]
    for _ in range(2):
        files.delete_folder("a")
        assert backend.paths() == []


@pytest.mark.parametrize("folder", ["a", "a[1]", "[ab]1", "a b"])
def test_deleting_a_folder_leaves_its_neighbours(backend: Backend, folder: str) -> None:
    files, others = backend.files(), ["a1/x", "a11/x", "b1/x", "ab/x", "a b c/x", "a.b/x", "x"]
    for path in (*others, f"{folder}/x", f"{folder}/deep/y", f"{folder}/deep/er/z"):
        files.put(path, b"1")
    files.delete_folder(folder)
    assert backend.paths() == sorted(others)
    assert not backend.files().exists(folder)


def test_a_folder_is_moved_with_all_that_is_in_it(backend: Backend) -> None:
    files = backend.files()
    for path in ("a/x", "a/b/y", "ab/x"):
        files.put(path, path.encode())
    files.move_folder("a", "new/a")
    assert backend.paths() == ["ab/x", "new/a/b/y", "new/a/x"]
    assert files.read("new/a/b/y") == b"a/b/y"
    with pytest.raises(NotThereError):
        files.move_folder("a", "new/b")


def test_a_folder_may_be_made_twice(backend: Backend) -> None:
    files = backend.files()
    for _ in range(2):
        files.make_folder("db.db")
    files.put("db.db/t/x", b"1")
    assert backend.paths() == ["db.db/t/x"]


# ---------------------------------------------------------------- numbered files


def test_numbered_files_follow_each_other(backend: Backend) -> None:
    numbered = Numbered(backend.files(), "a/b", "contract-")
    assert (numbered.numbers(), numbered.newest()) == ([], None)
    assert [numbered.add(b"%d" % number) for number in range(12)] == list(range(12))
    assert numbered.newest() == (11, b"11")
    for name in ("contract-01", "contract-x", "contract-", "contract-1.tmp", "other-99", "contract-99/x", "contract--1"):
        backend.files().put(f"a/b/{name}", b"none of ours")
    assert Numbered(backend.files(), "a/b", "contract-").numbers() == list(range(12))
    with pytest.raises(PathTaken):
        numbered.create(11, b"another", 10)
    assert {number: numbered.read_many([number])[number] for number in (0, 5)} == {0: b"0", 5: b"5"}


def test_many_writers_of_numbered_files_get_a_number_each(backend: Backend) -> None:
    files = backend.files()
    with ThreadPoolExecutor(WRITERS) as pool:
        numbers = list(pool.map(lambda one: Numbered(files, "a", "n-").add(b"%d" % one), range(3 * WRITERS)))
    assert sorted(numbers) == list(range(3 * WRITERS))
    assert [int(files.read(f"a/n-{number}")) for number in numbers] == list(range(3 * WRITERS))


# ---------------------------------------------------------------- the exclusive create and its proof


def test_the_promise_is_said_before_and_after_it_is_proven(backend: Backend) -> None:
    files = backend.files()
    means = MEANS[backend.kind]
    assert exclusive_create.promise(files) == f"exclusive create by {means}, not asked yet"
    assert exclusive_create.create(files, "a/n-0", b"one") == f"exclusive create by {means}, proven"
    assert exclusive_create.promise(backend.files()) == f"exclusive create by {means}, proven"


def test_a_proof_and_its_commits_leave_nothing_but_the_files(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        monkeypatch.setattr(exclusive_create, "_PROVEN", set())  # as if in a process of its own
        known = f"a/n-{number - 1}" if number else None
        exclusive_create.create(backend.files(), f"a/n-{number}", b"%d" % number, known=known)
    assert backend.paths() == [f"a/n-{number}" for number in range(4)]
    assert [backend.files().read(f"a/n-{number}") for number in range(4)] == [b"0", b"1", b"2", b"3"]


def test_a_promise_is_proven_once_in_a_process_and_root(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    files = watched.backend.files()
    files.list("")

    def writes(number: int, known: str | None) -> int:
        seen = watched.asked(lambda: exclusive_create.create(watched.backend.files(), f"a/n-{number}", b"%d" % number, known=known))
        assert len(seen) <= 4
        return sum(not request.startswith("GET") for request in seen)

    assert writes(0, None) == 2  # the first is asked for a second time
    assert [writes(1, "a/n-0"), writes(2, None), writes(3, "a/n-2")] == [1, 1, 1]
    monkeypatch.setattr(exclusive_create, "_PROVEN", set())
    assert [writes(4, "a/n-3"), writes(5, "a/n-4")] == [2, 1]


def test_a_create_is_one_request_and_a_listing_too(watched: Watched) -> None:
    files = watched.backend.files()
    files.list("")  # whatever a library asks once, to know where it is
    assert len(watched.asked(lambda: files.create("a/x", b"1" * 100_000))) == 1
    assert len(watched.asked(lambda: files.put("ab/x", b"1"))) == 1
    assert len(watched.asked(lambda: files.read("a/x"))) == 1
    for folder in ("", "a"):
        assert len(watched.asked(lambda folder=folder: files.list(folder))) == 1  # type: ignore[misc]  # a lambda with a default has no type


def test_a_folder_that_is_not_there_costs_no_listing_of_those_around_it(watched: Watched) -> None:
    files = watched.backend.files()
    files.list("")
    for number in range(3):
        files.put(f"a/nowhere{number}/x", b"1")
    for ask in (lambda: files.list("a/nowhere"), lambda: list(files.walk("a/nowhere"))):
        (asked,) = watched.asked(ask)
        assert "prefix=" in asked


def test_a_long_listing_comes_in_pages(s3_bucket: Bucket) -> None:
    files = of_bucket(s3_bucket).anew()
    short = open_files(s3_bucket.url("lake"), storage_options=s3_bucket.storage_options | {"s3_additional_kwargs": {"MaxKeys": 3}})
    for number in range(10):
        files.put(f"a/x{number}", b"1")
        files.put(f"a/f{number}/x", b"1")
    assert len(short.list("a")) == len(list(short.walk("a"))) == 20


@pytest.mark.parametrize("kind", OBJECT_STORES)
def test_a_blob_that_stands_for_a_folder_is_no_file(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The consoles of the vendors make such blobs, and so does Azure for each folder of a hierarchical account."""
    backend = of_kind(kind, tmp_path, request)
    files = backend.files()
    make_folder_blob(kind, files, "lake/a")
    files.put("a/x", b"1")
    assert [(entry.name, entry.folder) for entry in files.list("")] == [("a", True)]
    assert [(entry.name, entry.folder) for entry in files.list("a")] == [("x", False)]
    assert [path for path, _ in files.walk("")] == [path for path, _ in files.walk("a")] == ["a/x"]
    files.delete_folder("a")
    assert (files.list("a"), list(files.walk(""))) == ([], [])


def make_folder_blob(kind: str, files: Any, path: str) -> None:
    bucket = files.root.partition("/")[0]
    if kind == "s3":
        files.fs.call_s3("put_object", Bucket=bucket, Key=f"{path}/", Body=b"")
    elif kind == "gcs":
        files.fs.pipe_file(f"{bucket}/{path}/", b"")
    else:
        from azure.storage.blob import BlobServiceClient

        with BlobServiceClient.from_connection_string(files.fs.connection_string) as client:
            client.get_blob_client(bucket, path).upload_blob(b"", metadata={"hdi_isfolder": "true"})
