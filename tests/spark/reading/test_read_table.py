"""Files of many generations are read as what the table is now, whatever their columns were called when they were written."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.spark.struct_types import struct_type
from tests.spark.support.folders import Folder, rows

COLUMNS = (
    "id BIGINT NOT NULL, cust_id INT, amount DECIMAL(10, 2), note STRING, address ROW<city STRING, zip INT>, tags ARRAY<ROW<k STRING>>"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, classic_spark: Any) -> Folder:
    made = Folder(tmp_path_factory.mktemp("lake"), COLUMNS)
    _generations(made, classic_spark)
    return made


def _generations(folder: Folder, spark: Any) -> None:
    """Four of them: renames and widenings, a column dropped and added again under its name, one more, two that swap their names."""
    folder.write(spark, [(1, 10, Decimal("1.50"), "old", ("Rome", 1), [("a",)]), (2, None, None, None, None, None)])
    folder.evolve("RENAME COLUMN cust_id TO customer_id", "RENAME COLUMN address.zip TO code", "ADD COLUMN address.land STRING")
    folder.retype("customer_id", "BIGINT")
    folder.write(spark, [(3, 3_000_000_000, Decimal("3.50"), "older", ("Oslo", 3, "NO"), [])])
    folder.evolve("DROP COLUMN note", "ADD COLUMN note INT FIRST")
    folder.retype("amount", "DECIMAL(12, 4)")
    folder.write(spark, [(7, 4, 4, Decimal("4.1234"), ("Bonn", 4, "DE"), [("b",), (None,)])])
    folder.evolve(
        "RENAME COLUMN id TO tmp",
        "RENAME COLUMN customer_id TO id",
        "RENAME COLUMN tmp TO customer_id",
        "RENAME COLUMN tags.element.k TO key",
    )
    folder.write(spark, [(8, 5, 50, Decimal("5.5"), None, None)])


EXPECTED = [
    (7, 4, 4, Decimal("4.1234"), ("Bonn", 4, "DE"), [("b",), (None,)]),
    (8, 5, 50, Decimal("5.5000"), None, None),
    (None, 1, 10, Decimal("1.5000"), ("Rome", 1, None), [("a",)]),
    (None, 2, None, None, None, None),
    (None, 3, 3_000_000_000, Decimal("3.5000"), ("Oslo", 3, "NO"), []),
]


def test_every_generation_is_read_as_the_table_is_now(spark: Any, folder: Folder, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "airflow_provider_schemas.spark"):
        frame = read_table(spark, folder.table)
    assert frame.columns == ["note", "customer_id", "id", "amount", "address", "tags"]
    assert rows(frame) == EXPECTED
    assert "4 stamped, 0 unknown" in caplog.text
    assert "id  <- cust_id in 1 of 4 files" in caplog.text


def test_what_is_read_bears_its_ids_and_can_be_written_and_read_again(spark: Any, folder: Folder, tmp_path: Path) -> None:
    frame = read_table(spark, folder.table)
    ids = {one.name: one.metadata[FIELD_ID] for one in frame.schema}
    assert ids == {one.name: one.id for one in folder.table.schema().fields}
    frame.coalesce(1).write.parquet(str(tmp_path / "again"))
    assert rows(read_table(spark, folder.table, path=str(tmp_path / "again"))) == EXPECTED


def test_columns_versions_and_names_of_before(spark: Any, folder: Folder) -> None:
    first = read_table(spark, folder.table, version=0, columns=["cust_id", "note"], bad_values="null")
    assert rows(first) == [(10, "old"), (4, None), (50, None), (None, "older"), (None, None)]
    with pytest.raises(ProjectionError) as caught:
        read_table(spark, folder.table, columns=["cust_id", "nope", "id", "id"])
    told = [(one.code, one.path) for one in caught.value.faults]
    assert told == [("read.no-column", "cust_id"), ("read.no-column", "nope"), ("read.column-twice", "id")]
    assert "It is called id now" in caught.value.faults[0].fix


def test_nested_fields_of_files_without_ids_bear_them_too(spark: Any, classic_spark: Any, tmp_path: Path) -> None:
    nested = Folder(tmp_path, "id INT, s ROW<a INT, b ROW<c STRING>>, l ARRAY<ROW<q INT>>, m MAP<STRING NOT NULL, ROW<v INT>>")
    there = [(1, (1, ("x",)), [(2,), None], {"k": (3,), "n": None}), (2, None, None, None), (3, (None, None), [], {})]
    nested.write(classic_spark, there, ids=False)
    frame = read_table(spark, nested.table)
    assert rows(frame) == there
    frame.coalesce(1).write.parquet(str(tmp_path / "again"))
    again = read_table(spark, nested.table, path=str(tmp_path / "again"))
    assert rows(again) == there
    assert again.schema == frame.schema == struct_type(_loose(nested.table.schema().fields))


def test_of_a_struct_only_the_fields_that_are_used_are_read(classic_spark: Any, tmp_path: Path) -> None:
    nested = Folder(tmp_path, "id INT, s ROW<a INT, b INT>")
    nested.write(classic_spark, [(1, (1, 2))], ids=False)
    nested.write(classic_spark, [(2, (3, 4))])
    nested.evolve("RENAME COLUMN s.a TO c", "ADD COLUMN s.d INT")
    nested.write(classic_spark, [(2, (3, 4, 5))])
    plan = read_table(classic_spark, nested.table).select("s.c")._jdf.queryExecution().executedPlan().toString()
    assert plan.count("FileScan parquet") == plan.count("ReadSchema: struct<s:struct<a:int>>") + 1
    assert plan.count("ReadSchema: struct<s:struct<c:int>>") == 1


def _loose(fields: tuple[Field, ...]) -> list[Field]:
    return [one.with_type(one.type.with_nullable(True)) for one in fields]


@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_containers_not_null_that_were_dropped_and_came_back_are_read_in_every_version(
    spark: Any, classic_spark: Any, tmp_path: Path, kind: str
) -> None:
    columns = {
        "a": ("ARRAY<STRING NOT NULL> NOT NULL", ["x"]),
        "m": ("MAP<STRING, INT> NOT NULL", {"k": 1}),
        "r": ("ROW<a INT, b ARRAY<INT> NOT NULL> NOT NULL", (1, [2])),
        "deep": ("ARRAY<MAP<STRING, ARRAY<INT> NOT NULL> NOT NULL>", [{"k": [1]}]),
    }
    there = tuple(value for _, value in columns.values())
    folder = Folder(tmp_path, ", ".join(["id INT", *(f"{name} {held}" for name, (held, _) in columns.items())]), kind=kind)
    folder.write(classic_spark, [(1, *there)], inside="old")
    folder.evolve(*(f"DROP COLUMN {name}" for name in columns), *(f"ADD COLUMN {name} STRING" for name in columns))
    folder.write(classic_spark, [(2, "a", "m", "r", "deep")], inside="new")
    folder.table.bind(str(folder.data / "old"), 0)
    folder.table.bind(str(folder.data / "new"), folder.table.latest().number)
    assert rows(read_table(spark, folder.table)) == [(1, None, None, None, None), (2, "a", "m", "r", "deep")]
    assert rows(read_table(spark, folder.table, version=0)) == [(1, *there), (2, None, None, None, None)]
