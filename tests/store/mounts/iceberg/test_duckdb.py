"""Tables that DuckDB makes, fills and alters over a REST catalog: a writer that shares no code with pyiceberg, or with us."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.store import IcebergMount, SchemaStore, judge
from tests.servers.iceberg_rest import IcebergRest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, ORDERS, Lake, names, numbers
from tests.support import stores
from tests.support.companion import Companion, RefusedThereError

COLUMNS = "order_id BIGINT, cust VARCHAR, amount DECIMAL(10, 2), made TIMESTAMPTZ, item STRUCT(sku VARCHAR, n INTEGER)[]"
CREATED = f"CREATE TABLE lake.shop.orders ({COLUMNS})"
FILLED = "INSERT INTO lake.shop.orders VALUES (1, 'ann', 2.50, now(), [{'sku': 'a', 'n': 2}])"
NEED = "order_id BIGINT, cust STRING, amount DECIMAL(10, 2)"
Sql = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def duckdb() -> Iterator[Companion]:
    companion = Companion(".venv-writers", "tests.store.mounts.iceberg.support.duckdb_process")
    yield companion
    companion.end()


@pytest.fixture
def sql(duckdb: Companion, rest: IcebergRest) -> Sql:
    """Runs statements in DuckDB, to which the catalog is `lake`."""
    return lambda *statements: list(duckdb.ask("run", uri=rest.uri, statements=list(statements)))


@pytest.fixture
def duck(sql: Sql, rest: IcebergRest) -> Lake:
    """A mount of what DuckDB has made and filled."""
    sql(CREATED, FILLED)
    return Lake(None, IcebergMount(rest.client(), NAMESPACE), "")


@pytest.fixture
def store(tmp_path: Path, duck: Lake) -> SchemaStore:
    return stores.lake(tmp_path / "registry", mounts={NAMESPACE: duck.mount})


def test_the_types_of_a_table_that_it_made_are_read(duck: Lake) -> None:
    schema = duck.look().version(duck.look().head).schema
    assert [f"{field.name} {field.type}" for field in schema.fields] == [
        "order_id BIGINT",
        "cust STRING",
        "amount DECIMAL(10, 2)",
        "made TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "item ARRAY<ROW<`sku` STRING, `n` INT>>",
    ]


def test_files_that_it_wrote_tell_which_schemas_are_needed(duck: Lake, sql: Sql) -> None:
    sql("ALTER TABLE lake.shop.orders ADD COLUMN note VARCHAR", "ALTER TABLE lake.shop.orders RENAME COLUMN note TO remark")
    sql("INSERT INTO lake.shop.orders (order_id) VALUES (2)")
    live = duck.look().live()
    assert (live.numbers, live.reason) == (frozenset({0, 2}), "")


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("RENAME COLUMN cust TO customer", "EXPECT_FIELD_RENAMED"),
        ("DROP COLUMN amount", "EXPECT_FIELD_MISSING"),
    ],
)
def test_what_it_alters_stops_the_job(store: SchemaStore, sql: Sql, change: str, rule: str) -> None:
    assert judge(store, {ORDERS: NEED}).fits
    sql(f"ALTER TABLE lake.shop.orders {change}")
    answer = judge(store, {ORDERS: NEED})
    assert not answer.fits
    assert {finding.rule for finding in answer.tables[0].report.findings} == {rule}


def test_a_column_that_it_adds_stops_nobody_and_a_watcher_is_told(store: SchemaStore, sql: Sql) -> None:
    seen = store.table(ORDERS).latest()
    sql("ALTER TABLE lake.shop.orders ADD COLUMN note VARCHAR")
    assert judge(store, {ORDERS: NEED}).fits
    assert store.table(ORDERS).changed_since(seen)


def test_a_name_that_it_takes_back_leads_to_a_schema_like_the_first(store: SchemaStore, duck: Lake, sql: Sql) -> None:
    sql("ALTER TABLE lake.shop.orders RENAME COLUMN cust TO customer", "ALTER TABLE lake.shop.orders RENAME COLUMN customer TO cust")
    assert judge(store, {ORDERS: NEED}).fits
    assert numbers(duck.look()) == [0, 1, 0]


def test_a_statement_of_ours_is_one_that_it_runs(store: SchemaStore, duck: Lake, sql: Sql) -> None:
    table = store.table(ORDERS)
    plan = table.plan(["RENAME COLUMN cust TO customer"])
    sql("ALTER TABLE lake.shop.orders RENAME COLUMN cust TO customer")
    assert table.verify(plan).fits
    assert names(duck.look())[1] == "customer"


def test_it_does_not_narrow(duck: Lake, sql: Sql) -> None:
    with pytest.raises(RefusedThereError, match="can't be altered"):
        sql("ALTER TABLE lake.shop.orders ALTER COLUMN order_id TYPE INTEGER")


def test_a_table_that_it_made_again_is_another_one(duck: Lake, sql: Sql) -> None:
    before = duck.look()
    sql("DROP TABLE lake.shop.orders", CREATED)
    after = duck.look()
    assert after.table_id != before.table_id
    assert after.version(after.head).digest == before.version(before.head).digest
