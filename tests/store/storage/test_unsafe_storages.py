"""Storages that break their promise, promise nothing, cannot be reached, or whose library is missing: told, and nothing is written."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from airflow_provider_schemas import __version__
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError, UnsafeStorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import exclusive_create
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.servers import azure
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault
from tests.servers.fixtures import Flawed
from tests.servers.process import HOST, TOP, free_port, plain_environment
from tests.store.support.backends import Backend, Watched, of_bucket

LAYOUTS = ("paimon", "mini-paimon", "registry")
each_layout = pytest.mark.parametrize("layout", LAYOUTS)

# ---------------------------------------------------------------- a server that ignores conditions


@pytest.fixture
def dishonest(dishonest_gcs_bucket: Bucket) -> Backend:
    return of_bucket(dishonest_gcs_bucket)


def objects(bucket: Bucket) -> list[str]:
    found: list[str] = bucket.filesystem().find(bucket.name)
    return found


@each_layout
def test_a_server_that_ignores_conditions_is_found_out_by_its_first_file(
    dishonest: Backend, dishonest_gcs_bucket: Bucket, layout: str
) -> None:
    store = dishonest.store(layout=layout)
    for _ in range(2):
        with pytest.raises(UnsafeStorageError, match="wrote a file that was there already") as refused:
            store.create_table("db.t", "id BIGINT")
        assert "single_writer=True" in refused.value.fix
    assert objects(dishonest_gcs_bucket) == []
    assert "not asked" in store.guarantee() or "none" in store.guarantee()


@each_layout
def test_a_server_that_ignores_conditions_is_found_out_where_tables_are(
    dishonest: Backend, dishonest_gcs_bucket: Bucket, layout: str
) -> None:
    alone = dishonest.store(layout=layout, single_writer=True)
    alone.create_table("db.t", "id BIGINT")
    before = objects(dishonest_gcs_bucket)
    forget()
    store = dishonest.store(layout=layout)
    for _ in range(2):
        with pytest.raises(UnsafeStorageError):
            store.table("db.t").evolve(["ADD COLUMN a STRING"])
    assert objects(dishonest_gcs_bucket) == before
    assert store.table("db.t").latest().digest == alone.table("db.t").latest().digest
    with pytest.raises(UnsafeStorageError):
        store.table("db.t").register("id BIGINT", consumer="job")


@each_layout
def test_who_is_alone_may_write_there_and_is_told_what_that_means(dishonest: Backend, layout: str) -> None:
    store = dishonest.store(layout=layout, single_writer=True)
    assert store.guarantee() == exclusive_create.ALONE
    made = store.create_table("db.t", "id BIGINT")
    table = store.table("db.t")
    done = table.evolve(["ADD COLUMN a STRING"], key="k")
    assert [made.guarantee, done.guarantee, store.guarantee()] == [exclusive_create.ALONE] * 3
    assert table.evolve(["ADD COLUMN a STRING"], key="k").outcome == "already applied"
    assert [version.number for version in table.versions()] == [0, 1]
    table.register("id BIGINT", consumer="job")
    assert len(table.contracts()) == 1


def test_what_was_found_out_is_not_asked_again(dishonest_gcs_bucket: Bucket, flawed: Flawed) -> None:
    behind, proxy = flawed(dishonest_gcs_bucket)
    watched = Watched(of_bucket(behind), proxy)
    store = watched.backend.store(layout="paimon", single_writer=True)
    store.create_table("db.t", "id BIGINT")
    writes = [
        request for request in watched.asked(lambda: store.table("db.t").evolve(["ADD COLUMN a STRING"])) if request.startswith("POST")
    ]
    assert len(writes) == 1


def forget() -> None:
    """As a process that has asked nobody yet."""
    exclusive_create._PROVEN.clear()
    exclusive_create._UNSAFE.clear()


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    forget()
    yield
    forget()


# ---------------------------------------------------------------- storages without an exclusive create


def folder_store(folder: Path, **said: Any) -> SchemaStore:
    """A store on a filesystem of fsspec that offers no exclusive create, handed in."""
    return SchemaStore("lake", fs=DirFileSystem(str(folder), LocalFileSystem()), actor="ana", **said)


def test_a_storage_without_an_exclusive_create_is_read(tmp_path: Path) -> None:
    made = SchemaStore(tmp_path / "lake").create_table("db.t", "id BIGINT")
    SchemaStore(tmp_path / "lake").table("db.t").evolve(["ADD COLUMN a STRING"])
    by_url = SchemaStore("dir://lake", storage_options={"path": str(tmp_path), "target_protocol": "file"})
    for store in (folder_store(tmp_path), by_url):
        table = store.table("db.t")
        assert (store.databases(), store.tables("db"), table.numbers()) == (("db",), ("t",), (0, 1))
        assert table.version(0).digest == made.digest
        assert str(table.history())
        assert "read only" in store.guarantee()


@each_layout
def test_a_storage_without_an_exclusive_create_is_not_written(tmp_path: Path, layout: str) -> None:
    store = folder_store(tmp_path, layout=layout)
    with pytest.raises(UnsafeStorageError, match="single_writer=True"):
        store.create_table("db.t", "id BIGINT")
    SchemaStore(tmp_path / "lake", layout=layout).create_table("db.t", "id BIGINT")
    before = sorted(tmp_path.rglob("*"))
    for change in (
        lambda: store.table("db.t").evolve(["ADD COLUMN a STRING"]),
        lambda: store.table("db.t").register("id BIGINT", consumer="job"),
        lambda: store.drop_table("db.t"),
        lambda: store.create_database("other"),
    ):
        with pytest.raises(UnsafeStorageError):
            change()
    assert sorted(tmp_path.rglob("*")) == before


@each_layout
def test_who_is_alone_may_write_to_a_storage_without_an_exclusive_create(tmp_path: Path, layout: str) -> None:
    store = folder_store(tmp_path, layout=layout, single_writer=True)
    assert store.create_table("db.t", "id BIGINT").guarantee == store.guarantee() == exclusive_create.ALONE
    assert store.table("db.t").evolve(["ADD COLUMN a STRING"]).guarantee == exclusive_create.ALONE
    assert SchemaStore(tmp_path / "lake", layout=layout).table("db.t").numbers() == (0, 1)
    store.rename_table("db.t", "db.u")
    store.drop_table("db.u")
    assert store.tables("db") == ()


# ---------------------------------------------------------------- what is missing


@pytest.mark.parametrize("protocol", ["s3", "s3a", "gs", "gcs", "abfs", "abfss", "az"])
def test_a_missing_library_is_named_with_the_extra_that_brings_it(protocol: str) -> None:
    extra = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs"}.get(protocol, "azure")
    program = f"""
