"""What a gate asks of a storage that is far away, registering included: counted, and not timed."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import pytest
from airflow.sdk import DAG

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.operators import SchemaGateOperator, schema_guard
from airflow_provider_schemas.store import judge
from tests.provider.conftest import Connect
from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import QUIET, Asked, Far
from tests.support.stores import open_store

NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"
SEVERAL = 5


@pytest.fixture(scope="module")
def bucket(far: Far) -> Bucket:
    made = far.bucket()
    store = open_store(made)
    for number in range(SEVERAL):
        store.create_table(f"shop.t{number}", NEEDS)
    return made


def connected(bucket: Bucket, connect: Connect, **extra: Any) -> str:
    """A connection to the bucket."""
    options = bucket.storage_options
    flat = {"key": options["key"], "secret": options["secret"], **options["client_kwargs"]}
    return connect("lake", host=bucket.url("lake"), extra=json.dumps({"storage_options": flat, **extra}))


@pytest.fixture
def lake(bucket: Bucket, connect: Connect) -> str:
    return connected(bucket, connect)


def gate(context: Any, far: Far, count: int, need: Any = NEEDS, **said: Any) -> tuple[Asked, dict[str, Any]]:
    """What a gate asked, and its verdict."""
    with DAG("reports", schedule=None) as dag:
        operator = SchemaGateOperator(task_id="gate", conn_id="lake", reads={f"shop.t{number}": need for number in range(count)}, **said)
    dag.fileloc = __file__
    about = context(operator)
    with far.watched(quiet=QUIET) as asked:
        found = operator.execute(about)
    assert found["fits"]
    return asked, about["ti"].pushed["schema_verdict"]


@pytest.mark.parametrize("count", [1, SEVERAL])
def test_where_nothing_is_new_a_gate_asks_four_times_a_table_and_waits_three_times(context: Any, far: Far, lake: str, count: int) -> None:
    gate(context, far, count)
    asked, verdict = gate(context, far, count)
    assert (asked.requests, asked.waits) == (4 * count + 5, 3), asked.told()
    assert verdict["lists"] + verdict["gets"] + verdict["puts"] == asked.requests


def test_what_is_written_counts_as_well(context: Any, far: Far, lake: str) -> None:
    asked, verdict = gate(context, far, 1, "order_id BIGINT NOT NULL")
    assert verdict["puts"] >= 1
    assert verdict["lists"] + verdict["gets"] + verdict["puts"] == asked.requests


def counted(verdict: Mapping[str, Any]) -> int:
    """What the line in the log says."""
    return int(verdict["lists"] + verdict["gets"] + verdict["puts"])


def test_a_contract_that_comes_and_goes_counts_as_well(context: Any, far: Far, lake: str) -> None:
    for need in (None, NEEDS, "cust_id BIGINT", "@registered"):
        asked, verdict = gate(context, far, SEVERAL, need)
        assert counted(verdict) == asked.requests, asked.told()


def test_two_guards_of_a_task_count_what_both_asked(context: Any, far: Far, lake: str) -> None:
    from tests.provider.operators.support.guarded_tasks import bash, run

    operator = schema_guard("lake", reads={"shop.t0": "order_id BIGINT"}).on(bash("guarded"))
    schema_guard("lake", reads={"shop.t1": "cust_id BIGINT"}).on(operator)
    with far.watched() as asked:
        about = run(operator, context)
    verdict = about["ti"].pushed["schema_verdict"]
    assert verdict["puts"] >= 2
    assert counted(verdict) == asked.requests, asked.told()


def test_a_look_at_data_counts_as_well(bucket: Bucket, context: Any, far: Far, lake: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    out = BytesIO()
    parquet.write_table(pa.table({"order_id": [1], "cust_id": [2]}), out)
    bucket.filesystem().pipe_file(f"{bucket.name}/landed/day=a/part-0.parquet", out.getvalue())
    store = open_store(bucket)
    schema = TableSchema.create("order_id BIGINT, cust_id BIGINT, day STRING", partition_keys=["day"])
    store.adopt(f"shop.t{SEVERAL}", bucket.url("landed"), schema)
    asked, verdict = gate(context, far, SEVERAL + 1, "order_id BIGINT")
    assert verdict["tables"][f"shop.t{SEVERAL}"]["judged_by"].startswith("footer")
    assert counted(verdict) == asked.requests, asked.told()


def test_what_goes_into_the_log_of_a_sensor_counts_as_well(bucket: Bucket, far: Far) -> None:
    store = open_store(bucket)
    with far.watched() as asked:
        judgement = judge(store, {"shop.t0": NEEDS}, consumer="reports.sensor")
    assert judgement.lists + judgement.gets == asked.requests, asked.told()


def test_a_gate_without_contracts_finds_what_it_saw_within_the_same_waits(context: Any, far: Far, lake: str) -> None:
    gate(context, far, SEVERAL, None)
    asked, _ = gate(context, far, SEVERAL, None)
    assert asked.waits <= 4, asked.told()
    assert asked.requests <= 4 * SEVERAL + 6, asked.told()


def test_so_many_requests_are_made_at_once_as_the_connection_says(bucket: Bucket, connect: Connect, context: Any, far: Far) -> None:
    connected(bucket, connect, at_once=2)
    asked, _ = gate(context, far, SEVERAL, register=False)
    assert asked.waits >= asked.requests / 2
