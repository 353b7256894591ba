"""Old data as the wanted columns of a frame: renamed, rebuilt, converted; and what becomes of values that have no counterpart."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.projection.projection import project
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.spark.reading.bad_values import quarantined
from airflow_provider_schemas.spark.reading.project_columns import apply_projection
from tests.spark.support.folders import Folder


def _type(text: str) -> Any:
    return parse_ddl(text)


def _row(*fields: tuple[int, str, Any]) -> RowType:
    """A ROW of fields: id, name and type, as text or as it is."""
    return RowType(tuple(Field(number, name, _type(kind) if isinstance(kind, str) else kind) for number, name, kind in fields))


_POINT = _row((10, "x", "INT"), (11, "y", "STRING"))
_MOVED = _row((11, "why", "STRING"), (12, "z", "INT"), (10, "x", "TINYINT"))
OLD = _row(
    (0, "id", "INT"),
    (1, "name", "STRING"),
    (2, "at", _POINT),
    (3, "list", ArrayType(_type("STRING"))),
    (4, "map", MapType(_type("STRING"), _row((13, "q", "STRING")))),
    (5, "gone", "INT"),
)
NEW = _row(
    (1, "id", "INT"),
    (0, "name", "BIGINT"),
    (2, "place", _MOVED),
    (3, "list", ArrayType(_type("INT"))),
    (4, "map", MapType(_type("STRING"), _row((13, "q", "INT")))),
    (6, "gone", "INT"),
)
_TYPES = "id int, name string, at struct<x:int,y:string>, list array<string>, map map<string,struct<q:string>>, gone int"
_ROWS = [
    (1, "12", (3, "y"), ["1", None], {"k": ("5",), "n": None}, 7),
    (2, "x", (300, "z"), ["1", "b", None, "c"], {"k": ("o",)}, 7),
    (None, None, None, None, None, None),
]
_GOOD = (12, 1, ("y", None, 3), [1, None], {"k": (5,), "n": None}, None)
_NOTHING = (None, None, None, None, None, None)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _rows(frame: Any) -> list[Any]:
    return [_plain(one) for one in frame.collect()]


def test_fields_are_followed_by_their_ids_at_every_level(spark: Any) -> None:
    """Swapped names, a re-added one, a ROW rebuilt in another order, and NULL wherever there was NULL."""
    frame = apply_projection(spark.createDataFrame(_ROWS, _TYPES), project(OLD, NEW), bad_values="null")
    assert frame.columns == ["id", "name", "place", "list", "map", "gone"]
    bad = (None, 2, ("z", None, None), [1, None, None, None], {"k": (None,)}, None)
    assert _rows(frame) == [_GOOD, bad, _NOTHING]


def test_bad_values_are_put_aside_with_column_value_type_and_file(spark: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "old")
    spark.createDataFrame(_ROWS, _TYPES).coalesce(1).write.parquet(path)
    files = spark.read.schema(_TYPES).parquet(path)
    frame = apply_projection(files, project(OLD, NEW), bad_values="quarantine", file=files["_metadata.file_path"])
    good, bad = quarantined(frame)
    assert _rows(good) == [_GOOD, _NOTHING]
    (only,) = bad.collect()
    assert [(one["column"], one["value"], one["type"]) for one in only["_bad"]] == [
        ("id", "x", "INT"),
        ("place.x", "300", "TINYINT"),
        ("list.element", "b", "INT"),
        ("list.element", "c", "INT"),
        ("map.value.q", "o", "INT"),
    ]
    assert {Path(one["file"]).suffix for one in only["_bad"]} == {".parquet"}


def test_an_error_names_column_value_types_and_file(spark: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "old")
    spark.createDataFrame(_ROWS[1:2], _TYPES).coalesce(1).write.parquet(path)
    files = spark.read.schema(_TYPES).parquet(path)
    frame = apply_projection(files, project(OLD, NEW), file=files["_metadata.file_path"])
    with pytest.raises(Exception, match=r"id: x, STRING in the files, cannot be read as INT\. .*File: file:.*\.parquet\.") as unread:
        frame.select("id").collect()
    assert "casts='paimon'" in str(unread.value)
    with pytest.raises(Exception, match=r"place\.x: 300, INT in the files, does not survive as TINYINT: it would read as 44\. "):
        frame.select("place").collect()
    assert frame.select("name").collect()[0]["name"] == 2


def test_the_file_is_named_whatever_the_columns_are_called(spark: Any, tmp_path: Path) -> None:
    """Ours go by names that columns may have, too: Spark's own column about files, and the one that carries it along."""
    folder = Folder(tmp_path, "id STRING, `_metadata` ROW<file_path STRING>, `__file_of_the_row` STRING, `__FILE_of_the_row_` STRING")
    folder.write(spark, [("x", ("q",), "r", "s")])
    folder.retype("id", "INT")
    (only,) = read_table(spark, folder.table, bad_values="quarantine").collect()
    assert (only["_metadata"]["file_path"], only["__file_of_the_row"], only["__FILE_of_the_row_"]) == ("q", "r", "s")
    assert Path(only["_bad"][0]["file"]).name == folder.files()[0].name
    with pytest.raises(Exception, match=rf"id: x, STRING in the files, cannot be read as INT\. .*{folder.files()[0].name}"):
        read_table(spark, folder.table).collect()


