"""Stamping: field ids that survive whatever writes the frame, and everything about a frame that does not fit its table."""

import logging
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.errors import FormatError, IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark import stamp, stamp_catalog_table
from airflow_provider_schemas.spark.session import functions_of
from airflow_provider_schemas.store import SchemaStore

ORDERS = TableSchema.create(
    columns="""id BIGINT NOT NULL, who ROW<name STRING, born DATE>, lines ARRAY<ROW<sku STRING, price DECIMAL(10, 2)>>,
    tags MAP<STRING, ROW<`at` TIMESTAMP(6)>>, dt STRING""",
    partition_keys=["dt"],
)
ROW = """SELECT 1L AS id, named_struct('name', 'ana', 'born', DATE'1990-01-02') AS who,
array(named_struct('sku', 'x', 'price', 1.25BD)) AS lines,
map('a', named_struct('at', TIMESTAMP_NTZ'2026-11-18 01:02:03')) AS tags, 'd1' AS dt"""
_FIELD = re.compile(r"field_id=(-?\d+) (\w+)")
_OF_CONTAINERS = ("spark_schema", "list", "element", "key_value", "key", "value")
IDS = {"id": 0, "who": 1, "who.name": 2, "who.born": 3, "lines": 4, "sku": 5, "price": 6, "tags": 7, "at": 8}


def orders(spark: Any) -> Any:
    """Rows as a job has them: the columns in another order, no ids."""
    frame = spark.sql(ROW)
    return frame.selectExpr("dt", "tags", "cast(lines AS ARRAY<STRUCT<sku: STRING, price: DECIMAL(10, 2)>>) AS lines", "who", "id")


def ids(folder: Path) -> dict[str, int]:
    """The field ids in the footers of a folder, by the names of the fields as far as these tell them apart."""
    from pyarrow.parquet import ParquetFile

    texts = [str(ParquetFile(file).schema) for file in sorted(folder.rglob("*.parquet"))]
    found = {name: int(number) for text in texts for number, name in _FIELD.findall(text) if name not in _OF_CONTAINERS}
    return {("who." if name in ("name", "born") else "") + name: number for name, number in found.items()}


# ---------------------------------------------------------------- what survives


def test_ids_survive_the_writer_of_the_job_nested_ones_too(spark: Any, tmp_path: Path) -> None:
    stamped = stamp(orders(spark), ORDERS)
    assert stamped.columns == ["id", "who", "lines", "tags", "dt"]
    stamped.write.partitionBy("dt").mode("append").parquet(str(tmp_path / "out"))
    stamped.repartition(1).write.mode("append").option("compression", "gzip").parquet(str(tmp_path / "out" / "dt=d2"))
    assert ids(tmp_path / "out" / "dt=d1") == IDS
    assert ids(tmp_path / "out" / "dt=d2") == {**IDS, "dt": 9}
    assert stamp(stamped, ORDERS).schema == stamped.schema
    assert stamped.collect()[0].asDict(True) == orders(spark).select(*stamped.columns).collect()[0].asDict(True)


ROWS = "VALUES (1L, 'a', named_struct('x', 1)) AS t(id, name, place)"
FRAMES = {
    "literals": "SELECT 1L AS id, 'a' AS name, named_struct('x', 1) AS place",
    "rows": f"SELECT * FROM {ROWS}",
    "filter": f"SELECT * FROM {ROWS} WHERE id > 0",
    "group": f"SELECT id, max(name) AS name, first(place) AS place FROM {ROWS} GROUP BY id",
}


@pytest.mark.parametrize("rows", FRAMES.values(), ids=FRAMES)
def test_ids_of_columns_without_lists_survive_whatever_made_the_frame(spark: Any, tmp_path: Path, rows: str) -> None:
    """Spark's optimizer drops the metadata of attributes; that of an alias it keeps."""
    table = TableSchema.create(columns="id BIGINT, name STRING, place ROW<x INT>")
    stamp(spark.sql(rows), table).write.parquet(str(tmp_path / "out"))
    assert ids(tmp_path / "out") == {"id": 0, "who.name": 1, "place": 2, "x": 3}


