"""The hook on S3: through a connection of Airflow's, or with options of our own; in threads, at once, and when keys change."""

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import fsspec
import pytest
from airflow.sdk.io import get_fs

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.hooks import SchemaStoreHook, filesystems
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.tasks.error_handling import state_of
from tests.provider.conftest import Connect
from tests.servers.bucket import Bucket
from tests.servers.process import free_port

COLUMNS = "order_id BIGINT NOT NULL"


def endpoint(bucket: Bucket) -> dict[str, Any]:
    """Where the server is, as both kinds of connections say it."""
    options: Mapping[str, Any] = bucket.storage_options["client_kwargs"]
    return dict(options)


def aws(connect: Connect, bucket: Bucket, conn_id: str = "aws_lake") -> str:
    """A connection of the type `aws` that opens the bucket."""
    return connect(conn_id, conn_type="aws", login="testing", password="testing-secret", extra=endpoint(bucket))


class TestThroughAConnectionOfAirflow:
    @pytest.fixture
    def lake(self, connect: Connect, s3_bucket: Bucket) -> str:
        return connect(host=s3_bucket.url("lake"), extra={"storage_conn_id": aws(connect, s3_bucket)})

    def test_tables_are_made_and_read(self, lake: str, s3_bucket: Bucket) -> None:
        SchemaStoreHook(lake).store.create_table("shop.orders", COLUMNS)
        assert SchemaStoreHook(lake).get_table_schema("shop.orders") == [{"name": "order_id", "type": "BIGINT NOT NULL"}]
        assert s3_bucket.filesystem().find(s3_bucket.name) == [
            f"{s3_bucket.name}/lake/_schemas/registry-id.json",
            f"{s3_bucket.name}/lake/shop.db/orders/schema/schema-0",
        ]

    def test_what_others_write_is_seen_at_once(self, lake: str) -> None:
        mine, theirs = SchemaStoreHook(lake).store, SchemaStoreHook(lake).store
        mine.create_table("shop.orders", COLUMNS)
        assert theirs.table("shop.orders").latest().number == 0
        mine.table("shop.orders").evolve(["ADD COLUMN coupon STRING"])
        assert theirs.table("shop.orders").latest().number == 1

    def test_of_many_who_write_at_once_each_version_is_one_s(self, lake: str) -> None:
        SchemaStoreHook(lake).store.create_table("shop.orders", COLUMNS)

        def add(number: int) -> int:
            return SchemaStoreHook(lake).store.table("shop.orders").evolve([f"ADD COLUMN c{number} INT"]).version.number

        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(add, range(8))) == list(range(1, 9))

    def test_it_works_in_a_thread_of_an_event_loop(self, lake: str) -> None:
        def look() -> tuple[str, ...]:
            return SchemaStoreHook(lake).store.databases()

        async def looked() -> tuple[str, ...]:
            return await asyncio.to_thread(look)

        assert asyncio.run(looked()) == ()

    def test_a_changed_connection_counts_in_the_same_process(self, connect: Connect, s3_bucket: Bucket, lake: str) -> None:
        connect("aws_lake", conn_type="aws", login="x", password="testing", extra={"endpoint_url": f"http://127.0.0.1:{free_port()}"})
        works, said = SchemaStoreHook(lake).test_connection()
        assert (works, "cannot be reached" in said) == (False, True)
        aws(connect, s3_bucket)
        assert SchemaStoreHook(lake).test_connection()[0]

    def test_an_unchanged_connection_is_opened_once(self, lake: str, monkeypatch: pytest.MonkeyPatch) -> None:
        made: list[str] = []

        def noted(protocol: str, conn_id: str) -> Any:
            made.append(protocol)
            return get_fs(protocol, conn_id)

        monkeypatch.setattr(filesystems, "get_fs", noted)
        filesystems._CACHE.clear()
        for _ in range(5):
            assert SchemaStoreHook(lake).store.databases() == ()
        assert made == ["s3"]

    def test_fsspec_keeps_none_of_the_filesystems_that_were_made(self, lake: str) -> None:
        kept = fsspec.get_filesystem_class("s3")._cache
        before = len(kept)
        for _ in range(5):
            filesystems._CACHE.clear()
            assert SchemaStoreHook(lake).store.databases() == ()
        assert len(kept) == before

    @pytest.mark.parametrize(("signature", "handed_on"), [("s3v4", False), (object(), True)], ids=["by a name", "by a function"])
    def test_a_filesystem_whose_requests_airflow_signs_itself_is_handed_on(
        self, signature: Any, handed_on: bool, lake: str, s3_bucket: Bucket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = s3_bucket.filesystem(config_kwargs={"signature_version": signature})
        monkeypatch.setattr(filesystems, "get_fs", lambda *_: made)
        files: Any = SchemaStoreHook(lake).store.warehouse
        assert (files.fs is made) is handed_on

    def test_the_registry_is_opened_as_the_warehouse_is(self, connect: Connect, s3_bucket: Bucket, lake: str) -> None:
        connect(host=s3_bucket.url("lake"), extra={"storage_conn_id": "aws_lake", "registry": s3_bucket.url("registry")})
        store = SchemaStoreHook(lake).store
        store.save_policy({"registry_complete": True}, override="a test")
        assert store.registry.url == s3_bucket.url("registry")
        assert [one for one in s3_bucket.filesystem().find(s3_bucket.name) if "/registry/" in one]

    @pytest.mark.parametrize("name", ["registry_conn_id", "storage_conn_id"])
    def test_the_registry_of_a_disk_may_lie_elsewhere(self, name: str, connect: Connect, s3_bucket: Bucket, tmp_path: Any) -> None:
        extra = {"registry": s3_bucket.url("registry"), name: aws(connect, s3_bucket, "aws_registry")}
        store = SchemaStoreHook(connect(host=str(tmp_path), extra=extra)).store
        store.create_table("shop.orders", COLUMNS)
        store.save_policy({"registry_complete": True}, override="a test")
        assert (tmp_path / "shop.db/orders/schema/schema-0").is_file()
        assert s3_bucket.filesystem().find(s3_bucket.name)

    def test_a_registry_on_a_disk_is_no_folder_of_the_bucket(self, connect: Connect, s3_bucket: Bucket, lake: str, tmp_path: Any) -> None:
        connect(host=s3_bucket.url("lake"), extra={"storage_conn_id": "aws_lake", "registry": str(tmp_path / "registry")})
        SchemaStoreHook(lake).store.save_policy({"registry_complete": True}, override="a test")
        assert list((tmp_path / "registry").rglob("*"))
        assert s3_bucket.filesystem().find(s3_bucket.name) == []


class TestWithOptionsOfOurOwn:
    def test_they_open_the_bucket(self, connect: Connect, s3_bucket: Bucket) -> None:
        options = {"key": "testing", "secret": "testing-secret", **endpoint(s3_bucket)}
        hook = SchemaStoreHook(connect(host=s3_bucket.url("lake"), extra={"storage_options": options}))
        hook.store.create_table("shop.orders", COLUMNS)
        assert hook.test_connection()[0]

    def test_a_form_may_hand_them_over_as_text(self, connect: Connect, s3_bucket: Bucket) -> None:
        options = json.dumps({"key": "testing", "secret": "testing-secret", **endpoint(s3_bucket)})
        assert SchemaStoreHook(connect(host=s3_bucket.url("lake"), extra={"storage_options": options})).test_connection()[0]

    def test_they_open_a_registry_on_the_same_kind_of_storage(self, connect: Connect, s3_bucket: Bucket) -> None:
        options = {"key": "testing", "secret": "testing-secret", **endpoint(s3_bucket)}
        extra = {"storage_options": options, "registry": s3_bucket.url("registry")}
        SchemaStoreHook(connect(host=s3_bucket.url("lake"), extra=extra)).store.save_policy({"registry_complete": True}, override="a test")
        assert s3_bucket.filesystem().find(s3_bucket.name)

    def test_logs_show_none_of_their_secrets(self, connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
        masked: list[Any] = []
        monkeypatch.setattr(filesystems, "mask_secret", masked.append)
        options = {"key": "AKIA-of-a-test", "secret": "hunter22", "region_name": "us-east-1"}
        _ = SchemaStoreHook(connect(host="s3://bucket", extra={"storage_options": options})).store
        assert masked == ["AKIA-of-a-test", "hunter22"]

    @pytest.mark.parametrize("protocol", ["gs", "gcs", "abfs", "abfss", "az", "s3", "s3a", "s3n"])
    def test_other_names_of_a_protocol_take_the_same_options(self, protocol: str, connect: Connect) -> None:
        name = {"s3": "key", "gs": "project", "abfs": "account_name"}[one_name(protocol)]
        store = SchemaStoreHook(connect(host=f"{protocol}://bucket/lake", extra={"storage_options": {name: "x"}})).store
        assert store.warehouse.protocol == one_name(protocol)


class TestWhenTheStorageDoesNotAnswer:
    def test_a_port_that_is_closed_is_told_within_seconds_and_tried_again(self, connect: Connect) -> None:
        connect("aws_lake", conn_type="aws", login="x", password="testing", extra={"endpoint_url": f"http://127.0.0.1:{free_port()}"})
        with pytest.raises(StorageError, match="cannot be reached") as caught:
            SchemaStoreHook(connect(host="s3://bucket/lake", extra={"storage_conn_id": "aws_lake"})).store.databases()
        assert state_of(caught.value) == "retry"

    def test_the_library_s_own_patience_counts_and_not_that_of_airflow_s_filesystem(self, connect: Connect, s3_bucket: Bucket) -> None:
        store = SchemaStoreHook(connect(host=s3_bucket.url(), extra={"storage_conn_id": aws(connect, s3_bucket)})).store
        files: Any = store.warehouse
        assert files.fs.retries == 2
        assert files.fs.config_kwargs["retries"] == {"total_max_attempts": 3, "mode": "standard"}
        assert not files.fs.dircache.use_listings_cache

    def test_a_missing_bucket_is_named(self, connect: Connect, s3_bucket: Bucket) -> None:
        lake = connect(host="s3://nowhere-at-all/lake", extra={"storage_conn_id": aws(connect, s3_bucket)})
        assert SchemaStoreHook(lake).test_connection() == (
            False,
            "cannot list s3://nowhere-at-all/lake: its bucket does not exist. Create the bucket, or correct its name in the address.",
        )
