"""A schema from data, and what the data say for it, on a classic session and on Spark Connect."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark import write_files
from airflow_provider_schemas.spark.inference.infer import infer
from airflow_provider_schemas.spark.inference.result import Inferred
from airflow_provider_schemas.store import SchemaStore

# Three values of a text column, what it looks like, and what is noted.
TEXTS: dict[str, tuple[tuple[str | None, ...], str, str]] = {
    "whole numbers": (("1", " -22 ", None), "BIGINT", ""),
    "long numbers": (("1", "1234567890123456789012", "0"), "DECIMAL(22, 0)", ""),
    "codes": (("007", "12", "0"), "", "digits with leading zeros: codes, no numbers"),
    "amounts": (("1.50", "-100", None), "DECIMAL(5, 2)", ""),
    "exponents": (("1.5e3", "2", "-1E-3"), "DOUBLE", ""),
    "days": (("2024-02-29", "2023-01-01", ""), "DATE", "1 blank"),
    "days that are none": (("2023-02-29", "2023-01-01", "2023-01-02"), "", ""),
    "moments": (("2024-01-01 10:00:00", "2024-01-01T10:00:00.123456", "2024-01-01"), "TIMESTAMP(6)", ""),
    "moments in a zone": (("2024-01-01T10:00:00Z", "2024-01-01 10:00:00+02:00", None), "TIMESTAMP(6) WITH LOCAL TIME ZONE", ""),
    "both kinds of moments": (("2024-01-01T10:00:00Z", "2024-01-01 10:00:00", None), "", ""),
    "truths": (("true", "False", None), "BOOLEAN", ""),
    "documents": (('{"a": [1]}', "[]", " {} "), "JSON", ""),
    "documents that are none": (('{"a": [1}', "[]", "{}"), "", ""),
    "words": (("a", "1", "2"), "", ""),
    "nothing": ((None, None, None), "", ""),
    "blanks": (("", "  ", None), "", "2 blank"),
}


def test_text_that_is_something_else_is_told_and_stays_text(spark: Any) -> None:
    rows = [tuple(values[row] for values, _, _ in TEXTS.values()) for row in range(3)]
    found = infer(spark.createDataFrame(rows, ", ".join(f"`{name}` STRING" for name in TEXTS)))
    assert {one.path: [one.looks_like, one.note] for one in found.columns} == {name: answer for name, (_, *answer) in TEXTS.items()}
    assert {str(one.type) for one in found.schema.fields} == {"STRING"}


SEVERAL = """
SELECT * FROM VALUES
  (1, 1.0D, CAST('NaN' AS FLOAT), 1.25BD, 'ab', X'0102', true, DATE'2024-01-01', TIMESTAMP_NTZ'2024-01-01 10:00:00', array(1, null),
    map('k', 1)),
  (3, 2.0D, CAST(1.5 AS FLOAT), 9.75BD, '', X'01', false, DATE'1999-12-31', TIMESTAMP_NTZ'2024-01-01 10:00:01', array(), map()),
  (2, null, null, null, null, null, null, null, null, null, null)
