"""Partitions of plain folders and of manifests: the right values whatever folders are called, and only the files that a filter needs."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.projection.projection import project
from airflow_provider_schemas.core.types.nested import row
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.file_schemas import ResolvedFile
from airflow_provider_schemas.spark.files.partition_values import PartitionValue, route
from airflow_provider_schemas.spark.reading.project_columns import apply_projection
from airflow_provider_schemas.spark.reading.scan import read_scan
from airflow_provider_schemas.spark.reading.scan_planning import plan_scans
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource, WrittenSchema
from tests.spark.support.folders import Folder, rows

HARD = "a b/c%d=e:ü'\"\\"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, classic_spark: Any) -> Folder:
    """Partitioned by a text and a day; the text was renamed, and something else called so, after some were written."""
    made = Folder(tmp_path_factory.mktemp("lake"), "id INT, land STRING, day DATE, hour TINYINT, price DECIMAL(6, 2)")
    by = ("land", "day", "hour", "price")
    rows_before = [
        (1, "no", date(2025, 1, 1), 1, Decimal("1.50")),
        (2, None, None, None, None),
        (3, HARD, date(2025, 1, 2), -2, Decimal("-0.05")),
    ]
    made.write(classic_spark, rows_before, by=by)
    made.evolve("RENAME COLUMN land TO country")
    made.retype("hour", "INT")
    made.write(classic_spark, [(4, "se", date(2025, 1, 1), 300, Decimal("2.00"))], by=("country", "day", "hour", "price"))
    (made.data / "_temporary/0").mkdir(parents=True)
    (made.data / "_temporary/0/half.parquet").write_bytes(b"PAR1")
    (made.data / ".hidden.parquet").write_bytes(b"")
    return made


def test_values_come_from_the_folders_whatever_the_column_is_called(spark: Any, folder: Folder) -> None:
    frame = read_table(spark, folder.table)
    assert rows(frame, "id", "country", "day", "hour", "price") == [
        (1, "no", date(2025, 1, 1), 1, Decimal("1.50")),
        (2, None, None, None, None),
        (3, HARD, date(2025, 1, 2), -2, Decimal("-0.05")),
        (4, "se", date(2025, 1, 1), 300, Decimal("2.00")),
    ]
    assert rows(frame.where("country = 'no'").select("id")) == [(1,)]
    assert rows(frame.where("hour = 300 or price < 0").select("id")) == [(3,), (4,)]
    assert rows(frame.where("country is null").select("id")) == [(2,)]


def test_a_filter_on_a_partition_leaves_files_unread(classic_spark: Any, folder: Folder) -> None:
    frame = read_table(classic_spark, folder.table).where("day = date'2025-01-02' and id > 2").select("id")
    plan = frame._jdf.queryExecution().executedPlan().toString()
    assert plan.count("PartitionFilters: [isnotnull(day") == plan.count("FileScan parquet") == 2
    assert plan.count("GreaterThan(id,2)") == 2
    assert plan.count("ReadSchema: struct<id:int>") == 2


def test_folders_that_spark_does_not_find_by_itself_give_their_values_too(spark: Any, classic_spark: Any, tmp_path: Path) -> None:
    made = Folder(tmp_path, "id INT, land STRING, Hour INT")
    fields = struct_type(made.table.schema().fields[:1])
    places = ["land=no/batch1/hour=3", "land=se/batch1/hour=4", "land=/hour=5", "land=fi/hour=6"]
    for number, place in enumerate(places):
        classic_spark.createDataFrame([(number,)], fields).coalesce(1).write.parquet(f"{made.data}/{place}")
    frame = read_table(spark, made.table)
    assert rows(frame) == [(0, "no", 3), (1, "se", 4), (2, "", 5), (3, "fi", 6)]
    assert rows(frame.where("Hour > 3 and land <> 'fi'").select("id")) == [(1,), (2,)]


# ---------------------------------------------------------------- values that no folder tells

COLUMNS = "id INT, s STRING, d DATE, n DECIMAL(10, 2), b BOOLEAN, t TIMESTAMP(6), l TIMESTAMP(6) WITH LOCAL TIME ZONE, x BYTES, f DOUBLE"


def test_literals_and_folders_of_manifests_give_the_values(spark: Any, classic_spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, COLUMNS)
    fields = folder.table.schema().fields
    given = {
        "plain": (
            "it's \\ \"",
            date(1969, 12, 31),
            Decimal("-1.50"),
            True,
            datetime.fromisoformat("2025-01-02T03:04:05.000006"),
            datetime(2025, 1, 2, 3, tzinfo=UTC),
            b"\x00'",
            -0.5,
        ),
        "nulls": (None,) * 8,
        "d=20000": (
            "",
            date(2024, 10, 4),
            Decimal("12345678.90"),
            False,
            datetime.fromisoformat("0001-01-01"),
            datetime(1960, 1, 1, tzinfo=UTC),
            b"",
            float("inf"),
        ),
    }
    sources = []
    for number, (inside, values) in enumerate(given.items()):
        classic_spark.range(number, number + 1).selectExpr("cast(id as int) id", "'in the file' s").coalesce(1).write.parquet(
            str(folder.data / inside)
        )
        path = f"file://{folder.files(inside)[0]}"
        written = WrittenSchema(fields[:1], frozenset({"id", "s"}), fields[1:], SchemaSource.MANIFEST, 0)
        told = tuple(
            PartitionValue(field, value, "20000" if inside == "d=20000" and field.name == "d" else None)
            for field, value in zip(fields[1:], values, strict=True)
        )
        sources.append(ResolvedFile(DataFile(path=path, size=1, version=0), written, told, f"file://{folder.data}"))
    found: dict[int, tuple[Any, ...]] = {}
    for scan in plan_scans(sources, fields):
        frame = apply_projection(read_scan(spark, scan), project(scan.written, row(fields)))
        utc = frame.selectExpr("id", "s", "d", "n", "b", "t", "cast(unix_micros(l) as string)", "x", "f")
        found |= {one[0]: tuple(one)[1:] for one in utc.collect()}
    for number, values in enumerate(given.values()):
        expected = list(values)
        if values[5] is not None:
            since = values[5] - datetime(1970, 1, 1, tzinfo=UTC)
            expected[5] = str((since.days * 86_400 + since.seconds) * 1_000_000)
        *others, data, real = found[number]
        assert [*others, None if data is None else bytes(data), real] == expected


def test_days_in_the_names_of_folders_are_told_by_them(folder: Folder) -> None:
    field = folder.table.schema().field("day")
    assert field is not None
    ways = [route(PartitionValue(field, date(2024, 10, 4), text)).way for text in ("20000", "2024-10-04", "20001", "nonsense", None)]
    assert ways == ["days", "folder", "value", "value", "value"]
    assert route(PartitionValue(field, None, "__HIVE_DEFAULT_PARTITION__")).way == "folder"
    assert route(PartitionValue(field, None, "__DEFAULT_PARTITION__")).way == "value"


# ---------------------------------------------------------------- nothing there


def test_an_empty_folder_is_an_empty_frame_with_the_right_columns_and_none_is_an_error(spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id BIGINT NOT NULL, address ROW<city STRING>")
    with pytest.raises(NotThereError) as caught:
        read_table(spark, folder.table)
    assert caught.value.code == "read.no-folder"
    folder.data.mkdir()
    frame = read_table(spark, folder.table, bad_values="quarantine")
    assert (frame.columns, frame.collect()) == (["id", "address", "_bad"], [])
