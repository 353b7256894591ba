"""The test of a connection: it lists, reads and writes, says what the storage promises, never raises, and leaves nothing behind."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.hooks import SchemaStoreHook, connection_test
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import Connect
from tests.provider.hooks.test_filesystems import aws
from tests.servers.bucket import Bucket
from tests.servers.faulty import Fault
from tests.servers.fixtures import Flawed

COLUMNS = "order_id BIGINT NOT NULL"


def files_below(folder: Path) -> list[str]:
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*"))


class TestOnADisk:
    def test_a_warehouse_that_is_not_there_is_not_made(self, lake: str, tmp_path: Path) -> None:
        (tmp_path / "lake").rmdir()
        works, said = SchemaStoreHook(lake).test_connection()
        assert works
        assert f"{tmp_path}/lake is not there yet: the first table makes it. There is no version to read yet." in said
        assert files_below(tmp_path) == []

    def test_it_lists_reads_and_writes_and_leaves_what_it_found(self, lake: str, tmp_path: Path) -> None:
        SchemaStoreHook(lake).store.create_table("shop.orders", COLUMNS)
        before = files_below(tmp_path)
        works, said = SchemaStoreHook(lake).test_connection()
        assert works
        assert f"{tmp_path}/lake was listed: 1 database. Version 0 of shop.orders was read." in said
        assert f"{tmp_path}/lake can be written: exclusive create by hard link, proven." in said
        assert files_below(tmp_path) == before

    def test_a_second_test_finds_the_same(self, lake: str) -> None:
        assert SchemaStoreHook(lake).test_connection() == SchemaStoreHook(lake).test_connection()

    def test_a_read_only_connection_writes_nothing(self, connect: Connect, tmp_path: Path) -> None:
        said = SchemaStoreHook(connect(host=str(tmp_path / "lake"), extra={"read_only": True})).test_connection()[1]
        assert said.endswith("The connection is read only: nothing was written.")

    def test_tables_of_a_catalog_are_left_alone_and_the_registry_is_written(self, connect: Connect, tmp_path: Path) -> None:
        works, said = SchemaStoreHook(connect(host=str(tmp_path / "lake"), extra={"catalog": "hive"})).test_connection()
        assert works
        assert "read only: the catalog 'hive' keeps the tables" in said
        assert f"{tmp_path}/lake can be written" not in said
        assert f"{tmp_path}/lake/_schemas can be written" in said

    def test_the_registry_is_written_where_it_lies(self, connect: Connect, tmp_path: Path) -> None:
        hook = SchemaStoreHook(connect(host=str(tmp_path / "lake"), extra={"registry": str(tmp_path / "registry")}))
        assert f"{tmp_path}/registry can be written" in hook.test_connection()[1]

    def test_a_version_that_is_no_schema_is_no_fault_of_the_connection(self, lake: str, tmp_path: Path) -> None:
        SchemaStoreHook(lake).store.create_table("shop.orders", COLUMNS)
        (tmp_path / "lake/shop.db/orders/schema/schema-0").write_text("{")
        works, said = SchemaStoreHook(lake).test_connection()
        assert (works, "A version of shop.orders was read, which is no schema file." in said) == (True, True)

    def test_a_folder_that_may_not_be_written_is_told(self, connect: Connect, tmp_path: Path) -> None:
        folder = Path("/sys/kernel") if os.geteuid() == 0 else tmp_path / "closed"  # root may write everywhere but there
        if os.geteuid() != 0:
            folder.mkdir(stat.S_IRUSR | stat.S_IXUSR)
        works, said = SchemaStoreHook(connect(host=str(folder))).test_connection()
        assert (works, "access is denied" in said) == (False, True)

    def test_a_file_is_no_warehouse(self, connect: Connect, tmp_path: Path) -> None:
        (tmp_path / "lake").write_text("")
        works, said = SchemaStoreHook(connect(host=str(tmp_path / "lake"))).test_connection()
        assert not works
        assert said == f"{tmp_path}/lake is a file. Name a folder."


class TestOnAnObjectStore:
    @pytest.fixture
    def lake(self, connect: Connect, s3_bucket: Bucket) -> str:
        return connect(host=s3_bucket.url("lake"), extra={"storage_conn_id": aws(connect, s3_bucket)})

    def test_an_empty_bucket_stays_empty(self, lake: str, s3_bucket: Bucket) -> None:
        works, said = SchemaStoreHook(lake).test_connection()
        assert works
        assert f"{s3_bucket.url('lake')} can be written: exclusive create by conditional put, proven." in said
        assert s3_bucket.filesystem().find(s3_bucket.name) == []

    def test_a_lost_answer_is_no_failure_and_leaves_nothing(self, connect: Connect, s3_bucket: Bucket, flawed: Flawed) -> None:
        there, proxy = flawed(s3_bucket)
        lake = connect(host=there.url("lake"), extra={"storage_conn_id": aws(connect, there)})
        proxy.fail("PUT", "probe", Fault.DROP_AFTER)
        assert SchemaStoreHook(lake).test_connection()[0]
        assert s3_bucket.filesystem().find(s3_bucket.name) == []

    def test_who_may_not_write_is_told(self, connect: Connect, s3_bucket: Bucket, flawed: Flawed) -> None:
        there, proxy = flawed(s3_bucket)
        lake = connect(host=there.url("lake"), extra={"storage_conn_id": aws(connect, there)})
        proxy.fail("PUT", "", Fault.ANSWER_BEFORE, status=403, times=99)
        works, said = SchemaStoreHook(lake).test_connection()
        assert (works, "access is denied" in said) == (False, True)

    def test_who_may_not_delete_is_told_what_stayed(self, connect: Connect, s3_bucket: Bucket, flawed: Flawed) -> None:
        there, proxy = flawed(s3_bucket)
        lake = connect(host=there.url("lake"), extra={"storage_conn_id": aws(connect, there)})
        proxy.fail("DELETE", "", Fault.ANSWER_BEFORE, status=403, times=99)
        proxy.fail("POST", "", Fault.ANSWER_BEFORE, status=403, times=99)
        works, said = SchemaStoreHook(lake).test_connection()
        assert works
        assert said.count("which was written for this test, could not be deleted.") == 2

    def test_a_storage_that_writes_a_file_twice_is_refused(self, dishonest_gcs_bucket: Bucket) -> None:
        store = SchemaStore(dishonest_gcs_bucket.url("lake"), storage_options=dishonest_gcs_bucket.storage_options)
        works, said = connection_test.run_test(lambda: store)
        assert (works, "wrote a file that was there already" in said) == (False, True)
        assert dishonest_gcs_bucket.filesystem().find(dishonest_gcs_bucket.name) == []

    def test_it_is_taken_with_the_word_that_nobody_else_writes(self, dishonest_gcs_bucket: Bucket) -> None:
        store = SchemaStore(dishonest_gcs_bucket.url("lake"), storage_options=dishonest_gcs_bucket.storage_options, single_writer=True)
        works, said = connection_test.run_test(lambda: store)
        assert (works, "single writer: nobody else may write at the same time" in said) == (True, True)
        assert dishonest_gcs_bucket.filesystem().find(dishonest_gcs_bucket.name) == []


def test_nothing_is_raised_whatever_happens() -> None:
    def opened() -> Any:
        raise RuntimeError("something nobody thought of")

    works, said = connection_test.run_test(opened)
    assert (works, said) == (False, "RuntimeError (something nobody thought of). Look up what that means, mend it, and try again.")