import sys
for name in ("s3fs", "gcsfs", "adlfs", "aiohttp", "botocore", "azure"):
    sys.modules[name] = None
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore
store = SchemaStore("{protocol}://bucket/lake")
for ask in (store.databases, lambda: store.create_table("db.t", "id BIGINT"), lambda: store.table("db.t").latest()):
    try:
        ask()
    except StorageError as error:
        assert error.code == "storage.missing-extra", error.code
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=TOP, env=plain_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f'pip install "airflow-provider-schemas[{extra}]"') == 3


def test_a_bucket_that_is_not_there_is_no_empty_store(stored: Backend) -> None:
    store = SchemaStore(stored.nowhere, storage_options=stored.options)
    table = store.table("db.t")
    for ask in (
        store.databases,
        lambda: store.tables("db"),
        table.latest,
        table.exists,
        table.contracts,
        lambda: store.create_table("db.t", "id BIGINT"),
        lambda: store.warehouse.create("x", b"1"),
        lambda: store.warehouse.put("x", b"1"),
        lambda: list(store.warehouse.walk("x")),
    ):
        with pytest.raises(StorageError) as missing:
            ask()
        assert missing.value.code == "storage.no-bucket"


def test_a_server_that_knows_nothing_is_no_empty_store(bucket: Bucket, flawed: Flawed) -> None:
    """A mistyped endpoint: something answers there, and finds nothing."""
    behind, proxy = flawed(bucket)
    proxy.always("", "", Fault.ANSWER_BEFORE, status=404)
    for ask in (of_bucket(behind).store().databases, of_bucket(behind).store(layout="paimon").table("db.t").latest):
        with pytest.raises(StorageError):
            ask()


@pytest.mark.usefixtures("hasty")
def test_an_endpoint_that_is_not_there_is_told_after_few_attempts(bucket: Bucket, flawed: Flawed) -> None:
    behind, proxy = flawed(bucket)
    proxy.always("", "", Fault.DROP_BEFORE)
    backend = of_bucket(behind)
    for ask in (backend.store(layout="paimon").table("db.t").latest, backend.store().databases):
        before = len(proxy.seen)
        with pytest.raises(StorageError) as gone:
            ask()
        assert gone.value.code == "storage.unreachable"
        assert len(proxy.seen) - before <= 12  # six, each sent again at once by the HTTP client