AS t(number, whole, real, money, text, bytes, truth, day, moment, list, pairs)
"""


def test_nulls_ranges_and_oddities_of_every_kind_of_column(spark: Any) -> None:
    found = infer(spark.sql(SEVERAL), distinct=True)
    assert found.rows == 3
    told = {one.path: (one.nulls, one.low, one.high, one.distinct, one.looks_like, one.note) for one in found.columns}
    assert told == {
        "number": (0, "1", "3", 3, "", ""),
        "whole": (1, "1.0", "2.0", 2, "BIGINT", ""),
        "real": (1, "1.5", "1.5", 2, "", "1 NaN"),
        "money": (1, "1.25", "9.75", 2, "", ""),
        "text": (1, "0", "2", 2, "", "1 blank"),
        "bytes": (1, "1", "2", 2, "", ""),
        "truth": (1, "false", "true", None, "", ""),
        "day": (1, "1999-12-31", "2024-01-01", 2, "", ""),
        "moment": (1, "2024-01-01 10:00:00", "2024-01-01 10:00:01", 2, "", ""),
        "list": (1, "0", "2", None, "", "1 NULL inside"),
        "pairs": (1, "0", "1", None, "", ""),
    }


def test_fields_inside_structs_are_looked_at(spark: Any) -> None:
    found = infer(
        spark.sql("SELECT named_struct('a.b', named_struct('n', x)) AS s, array(named_struct('n', x)) AS l FROM VALUES ('1'), (null) t(x)")
    )
    assert [(one.path, one.nulls, one.looks_like) for one in found.columns] == [
        ("s", 0, ""),
        ("s.a.b", 0, ""),
        ("s.a.b.n", 1, "BIGINT"),
        ("l", 0, ""),
    ]
    assert found.columns[-1].note == "what lies inside the elements was not looked at"


def test_the_schema_is_ready_to_create(spark: Any, tmp_path: Path) -> None:
    found = infer(spark.sql(SEVERAL).drop("real"))
    table = SchemaStore(tmp_path, actor="ana").create_table("shop.found", found.schema)
    assert [str(one.type) for one in table.schema.fields] == [str(one.type) for one in found.schema.fields]
    text = found.to_dict()["columns"]
    assert [(one.name, one.type) for one in parse_ddl(text).fields] == [(one.name, one.type) for one in found.schema.fields]  # type: ignore[attr-defined]  # a ROW


def test_columns_of_nothing_but_null_are_left_out_and_named(spark: Any) -> None:
    frame = spark.sql("SELECT 1 AS a, NULL AS b, NULL AS c, named_struct('x', NULL, 'y', 2) AS s, array(NULL) AS l")
    found = infer(frame, against=TableSchema.create("a INT, b DATE"))
    assert [str(one) for one in found.schema.fields] == ["`a` INT NOT NULL", "`s` ROW<`y` INT NOT NULL> NOT NULL"]
    assert found.notes == (
        "b is left out: every value is NULL; in the table it is DATE",
        "c is left out: every value is NULL, and its type is not known",
        "l is left out: every value is NULL, and its type is not known",
        "s.x is left out: every value is NULL, and its type is not known",
    )
    assert [(one.path, one.nulls) for one in found.columns if one.type == "void"] == [("b", 1), ("c", 1), ("l", 1)]
    assert found.merged is not None
    assert found.to_dict()["merge"]["changes"] == ["ADD COLUMN s ROW<`y` INT NOT NULL>"]


def test_what_no_table_can_have_is_left_out_with_the_reason(spark: Any) -> None:
    found = infer(spark.sql("SELECT 1 AS a, INTERVAL 1 DAY AS b"))
    assert [one.name for one in found.schema.fields] == ["a"]
    assert found.notes[0].startswith("b is left out: ")
    with pytest.raises(SparkError, match="no column of the data can be one of a table"):
        infer(spark.sql("SELECT NULL AS a"))


def test_names_that_differ_in_case_or_have_dots_are_kept_apart(spark: Any) -> None:
    found = infer(spark.sql("SELECT 1 AS `a`, 2 AS `A`, 3 AS `x.y`"))
    assert [(one.path, one.low) for one in found.columns] == [("a", "1"), ("A", "2"), ("x.y", "3")]
    assert found.notes == ("a and A differ in case only: Spark cannot tell them apart in a table; rename one",)


def test_no_rows_and_no_look_at_rows(spark: Any) -> None:
    frame = spark.sql("SELECT 1 AS a, 'x' AS b")
    empty = infer(frame.where("a > 1"))
    assert (empty.rows, [(one.nulls, one.low, one.looks_like) for one in empty.columns]) == (0, [(0, "", "")] * 2)
    unseen = infer(frame, evidence=False)
    assert (unseen.rows, unseen.columns, unseen.schema.fields) == (0, (), empty.schema.fields)


# ---------------------------------------------------------------- beside a table


def test_what_merging_would_do(spark: Any) -> None:
    known = TableSchema.create("id INT, amount DECIMAL(10, 2), gone INT")
    fits = infer(spark.sql("SELECT CAST(1 AS BIGINT) AS id, 'x' AS coupon"), against=known)
    assert fits.to_dict()["merge"] == {"fits": True, "changes": ["ALTER COLUMN id TYPE BIGINT", "ADD COLUMN coupon STRING"], "faults": []}
    refused = infer(spark.sql("SELECT 'x' AS amount"), against=known)
    assert refused.merged is not None
    assert refused.merged.schema is None
    assert [one.path for one in refused.merged.faults] == ["amount"]


def test_a_column_that_took_the_place_of_another_is_a_candidate(spark: Any) -> None:
    known = TableSchema.create("id INT, cust_id INT")
    rows = "VALUES (1, 5, null, null), (2, null, 6, 1), (3, null, 7, null) AS t(id, cust_id, customer, rare)"
    found = infer(spark.sql(f"SELECT * FROM {rows}"), against=known)
    assert [(one.old, one.new) for one in found.candidates] == [("cust_id", "customer")]
    assert found.candidates[0].reasons == ("same type", "no row has both", "every row has one of the two")


def test_values_that_a_missing_column_held_speak_for_a_rename(spark: Any, tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry", layout="registry", actor="ana")
    store.adopt("shop.orders", str(tmp_path / "data"), schema="id INT, cust_id INT")
    table = store.table("shop.orders")
    write_files(spark.sql("SELECT CAST(id AS INT) AS id, CAST(id * 10 AS INT) AS cust_id FROM range(8)"), table)
    found = infer(spark.sql("SELECT CAST(id AS INT) AS id, CAST(id * 20 AS INT) AS customer_id FROM range(8)"), against=table)
    assert found.candidates[0].reasons[-1] == "50% of 8 values overlap"
    assert found.notes == ()


def test_a_table_without_data_has_no_values_to_compare(spark: Any, tmp_path: Path) -> None:
    store = SchemaStore(tmp_path, actor="ana")
    store.create_table("shop.orders", "id INT, cust_id INT")
    found = infer(spark.sql("SELECT 1 AS id, 2 AS customer_id"), against=store.table("shop.orders"))
    assert [(one.old, one.new) for one in found.candidates] == [("cust_id", "customer_id")]


# ---------------------------------------------------------------- files


def _written(spark: Any, folder: Path, kind: str) -> Inferred:
    spark.sql("SELECT 1 AS id, '2024-01-01' AS day UNION ALL SELECT 2, null").write.format(kind).option("header", "true").save(str(folder))
    return infer(str(folder), spark=spark)


@pytest.mark.parametrize(("kind", "number"), [("parquet", "INT"), ("orc", "INT"), ("json", "BIGINT"), ("csv", "STRING")])
def test_files_of_every_kind_by_the_names_that_spark_gives_them(spark: Any, tmp_path: Path, kind: str, number: str) -> None:
    found = _written(spark, tmp_path / "data", kind)
    there = {one.name: str(one.type) for one in found.schema.fields}
    assert there == {"id": number, "day": "STRING"}
    assert {one.path: one.looks_like for one in found.columns} == {"id": "BIGINT" if kind == "csv" else "", "day": "DATE"}
    assert found.rows == 2


def test_files_of_one_folder_that_differ_are_one_schema(spark: Any, tmp_path: Path) -> None:
    for number, query in enumerate(("SELECT 1 AS a", "SELECT 2 AS a, 'x' AS b")):
        spark.sql(query).write.parquet(str(tmp_path / f"data/p={number}"))
    found = infer(tmp_path / "data", spark=spark)
    assert [one.name for one in found.schema.fields] == ["a", "b", "p"]
    assert found.schema.partition_keys == ("p",)
    assert found.column("b") is not None
    assert found.column("b").nulls == 1  # type: ignore[union-attr]  # asked in the line above


def test_zeros_that_spark_takes_from_the_name_of_a_folder_are_told(spark: Any, tmp_path: Path) -> None:
    spark.sql("SELECT 1 AS a").write.parquet(str(tmp_path / "data/month=07"))
    found = infer(str(tmp_path / "data"), spark=spark)
    assert found.notes == ("the folder says month=07, and Spark makes an integer of it: 7; make the column a STRING if zeros count",)


def test_options_reach_the_reader(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1;2\n3;4\n")
    found = infer(tmp_path / "a.csv", spark=spark, options={"header": "false", "sep": ";"})
    assert [(one.name, one.type.root.value) for one in found.schema.fields] == [("_c0", "VARCHAR"), ("_c1", "VARCHAR")]
    assert found.rows == 2


def test_lines_that_cannot_be_read_are_told_and_become_no_column(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "lines.json").write_text('{"id": 1}\n{"id": 2\n')
    known = TableSchema.create("id BIGINT")
    found = infer(str(tmp_path / "lines.json"), spark=spark, against=known)
    assert (found.schema.names, found.rows, found.column("id").nulls) == (("id",), 2, 1)  # type: ignore[union-attr]  # it is there
    assert found.merged is not None
    assert found.merged.to_dict()["changes"] == []
    assert found.notes == ("some lines cannot be read, and count as rows of NULL: Spark puts them into _corrupt_record, which is left out",)


def test_a_damaged_file_is_named_with_what_is_wrong_with_it(classic_spark: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(SparkError, match=r"broken\.parquet is not a Parquet file") as raised:
        infer(str(tmp_path), spark=classic_spark)
    assert "An error occurred while calling" not in str(raised.value)


def test_what_was_inferred_goes_into_an_xcom(spark: Any) -> None:
    found = infer(spark.sql(SEVERAL), against=TableSchema.create("number INT, gone STRING")).to_dict()
    assert json.loads(json.dumps(found)) == found


# ---------------------------------------------------------------- what is refused


def test_files_that_contradict_each_other_are_refused(spark: Any, tmp_path: Path) -> None:
    for number, query in enumerate(("SELECT 1 AS a", "SELECT 'x' AS a")):
        spark.sql(query).write.parquet(str(tmp_path / f"data/p={number}"))
    with pytest.raises(SparkError, match="contradict"):
        infer(str(tmp_path / "data"), spark=spark)


def test_a_damaged_file_is_refused(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "a.orc").write_bytes(b"ORC no more")
    spark.conf.set("spark.sql.files.ignoreCorruptFiles", "false")
    with pytest.raises(SparkError) as raised:
        infer(str(tmp_path / "a.orc"), spark=spark)
    assert raised.value.code == "spark.unreadable"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"data": "/nowhere/at/all.parquet"}, "spark.unreadable"),
        ({"data": 7}, "spark.no-frame"),
        ({"data": "x.parquet", "spark": None}, "spark.no-session"),
        ({"data": "x.parquet", "format": "xml"}, "spark.format"),
        ({"data": "x.parquet", "against": 7}, "spark.against"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_plainly(classic_spark: Any, arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(SparkError) as raised:
        infer(**{"spark": classic_spark, **arguments})
    assert raised.value.code == code
    assert raised.value.fix


def test_a_stream_has_no_rows_to_look_at(classic_spark: Any) -> None:
    stream = classic_spark.readStream.format("rate").load()
    with pytest.raises(SparkError, match="no end"):
        infer(stream)
    assert [one.name for one in infer(stream, evidence=False).schema.fields] == ["timestamp", "value"]


@pytest.mark.parametrize("rows", [0, 5])
def test_of_many_text_columns_the_same_is_said_as_of_few(spark: Any, rows: int) -> None:
    texts = [
        "cast(null as string)",
        "'  '",
        "cast(id as string)",
        "concat('0', id)",
        "concat(id, '.50')",
        "concat(' 2026-01-0', id + 1)",
        "'true'",
        "'{}'",
        "'words'",
    ]
    texts += ["if(id = 2, null, '7')", "'1e5'", "concat('2026-01-01 10:00:0', id)", "struct(cast(id as string) as inner, id as number)"]
    columns = [f"{text} c{place}" for place, text in enumerate(texts)]
    many = infer(spark.range(rows).selectExpr("id", *columns))
    few = [infer(spark.range(rows).selectExpr("id", *some)) for some in (columns[:7], columns[7:])]
    alone = {column.path: column for found in few for column in found.columns}
    assert many.rows == rows
    assert {column.path: column for column in many.columns} == alone
