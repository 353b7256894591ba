"""A mounted DuckLake that a real DuckDB changes: ids, times, authors, and a gate over it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from airflow_provider_schemas.core.schema.foreign_attributes import initial_default
from airflow_provider_schemas.errors import NotThereError, ReadOnlyError, StorageError
from airflow_provider_schemas.store import DuckLakeMount, SchemaStore, judge
from airflow_provider_schemas.store.mounts.source import TableLook
from tests.support.companion import Companion

pytestmark = pytest.mark.slow  # make test-all installs DuckDB
CATALOG = "__ducklake_metadata_lake"
ORDERS = """CREATE TABLE shop.orders (id BIGINT NOT NULL, cust BIGINT, amount DECIMAL(10, 2), s STRUCT(a INT, b VARCHAR[]),
m MAP(VARCHAR, UUID), big HUGEINT, seen TIMESTAMPTZ)"""


@pytest.fixture(scope="module")
def duckdb() -> Iterator[Companion]:
    companion = Companion(".venv-writers", "tests.store.mounts.ducklake.support.duckdb_process")
    yield companion
    companion.end()


class Lake:
    """A DuckLake of one test, and its mount."""

    def __init__(self, duckdb: Companion, folder: Path) -> None:
        self._duckdb = duckdb
        duckdb.ask("attached", folder=str(folder))
        self.run("CREATE SCHEMA shop", ORDERS)
        self.mount = DuckLakeMount(self.rows, "shop", catalog=CATALOG)

    def rows(self, sql: str) -> Any:
        return self._duckdb.ask("run", sql=sql)

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.rows(statement)

    def commit(self, *statements: str, author: str, message: str) -> None:
        self._duckdb.ask("commit", statements=list(statements), author=author, message=message)

    def look(self) -> TableLook:
        look = self.mount.look("orders")
        assert look is not None
        return look

    def head(self) -> Any:
        look = self.look()
        return look.version(look.head).schema


@pytest.fixture
def lake(duckdb: Companion, tmp_path: Path) -> Lake:
    return Lake(duckdb, tmp_path)


def test_a_schema_has_the_ids_of_the_catalog_at_every_depth(lake: Lake) -> None:
    schema = lake.head()
    assert [(field.id, field.name, str(field.type)) for field in schema.fields] == [
        (1, "id", "BIGINT NOT NULL"),
        (2, "cust", "BIGINT"),
        (3, "amount", "DECIMAL(10, 2)"),
        (4, "s", "ROW<`a` INT, `b` ARRAY<STRING>>"),
        (8, "m", "MAP<STRING NOT NULL, BINARY(16)>"),
        (11, "big", "OPAQUE('int128')"),
        (12, "seen", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
    ]
    assert schema.attributes(6) == {"element_ids": {"element": 7}}
    assert schema.attributes(8) == {"element_ids": {"key": 9, "value": 10}, "logical": {"value": "uuid"}}


def test_each_change_is_a_head_with_its_time_its_author_and_its_message(lake: Lake) -> None:
    lake.commit("ALTER TABLE shop.orders ADD COLUMN coupon INT DEFAULT 7", author="ana", message="add coupon")
    lake.run("INSERT INTO shop.orders (id) VALUES (1)", "ALTER TABLE shop.orders RENAME cust TO customer")
    heads = lake.look().heads()
    assert heads.whole
    assert [head.origin for head in heads.entries] == ["", "ana: add coupon", ""]
    moments = [head.moment or 0 for head in heads.entries]
    assert moments == sorted(moments)
    assert moments[0] > 1_790_000_000_000
    assert [head.number for head in heads.entries] == list(lake.look().numbers)
    assert len({head.digest for head in heads.entries}) == 3
    assert initial_default(lake.head(), 13) == "7"
    assert [field.id for field in lake.head().fields if field.name == "customer"] == [2]


def test_a_poke_that_finds_nothing_is_one_query_and_gives_the_same_look(lake: Lake) -> None:
    look = lake.look()
    lake.run("INSERT INTO shop.orders (id) VALUES (1)")
    before = lake.mount.count.lists
    assert lake.mount.look("orders", look) is look
    assert lake.mount.count.lists == before + 1
    lake.run("ALTER TABLE shop.orders DROP COLUMN cust")
    after = lake.mount.look("orders", look)
    assert after is not None
    assert after is not look
    assert after.head > look.head


def test_another_lake_in_the_same_place_is_noticed(lake: Lake, tmp_path: Path, duckdb: Companion) -> None:
    before = lake.look()
    folder = tmp_path / "other"
    folder.mkdir()
    Lake(duckdb, folder)
    after = lake.mount.look("orders", before)
    assert after is not None
    assert after.head == before.head
    assert after.table_id != before.table_id


def test_a_first_look_is_one_query(lake: Lake) -> None:
    before = lake.mount.count.lists
    lake.look()
    assert lake.mount.count.lists == before + 1


def test_a_table_that_was_made_again_has_another_id(lake: Lake) -> None:
    before = lake.look()
    lake.run("DROP TABLE shop.orders", ORDERS)
    after = lake.mount.look("orders", before)
    assert after is not None
    assert after.table_id != before.table_id
    assert after.version(after.head).digest == before.version(before.head).digest


def test_a_table_keeps_its_id_and_its_past_when_it_is_renamed(lake: Lake) -> None:
    before = lake.look()
    lake.run("ALTER TABLE shop.orders RENAME TO sales")
    assert lake.mount.look("orders", before) is None
    after = lake.mount.look("sales")
    assert after is not None
    assert after.table_id == before.table_id
    assert after.heads().entries[0] == before.heads().entries[0]


def test_a_table_and_a_schema_that_are_not_there_are_told_apart(lake: Lake) -> None:
    assert lake.mount.look("nothing") is None
    assert lake.mount.look("or'ders{p}") is None
    with pytest.raises(NotThereError, match="no schema"):
        DuckLakeMount(lake.rows, "shp", catalog=CATALOG).look("orders")
    with pytest.raises(StorageError, match="ducklake_snapshot"):
        DuckLakeMount(lake.rows, "shop", catalog="elsewhere").look("orders")


def test_names_in_any_letters_are_found(lake: Lake) -> None:
    name = "it's {p} a name"
    lake.run(f'CREATE TABLE shop."{name}" (id BIGINT)')
    assert set(lake.mount.tables()) == {"orders", name}
    assert lake.mount.look(name) is not None


def test_the_past_before_expired_snapshots_is_not_made_up(lake: Lake) -> None:
    lake.run("ALTER TABLE shop.orders DROP COLUMN cust", "INSERT INTO shop.orders (id) VALUES (1)")
    head = lake.look().head
    lake.run("CALL ducklake_expire_snapshots('lake', older_than => now())")
    look = lake.look()
    assert look.numbers == (head,)
    assert not look.heads().whole
    with pytest.raises(NotThereError, match="expired"):
        look.version(head - 1)


def test_partitions_by_values_are_partition_keys_and_others_are_attributes(lake: Lake) -> None:
    lake.run("ALTER TABLE shop.orders SET PARTITIONED BY (cust, year(seen))")
    schema = lake.head()
    assert schema.partition_keys == ("cust",)
    assert schema.table_attributes["partition_transforms"] == [
        {"source-id": 2, "transform": "identity"},
        {"source-id": 12, "transform": "year"},
    ]


def test_a_gate_over_a_ducklake_names_the_column_that_was_renamed(lake: Lake, tmp_path: Path) -> None:
    (tmp_path / "registry").mkdir()
    store = SchemaStore(tmp_path / "registry", mounts={"dl": lake.mount}, actor="ana")
    contract = {"columns": {"id": "BIGINT", "cust": "BIGINT"}}
    before = judge(store, {"dl.orders": contract}, consumer="daily")
    assert before.fits
    version = before.tables[0].version
    assert version is not None
    lake.run("ALTER TABLE shop.orders RENAME cust TO customer")
    after = judge(store, {"dl.orders": contract}, consumer="daily", since={"dl.orders": version})
    assert not after.fits
    assert "customer" in str(msgspec.to_builtins(after.tables[0].report.findings))
    with pytest.raises(ReadOnlyError):
        store.table("dl.orders").evolve("ADD COLUMN x BIGINT")


TABLES = ("metadata", "schema", "table", "column", "snapshot", "snapshot_changes", "schema_versions", "partition_info", "partition_column")


def test_a_catalog_in_sqlite_says_the_same(lake: Lake) -> None:
    lake.commit("ALTER TABLE shop.orders RENAME cust TO customer", author="ana", message="rename")
    lake.run("ALTER TABLE shop.orders SET PARTITIONED BY (customer)")
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    for name in TABLES:
        columns = [row[0] for row in lake.rows(f"SELECT column_name FROM (DESCRIBE {CATALOG}.ducklake_{name})")]
        copy.execute(f"CREATE TABLE ducklake_{name} ({', '.join(columns)})")
        for row in lake.rows(f"SELECT * FROM {CATALOG}.ducklake_{name}"):
            values = [value if value is None or isinstance(value, int | bool) else str(value) for value in row]
            copy.execute(f"INSERT INTO ducklake_{name} VALUES ({', '.join('?' * len(columns))})", values)
    mount = DuckLakeMount(lambda sql: copy.execute(sql).fetchall(), "shop")
    look = mount.look("orders")
    assert look is not None
    assert mount.tables() == ("orders",)
    assert mount.look("orders", look) is look
    assert look.heads() == lake.look().heads()
    assert look.location == lake.look().location
    assert [look.version(number) for number in look.numbers] == [lake.look().version(number) for number in lake.look().numbers]