def test_a_table_that_was_saved_so_gives_ids_to_an_insert_that_knows_nothing_of_them(spark: Any, tmp_path: Path) -> None:
    name, place = f"t{uuid4().hex}", tmp_path / "saved"
    stamp(orders(spark), ORDERS).write.option("path", str(place)).format("parquet").saveAsTable(name)
    before = set(place.glob("*.parquet"))
    orders(spark).select("id", "who", "lines", "tags", "dt").write.insertInto(name)
    (tmp_path / "inserted").mkdir()
    for file in set(place.glob("*.parquet")) - before:
        file.rename(tmp_path / "inserted" / file.name)
    assert ids(tmp_path / "inserted") == {**IDS, "dt": 9}
    spark.sql(f"DROP TABLE {name}")


def test_plain_spark_reads_such_files_right_across_a_rename_if_it_is_told_to_look_at_ids(spark: Any, tmp_path: Path) -> None:
    old = TableSchema.create(columns="order_id BIGINT, cust_id BIGINT")
    new = evolve(old, parse_changes(["RENAME COLUMN cust_id TO customer_id"]))
    stamp(spark.sql("SELECT 1L AS order_id, 7L AS cust_id"), old).write.parquet(str(tmp_path / "out"))
    stamped = stamp(spark.sql("SELECT 2L AS order_id, 8L AS customer_id"), new)
    stamped.write.mode("append").parquet(str(tmp_path / "out"))

    def read() -> list[tuple[int, int]]:
        return sorted(tuple(row) for row in spark.read.schema(stamped.schema).parquet(str(tmp_path / "out")).collect())

    assert read() == [(1, None), (2, 8)]
    spark.conf.set("spark.sql.parquet.fieldId.read.enabled", "true")
    try:
        assert read() == [(1, 7), (2, 8)]
    finally:
        spark.conf.unset("spark.sql.parquet.fieldId.read.enabled")


def test_a_table_of_the_catalog_can_be_stamped_itself(classic_spark: Any, tmp_path: Path) -> None:
    name, place = f"t{uuid4().hex}", tmp_path / "plain"
    classic_spark.sql(
        f"""CREATE TABLE {name} (id BIGINT COMMENT 'which', who STRUCT<name: STRING, born: DATE>, code VARCHAR(5), dt STRING)
        USING parquet PARTITIONED BY (dt) LOCATION '{place}'"""
    )
    head = TableSchema.create(columns="dt STRING, code VARCHAR(5), id BIGINT, who ROW<name STRING, born DATE>")
    stamp_catalog_table(classic_spark, name, head)
    rows = classic_spark.sql(ROW).selectExpr("id", "who", "'abc' AS code", "dt")
    rows.write.insertInto(name)
    assert ids(place) == {"id": 2, "who": 3, "who.name": 4, "who.born": 5, "code": 1}
    assert classic_spark.table(name).schema["id"].metadata == {"comment": "which", "parquet.field.id": 2}
    with pytest.raises(Exception, match="EXCEED_LIMIT_LENGTH"):
        rows.selectExpr("id", "who", "'abcdef'", "dt").write.insertInto(name)
    classic_spark.sql(f"DROP TABLE {name}")


def test_a_table_of_the_catalog_with_files_without_ids_is_not_made_unreadable(classic_spark: Any, tmp_path: Path) -> None:
    name, head = f"t{uuid4().hex}", TableSchema.create(columns="id BIGINT")
    classic_spark.range(3).coalesce(1).write.option("path", str(tmp_path / "a b")).saveAsTable(name)
    with pytest.raises(SparkError, match="1 of its 1 files have no field ids") as caught:
        stamp_catalog_table(classic_spark, name, head)
    assert caught.value.code == "spark.without-ids"
    assert classic_spark.table(name).count() == len(classic_spark.table(name).collect()) == 3
    classic_spark.conf.set("spark.sql.parquet.fieldId.read.ignoreMissing", "true")
    try:
        stamp_catalog_table(classic_spark, name, head)
        assert len(classic_spark.table(name).collect()) == 3
    finally:
        classic_spark.conf.unset("spark.sql.parquet.fieldId.read.ignoreMissing")
    classic_spark.sql(f"DROP TABLE {name}")


def test_what_cannot_be_stamped_in_the_catalog_is_told(classic_spark: Any, connect_spark: Any) -> None:
    name = f"t{uuid4().hex}"
    head = TableSchema.create(columns="id BIGINT")
    classic_spark.sql(f"CREATE TABLE {name} (id BIGINT) USING orc")
    for asked, code in ((name, "spark.not-parquet"), ("nowhere", "spark.no-catalog-table"), ("not a (name", "spark.no-catalog-table")):
        with pytest.raises(SparkError) as caught:
            stamp_catalog_table(classic_spark, asked, head)
        assert caught.value.code == code
    with pytest.raises(SparkError, match="saveAsTable"):
        stamp_catalog_table(connect_spark, name, head)
    classic_spark.sql(f"DROP TABLE {name}")


