"""Verdicts about tables whose data lie elsewhere: what they rest on, and which file is looked at."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest
from pyarrow import parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.render.api import markdown, text
from airflow_provider_schemas.store import SchemaStore, judge
from tests.store.support.described_tables import COLUMNS, MOMENT, NAME, NEED, adopted, lake, rules, the, written

# ---------------------------------------------------------------- what a verdict rests on


def test_a_verdict_says_what_was_looked_at_which_version_and_when(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table(NAME, COLUMNS)
    answer = the(store, now=datetime(2026, 11, 19, 16, 0, 5, tzinfo=UTC))
    assert (answer.judged_by, answer.version.number, answer.at) == ("schema files", 0, "2026-11-19T16:00:05Z")
    assert answer.report.basis == "judged by schema files, 2026-11-19 16:00:05 UTC"
    assert answer.to_dict()["judged_by"] == "schema files"
    assert answer.to_dict()["at"] == "2026-11-19T16:00:05Z"
    for form in (text(answer.report, color=False), markdown(answer.report), text([answer.report, answer.report], color=False)):
        assert "judged by schema files, 2026-11-19 16:00:05 UTC" in form


def test_a_missing_table_rests_on_nothing(tmp_path: Path) -> None:
    assert the(SchemaStore(tmp_path), {"shop.none": None}).judged_by == ""


# ---------------------------------------------------------------- not looked at


@pytest.mark.parametrize("kind", ["iceberg", "delta", "avro", "csv", "json", "paimon"])
def test_a_table_that_is_only_described_is_never_a_bare_fit(tmp_path: Path, kind: str) -> None:
    store = SchemaStore(lake(tmp_path))
    store.adopt(NAME, str(tmp_path / "data"), COLUMNS, format=kind)
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("description", [("TABLE_NOT_LOOKED_AT", "table", "warn")])
    assert kind in answer.report.findings[0].message
    assert answer.fits
    assert rules(the(store, [NAME])) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]
    assert rules(the(store, {}, writes=NEED)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


def test_a_policy_blocks_on_descriptions_and_a_caller_can_only_be_stricter(tmp_path: Path) -> None:
    store = adopted(tmp_path, "iceberg")
    assert the(store, policy={"descriptions": "block"}).report.verdict is Verdict.BREAK
    store.save_policy({"descriptions": "block"})
    assert the(store).report.verdict is Verdict.BREAK
    assert the(store, policy={"descriptions": "warn"}).report.verdict is Verdict.BREAK
    store.table(NAME).waive("TABLE_NOT_LOOKED_AT", "table", until="2099-12-31", reason="looked at by hand")
    assert the(store).report.verdict is Verdict.WARN
    with pytest.raises(PolicyError, match="descriptions: block becomes warn"):
        store.save_policy({"descriptions": "warn"})


@pytest.mark.parametrize(
    ("inside", "format_of"),
    [("_delta_log/00000000000000000000.json", "Delta"), ("metadata/v1.metadata.json", "Iceberg"), (".hoodie/hoodie.properties", "Hudi")],
)
def test_a_folder_that_a_format_of_tables_keeps_is_not_read_as_plain_files(tmp_path: Path, inside: str, format_of: str) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
    (tmp_path / "data" / inside).parent.mkdir()
    (tmp_path / "data" / inside).write_text("{}")
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("description", [("TABLE_NOT_LOOKED_AT", "table", "warn")])
    assert format_of in answer.report.findings[0].message


def test_a_look_can_be_switched_off(tmp_path: Path) -> None:
    written(tmp_path / "data/part-0.parquet", order_id=1, customer_id=2, at=MOMENT)
    store = SchemaStore(lake(tmp_path), look=False)
    store.adopt(NAME, str(tmp_path / "data"), COLUMNS)
    assert rules(the(store)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]
    assert the(store, look=True).report.verdict is Verdict.BREAK
    assert rules(the(SchemaStore(lake(tmp_path)), look=False)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


def test_without_pyarrow_nothing_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
    for name in ("pyarrow", "pyarrow.parquet", "pyarrow.orc"):
        monkeypatch.setitem(sys.modules, name, None)
    answer = the(store)
    assert rules(answer) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]
    assert "pyarrow is not installed" in answer.report.findings[0].message
    assert "pip install" in answer.report.findings[0].fix


def test_a_file_that_cannot_be_read_is_not_looked_at(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/part-0.parquet").write_bytes(b"PAR1 nothing PAR1")
    answer = the(store)
    assert rules(answer) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]
    assert "part-0.parquet" in answer.report.findings[0].message


def test_a_file_where_the_folder_should_be_is_not_looked_at(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data", order_id=1, cust_id=2, at=MOMENT)
    assert rules(the(store)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


def test_what_is_asked_for_the_data_counts(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/dt=1/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
    blind, seeing = judge(store, NEED, look=False), judge(store, NEED)
    assert (seeing.lists, seeing.gets) >= (blind.lists + 2, blind.gets + 1)


def test_folders_deeper_than_four_listings_are_not_looked_at(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/a=1/b=1/c=1/d=1/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
    assert rules(the(store)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


# ---------------------------------------------------------------- which file is the newest


@pytest.mark.parametrize("place", ["gone", "dangling", "file/data", "data/*.parquet", "data/{a,b}"])
def test_a_folder_that_is_not_there_is_not_an_empty_one(tmp_path: Path, place: str) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    written(tmp_path / "data/part-0.parquet", order_id=1)
    store = SchemaStore(lake(tmp_path))
    assert "not compared" in str(store.adopt(NAME, str(tmp_path / place), COLUMNS).notes)
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("description", [("TABLE_NOT_LOOKED_AT", "table", "warn")])
    assert the(store, policy={"descriptions": "block"}).report.verdict is Verdict.BREAK


def test_a_folder_without_files_is_a_table_without_rows(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    answer = the(adopted(tmp_path), policy={"descriptions": "block"})
    assert (answer.judged_by, rules(answer)) == ("description", [])


def test_a_key_may_begin_with_an_underscore(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, cust_id BIGINT, _dt STRING")
    written(tmp_path / "data/_dt=2026-01-01/part-0.parquet", id=1)
    written(tmp_path / "data/_tmp/part-0.parquet", id=1, cust_id=1)
    assert rules(the(store, {NAME: "cust_id BIGINT"})) == [("EXPECT_FIELD_MISSING", "cust_id", "break")]
    assert rules(the(store, {NAME: "_dt STRING"})) == []


def test_a_file_that_lies_beside_the_partitions_hides_none_of_their_files(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
    written(tmp_path / "data/day=2/part-1.parquet", order_id=1, customer_id=2, at=MOMENT)
    os.utime(tmp_path / "data/part-0.parquet", (1, 1))
    assert (the(store).judged_by, rules(the(store))) == ("footer (1 of 2)", [("EXPECT_FIELD_MISSING", "cust_id", "break")])
    os.utime(tmp_path / "data/day=2/part-1.parquet", (0, 0))
    assert (the(store).judged_by, rules(the(store))) == ("footer (1 of 2)", [])


def test_the_greatest_partition_counts_by_its_number_and_null_counts_last(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/day=10/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
    for older in ("day=9", "day=__HIVE_DEFAULT_PARTITION__", "_day", ".day=99"):
        written(tmp_path / f"data/{older}/part-0.parquet", order_id=1)
    (tmp_path / "data/day=11").mkdir()  # nothing landed there yet
    assert (the(store).judged_by, rules(the(store))) == ("footer (1 of 1)", [])


def test_the_case_of_a_name_and_nested_fields_are_as_spark_reads_them(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, r ROW<a BIGINT, b STRING>")
    written(tmp_path / "data/part-0.parquet", ID=1, r={"a": 1, "c": "x"})
    assert rules(the(store, {NAME: "id BIGINT"})) == []
    assert rules(the(store, {NAME: {"columns": [{"name": "r.a", "type": "BIGINT"}]}})) == []
    assert rules(the(store, {NAME: {"columns": [{"name": "r.b", "type": "STRING"}]}})) == [("EXPECT_FIELD_MISSING", "r.b", "break")]


def test_every_type_of_a_file_is_the_one_that_it_is_described_as(tmp_path: Path) -> None:
    import datetime as dt
    from decimal import Decimal

    columns = (
        "`a b (String)` STRING, i8 TINYINT, i16 SMALLINT, i32 INT, f FLOAT, d DOUBLE, n DECIMAL(10, 2), ok BOOLEAN, day DATE, "
        "l ARRAY<STRING>, m MAP<STRING, INT>, r ROW<x INT, y ARRAY<ROW<z STRING>>>, raw BYTES, ntz TIMESTAMP(6)"
    )
    values: dict[str, Any] = {
        "a b (String)": "x", "i8": pa.array([1], pa.int8()), "i16": pa.array([1], pa.int16()), "i32": pa.array([1], pa.int32()),
        "f": pa.array([1.0], pa.float32()), "d": 1.0, "n": pa.array([Decimal("1.20")], pa.decimal128(10, 2)), "ok": True,
        "day": dt.date(2026, 1, 1), "l": ["x"], "m": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int32())),
        "r": pa.array([{"x": 1, "y": [{"z": "a"}]}], pa.struct([("x", pa.int32()), ("y", pa.list_(pa.struct([("z", pa.string())])))])),
        "raw": b"x", "ntz": pa.array([0], pa.timestamp("us")),
    }  # fmt: skip
    for kind in ("parquet", "orc"):
        written(tmp_path / kind / f"data/part-0.{kind}", kind, **values)
        store = adopted(tmp_path / kind, kind, columns)
        answer = the(store, [NAME])
        assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", []), kind
        assert not any("explains" in note for note in answer.report.notes), kind


def test_a_look_on_s3_takes_one_listing_a_level_and_one_read(s3_bucket: Any) -> None:
    store = SchemaStore(s3_bucket.url("lake"), storage_options=s3_bucket.storage_options)
    store.adopt(NAME, s3_bucket.url("data"), COLUMNS)
    files = store._roots.open_location(s3_bucket.url("data"))  # type: ignore[misc]
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"order_id": [1], "customer_id": [2], "at": MOMENT}), sink)
    files.put("dt=2026-11-01/part-0.parquet", sink.getvalue().to_pybytes())
    files.put("_SUCCESS", b"")
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", [("EXPECT_FIELD_MISSING", "cust_id", "break")])
    from airflow_provider_schemas.store.footers.newest_file import newest_files
    from airflow_provider_schemas.store.footers.read_footer import read_footer

    counted = store._roots.open_location(s3_bucket.url("data"))  # type: ignore[misc]
    read_footer(counted, newest_files(counted).files[0], "parquet")
    assert counted.count.snapshot()[:2] == (2, 1)