def test_a_text_that_is_called_as_spark_s_own_column_about_files_is_a_text(spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id STRING, `_metadata` STRING, dt DATE")
    folder.write(spark, [("7", "q", None)], by=("dt",))
    folder.retype("id", "INT")
    assert [tuple(one) for one in read_table(spark, folder.table).collect()] == [(7, "q", None)]


def test_java_s_answers_are_taken_where_they_are_asked_for(spark: Any) -> None:
    frame = apply_projection(spark.createDataFrame(_ROWS[1:], _TYPES), project(OLD, NEW, casts="paimon"), bad_values="quarantine")
    bad, good = frame.collect()
    assert bad["place"]["x"] == 44
    assert [one["column"] for one in bad["_bad"]] == ["id", "list.element", "list.element", "map.value.q"]
    assert good["_bad"] is None


def test_a_decimal_that_does_not_fit_is_null_to_java_and_bad_where_it_is_checked(classic_spark: Any) -> None:
    old, new = _row((0, "price", "DECIMAL(5, 2)")), _row((0, "price", "DECIMAL(4, 2)"))
    frame = classic_spark.sql("select cast(123.45 as decimal(5, 2)) as price")
    assert _rows(apply_projection(frame, project(old, new), casts="paimon")) == [(None,)]
    with pytest.raises(Exception, match=r"price: 123\.45, DECIMAL\(5, 2\) in the files, cannot be read as DECIMAL\(4, 2\)"):
        apply_projection(frame, project(old, new)).collect()


def test_a_row_none_of_whose_fields_is_in_the_files_is_null_and_so_is_the_container_around_it(classic_spark: Any) -> None:
    old = _row((0, "one", _row((10, "a", "INT"))), (1, "many", ArrayType(_row((11, "b", "INT")))), (2, "left", _row((12, "c", "INT"))))
    new = _row(
        (0, "one", _row((20, "a", "INT"))),
        (1, "many", ArrayType(_row((21, "b", "INT")))),
        (2, "left", _row((22, "new", "INT"), (12, "c", "INT"))),
    )
    frame = classic_spark.sql("select named_struct('a', 1) one, array(named_struct('b', 2)) many, named_struct('c', 3) left")
    assert _rows(apply_projection(frame, project(old, new))) == [(None, None, (None, 3))]


def test_names_of_any_kind_are_kept(classic_spark: Any) -> None:
    odd = "a.b`c 'd' \\e $f {f} \u00fc"
    old = _row((0, odd, "STRING"), (1, "s", _row((10, odd, "INT"))))
    new = _row((0, f"{odd}!", "INT"), (1, "s", _row((10, f"{odd}?", "BIGINT"))))
    frame = classic_spark.createDataFrame([("x", (1,))], f"`{odd.replace('`', '``')}` string, s struct<`{odd.replace('`', '``')}`: int>")
    found = apply_projection(frame, project(old, new), bad_values="quarantine").collect()[0].asDict(recursive=True)
    assert list(found) == [f"{odd}!", "s", "_bad"]
    assert found["s"] == {f"{odd}?": 1}
    assert found["_bad"][0]["column"] == f"{odd}!"


def test_instants_are_read_in_the_zone_of_the_session_or_in_the_one_that_is_named(spark: Any) -> None:
    old, new = _row((0, "at", "TIMESTAMP(6) WITH LOCAL TIME ZONE")), _row((0, "at", "STRING"))
    frame = spark.sql("select timestamp_micros(0) as at")
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Shanghai")
    try:
        texts = [apply_projection(frame, project(old, new), timezone=zone).collect()[0]["at"] for zone in (None, "America/New_York")]
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
    assert texts == ["1970-01-01 08:00:00.000000", "1969-12-31 19:00:00.000000"]


def test_filters_and_pruning_reach_the_files_past_what_is_renamed_or_widened(classic_spark: Any, tmp_path: Path) -> None:
    old = _row((0, "a", "INT"), (1, "b", "VARCHAR(5)"), (2, "c", "STRING"), (3, "d", "DECIMAL(5, 2)"))
    new = _row((0, "b", "BIGINT"), (1, "a", "VARCHAR(9)"), (2, "c", "INT"), (3, "d", "DECIMAL(9, 2)"))
    path = str(tmp_path / "old")
    classic_spark.sql("select 1 a, 'x' b, 'not a number' c, 1.50BD d").selectExpr(
        "a", "b", "c", "cast(d as decimal(5, 2)) d"
    ).write.parquet(path)
    frame = apply_projection(classic_spark.read.parquet(path), project(old, new))
    asked = frame.where("b = 1 and a = 'x' and d > 1").select("b", "a")
    plan = asked._jdf.queryExecution().executedPlan().toString()
    pushed = next(line for line in plan.splitlines() if "PushedFilters" in line)
    assert "EqualTo(a,1)" in pushed
    assert "EqualTo(b,x)" in pushed
    assert "GreaterThan(d,1.00)" in pushed
    assert "c:string" not in pushed
    assert _rows(asked) == [(1, "x")]


def test_thousands_of_columns_are_planned_in_seconds(classic_spark: Any) -> None:
    many = range(2_000)
    old = _row(*((number, f"c{number}", "STRING") for number in many))
    new = _row(*((number, f"d{number}", "STRING" if number % 10 else "INT") for number in many))
    frame = classic_spark.range(1).selectExpr(*(f"'{number}' as c{number}" for number in many))
    row = apply_projection(frame, project(old, new), bad_values="quarantine").collect()[0]
    assert row["d10"] == 10
    assert row["_bad"] is None


@pytest.mark.parametrize(
    ("new", "options", "words"),
    [
        (_row((0, "_bad", "INT")), {"bad_values": "quarantine"}, "called _bad"),
        (_row((0, "${env:HOME}", "BIGINT")), {}, "puts the value of a variable"),
        (_row((0, "a", "INT")), {"bad_values": "skip"}, "'error', 'null', 'quarantine'"),
    ],
)
def test_what_cannot_be_asked_for_is_told(classic_spark: Any, new: RowType, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ProjectionError, match=words):
        apply_projection(classic_spark.sql("select 1 as a"), project(_row((0, "a", "INT")), new), **options)


def test_all_columns_that_spark_cannot_convert_are_named_at_once(classic_spark: Any) -> None:
    old, new = _row((0, "a", "TIME(0)"), (1, "b", "TIME(3)")), _row((0, "a", "STRING"), (1, "b", "TIMESTAMP(3)"))
    with pytest.raises(ProjectionError, match="TIME") as refused:
        apply_projection(classic_spark.sql("select 1 as a, 2 as b"), project(old, new))
    assert [fault.path for fault in refused.value.faults] == ["a", "b"]


def test_a_frame_without_notes_has_nothing_in_quarantine(classic_spark: Any) -> None:
    with pytest.raises(ProjectionError, match="quarantine"):
        quarantined(classic_spark.range(1))
