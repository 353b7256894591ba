"""How many requests a look at a Delta table takes on S3: as the server counted them, beside those of deltalake."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import DeltaMount
from airflow_provider_schemas.store.mounts.delta.look import DeltaLook
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault, Proxy
from tests.servers.fixtures import Flawed
from tests.store.mounts.delta.support.logs import Log, column, metadata, names, numbers, protocol


class FarLog:
    """A table in a bucket, which is seen through a proxy."""

    def __init__(self, direct: Bucket, bucket: Bucket, log: Log, proxy: Proxy) -> None:
        self.direct = direct
        self.bucket = bucket
        self.log = log
        self.proxy = proxy
        self.mount = self.new_mount()
        self.sent: set[str] = set()

    def new_mount(self) -> DeltaMount:
        """A mount that knows nothing yet, as in another process."""
        return DeltaMount(self.bucket.url("shop"), storage_options=self.bucket.storage_options)

    def send(self) -> None:
        """Bring to the bucket what is new in the log."""
        far = self.direct.filesystem()
        files = [file for file in sorted(self.log.folder.iterdir()) if file.name not in self.sent]
        far.pipe({f"{self.bucket.name}/shop/orders/_delta_log/{file.name}": file.read_bytes() for file in files})
        self.sent.update(file.name for file in files)

    def look(self, known: Any = None, mount: DeltaMount | None = None) -> DeltaLook:
        look = (mount or self.mount).look("orders", known)
        assert isinstance(look, DeltaLook)
        return look

    @property
    def asked(self) -> list[tuple[str, str]]:
        """The requests so far, without those that wrote."""
        return [(method, path) for method, path in self.proxy.seen if method in {"GET", "HEAD"}]


@pytest.fixture
def far(tmp_path: Path, s3_bucket: Bucket, flawed: Flawed) -> FarLog:
    bucket, proxy = flawed(s3_bucket)
    return FarLog(s3_bucket, bucket, Log(tmp_path), proxy)


@pytest.fixture
def long(far: FarLog) -> FarLog:
    """A log with nineteen commits since its checkpoint."""
    far.log.create()
    far.log.data(10)
    far.log.checkpoint(10, protocol(), metadata(column("id"), column("cust", "string")))
    far.log.data(19)
    far.send()
    return far


def count(far: FarLog, ask: Any) -> int:
    """The requests that something took."""
    before = len(far.asked)
    ask()
    return len(far.asked) - before


def test_a_first_look_takes_a_listing_a_read_for_each_commit_and_the_checkpoint(long: FarLog) -> None:
    assert count(long, long.look) == 21
    assert long.mount.count.snapshot() == (1, 20, 0)


def test_a_poll_that_finds_nothing_new_is_one_listing(long: FarLog) -> None:
    look = long.look()
    assert count(long, lambda: long.look(look)) == 1
    assert long.look(look) is look
    long.log.commit(metadata(column("id")))
    long.send()
    assert count(long, lambda: long.look(look)) == 2
    assert names(long.look(look)) == ["id"]


def test_deltalake_takes_more_for_the_same_schema(far: FarLog) -> None:
    import deltalake
    import pyarrow as pa

    rows = pa.table({"id": pa.array([1], pa.int64()), "cust": ["a"]})
    for commits in (11, 19):
        for _ in range(commits):
            deltalake.write_deltalake(far.log.folder.parent, rows, mode="append")
        if commits == 11:
            deltalake.DeltaTable(far.log.folder.parent).create_checkpoint()
    far.send()
    ours = count(far, far.look)
    options = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{far.bucket.port}",
        "AWS_ALLOW_HTTP": "true",
    }
    opened: list[Any] = []
    theirs = count(far, lambda: opened.append(deltalake.DeltaTable(far.bucket.url("shop/orders"), storage_options=options)))
    assert [field.name for field in opened[0].schema().fields] == names(far.look())
    assert (ours, theirs > 2 * ours) == (21, True)


def test_a_log_of_many_pages_is_listed_from_its_checkpoint_on(long: FarLog, monkeypatch: pytest.MonkeyPatch) -> None:
    pages(monkeypatch, 12)
    assert count(long, long.look) <= 19 + 4 + 1  # two pages behind the checkpoint
    look = long.look(mount=long.new_mount())
    assert (look.read.base, look.head, look.read.state.newest) == (10, 10, 29)
    assert (numbers(look), look.heads().whole) == ([10], True)


def test_a_log_of_many_pages_without_a_hint_is_listed_whole(long: FarLog, monkeypatch: pytest.MonkeyPatch) -> None:
    pages(monkeypatch, 12)
    for hint in (b"", b'{"version": 12}'):
        long.direct.filesystem().pipe_file(f"{long.bucket.name}/shop/orders/_delta_log/_last_checkpoint", hint)
        look = long.look(mount=long.new_mount())
        assert (look.read.base, look.read.state.newest) == (10, 29)


def pages(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let the storage list a few names a page."""
    from airflow_provider_schemas.store.storage.remote import listings

    page = listings._page_of_s3

    async def small(fs: Any, path: str, after: str, following: str) -> Any:
        fs.req_kw = {"MaxKeys": size}
        return await page(fs, path, after, following)

    monkeypatch.setattr(listings, "_page_of_s3", small)


def test_tables_of_a_bucket_take_a_listing_each(long: FarLog) -> None:
    assert long.mount.tables() == ("orders",)
    assert long.mount.count.snapshot() == (2, 0, 0)
    single = DeltaMount(long.bucket.url("shop/orders"), storage_options=long.bucket.storage_options)
    assert (single.tables(), single.look("orders") is not None, single.look("other")) == (("orders",), True, None)
    assert long.mount.look("other") is None


@pytest.mark.usefixtures("hasty")
def test_a_storage_in_trouble_is_another_try_and_no_table_that_is_gone(long: FarLog) -> None:
    look = long.look()
    for path, status in (("list-type", 503), (r"29\.json", 403)):
        long.proxy.always("GET", path, Fault.ANSWER_BEFORE, status=status)
        with pytest.raises(StorageError):
            long.new_mount().look("orders")
        if status == 503:
            with pytest.raises(StorageError):
                long.look(look)
        long.proxy.mend()
    assert long.look(look) is look


def test_a_storage_without_pages_lists_the_folder(long: FarLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RemoteFiles, "page", lambda *_: None)
    look = long.look()
    assert (look.read.base, long.mount.count.snapshot()) == (10, (1, 20, 0))
    assert long.look(look) is look
