"""Data next to what is expected of it: what breaks, how often, which rows, and what is left of the frame."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, TableSchema
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.report_json import report_dict, report_of
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError, SparkError
from airflow_provider_schemas.render import json_text, text
from airflow_provider_schemas.spark import validate
from airflow_provider_schemas.spark.validation.result import Validation
from airflow_provider_schemas.store import SchemaStore

TABLE = TableSchema.create(
    """order_id BIGINT NOT NULL, pieces TINYINT, name VARCHAR(3), code BINARY(2), price DECIMAL(5, 2), whole INT, ratio FLOAT,
       day DATE, at TIMESTAMP(3), address ROW<city STRING NOT NULL, zip VARCHAR(2)>, tags ARRAY<VARCHAR(2) NOT NULL>,
       counts MAP<STRING NOT NULL, INT NOT NULL>, coupon STRING""",
    primary_keys=["order_id"],
)
GOOD = """(7L, 127, 'äöü', X'0102', -999.990BD, -2147483648.0BD, 0.5D, timestamp_ntz'2025-01-01 00:00:00',
    timestamp_ntz'2025-01-01 00:00:00.123', named_struct('city', 'Ulm', 'zip', 'ab'), array('a', 'bc'), map('k', 1))"""
EMPTY = "(8L, null, null, null, null, null, null, null, null, null, null, null)"
BAD = """(null, 128, 'abcd', X'010203', 1000.000BD, 2147483648.0BD, 0.1D, timestamp_ntz'2025-01-01 00:00:01',
    timestamp_ntz'2025-01-01 00:00:00.1234', named_struct('city', null, 'zip', 'abc'), array('a', null), map('k', null))"""
WORSE = """(9L, -129, '', X'', 0.001BD, 0.5BD, 1e300D, null, null, null, array('abc'), map())"""
TWICE = "(9L, 1, '', X'', 0.01BD, 0.0BD, 1D, null, null, null, array(), map())"
COLUMNS = "order_id, pieces, name, code, price, whole, ratio, day, at, address, tags, counts"


def rows(spark: Any, *values: str) -> Any:
    """A frame of these rows, with types as wide as Spark likes them."""
    return spark.sql(f"select {COLUMNS} from values {', '.join(values)} as t({COLUMNS})")


def one_bad_row(spark: Any) -> Any:
    return rows(spark, GOOD, BAD).where("pieces = 128").coalesce(1)


def found(validation: Validation) -> dict[tuple[str, str], int]:
    return {(one.rule, one.path): one.count for one in validation.findings if one.verdict is Verdict.BREAK}


ALL = {
    ("DATA_NULL", "order_id"): 1,
    ("DATA_OUT_OF_RANGE", "pieces"): 2,
    ("DATA_TOO_LONG", "name"): 1,
    ("DATA_TOO_LONG", "code"): 1,
    ("DATA_OUT_OF_RANGE", "price"): 1,
    ("DATA_INEXACT", "price"): 1,
    ("DATA_OUT_OF_RANGE", "whole"): 1,
    ("DATA_INEXACT", "whole"): 1,
    ("DATA_INEXACT", "ratio"): 2,
    ("DATA_INEXACT", "day"): 1,
    ("DATA_INEXACT", "at"): 1,
    ("DATA_NULL", "address.city"): 1,
    ("DATA_TOO_LONG", "address.zip"): 1,
    ("DATA_NULL", "tags[]"): 1,
    ("DATA_TOO_LONG", "tags[]"): 1,
    ("DATA_NULL", "counts{}"): 1,
    ("DATA_KEY_DUPLICATE", "primaryKeys"): 2,
}


# ---------------------------------------------------------------- rows


def test_every_check_counts_its_rows_and_shows_some(spark: Any) -> None:
    validation = validate(rows(spark, GOOD, EMPTY, BAD, WORSE, TWICE), TABLE)
    assert found(validation) == ALL
    assert validation.rows == 5
    assert not validation.fits
    by = {(one.rule, one.path): one for one in validation.findings}
    assert by["DATA_OUT_OF_RANGE", "pieces"].samples in (
        ({"order_id": None, "pieces": 128}, {"order_id": 9, "pieces": -129}),
        ({"order_id": 9, "pieces": -129}, {"order_id": None, "pieces": 128}),
    )
    assert by["DATA_OUT_OF_RANGE", "price"].samples == ({"order_id": None, "price": "1000.000"},)
    assert by["DATA_TOO_LONG", "code"].samples == ({"order_id": None, "code": "0x010203"},)
    assert by["DATA_KEY_DUPLICATE", "primaryKeys"].samples == ({"order_id": 9, "how many": 2},)
    assert by["DATA_KEY_DUPLICATE", "primaryKeys"].message == "2 of 5 rows share 1 key that must be unique: (order_id)."
    assert by["DATA_COLUMN_MISSING", "coupon"].verdict is Verdict.WARN


def test_good_rows_fit_and_nothing_is_said_of_them(classic_spark: Any) -> None:
    validation = validate(rows(classic_spark, GOOD, EMPTY).selectExpr("*", "cast(null as string) as coupon"), TABLE, mode="raise")
    assert validation.report.findings == ()
    assert (validation.rows, validation.fits) == (2, True)


def test_settings_of_the_session_make_no_difference(classic_spark: Any) -> None:
    frame = rows(classic_spark, GOOD, EMPTY, BAD, WORSE, TWICE)
    frame.cache()
    settings = {
        "spark.sql.ansi.enabled": "false",
        "spark.sql.session.timeZone": "Asia/Kolkata",
        "spark.sql.ansi.doubleQuotedIdentifiers": "true",
        "spark.sql.parser.escapedStringLiterals": "true",
    }
    before = {key: classic_spark.conf.get(key) for key in settings}
    for key, value in settings.items():
        classic_spark.conf.set(key, value)
    try:
        assert found(validate(frame, TABLE, samples=0)) == ALL
    finally:
        for key, value in before.items():
            classic_spark.conf.set(key, value)
        frame.unpersist()


def test_good_and_bad_rows_are_kept_apart(spark: Any) -> None:
    validation = validate(rows(spark, GOOD, EMPTY, BAD, WORSE, TWICE), TABLE, mode="quarantine", samples=0)
    assert sorted(row.order_id for row in validation.good.select("order_id").collect()) == [7, 8]
    bad = {row.pieces: [tuple(one) for one in row._bad] for row in validation.bad.select("pieces", "_bad").collect()}
    assert bad.keys() == {128, -129, 1}
    assert bad[1] == [("primaryKeys", "DATA_KEY_DUPLICATE")]
    assert ("tags[]", "DATA_TOO_LONG") in bad[-129]
    assert {rule for _, rule in bad[128]} == {"DATA_NULL", "DATA_OUT_OF_RANGE", "DATA_TOO_LONG", "DATA_INEXACT"}


def test_conforming_rows_have_the_columns_of_the_table(spark: Any) -> None:
    frame = rows(spark, GOOD, BAD).selectExpr("'x' as remark", "*").withColumnRenamed("name", "NAME")
    validation = validate(frame, TABLE, mode="conform")
    assert {(one.rule, one.path) for one in validation.findings if one.verdict is Verdict.WARN} == {
        ("DATA_COLUMN_MISSING", "coupon"), ("DATA_COLUMN_UNKNOWN", "remark"), ("DATA_COLUMN_RENAMED", "name"),
    }  # fmt: skip
    assert validation.frame.columns == list(TABLE.names)
    kinds = {one.name: one.dataType.simpleString() for one in validation.frame.schema}
    assert (kinds["pieces"], kinds["price"], kinds["ratio"], kinds["day"]) == ("tinyint", "decimal(5,2)", "float", "date")
    (row,) = validation.frame.collect()
    assert (row.order_id, row.name, row.day, row.coupon) == (7, "äöü", date(2025, 1, 1), None)


def test_maps_with_a_key_that_is_null_or_stands_twice_are_found(classic_spark: Any, tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    kind = pa.map_(pa.string(), pa.int32())
    table = pa.table({"id": pa.array([1, 2], pa.int64()), "m": pa.array([[("a", 1), ("a", 2)], [("a", 1), ("b", None)]], kind)})
    parquet.write_table(table, tmp_path / "maps.parquet")
    frame = classic_spark.read.parquet(str(tmp_path))
    assert found(validate(frame, TableSchema.create("id BIGINT, m MAP<STRING NOT NULL, INT>"))) == {("DATA_MAP_KEY_DUPLICATE", "m"): 1}


def test_nothing_but_a_count_is_asked_where_nothing_can_be_wrong(classic_spark: Any) -> None:
    validation = validate(classic_spark.range(3), TableSchema.create("id BIGINT"))
    assert (validation.rows, validation.checks, validation.fits) == (None, 0, True)


@pytest.mark.parametrize(
    ("expected", "mode"),
    [(TABLE, "report"), (TABLE, "quarantine"), (TABLE, "conform"), ("order_id BIGINT", "report"), (["order_id"], "raise")],
    ids=["checks", "quarantine", "conform", "a contract", "no check"],
)
def test_an_empty_frame_fits_and_says_that_no_row_was_seen(spark: Any, expected: Any, mode: str) -> None:
    validation = validate(rows(spark, GOOD).limit(0), expected, mode=mode)
    assert (validation.rows, validation.fits) == (0, True)
    (note,) = validation.report.notes
    assert note.startswith("no row was seen: the data is empty")
    assert note in " ".join(text(validation.report, width=200, color=False).split())
    assert note in json_text(validation.report)
    assert (validation.summary()["rows"], validation.summary()["notes"]) == (0, [note])


@pytest.mark.parametrize("expected", [TABLE, ["order_id"]], ids=["checks", "no check"])
def test_too_few_rows_break(spark: Any, expected: Any) -> None:
    frame = rows(spark, GOOD, EMPTY)
    assert validate(frame, expected, min_rows=2).fits
    assert validate(frame, expected, min_rows=2).rows == 2
    for few, count in ((frame, 2), (frame.limit(0), 0)):
        validation = validate(few, expected, min_rows=3)
        assert (found(validation), validation.rows, validation.fits) == ({("DATA_TOO_FEW_ROWS", ""): 0}, count, False)
        (few_rows,) = [one for one in validation.findings if one.rule == "DATA_TOO_FEW_ROWS"]
        assert few_rows.message == f"the data has {count} rows, and min_rows asks for 3."
        assert report_of(report_dict(validation.report)).findings == validation.report.findings
        kept = validate(few, expected, min_rows=3, mode="quarantine")
        assert (kept.fits, kept.good.count(), kept.bad.count()) == (False, count, 0)
        for mode in ("raise", "conform"):
            with pytest.raises(IncompatibleSchemaError, match="min_rows asks for 3"):
                validate(few, expected, min_rows=3, mode=mode)


# ---------------------------------------------------------------- one pass


def test_all_is_counted_in_one_job_and_rows_are_shown_by_a_second(classic_spark: Any) -> None:
    frame, good = one_bad_row(classic_spark), rows(classic_spark, GOOD).coalesce(1)
    tracker = classic_spark.sparkContext.statusTracker()
    columns = Contract.of("pieces TINYINT, name VARCHAR(3), price DECIMAL(5, 2), day DATE NOT NULL")
    jobs = []
    for which in (good, frame):
        classic_spark.sparkContext.setJobGroup("counting", "")
        before = len(tracker.getJobIdsForGroup("counting"))
        validate(which, columns)
        jobs.append(len(tracker.getJobIdsForGroup("counting")) - before)
    classic_spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    assert jobs[1] == 2 * jobs[0]


def test_many_columns_are_asked_at_once(classic_spark: Any) -> None:
    wide = classic_spark.range(20).selectExpr("id", *[f"if(id = {one} % 20, null, id) as c{one}" for one in range(400)])
    schema = TableSchema.create(", ".join(["id BIGINT", *(f"c{one} TINYINT NOT NULL" for one in range(400))]))
    validation = validate(wide, schema, mode="quarantine", samples=1)
    assert (len(validation.findings), validation.checks) == (400, 800)
    assert {one.count for one in validation.findings} == {1}
    assert validation.good.count() == 0
    assert sum(bool(one.samples) for one in validation.findings) == 40


# ---------------------------------------------------------------- form


def test_what_the_frame_lacks_is_said_all_at_once(spark: Any) -> None:
    frame = spark.sql("select 'a' as order_id, 1 as Pieces, named_struct('city', 'Ulm', 'lane', 1) as address, 2 as remark")
    schema = TableSchema.create(
        "order_id BIGINT NOT NULL, pieces INT NOT NULL, address ROW<city STRING, zip INT NOT NULL>, missing INT NOT NULL"
    )
    validation = validate(frame, schema)
    assert {(one.rule, one.path) for one in validation.findings} == {
        ("DATA_TYPE_DIFFERS", "order_id"),
        ("DATA_COLUMN_RENAMED", "pieces"),
        ("DATA_COLUMN_MISSING", "address.zip"),
        ("DATA_COLUMN_UNKNOWN", "address.lane"),
        ("DATA_COLUMN_MISSING", "missing"),
        ("DATA_COLUMN_UNKNOWN", "remark"),
    }
    with pytest.raises(IncompatibleSchemaError, match="6 faults") as caught:
        validate(frame, schema, mode="raise")
    assert caught.value.report.findings == validation.report.findings
    with pytest.raises(IncompatibleSchemaError, match="missing"):
        validate(frame, schema, mode="conform")
    split = validate(frame, schema, mode="quarantine")
    assert (split.good.count(), split.bad.count()) == (0, 1)


def test_a_column_that_bears_the_id_of_another_name_is_found_again(classic_spark: Any) -> None:
    frame = classic_spark.sql("select 1L as id, 2L as cust_id")
    marked = frame.withMetadata("cust_id", {"parquet.field.id": 1})
    schema = TableSchema.create("id BIGINT, customer_id BIGINT NOT NULL")
    (finding,) = validate(marked, schema).findings
    assert (finding.rule, finding.path, finding.new) == ("DATA_COLUMN_RENAMED", "customer_id", "cust_id")
    assert validate(marked, schema, mode="conform").frame.collect() == [(1, 2)]


def test_a_contract_asks_for_what_its_job_needs_and_no_more(spark: Any) -> None:
    frame = rows(spark, GOOD, BAD)
    needs = {"price": "DECIMAL(5, 2)", "address.city": "STRING NOT NULL", "gone": "INT"}
    contract = Contract.of({"columns": needs}, name="daily_report", owner="team-bi", table="shop.orders")
    validation = validate(frame, contract)
    assert found(validation) == {("DATA_OUT_OF_RANGE", "price"): 1, ("DATA_NULL", "address.city"): 1, ("DATA_COLUMN_MISSING", "gone"): 0}
    assert {one.consumers[0].name for one in validation.findings} == {"daily_report"}
    assert validate(frame, ["price", "tags"]).fits
    assert validate(frame, "tags ARRAY<STRING>").fits
    assert found(validate(frame, {"columns": [{"name": "price", "nullable": False}], "primary_key": ["pieces"]})) == {}
    assert found(validate(frame, {"columns": ["price"], "primary_key": ["number"]})) == {("DATA_COLUMN_MISSING", "number"): 0}
    exact = {"columns": [{"name": "pieces", "type": "BIGINT", "accepts": "exact"}]}
    assert found(validate(frame, exact)) == {("DATA_TYPE_DIFFERS", "pieces"): 0}


def test_what_a_job_needs_inside_a_list_or_a_map_is_asked_of_all_that_lies_there(spark: Any) -> None:
    frame = spark.sql("""
        select * from values
            (array(named_struct('sku', 'a', 'n', 1L), null), map('k', array(named_struct('n', 1L)))),
            (array(named_struct('sku', null, 'n', 3000000000L)), map('k', array(named_struct('n', 3000000000L)))), (null, null)
        as t(items, found)""")
    needs = {"items.sku": "STRING NOT NULL", "items.n": "INT", "found.n": "INT", "items.gone": "INT"}
    validation = validate(frame, {"columns": needs}, mode="quarantine")
    assert found(validation) == {
        ("DATA_NULL", "items[].sku"): 1, ("DATA_OUT_OF_RANGE", "items[].n"): 1, ("DATA_OUT_OF_RANGE", "found{}[].n"): 1,
        ("DATA_COLUMN_MISSING", "items.gone"): 0,
    }  # fmt: skip


def test_fields_that_are_spelled_otherwise_are_found_and_keep_their_values(classic_spark: Any) -> None:
    frame = classic_spark.sql("select array(named_struct('A', 3L, 'B', named_struct('Q', 1), 'z', 5)) as l, named_struct('X', 1) as s")
    schema = TableSchema.create("l ARRAY<ROW<b ROW<q INT>, a TINYINT>>, s ROW<x INT>")
    assert [one for one in found(validate(frame, schema)) if one[0] != "DATA_COLUMN_UNKNOWN"] == [
        ("DATA_COLUMN_RENAMED", "l[].b"), ("DATA_COLUMN_RENAMED", "l[].a"), ("DATA_COLUMN_RENAMED", "s.x"),
    ]  # fmt: skip
    conformed = validate(frame, schema, mode="conform").frame
    assert conformed.schema.simpleString() == "struct<l:array<struct<b:struct<q:int>,a:tinyint>>,s:struct<x:int>>"
    ((items, inner),) = conformed.collect()
    assert (items[0].a, items[0].b.q, inner.x) == (3, 1, 1)
    assert found(validate(frame, {"columns": {"s.x": "INT"}})) == {("DATA_COLUMN_RENAMED", "s.x"): 0}


def test_a_struct_without_any_of_the_fields_is_another_one(classic_spark: Any) -> None:
    frame = classic_spark.sql("select named_struct('p', 1) as s")
    schema = TableSchema.create("s ROW<x INT> NOT NULL")
    assert found(validate(frame, schema)) == {("DATA_TYPE_DIFFERS", "s"): 0}
    with pytest.raises(IncompatibleSchemaError):
        validate(frame, schema, mode="conform")


def test_a_length_that_a_frame_only_declares_is_asked_all_the_same(classic_spark: Any) -> None:
    from pyspark.sql import functions as F  # noqa: N812  # as everybody calls them

    declared = F.lit("longer").alias("a", metadata={"__CHAR_VARCHAR_TYPE_STRING": "varchar(3)"})
    frame = classic_spark.range(1).select(declared)
    assert found(validate(frame, TableSchema.create("a VARCHAR(3)"))) == {("DATA_TOO_LONG", "a"): 1}


@pytest.mark.parametrize("called", ["rows of this key", "the place of the row", "how many", "count"])
def test_columns_may_be_called_as_ours_are(classic_spark: Any, called: str) -> None:
    frame = classic_spark.sql(f"select * from values (1, 1), (1, null), (2, 1), (2, 1) as t(`{called}`, b)")
    schema = TableSchema.create(f"`{called}` INT NOT NULL, b INT NOT NULL", primary_keys=[called])
    validation = validate(frame, schema, mode="quarantine")
    assert found(validation) == {("DATA_NULL", "b"): 1, ("DATA_KEY_DUPLICATE", "primaryKeys"): 4}
    assert all(one.samples for one in validation.findings)
    assert (validation.good.columns, validation.good.count(), validation.bad.count()) == ([called, "b"], 0, 4)
    with pytest.raises(SparkError, match="_bad already"):
        validate(frame.withColumn("_BAD", frame["b"]), schema, mode="quarantine")


@pytest.mark.parametrize("value", ["map('a', 1)", "parse_json('1')", "interval 1 day", "named_struct('m', map('a', 1))"])
def test_a_key_by_which_spark_groups_no_rows_is_told(spark: Any, value: str) -> None:
    validation = validate(spark.sql(f"select {value} as k"), {"columns": ["k"], "primary_key": ["k"]}, mode="quarantine")
    assert validation.report.notes == (
        "whether the primary key is unique was not asked: Spark groups no rows by k, whose type has no order",
    )


def test_a_column_of_a_type_that_no_table_has_is_told_and_one_of_nulls_fits(spark: Any) -> None:
    frame = spark.sql("select 1L as id, null as coupon, null as day, interval 1 day as late, interval 1 day as more")
    schema = TableSchema.create("id BIGINT, coupon STRING, day DATE NOT NULL, late INT")
    validation = validate(frame, schema)
    assert found(validation) == {
        ("DATA_TYPE_DIFFERS", "late"): 0, ("DATA_COLUMN_UNKNOWN", "more"): 0, ("DATA_NULL", "day"): 1,
    }  # fmt: skip
    assert validation.findings[-1].samples == ({"id": 1, "day": None},)
    conformed = validate(frame.drop("late", "more"), "id BIGINT, coupon STRING, day DATE", mode="conform").frame
    assert [one.dataType.simpleString() for one in conformed.schema] == ["bigint", "string", "date"]


def test_the_newest_version_of_a_table_is_meant(classic_spark: Any, ours: SchemaStore) -> None:
    table = ours.table("shop.orders")
    frame = classic_spark.sql("select 1L as order_id, 2L as cust_id, 1.5BD as amount")
    report = validate(frame, table).report
    assert (report.table, report.new, [one.path for one in report.findings]) == ("shop.orders", 1, ["coupon"])
    assert validate(frame, table.version(0)).report.findings == ()


# ---------------------------------------------------------------- streams


def test_rows_of_a_stream_are_kept_apart_as_they_come(classic_spark: Any, tmp_path: Path) -> None:
    folder = str(tmp_path / "landing")
    frame = rows(classic_spark, GOOD, BAD)
    frame.write.parquet(folder)
    stream = classic_spark.readStream.schema(frame.schema).parquet(folder)
    validation = validate(stream, TABLE, mode="conform")
    assert validation.rows is None
    assert validation.report.notes == ("whether the primary key is unique was not asked, which a stream cannot tell",)
    for name, part in (("good", validation.frame), ("bad", validation.bad)):
        query = part.writeStream.format("memory").queryName(name).trigger(availableNow=True).start()
        query.awaitTermination()
    assert [row.order_id for row in classic_spark.table("good").collect()] == [7]
    assert [row.pieces for row in classic_spark.table("bad").collect()] == [128]


def test_of_a_stream_the_schema_is_judged_at_once(classic_spark: Any) -> None:
    stream = classic_spark.readStream.format("rate").load()
    schema = TableSchema.create("value BIGINT NOT NULL, timestamp TIMESTAMP_LTZ(6)", primary_keys=["value"])
    validation = validate(stream, schema)
    assert (validation.fits, validation.rows, len(validation.report.notes)) == (True, None, 2)
    with pytest.raises(IncompatibleSchemaError, match="value is BIGINT in the data"):
        validate(stream, "value STRING", mode="raise")
    with pytest.raises(SparkError, match="unique"):
        validate(stream, schema, unique=True)
    with pytest.raises(SparkError, match="min_rows"):
        validate(stream, schema, min_rows=1)


# ---------------------------------------------------------------- what is said


def test_findings_are_shown_with_their_rows(classic_spark: Any) -> None:
    report = validate(
        rows(classic_spark, GOOD, BAD).where("pieces = 128 or order_id is null"), "order_id BIGINT NOT NULL, pieces TINYINT"
    ).report
    shown = text(report, width=100)
    assert "order_id is NULL in 1 of 1 row." in shown
    assert "order_id NULL" in shown
    assert "writers" not in shown
    assert '"count": 1' in json_text(report)
    assert report_of(report_dict(report)).findings == report.findings


def test_a_summary_is_plain(classic_spark: Any) -> None:
    summary: Mapping[str, Any] = validate(one_bad_row(classic_spark), "order_id BIGINT NOT NULL").summary()
    assert (summary["rows"], summary["fits"], summary["findings"][0]["count"]) == (1, False, 1)
    assert summary["findings"][0]["samples"] == [{"order_id": None}]


def test_bad_arguments_are_told(classic_spark: Any) -> None:
    frame = classic_spark.range(1)
    with pytest.raises(ContractError, match="There are report"):
        validate(frame, "id BIGINT", mode="guess")
    with pytest.raises(ContractError, match="from 0 to 100"):
        validate(frame, "id BIGINT", samples=-1)
    for least in (-1, True, "1", None, 1.0):
        with pytest.raises(ContractError, match="is no number of rows"):
            validate(frame, "id BIGINT", min_rows=least)  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(ContractError, match="is expected"):
        validate(frame, 7)  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(SparkError, match="DataFrame"):
        validate([1], "id BIGINT")  # type: ignore[arg-type]  # what a user may try
    with pytest.raises(SparkError, match="2 faults"):
        validate(frame.selectExpr("id", "id as ID"), ["id"])
    with pytest.raises(SparkError, match="_bad"):
        validate(frame.selectExpr("id", "id as _bad"), ["id"], mode="quarantine")