# ---------------------------------------------------------------- what differs


def test_what_loses_nothing_is_converted_and_told(spark: Any, caplog: pytest.LogCaptureFixture) -> None:
    head = TableSchema.create(columns="id BIGINT, price DECIMAL(12, 2), who ROW<name STRING, age BIGINT>, note STRING, code CHAR(3)")
    frame = spark.sql("SELECT 1 AS id, 1.50BD AS price, named_struct('age', 7, 'name', 'ana') AS who, 'abc' AS code")
    with caplog.at_level(logging.WARNING):
        stamped = stamp(frame, head)
    for told in ("id is INT in the frame and is written as BIGINT", "who.age is INT", "note is not in the frame and is written as NULL"):
        assert told in caplog.text
    assert "code" not in caplog.text
    assert [one.dataType.simpleString() for one in stamped.schema] == [
        "bigint",
        "decimal(12,2)",
        "struct<name:string,age:bigint>",
        "string",
        "string",
    ]
    who: Any = stamped.schema["who"].dataType
    assert [one.metadata["parquet.field.id"] for one in who] == [3, 4]
    assert stamped.collect()[0].asDict(True) == {
        "id": 1,
        "price": frame.collect()[0]["price"],
        "who": {"name": "ana", "age": 7},
        "note": None,
        "code": "abc",
    }


def test_everything_that_does_not_fit_is_said_at_once_at_every_level(classic_spark: Any) -> None:
    head = TableSchema.create(
        columns="""id BIGINT NOT NULL, who ROW<name STRING, born DATE>, tags MAP<INT, STRING>, amount DECIMAL(10, 2), t TIME,
        needed INT NOT NULL, filled INT DEFAULT 3"""
    )
    frame = classic_spark.sql(
        """SELECT 'x' AS id, named_struct('name', 1.5D, 'sex', 'f') AS who, map(1L, 'a') AS tags, 1.234BD AS amount,
        7 AS t, 1 AS more, 2 AS AMOUNT2"""
    )
    with pytest.raises(IncompatibleSchemaError) as caught:
        stamp(frame, head)
    found = {(fault.path, fault.code) for fault in caught.value.faults}
    assert found == {
        ("id", "spark.lossy"),
        ("who.name", "spark.lossy"),
        ("who.sex", "spark.extra"),
        ("tags.key", "spark.lossy"),
        ("amount", "spark.lossy"),
        ("t", "spark.type"),
        ("needed", "spark.required"),
        ("filled", "spark.default"),
        ("more", "spark.extra"),
        ("AMOUNT2", "spark.extra"),
    }


@pytest.mark.parametrize("columns", ["id BIGINT", "id BIGINT, t TIME, v VECTOR<FLOAT, 3>, n ROW<x TIMESTAMP(9)>"])
def test_a_column_that_spark_cannot_hold_is_no_fault_of_a_frame_without_it(classic_spark: Any, columns: str) -> None:
    assert stamp(classic_spark.range(1), TableSchema.create(columns=columns)).columns == ["id"]


def test_names_that_differ_in_case_or_come_twice_are_told(classic_spark: Any) -> None:
    head = TableSchema.create(columns="id BIGINT, name STRING")
    with pytest.raises(IncompatibleSchemaError, match="calls this column name"):
        stamp(classic_spark.sql("SELECT 1L AS id, 'x' AS Name"), head)
    with pytest.raises(FormatError, match="two fields named 'id'"):
        stamp(classic_spark.sql("SELECT 1L AS id, 2L AS id, 'x' AS name"), head)


def test_names_with_dots_and_quotes_are_columns_like_others(classic_spark: Any) -> None:
    head = TableSchema.create(columns="`a.b` BIGINT, `c``d` INT, `é e` ROW<`x.y` INT>")
    frame = classic_spark.sql("SELECT 1 AS `a.b`, 2 AS `c``d`, named_struct('x.y', 3) AS `é e`")
    assert [tuple(row) for row in stamp(frame, head).collect()] == [(1, 2, (3,))]


# ---------------------------------------------------------------- ids that a frame brings along


