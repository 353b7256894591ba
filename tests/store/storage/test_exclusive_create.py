"""Before a commit is acknowledged, an object store is asked once what lies there; after an answer that was lost, every storage is."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import ConflictError, StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps, exclusive_create
from airflow_provider_schemas.store.storage.files import Files, PathTaken
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault, Proxy
from tests.servers.fixtures import Flawed
from tests.store.support.backends import of_bucket, of_kind
from tests.support.stores import at

VERSION = "db.db/t/schema/schema-1"


@pytest.fixture
def table_store(s3_bucket: Bucket) -> SchemaStore:
    """A store on S3 with a table that has one version, its promise proven."""
    store = of_bucket(s3_bucket).store(layout="paimon")
    store.create_table("db.t", "id BIGINT")
    return store


# ---------------------------------------------------------------- what lies there after a success


def test_a_version_that_is_overwritten_before_the_answer_is_not_acknowledged(table_store: SchemaStore) -> None:
    """By a writer who knows no conditions."""
    table = table_store.table("db.t")
    theirs = table_store.warehouse.read(VERSION.replace("-1", "-0"))
    with at(commit_steps.CREATED, lambda: table_store.warehouse.put(VERSION, theirs)), pytest.raises(ConflictError) as overwritten:
        table.evolve("ADD COLUMN a STRING")
    assert (overwritten.value.code, overwritten.value.path) == ("commit.overwritten", VERSION)
    assert "another file now" in overwritten.value.message
    assert table_store.warehouse.read(VERSION) == theirs


def test_a_version_that_is_taken_away_before_the_answer_is_not_acknowledged(table_store: SchemaStore) -> None:
    with at(commit_steps.CREATED, lambda: table_store.warehouse.delete(VERSION)), pytest.raises(ConflictError) as gone:
        table_store.table("db.t").evolve("ADD COLUMN a STRING")
    assert gone.value.code == "commit.overwritten"
    assert table_store.table("db.t").numbers() == (0,)


def test_a_version_that_still_lies_there_is_acknowledged(table_store: SchemaStore) -> None:
    own = table_store.warehouse
    with at(commit_steps.CREATED, lambda: own.put(VERSION, own.read(VERSION))):
        assert table_store.table("db.t").evolve("ADD COLUMN a STRING").number == 1


def test_a_contract_that_is_overwritten_before_the_answer_is_not_acknowledged(table_store: SchemaStore) -> None:
    path = "contracts/db/t/team/job/contract-0"
    table = table_store.table("db.t")
    with at(commit_steps.CREATED, lambda: table_store.registry.put(path, b"{}")), pytest.raises(ConflictError) as overwritten:
        table.register("id BIGINT", consumer="job", team="team")
    assert overwritten.value.code == "commit.overwritten"


@pytest.mark.parametrize(("kind", "reads"), [("local", 0), ("memory", 0), ("s3", 1)])
def test_only_an_object_store_is_asked_what_lies_there(kind: str, reads: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """On the others nobody writes over a file without asking: a link and a lock are refused, whoever asks."""
    files = of_kind(kind, tmp_path, request).files()
    exclusive_create.create(files, "x-0", b"zero")
    before = files.count.gets
    exclusive_create.create(files, "x-1", b"one", known="x-0")
    assert files.count.gets - before == reads


def test_what_cannot_be_read_back_was_written_all_the_same(s3_bucket: Bucket, flawed: Flawed) -> None:
    behind, proxy = flawed(s3_bucket)
    files = of_bucket(behind).anew()
    exclusive_create.create(files, "x-0", b"zero")
    proxy.always("GET", r"x-1$", Fault.ANSWER_BEFORE, status=403)
    exclusive_create.create(files, "x-1", b"one", known="x-0")
    assert of_bucket(s3_bucket).files().read("x-1") == b"one"
    proxy.mend()


# ---------------------------------------------------------------- what lies there after an answer that was lost


@pytest.fixture
def lossy(s3_bucket: Bucket, flawed: Flawed, hasty: None, monkeypatch: pytest.MonkeyPatch) -> tuple[Files, Files, Proxy]:
    """A root on S3 as somebody sees it whose answers are lost, as others see it, and the proxy between."""
    monkeypatch.setattr(exclusive_create, "_PAUSE", 0.001)
    behind, proxy = flawed(s3_bucket)
    files, direct = of_bucket(behind).anew(), of_bucket(s3_bucket).files()
    exclusive_create.create(files, "x-0", b"zero")
    return files, direct, proxy


def test_our_own_file_after_a_lost_answer_is_a_success(lossy: tuple[Files, Files, Proxy]) -> None:
    files, direct, proxy = lossy
    proxy.fail("PUT", r"x-1$", Fault.DROP_AFTER)
    exclusive_create.create(files, "x-1", b"ours", known="x-0")
    assert direct.read("x-1") == b"ours"


def test_the_file_of_somebody_else_after_a_lost_answer_is_taken(lossy: tuple[Files, Files, Proxy]) -> None:
    files, direct, proxy = lossy
    proxy.fail("PUT", r"x-1$", Fault.DROP_BEFORE, times=3)
    direct.create("x-1", b"theirs")
    with pytest.raises(PathTaken):
        exclusive_create.create(files, "x-1", b"ours", known="x-0")
    assert direct.read("x-1") == b"theirs"


def test_nothing_after_a_lost_answer_is_asked_for_again(lossy: tuple[Files, Files, Proxy]) -> None:
    files, direct, proxy = lossy
    proxy.fail("PUT", r"x-1$", Fault.ANSWER_BEFORE, status=503, times=8)
    exclusive_create.create(files, "x-1", b"ours", known="x-0")
    assert direct.read("x-1") == b"ours"


@pytest.mark.parametrize(("before", "then"), [(b"ours", "created"), (b"theirs", "taken"), (None, "asked again")])
def test_a_storage_in_memory_that_does_not_answer_is_read_back(
    before: bytes | None, then: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exclusive_create, "_PAUSE", 0.001)
    files = of_kind("memory", tmp_path, request).anew()
    assert isinstance(files, RemoteFiles)
    write, asked = files.fs.pipe_file, []

    def unanswered(path: str, data: bytes) -> None:
        asked.append(path)
        if len(asked) > 1:
            write(path, data)
            return
        if before is not None:
            write(path, before)
        raise TimeoutError("no answer")

    monkeypatch.setattr(files.fs, "pipe_file", unanswered)
    if then == "taken":
        with pytest.raises(PathTaken):
            exclusive_create.create(files, "x", b"ours")
        assert files.read("x") == b"theirs"
        return
    exclusive_create.create(files, "x", b"ours")
    assert files.read("x") == b"ours"
    assert (len(asked) > 1) is (then == "asked again")


@pytest.mark.parametrize("answer", [FileExistsError(errno.EEXIST, "taken"), OSError(errno.EIO, "no answer")])
def test_a_mounted_disk_that_refuses_what_it_has_done_itself_is_looked_at(
    answer: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network disk asks a second time by itself, and meets the link of its first time."""
    files, link = LocalFiles(tmp_path), os.link
    exclusive_create.create(files, "x-0", b"zero")

    def linked(source: str, target: str, **also: Any) -> None:
        link(source, target, **also)
        if source != target:
            raise answer

    monkeypatch.setattr(os, "link", linked)
    if isinstance(answer, FileExistsError):
        exclusive_create.create(files, "x-1", b"ours", known="x-0")
    else:
        with pytest.raises(StorageError):
            exclusive_create.create(files, "x-1", b"ours", known="x-0")
    assert files.read("x-1") == b"ours"
    assert sorted(entry.name for entry in files.list("")) == ["x-0", "x-1"]


def test_a_file_of_somebody_else_on_a_mounted_disk_is_taken(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path)
    exclusive_create.create(files, "x", b"theirs")
    with pytest.raises(PathTaken):
        exclusive_create.create(files, "x", b"theirs")
