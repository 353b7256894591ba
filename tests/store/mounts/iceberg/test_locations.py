"""Files are read by their full locations, and credentials that have ended are renewed once."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.mounts.iceberg.locations import FolderReads, LocationReader, folders_of_properties, local_path
from airflow_provider_schemas.store.storage.files import Count
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.servers.bucket import Bucket


class Guarded:
    """A folder that lets in who has the key of today."""

    def __init__(self, folder: str, key: str, today: str) -> None:
        self._files = LocalFiles(folder)
        self._error = None if key == today else StorageError("access is denied.", code="storage.forbidden")

    def read(self, path: str, limit: int = 100) -> bytes:
        return self._files.read(path, limit)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        if self._error is not None:
            raise self._error
        return self._files.read_part(path, start, end)

    def read_many(self, paths: Iterable[str], limit: int = 100) -> Mapping[str, bytes | SchemaError]:
        if self._error is not None:
            return dict.fromkeys(paths, self._error)
        return self._files.read_many(paths, limit)


class Lender:
    """Lends keys."""

    def __init__(self, today: str) -> None:
        self.today = today
        self.renewed = 0

    def opening(self, key: str) -> object:
        return lambda folder: Guarded(folder, key, self.today)

    def renew(self) -> object:
        self.renewed += 1
        return self.opening("new")


def reader(lender: Lender) -> LocationReader:
    return LocationReader(lender.opening("old"), Count(), renew=lender.renew)  # type: ignore[arg-type]  # a folder that is guarded


@pytest.mark.parametrize("today", ["old", "new", "lost"])
def test_keys_are_renewed_once_and_only_where_they_are_refused(tmp_path: Path, today: str) -> None:
    (tmp_path / "a").write_bytes(b"content")
    lender = Lender(today)
    place = f"{tmp_path}/a"
    opened = reader(lender)
    for _ in range(2):
        many, start = opened.read_many([place])[place], opened.start_many([place], 3)[place]
        if today == "lost":
            assert isinstance(many, StorageError)
            assert isinstance(start, StorageError)
        else:
            assert (many, start) == (b"content", b"con")
    assert lender.renewed == {"old": 0, "new": 1, "lost": 4}[today]


def test_what_is_not_there_renews_nothing(tmp_path: Path) -> None:
    lender = Lender("old")
    with pytest.raises(NotThereError):
        reader(lender).read(f"{tmp_path}/nothing")
    assert lender.renewed == 0


@pytest.mark.parametrize(
    ("location", "path"),
    [("file:///a/b", "/a/b"), ("file:/a/b", "/a/b"), ("/a/b", "/a/b"), ("s3://a/b", None), ("hdfs://h/a", None)],
)
def test_a_location_on_this_disk_is_known_in_each_spelling(location: str, path: str | None) -> None:
    assert local_path(location) == path


def opened_by(bucket: Bucket, **more: str) -> FolderReads:
    options = bucket.storage_options
    properties = {
        "s3.endpoint": options["client_kwargs"]["endpoint_url"],
        "s3.region": options["client_kwargs"]["region_name"],
        "s3.access-key-id": options["key"],
        "s3.secret-access-key": options["secret"],
        **more,
    }
    return folders_of_properties(properties, Count())(bucket.url("lake"))


@pytest.mark.parametrize("implementation", ["", "pyiceberg.io.pyarrow.PyArrowFileIO", "pyiceberg.io.fsspec.FsspecFileIO"])
def test_files_of_an_object_store_are_read_with_the_properties_of_the_catalog(s3_bucket: Bucket, implementation: str) -> None:
    s3_bucket.filesystem().pipe_file(f"{s3_bucket.name}/lake/a", b"content")
    folder = opened_by(s3_bucket, **({"py-io-impl": implementation} if implementation else {}))
    assert (folder.read("a"), folder.read_part("a", 0, 3)) == (b"content", b"con")
    answers = folder.read_many(["a", "nothing"])
    assert answers["a"] == b"content"
    assert isinstance(answers["nothing"], SchemaError)
    with pytest.raises(StorageError, match="larger"):
        folder.read("a", 3)


def test_a_storage_that_no_library_knows_is_an_error() -> None:
    with pytest.raises(StorageError):
        folders_of_properties({"py-io-impl": "nowhere.Files"}, Count())("what://ever/there").read("a")
