"""Tables that we made and change, in pypaimon's hands: opened, filled, read and altered by it, and changed by us again."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import parse_changes
from airflow_provider_schemas.store import SchemaStore
from tests.support.companion import RefusedThereError, Warehouse

Rows = list[dict[str, Any]]
ORDERS = (
    "id BIGINT NOT NULL, amount DECIMAL(10, 2), note STRING, "
    "who ROW<name STRING, age INT>, items ARRAY<ROW<sku STRING, qty INT>>, dt STRING NOT NULL"
)
FIRST: Rows = [
    {"id": 1, "amount": Decimal("1.50"), "note": "7", "who": {"name": "Ann", "age": 40}, "items": [{"sku": "a", "qty": 1}], "dt": "1"},
    {"id": 2, "amount": None, "note": None, "who": None, "items": [], "dt": "2"},
]
SHAPES: Mapping[str, Mapping[str, Any]] = {
    "append only": {},
    "partitioned": {"partition_keys": ["dt"]},
    "keyed": {"primary_keys": ["id"], "options": {"bucket": "2"}},
    "keyed and partitioned": {"primary_keys": ["id", "dt"], "partition_keys": ["dt"], "options": {"bucket": "1"}},
}


def wire(*changes: Any) -> list[dict[str, Any]]:
    """Changes as both sides read them."""
    return [one.to_json() for one in parse_changes(changes)]


def by_id(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: row["id"])


def schema_file(store: SchemaStore, number: int) -> dict[str, Any]:
    """The file of a version as it lies there."""
    found: dict[str, Any] = json.loads(store.warehouse.read(f"db.db/t/schema/schema-{number}"))
    return found


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_we_and_pypaimon_take_turns_on_a_table_of_ours(store: SchemaStore, paimon: Warehouse, shape: Mapping[str, Any]) -> None:
    store.create_table("db.t", ORDERS, **shape)
    table = store.table("db.t")
    paimon.ask("write", "db.t", rows=FIRST)
    assert by_id(paimon.ask("read", "db.t")) == FIRST

    table.evolve(["RENAME COLUMN note TO remark", "ADD COLUMN who.city STRING", "ADD COLUMN items.element.price DOUBLE"])
    table.evolve("ALTER COLUMN amount TYPE DECIMAL(12, 2)")
    second = {
        "id": 3,
        "amount": Decimal("1234567890.25"),
        "remark": "8",
        "who": {"name": "Bob", "age": 41, "city": "Bonn"},
        "items": [{"sku": "b", "qty": 2, "price": 2.5}],
        "dt": "1",
    }
    paimon.ask("write", "db.t", rows=[second])
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN coupon STRING AFTER amount", "ALTER COLUMN who.age TYPE BIGINT"))
    third = {**second, "id": 4, "coupon": "x", "dt": "2"}
    paimon.ask("write", "db.t", rows=[third])

    table.evolve(["DROP COLUMN remark", "RENAME COLUMN who.name TO called", "ALTER COLUMN coupon LAST"], override="nobody reads it")
    assert table.numbers() == (0, 1, 2, 3, 4)
    assert [one.outside for one in reversed(table.history())] == [False, False, False, True, False]
    bob = {"called": "Bob", "age": 41, "city": "Bonn"}
    later = {"amount": second["amount"], "who": bob, "items": second["items"]}
    assert by_id(paimon.ask("read", "db.t")) == [
        {
            "id": 1,
            "amount": Decimal("1.50"),
            "who": {"called": "Ann", "age": 40, "city": None},
            "items": [{"sku": "a", "qty": 1, "price": None}],
            "dt": "1",
            "coupon": None,
        },
        {"id": 2, "amount": None, "who": None, "items": [], "dt": "2", "coupon": None},
        {"id": 3, **later, "dt": "1", "coupon": None},
        {"id": 4, **later, "dt": "2", "coupon": "x"},
    ]
    assert not table.inspect().findings
    assert table.references().complete


MANY = {
    "BOOLEAN": True,
    "TINYINT": -128,
    "SMALLINT": 32_767,
    "INT": -(2**31),
    "BIGINT": 2**63 - 1,
    "FLOAT": 0.5,
    "DOUBLE": 1e300,
    "DECIMAL(38, 18)": Decimal("12345678901234567890.123456789012345678"),
    "CHAR(3)": "abc",
    "VARCHAR(10)": "Grüße",
    "STRING": "\u2028 ' \" \\",
    "BINARY(2)": b"\x00\xff",
    "BYTES": b"\x00",
    "DATE": date(1582, 10, 4),
    "TIMESTAMP(3)": datetime(2025, 1, 1, 12, 0, 0, 123_000),  # noqa: DTZ001  # the type has no zone
    "TIMESTAMP(6)": datetime(1969, 12, 31, 23, 59, 59, 999_999),  # noqa: DTZ001  # likewise
    "TIMESTAMP(6) WITH LOCAL TIME ZONE": datetime(2025, 1, 1, tzinfo=UTC),
    "ARRAY<DECIMAL(5, 1) NOT NULL>": [Decimal("1.5")],
    "MAP<STRING, ARRAY<ROW<x INT>>>": {"k": [{"x": 1}]},
    "ROW<a INT, b ROW<c ARRAY<STRING>>>": {"a": 1, "b": {"c": ["d"]}},
}


def plain(value: Any) -> Any:
    """A map as Arrow gives it, as a mapping."""
    return dict(value) if isinstance(value, list) and value and isinstance(value[0], tuple) else value


def test_a_table_of_many_types_is_filled_and_read_by_pypaimon(store: SchemaStore, paimon: Warehouse) -> None:
    columns = ", ".join(f"c{number} {kind}" for number, kind in enumerate(MANY))
    store.create_table("db.t", f"id INT NOT NULL, {columns}", comment="many – viele")
    row = {"id": 1, **{f"c{number}": value for number, value in enumerate(MANY.values())}}
    paimon.ask("write", "db.t", rows=[row, {"id": 2}])
    store.table("db.t").evolve([f"RENAME COLUMN c{number} TO d{number}" for number in range(len(MANY))])
    first, second = by_id(paimon.ask("read", "db.t"))
    assert {name: plain(value) for name, value in first.items()} == {name.replace("c", "d"): value for name, value in row.items()}
    assert {value for name, value in second.items() if name != "id"} == {None}


WAYS: Mapping[str, Sequence[str]] = {
    "add a column": ["ADD COLUMN extra STRING COMMENT 'why' AFTER id"],
    "add a column first": ["ADD COLUMN extra INT FIRST"],
    "add a column of rows": ["ADD COLUMN extra ROW<a INT, b ROW<c INT>, d INT>", "ADD COLUMN more ARRAY<ROW<x INT>>"],
    "add a nested field": ["ADD COLUMN who.extra ROW<a INT>"],
    "add a field in a list": ["ADD COLUMN items.element.extra STRING"],
    "rename a column": ["RENAME COLUMN note TO remark"],
    "rename a key": ["RENAME COLUMN id TO order_id"],
    "rename a nested field": ["RENAME COLUMN who.name TO called"],
    "drop a column": ["DROP COLUMN note"],
    "drop a nested field": ["DROP COLUMN who.age"],
    "drop and add": ["DROP COLUMN note", "ADD COLUMN note INT"],
    "widen": ["ALTER COLUMN amount TYPE DECIMAL(12, 2)"],
    "widen a nested field": ["ALTER COLUMN items.element.qty TYPE BIGINT"],
    "stringify": ["ALTER COLUMN amount TYPE STRING"],
    "comment a column": ["ALTER COLUMN note COMMENT 'so'"],
    "let a column be empty": ["ALTER COLUMN dt DROP NOT NULL"],
    "move": ["ALTER COLUMN note FIRST", "ALTER COLUMN who LAST", "ALTER COLUMN items AFTER id"],
    "set an option": ["SET OPTION snapshot.num-retained.max = 20", "SET OPTION file.compression = zstd"],
    "comment the table": ["SET COMMENT 'orders'"],
}


@pytest.mark.parametrize("changes", WAYS.values(), ids=WAYS)
def test_a_change_is_the_same_whoever_makes_it(store: SchemaStore, paimon: Warehouse, changes: Sequence[str]) -> None:
    for name in ("ours", "theirs"):
        store.create_table(f"db.{name}", ORDERS, primary_keys=["id"], options={"bucket": "1"})
        paimon.ask("write", f"db.{name}", rows=FIRST)
    store.table("db.ours").evolve(list(changes), override="only a test")
    paimon.ask("alter", "db.theirs", changes=wire(*changes))
    ours, theirs = (store.table(f"db.{name}").latest().schema for name in ("ours", "theirs"))
    assert ours.content == theirs.content
    assert ours.highest_field_id == theirs.highest_field_id
    assert paimon.ask("read", "db.ours") == paimon.ask("read", "db.theirs")


def test_a_default_that_pypaimon_cannot_set_survives_its_changes(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("db.t", "id INT, state STRING")
    table = store.table("db.t")
    table.evolve("ALTER COLUMN state SET DEFAULT 'new'")
    paimon.ask("alter", "db.t", changes=wire("RENAME COLUMN state TO status", "ADD COLUMN x INT"))
    assert table.schema().fields[1].default == table.schema(1).fields[1].default
    assert table.schema().fields[1].name == "status"


def test_what_we_say_of_fields_and_tables_survives_pypaimons_changes(store: SchemaStore, paimon: Warehouse) -> None:
    said = {
        "schemas.table": '{"owner":"team-bi"}',
        "schemas.field.1": '{"alias":["remark"],"unit":"EUR"}',
        "schemas.policy": '{"protect":{"jobs":"block"}}',
    }
    store.create_table("db.t", "id INT, note STRING", options=said)
    paimon.ask("alter", "db.t", changes=wire("RENAME COLUMN note TO text", "ADD COLUMN x INT", "SET OPTION a.b = c"))
    paimon.ask("alter", "db.t", changes=wire("DROP COLUMN x", "UNSET OPTION a.b"))
    schema = store.table("db.t").schema()
    assert {**schema.options} == said
    assert schema.table_attributes["owner"] == "team-bi"
    assert schema.attributes(1)["unit"] == "EUR"
    assert store.table("db.t").policy().protect.jobs.value == "block"


def test_where_a_version_comes_from_is_said_of_that_version_only(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("db.t", "id INT", run="nightly")
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN x INT"))
    store.table("db.t").evolve("ADD COLUMN y INT", run="daily")
    assert [("schemas" in schema_file(store, number)) for number in (0, 1, 2)] == [True, False, True]
    newest, theirs, first = store.table("db.t").history()
    assert (newest.run, theirs.outside, first.run) == ("daily", True, "nightly")
    assert newest.provenance is not None
    assert newest.provenance.parent_sha256 == theirs.version.digest
    assert "by an outside writer" in str(theirs)
    assert store.table("db.t").inspect().notes == ("by an outside writer: version 1",)


def test_what_we_leave_beside_the_schemas_disturbs_nobody(store: SchemaStore, paimon: Warehouse, tmp_path: Path) -> None:
    store.create_table("db.t", "id INT NOT NULL, note STRING", primary_keys=["id"], options={"bucket": "1"})
    table = store.table("db.t")
    table.register("id INT", consumer="report")
    table.waive("FIELD_DROPPED", "note", until="2999-01-01", reason="INC-1")
    table.save_plan(table.plan("ADD COLUMN z INT"))
    table.create_branch("b1")
    folder = tmp_path / "lake/db.db/t/schema"
    for name in (".schema-1.0123456789abcdef.tmp", ".schema-7.x.tmp", "schema-1.tmp", "schema-x", ".more-00"):
        (folder / name).write_bytes(b"half a fi")
    paimon.ask("write", "db.t", rows=[{"id": 1, "note": "a"}])
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN x INT"))
    assert paimon.ask("schemas", "db.t") == [0, 1]
    assert table.numbers() == (0, 1)
    assert paimon.ask("read", "db.t") == [{"id": 1, "note": "a", "x": None}]
    assert paimon.ask("databases") == ["db"]
    assert paimon.ask("tables", database="db") == ["t"]
    assert store.tables("db") == ("t",)


def test_a_version_that_we_expire_is_missed_by_nobody(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("db.t", "id INT NOT NULL, note STRING")
    table = store.table("db.t")
    table.evolve("ADD COLUMN a INT")
    paimon.ask("write", "db.t", rows=[{"id": 1, "note": "x", "a": 2}])
    for column in "bcd":
        table.evolve(f"ADD COLUMN {column} INT")
    paimon.ask("write", "db.t", rows=[{"id": 2, "note": "y", "d": 3}])
    table.evolve("ADD COLUMN e INT")
    expiry = table.expire(timedelta(0), dry_run=False)
    assert expiry.deleted == (0, 2, 3)
    assert [one.number for one in expiry.kept] == [1, 4, 5]
    assert paimon.ask("schemas", "db.t") == [1, 4, 5]
    assert [row["id"] for row in by_id(paimon.ask("read", "db.t"))] == [1, 2]
    paimon.ask("alter", "db.t", changes=wire("DROP COLUMN a"))
    paimon.ask("branch", "db.t", branch="b1")
    assert table.numbers() == table.branch("b1").numbers() == (1, 4, 5, 6)
    assert table.evolve("ADD COLUMN f INT").number == 7


def test_a_table_of_ours_that_pypaimon_renames_or_drops_is_found_so(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("db.t", "id INT")
    store.table("db.t").evolve("ADD COLUMN a INT")
    paimon.ask("rename", "db.t", new="db.u")
    assert store.tables("db") == ("u",)
    assert len(store.table("db.u").history()) == 2
    paimon.ask("drop", "db.u")
    assert not store.exists("db.u")
    assert store.create_table("db.u", "id INT").created


def test_a_table_that_we_rename_or_drop_is_found_so_by_pypaimon(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("db.t", "id INT")
    paimon.ask("write", "db.t", rows=[{"id": 1}])
    store.rename_table("db.t", "db.u")
    assert paimon.ask("read", "db.u") == [{"id": 1}]
    store.drop_table("db.u", purge=True)
    assert paimon.ask("tables", database="db") == []
    with pytest.raises(RefusedThereError, match="TableNotExist"):
        paimon.ask("read", "db.u")