def test_what_a_with_column_dropped_is_told_and_mended(spark: Any, caplog: pytest.LogCaptureFixture) -> None:
    functions = functions_of(spark)
    changed = stamp(orders(spark), ORDERS).withColumn("id", functions.col("id") + 1)
    changed = changed.withColumn("who", functions.col("who").withField("name", functions.lit("eva")))
    with caplog.at_level(logging.WARNING):
        stamped = stamp(changed, ORDERS)
    for path in ("id", "who", "who.name"):
        assert f"{path} had lost its id and has it again" in caplog.text
    assert "born had" not in caplog.text
    assert stamped.schema["id"].metadata == {"parquet.field.id": 0}
    who: Any = stamped.schema["who"].dataType
    assert who["name"].metadata == {"parquet.field.id": 2}


def test_an_id_that_the_name_does_not_have_any_more_is_refused(classic_spark: Any) -> None:
    old = TableSchema.create(columns="id BIGINT, cust STRING, note STRING")
    new = evolve(old, parse_changes(["RENAME COLUMN cust TO customer", "DROP COLUMN note", "ADD COLUMN note STRING"]))
    frame = stamp(classic_spark.sql("SELECT 1L AS id, 'ana' AS cust, 'x' AS note"), old)
    with pytest.raises(IncompatibleSchemaError) as caught:
        stamp(frame, new)
    said = {fault.path: str(fault) for fault in caught.value.faults}
    assert "the table calls this column customer. Rename it" in said["cust"]
    assert "bears the field id 2, which the table does not have any more" in said["note"]
    functions = functions_of(frame)
    meant = frame.withColumnRenamed("cust", "customer").withColumn("note", functions.col("note").alias("note", metadata={}))
    assert stamp(meant, new).schema["note"].metadata == {"parquet.field.id": 3}


def test_two_names_that_were_swapped_are_refused_and_a_copy_is_told(classic_spark: Any, caplog: pytest.LogCaptureFixture) -> None:
    head = TableSchema.create(columns="a BIGINT, b BIGINT")
    frame = stamp(classic_spark.sql("SELECT 1L AS a, 2L AS b"), head)
    with pytest.raises(IncompatibleSchemaError, match="bears the field id 1, which is b now") as caught:
        stamp(frame.selectExpr("b AS a", "a AS b"), head)
    assert [fault.code for fault in caught.value.faults] == ["spark.other-field"] * 2
    with caplog.at_level(logging.WARNING):
        assert [one.metadata for one in stamp(frame.selectExpr("a", "a AS b"), head).schema] == [
            {"parquet.field.id": 0},
            {"parquet.field.id": 1},
        ]
    assert "b is a copy of a" in caplog.text


# ---------------------------------------------------------------- what is asked


def test_the_head_of_a_table_counts(classic_spark: Any, ours: SchemaStore) -> None:
    frame = classic_spark.sql("SELECT 1L AS order_id, 2L AS cust_id, CAST(1.5 AS DECIMAL(10, 2)) AS amount, 'c' AS coupon")
    table = ours.table("shop.orders")
    assert stamp(frame, table).columns == ["order_id", "cust_id", "amount", "coupon"]
    table.evolve("DROP COLUMN coupon", override="a test")
    with pytest.raises(IncompatibleSchemaError, match="coupon: the table has no such column"):
        stamp(frame, table)


def test_a_session_that_leaves_ids_out_is_not_written_with(classic_spark: Any) -> None:
    classic_spark.conf.set("spark.sql.parquet.fieldId.write.enabled", "false")
    try:
        with pytest.raises(SparkError, match="leaves field ids out"):
            stamp(classic_spark.range(1), TableSchema.create(columns="id BIGINT"))
    finally:
        classic_spark.conf.unset("spark.sql.parquet.fieldId.write.enabled")


def test_what_is_no_table_and_no_frame_is_told(classic_spark: Any) -> None:
    with pytest.raises(SparkError, match="no table of a store"):
        stamp(classic_spark.range(1), "shop.orders")  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(SparkError, match="no DataFrame"):
        stamp([1], TableSchema.create(columns="id BIGINT"))  # type: ignore[arg-type]  # what a user may try


def test_a_stream_can_be_stamped(classic_spark: Any) -> None:
    stream = classic_spark.readStream.format("rate").load().selectExpr("value")
    stamped = stamp(stream, TableSchema.create(columns="value BIGINT"))
    assert stamped.isStreaming
    assert stamped.schema["value"].metadata == {"parquet.field.id": 0}