@pytest.mark.usefixtures("hasty")
def test_a_port_where_nobody_listens_is_told(bucket: Bucket) -> None:
    backend = of_bucket(bucket.through(free_port()))
    with pytest.raises(StorageError) as gone:
        backend.store(layout="paimon").create_table("db.t", "id BIGINT")
    assert gone.value.code == "storage.unreachable"
    assert HOST not in str(gone.value) or "testing" not in str(gone.value)


def test_a_wrong_key_is_told_and_not_shown(azure_bucket: Bucket) -> None:
    options = azure.options(azure_bucket.port, key="d3Jvbmcga2V5IG9mIG5vYm9keSBhdCBhbGw=")
    with pytest.raises(StorageError) as wrong:
        SchemaStore(azure_bucket.url("lake"), storage_options=options).databases()
    assert wrong.value.code in {"storage.credentials", "storage.forbidden"}
    assert "d3Jvbmc" not in str(wrong.value)


@pytest.mark.azure  # adlfs is asked as well
def test_missing_credentials_are_told(tmp_path: Path) -> None:
    program = """
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore
for url, options in (("s3://bucket/lake", {"client_kwargs": {"region_name": "us-east-1"}}), ("abfs://bucket/lake", {})):
    try:
        SchemaStore(url, storage_options=options).databases()
    except StorageError as error:
        print(error.code)
"""
    environment = plain_environment() | {"AWS_EC2_METADATA_DISABLED": "true", "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], cwd=TOP, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.returncode) == (["storage.credentials", "storage.credentials"], 0), done.stderr


# ---------------------------------------------------------------- how the clients are set


def test_our_own_clients_wait_no_longer_than_a_minute_or_two(s3_bucket: Bucket, azure_bucket: Bucket, gcs_bucket: Bucket) -> None:
    s3, azure_, gcs = (of_bucket(bucket).anew() for bucket in (s3_bucket, azure_bucket, gcs_bucket))
    assert isinstance(s3, RemoteFiles)
    assert isinstance(azure_, RemoteFiles)
    assert isinstance(gcs, RemoteFiles)
    assert (s3.fs.retries, s3.fs.config_kwargs["retries"]["total_max_attempts"]) == (2, 3)
    assert gcs.fs.requests_timeout.total == 60
    client = azure_.fs.service_client
    assert client._config.retry_policy.initial_backoff == 1
    assert client._pipeline._transport.connection_config.read_timeout == 15


def test_what_the_options_say_stays_and_so_does_a_filesystem_that_is_handed_in(s3_bucket: Bucket, gcs_bucket: Bucket) -> None:
    options = s3_bucket.storage_options | {"config_kwargs": {"retries": {"max_attempts": 9}, "read_timeout": 3}}
    own = open_files(s3_bucket.url(), storage_options=options)
    assert isinstance(own, RemoteFiles)
    told = {
        "retries": {"max_attempts": 9},
        "read_timeout": 3,
        "max_pool_connections": 64,
        "user_agent": f"airflow-provider-schemas/{__version__}",
    }
    assert (own.fs.config_kwargs, own.fs.retries) == (told, 5)
    timed = open_files(gcs_bucket.url(), storage_options=gcs_bucket.storage_options | {"requests_timeout": 7})
    assert isinstance(timed, RemoteFiles)
    assert timed.fs.requests_timeout == 7
    given = s3_bucket.filesystem()
    assert open_files(s3_bucket.url("lake"), fs=given).fs is given  # type: ignore[attr-defined]  # of RemoteFiles
    assert given.retries == 5


def test_a_filesystem_that_is_handed_in_does_the_same(bucket: Bucket) -> None:
    store = SchemaStore(bucket.url("lake"), fs=bucket.filesystem())
    store.create_table("db.t", "id BIGINT")
    assert store.table("db.t").evolve(["ADD COLUMN a STRING"]).guarantee == "exclusive create by conditional put, proven"
    assert SchemaStore(bucket.url("lake"), storage_options=bucket.storage_options).table("db.t").numbers() == (0, 1)
    with pytest.raises(NotThereError):
        store.table("db.u").latest()


def test_an_unknown_protocol_is_told() -> None:
    with pytest.raises(SchemaError) as unknown:
        SchemaStore("nobody-knows://bucket/lake").databases()
    assert unknown.value.code == "storage.unknown-protocol"
