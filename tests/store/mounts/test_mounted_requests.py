"""What a judgement of mounted tables asks of a registry that is far away, beside one look at each table: counted, and not timed."""

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.check_tables import REGISTERED
from airflow_provider_schemas.store.commit.mounted.hand_over import hand_over
from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import QUIET, Far
from tests.store.mounts.support.remembered_source import RememberedSource
from tests.support.stores import open_store

NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"
JOB = "reports.gate"


def mounted(count: int) -> RememberedSource:
    source = RememberedSource()
    for number in range(count):
        source.create(f"t{number}")
    return source


def names(count: int) -> tuple[str, ...]:
    return tuple(f"shop.t{number}" for number in range(count))


@pytest.fixture(scope="module")
def registry(far: Far) -> Bucket:
    """A registry with a contract about each of a few mounted tables, and no warehouse beside it."""
    bucket = far.bucket()
    store = open_store(bucket, mounts={"shop": mounted(5)})
    for name in names(5):
        store.table(name).register(NEEDS, consumer=JOB)
    return bucket


@pytest.mark.parametrize("count", [1, 5])
def test_a_judgement_asks_nothing_of_a_warehouse_and_waits_once(far: Far, registry: Bucket, count: int) -> None:
    source = mounted(count)
    store = open_store(registry, mounts={"shop": source})
    asked = far.requests_of(lambda: judge(store, dict.fromkeys(names(count), NEEDS)), quiet=QUIET)
    # The root of the registry, which describes none of the tables; its id, the policies, the waivers.
    assert (asked.requests, asked.waits) == (4, 1), asked.told()
    assert len(source.looks) == count


@pytest.mark.parametrize("need", [REGISTERED, NEEDS])
def test_what_a_job_has_registered_is_asked_beside_it(far: Far, registry: Bucket, need: str) -> None:
    store = open_store(registry, mounts={"shop": mounted(5)})
    needs = dict.fromkeys(names(5), need)
    asked = far.requests_of(lambda: judge(store, needs, consumer=JOB), quiet=QUIET)
    assert (asked.requests, asked.waits) == (14, 2), asked.told()
    assert judge(store, needs, consumer=JOB).verdict is Verdict.OK


def test_a_poke_of_a_mounted_table_asks_its_source_once_and_no_storage(far: Far, registry: Bucket) -> None:
    source = mounted(1)
    table = open_store(registry, mounts={"shop": source}).table("shop.t0")
    seen = table.latest()
    assert far.requests_of(lambda: table.changed_since((seen.number, seen.digest)), quiet=QUIET).requests == 0
    assert len(source.looks) == 2


def test_a_description_on_an_object_store_is_handed_over(far: Far) -> None:
    bucket = far.bucket()
    data = open_store(bucket)
    data.adopt("shop.t0", f"s3://{bucket.name}/data", "cust_id BIGINT, order_id BIGINT NOT NULL", format="iceberg")
    data.table("shop.t0").register(NEEDS, consumer=JOB)
    source = mounted(1)
    store: SchemaStore = open_store(bucket, mounts={"shop": source})
    assert hand_over(store, "shop.t0", yes=True).done
    assert judge(open_store(bucket, mounts={"shop": source}), {"shop.t0": REGISTERED}, consumer=JOB).fits
