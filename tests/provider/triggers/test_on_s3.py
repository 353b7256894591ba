"""Triggers on S3, where a filesystem keeps listings and clients for itself, and a password may change while somebody waits."""

import asyncio
from typing import Any

import pytest

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.triggers import SchemaVersionTrigger, store_cache
from airflow_provider_schemas.triggers.version_poller import VersionLook
from tests.provider.conftest import Connect
from tests.provider.support.trigger_runs import Heard, ends_after, made, run
from tests.servers.bucket import Bucket
from tests.servers.process import free_port


def aws(connect: Connect, bucket: Bucket, **other: Any) -> str:
    """A connection of the type `aws` that opens the bucket; or one that does not."""
    return connect("aws_lake", conn_type="aws", login="testing", password="x", extra={**bucket.storage_options["client_kwargs"], **other})


@pytest.fixture
def lake(connect: Connect, s3_bucket: Bucket) -> str:
    return connect(host=s3_bucket.url("lake"), extra={"storage_conn_id": aws(connect, s3_bucket)})


@pytest.fixture
def store(s3_bucket: Bucket) -> SchemaStore:
    """The same warehouse, opened by somebody else."""
    return SchemaStore(s3_bucket.url("lake"), storage_options=s3_bucket.storage_options, actor="ana")


def trigger(store: SchemaStore) -> SchemaVersionTrigger:
    head = made(store).latest()
    return SchemaVersionTrigger(conn_id="lake", table="shop.orders", branch=None, version=head.number, digest=head.digest, poll=0.1)


def test_a_new_version_is_seen_by_who_has_listed_the_folder_before(lake: str, store: SchemaStore) -> None:
    assert ends_after(trigger(store), lambda: made(store, "ADD COLUMN a INT"))["version"] == 1


def test_in_the_steady_state_a_look_is_one_request(lake: str, store: SchemaStore) -> None:
    head = made(store).latest()
    look = VersionLook(conn_id=lake, table="shop.orders", branch=None, version=head.number, digest=head.digest)
    look.look()
    before = store_cache.store(lake).warehouse.count.snapshot()
    look.look()
    assert [now - then for now, then in zip(store_cache.store(lake).warehouse.count.snapshot(), before, strict=True)] == [1, 0, 0]


def test_a_connection_that_is_mended_while_somebody_waits_ends_the_trouble(
    lake: str, connect: Connect, s3_bucket: Bucket, store: SchemaStore
) -> None:
    waiting = trigger(store)
    heard = Heard(waiting)
    aws(connect, s3_bucket, endpoint_url=f"http://127.0.0.1:{free_port()}")

    async def mended() -> Any:
        events = waiting.run()
        first = asyncio.ensure_future(anext(events))
        while not heard.warnings:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(made, store, "ADD COLUMN a INT")
        aws(connect, s3_bucket)
        return (await asyncio.wait_for(first, 300)).payload

    assert run(mended())["version"] == 1
    assert heard.lines[0] == "The schema store answers again."
    assert "s3://" in heard.warnings[0]
