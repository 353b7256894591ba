"""Verdicts about tables whose data lie elsewhere: what they rest on, and what the newest file has to say."""

import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest
from pyarrow import orc, parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError, PolicyError
from airflow_provider_schemas.render.api import markdown, text
from airflow_provider_schemas.store import SchemaStore, judge

NAME = "shop.orders"
COLUMNS = "order_id BIGINT, cust_id BIGINT, at TIMESTAMP(6) WITH LOCAL TIME ZONE"
NEED = {NAME: "order_id BIGINT, cust_id BIGINT"}
_MOMENT = pa.array([0], pa.timestamp("us", "UTC"))


def lake(folder: Path) -> Path:
    """The folder of a warehouse that is there."""
    (folder / "lake").mkdir(exist_ok=True)
    return folder / "lake"


def written(path: Path, kind: str = "parquet", **columns: Any) -> None:
    """A data file with one row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({name: value if isinstance(value, pa.Array) else [value] for name, value in columns.items()})
    {"parquet": parquet.write_table, "orc": orc.write_table}[kind](table, path)


def adopted(folder: Path, kind: str = "parquet", columns: str = COLUMNS, **said: Any) -> SchemaStore:
    store = SchemaStore(folder / "lake", **said)
    store.adopt(NAME, str(folder / "data"), columns, format=kind)
    return store


def the(store: SchemaStore, needs: Any = NEED, **about: Any) -> Any:
    return judge(store, needs, **about).tables[0]


def rules(answer: Any) -> list[tuple[str, str, str]]:
    return [(one.rule, one.path, one.verdict.value) for one in answer.report.findings]


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
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
    (tmp_path / "data" / inside).parent.mkdir()
    (tmp_path / "data" / inside).write_text("{}")
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("description", [("TABLE_NOT_LOOKED_AT", "table", "warn")])
    assert format_of in answer.report.findings[0].message


def test_a_look_can_be_switched_off(tmp_path: Path) -> None:
    written(tmp_path / "data/part-0.parquet", order_id=1, customer_id=2, at=_MOMENT)
    store = SchemaStore(lake(tmp_path), look=False)
    store.adopt(NAME, str(tmp_path / "data"), COLUMNS)
    assert rules(the(store)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]
    assert the(store, look=True).report.verdict is Verdict.BREAK
    assert rules(the(SchemaStore(lake(tmp_path)), look=False)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


def test_without_pyarrow_nothing_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
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
    written(tmp_path / "data", order_id=1, cust_id=2, at=_MOMENT)
    assert rules(the(store)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


def test_what_is_asked_for_the_data_counts(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/dt=1/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
    blind, seeing = judge(store, NEED, look=False), judge(store, NEED)
    assert (seeing.lists, seeing.gets) >= (blind.lists + 2, blind.gets + 1)


def test_folders_deeper_than_four_listings_are_not_looked_at(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/a=1/b=1/c=1/d=1/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
    assert rules(the(store)) == [("TABLE_NOT_LOOKED_AT", "table", "warn")]


# ---------------------------------------------------------------- the newest footer


@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_a_column_that_somebody_renamed_in_the_files_stops_the_job_that_needs_it(tmp_path: Path, kind: str) -> None:
    store = adopted(tmp_path, kind)
    (tmp_path / "data").mkdir()
    assert "no data file" in the(store).report.notes[0]
    assert (the(store).judged_by, rules(the(store))) == ("description", [])
    written(tmp_path / f"data/dt=2026-11-01/part-0.{kind}", kind, order_id=1, cust_id=2, at=_MOMENT)
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", [])
    written(tmp_path / f"data/dt=2026-11-02/part-0.{kind}", kind, order_id=1, customer_id=2, at=_MOMENT)
    written(tmp_path / f"data/_temporary/dt=2026-11-03/part-0.{kind}", kind, order_id=1)
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", [("EXPECT_FIELD_MISSING", "cust_id", "break")])
    assert "dt=2026-11-02" in answer.report.findings[0].message
    assert rules(the(store, {NAME: "order_id BIGINT"})) == []
    assert rules(the(store, [NAME])) == [("EXPECT_FIELD_MISSING", "cust_id", "break")]
    assert rules(the(store, {}, writes=NEED)) == []
    assert "no version explains dt=2026-11-02" in the(store, {}, writes=NEED).report.notes[0]
    store.table(NAME).register("cust_id BIGINT", consumer="daily")
    assert rules(the(store, {NAME: "@registered"}, consumer="daily")) == [("EXPECT_FIELD_MISSING", "cust_id", "break")]


def test_another_type_in_the_file_stops_the_job_and_more_columns_do_not(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id="one", cust_id=2, at=_MOMENT, more=1)
    answer = the(store)
    assert rules(answer) == [("EXPECT_TYPE_MISMATCH", "order_id", "break")]
    assert rules(the(store, {NAME: "cust_id BIGINT, at TIMESTAMP(6) WITH LOCAL TIME ZONE"})) == []
    assert "no version explains part-0.parquet" in the(store, {NAME: "cust_id BIGINT"}).report.notes[0]


def test_a_file_of_an_older_version_is_named_and_judged_as_that(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
    store.table(NAME).evolve("ADD COLUMN coupon STRING")
    answer = the(store)
    assert (answer.version.number, rules(answer)) == (1, [])
    assert answer.report.notes == ("part-0.parquet, the newest file, was written with version 0",)
    assert rules(the(store, {NAME: "coupon STRING"})) == [("EXPECT_FIELD_MISSING", "coupon", "break")]
    assert rules(the(store, {}, writes={NAME: f"{COLUMNS}, coupon STRING"})) == []  # it brings the column along
    assert rules(the(store, [NAME])) == []


def test_a_file_that_two_versions_would_hold_is_told(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, a STRING")
    table = store.table(NAME)
    table.evolve("RENAME COLUMN a TO b", override="x")
    table.evolve(["RENAME COLUMN b TO c", "ADD COLUMN a STRING"], override="x")
    written(tmp_path / "data/now/part-0.parquet", id=1, a="NEW")
    answer = the(store, {NAME: "id BIGINT, a STRING"})
    assert rules(answer) == [("FILE_UNEXPLAINED", "now/part-0.parquet", "break")]
    said = answer.report.findings[0]
    assert "version 0" in said.message
    assert "version 2" in said.message
    assert "bind('now', version)" in said.fix
    table.bind("now", 2)
    assert rules(the(store, {NAME: "id BIGINT, a STRING"})) == []
    assert the(store, {NAME: "id BIGINT, a STRING"}).judged_by == "footer (1 of 1)"


def test_an_older_file_breaks_no_job_that_reads_with_read_table(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
    store.table(NAME).evolve("ADD COLUMN coupon STRING")
    assert rules(the(store, {NAME: "coupon STRING"})) == [("EXPECT_FIELD_MISSING", "coupon", "break")]
    assert rules(the(store, {NAME: {"columns": "coupon STRING", "read_with": "read_table"}})) == []
    assert rules(the(store, {NAME: {"columns": "cupon STRING", "read_with": "read_table"}})) == [("EXPECT_FIELD_MISSING", "cupon", "break")]


def test_ids_in_the_footer_say_which_version_it_is(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, a STRING")
    store.table(NAME).evolve("RENAME COLUMN a TO b", override="x")
    fields = [pa.field(name, kind, metadata={"PARQUET:field_id": str(number)})
              for number, (name, kind) in enumerate({"id": pa.int64(), "a": pa.string()}.items())]  # fmt: skip
    (tmp_path / "data").mkdir()
    parquet.write_table(pa.table([[1], ["x"]], schema=pa.schema(fields)), tmp_path / "data/part-0.parquet")
    answer = the(store, {NAME: "id BIGINT"})
    assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", [])
    assert answer.report.notes == ("part-0.parquet, the newest file, was written with version 0",)


def stamped(path: Path, ids: dict[str, int], **columns: Any) -> None:
    """A data file whose columns bear ids."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fields = [pa.field(name, one.type, metadata={"PARQUET:field_id": str(ids[name])}) for name, one in columns.items()]
    parquet.write_table(pa.table(list(columns.values()), schema=pa.schema(fields)), path)


_IDS = {"id": 0, "c": 1, "cust_id": 1}
_ONE, _TEXT = pa.array([1], pa.int64()), pa.array(["x"])


def test_ids_in_a_file_give_it_no_column_that_it_lacks(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, cust_id BIGINT, x STRING")
    stamped(tmp_path / "data/part-0.parquet", _IDS, id=_ONE)
    need = {NAME: "cust_id BIGINT"}
    assert rules(the(store, need)) == [("EXPECT_FIELD_MISSING", "cust_id", "break")]
    assert "part-0.parquet" in the(store, need).report.notes[0]
    assert rules(the(store, {NAME: "id BIGINT"})) == []
    assert rules(the(store, {NAME: {"columns": "cust_id BIGINT", "read_with": "read_table"}})) == []
    store.table(NAME).evolve("RENAME COLUMN cust_id TO customer_id", override="x")
    stamped(tmp_path / "data/part-0.parquet", _IDS, id=_ONE, cust_id=_ONE)
    assert rules(the(store, {NAME: "customer_id BIGINT"})) == [("EXPECT_FIELD_RENAMED", "customer_id", "break")]
    assert rules(the(store, {NAME: {"columns": "customer_id BIGINT", "read_with": "read_table"}})) == []


@pytest.mark.parametrize(
    ("before", "after", "values"),
    [
        ("STRING", "BIGINT", _TEXT),
        ("DECIMAL(20, 2)", "DECIMAL(10, 2)", pa.array([None], pa.decimal128(20, 2))),
        ("ROW<a STRING>", "ROW<a BIGINT>", None),
    ],
)
def test_ids_in_a_file_give_no_column_another_type(tmp_path: Path, before: str, after: str, values: pa.Array | None) -> None:
    store = adopted(tmp_path, columns=f"id BIGINT, c {before}")
    table = store.table(NAME)
    table.evolve(["ALTER COLUMN c.a TYPE BIGINT" if values is None else f"ALTER COLUMN c TYPE {after}"], override="x")
    if values is None:
        inner = pa.field("a", pa.string(), metadata={"PARQUET:field_id": "2"})
        values = pa.array([{"a": "x"}], pa.struct([inner]))
    stamped(tmp_path / "data/part-0.parquet", _IDS, id=_ONE, c=values)
    answer = the(store, {NAME: f"c {after}"})
    assert answer.report.verdict is Verdict.BREAK
    assert answer.report.notes == ("part-0.parquet, the newest file, was written with version 0",)
    assert rules(the(store, {NAME: f"c {before}"}, version=0)) == []


def test_a_binding_gives_a_file_no_column_that_it_lacks(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT NOT NULL, cust_id BIGINT NOT NULL, n STRING")
    written(tmp_path / "data/a/part-0.parquet", id=1)
    store.table(NAME).bind("a", 0)
    assert rules(the(store, {NAME: "cust_id BIGINT NOT NULL"})) == [("EXPECT_FIELD_MISSING", "cust_id", "break")]
    assert rules(the(store, {NAME: "n STRING"})) == [("EXPECT_FIELD_MISSING", "n", "break")]
    assert rules(the(store, [NAME])) == [("EXPECT_FIELD_MISSING", "cust_id", "break"), ("EXPECT_FIELD_MISSING", "n", "warn")]
    written(tmp_path / "data/a/part-0.parquet", id=1, cust_id=2, n="x")
    assert rules(the(store, {NAME: "cust_id BIGINT NOT NULL, n STRING"})) == []


_SWAPPED = "id BIGINT, a STRING, b STRING"


@pytest.mark.parametrize("more", [{}, {"strange": pa.array(["x"])}], ids=["of a version", "of no version"])
def test_a_name_that_is_another_column_in_the_file_fits_no_contract(tmp_path: Path, more: dict[str, pa.Array]) -> None:
    store = adopted(tmp_path, columns=_SWAPPED)
    table = store.table(NAME)
    table.evolve(["RENAME COLUMN a TO c", "RENAME COLUMN b TO a", "RENAME COLUMN c TO b"], override="x")
    if more:
        table.evolve("ADD COLUMN strange STRING")
    stamped(tmp_path / "data/part-0.parquet", {"id": 0, "a": 1, "b": 2, "strange": 3}, id=_ONE, a=_TEXT, b=_TEXT, **more)
    both = [("EXPECT_FIELD_RENAMED", "a", "break"), ("EXPECT_FIELD_RENAMED", "b", "break")]
    assert rules(the(store, {NAME: _SWAPPED})) == both
    assert the(store, {NAME: "A STRING"}).report.verdict is Verdict.BREAK
    assert sorted(rules(the(store, [NAME]))) == both
    assert rules(the(store, {NAME: "id BIGINT"})) == []
    assert rules(the(store, {NAME: {"columns": _SWAPPED, "read_with": "read_table"}})) == []
    assert rules(the(store, {NAME: _SWAPPED}, version=0)) == []
    assert rules(the(store, {}, writes={NAME: _SWAPPED})) == []


@pytest.mark.parametrize("held", [{"id": 1, "a": "x"}, {"a": "x"}], ids=["whole", "in part"])
def test_a_name_that_came_back_as_another_column_fits_no_file_of_the_old_one(tmp_path: Path, held: dict[str, Any]) -> None:
    store = adopted(tmp_path, columns="id BIGINT, a STRING")
    table = store.table(NAME)
    table.evolve("DROP COLUMN a", override="x")
    table.evolve("ADD COLUMN a STRING", override="x")
    written(tmp_path / "data/old/part-0.parquet", **held)
    table.bind("old", 0)
    assert ("EXPECT_STALE_PIN", "a", "break") in rules(the(store, {NAME: "a STRING"}))
    answer = the(store, [NAME])
    assert ("EXPECT_STALE_PIN", "a", "break") in rules(answer)
    assert "is another column (field 1) than in the description (field 2)" in str([one.message for one in answer.report.findings])
    table.register("a STRING", consumer="daily")
    assert ("EXPECT_STALE_PIN", "a", "break") in rules(the(store, {NAME: "@registered"}, consumer="daily"))


def test_without_a_contract_an_older_file_is_told_what_the_newest_version_contradicts(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, n BIGINT, r ROW<a BIGINT>")
    table = store.table(NAME)
    written(tmp_path / "data/part-0.parquet", id=1, n=2, r={"a": 1})
    table.evolve(["ALTER COLUMN n TYPE INT", "ADD COLUMN m STRING"], override="x")
    answer = the(store, [NAME])
    assert rules(answer) == [("EXPECT_TYPE_UNSAFE", "n", "break")]
    assert answer.report.findings[0].message == "n is BIGINT in part-0.parquet, the newest file, and INT in the description."
    table.evolve(["ALTER COLUMN n TYPE BIGINT", "RENAME COLUMN id TO key"], override="x")
    assert rules(the(store, [NAME])) == [("EXPECT_FIELD_RENAMED", "key", "break")]
    assert not the(store, [NAME]).report.findings[0].consumers


def test_a_file_of_no_version_is_judged_by_the_parts_that_are_needed(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, r ROW<a BIGINT, b STRING>")
    written(tmp_path / "data/part-0.parquet", id=1, r={"more": 1, "b": 2, "a": 1})
    store.table(NAME).register([{"name": "r.a", "type": "BIGINT"}], consumer="fits")
    store.table(NAME).register([{"name": "r.b", "type": "STRING"}], consumer="breaks")
    assert rules(the(store, {NAME: "@registered"}, consumer="fits")) == []
    assert [rule for rule, _, _ in rules(the(store, {NAME: "@registered"}, consumer="breaks"))] == ["EXPECT_TYPE_UNSAFE"]


# ---------------------------------------------------------------- who is stopped by a file


def test_nobody_is_kept_from_writing_by_the_file_that_is_to_be_replaced(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, c STRING")
    written(tmp_path / "data/part-0.parquet", id=1, c="x", more=1)
    store.table(NAME).evolve("ADD COLUMN n STRING")
    need = {NAME: "id BIGINT, c STRING, n STRING"}
    writer = the(store, {}, writes=need)
    assert (writer.report.verdict, rules(writer)) == (Verdict.OK, [])
    assert "fewer (n)" in writer.report.notes[0]
    assert rules(the(store, {}, writes=[NAME])) == []
    assert rules(the(store, need)) == [("EXPECT_FIELD_MISSING", "n", "break")]
    both = {"columns": [{"name": "id", "role": ["select"]}, {"name": "n", "role": ["select", "write"]}]}
    assert rules(the(store, {NAME: both})) == [("EXPECT_FIELD_MISSING", "n", "break")]


def test_a_file_that_read_table_stops_at_is_told_to_who_reads_with_it(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, c STRING, d DATE")
    written(tmp_path / "data/d=2026-11-18/part-0.parquet", id=1, c="x", more=1)
    ours = {NAME: {"columns": "c STRING", "read_with": "read_table"}}
    assert rules(the(store, {NAME: "c STRING"})) == []
    assert rules(the(store, ours)) == [("FILE_UNEXPLAINED", "d=2026-11-18/part-0.parquet", "break")]
    written(tmp_path / "data/d=yesterday/part-0.parquet", id=1, c="x")
    assert rules(the(store, ours)) == [("FILE_UNEXPLAINED", "d=yesterday/part-0.parquet", "break")]
    assert "no DATE" in the(store, ours).report.findings[0].message
    assert rules(the(store, {NAME: "d DATE"})) == [("FILE_UNEXPLAINED", "d=yesterday/part-0.parquet", "break")]
    assert rules(the(store, {NAME: "c STRING"})) == []


def test_names_that_collide_in_any_case_stop_whoever_reads(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, cust_id BIGINT")
    twice = pa.table([_ONE, _ONE, _ONE], names=["id", "id", "cust_id"])
    in_case = pa.table([_ONE, _ONE, _TEXT], names=["id", "cust_id", "CUST_ID"])
    nested = pa.table([_ONE, _ONE, pa.array([{"a": 1, "A": 2}])], names=["id", "cust_id", "r"])
    (tmp_path / "data").mkdir()
    for place, one in enumerate((twice, in_case, nested)):
        parquet.write_table(one, tmp_path / f"data/part-{place}.parquet")
        os.utime(tmp_path / f"data/part-{place}.parquet", (1_000 + place, 1_000 + place))
        for need in ({NAME: "cust_id BIGINT"}, [NAME], {NAME: {"columns": "cust_id BIGINT", "read_with": "read_table"}}):
            assert rules(the(store, need)) == [("FILE_UNEXPLAINED", f"part-{place}.parquet", "break")]
        assert "one name to Spark" in the(store, [NAME]).report.findings[0].message
        assert rules(the(store, {}, writes={NAME: "id BIGINT, cust_id BIGINT"})) == []


def test_without_a_contract_a_column_that_a_writer_left_out_only_warns(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT, n STRING, r ROW<a BIGINT, b STRING>")
    written(tmp_path / "data/part-0.parquet", id=1)
    answer = the(store, [NAME])
    assert rules(answer) == [("EXPECT_FIELD_MISSING", "n", "warn"), ("EXPECT_FIELD_MISSING", "r", "warn")]
    assert answer.report.findings[0].message == "n is not in part-0.parquet, the newest file, and the description has it."
    assert answer.fits
    assert rules(the(store, {NAME: "n STRING"})) == [("EXPECT_FIELD_MISSING", "n", "break")]
    written(tmp_path / "data/part-0.parquet", id="1", r={"a": 1})
    answer = the(store, [NAME])
    assert ("EXPECT_TYPE_MISMATCH", "id", "break") in rules(answer)
    assert "STRING in part-0.parquet" in str([one.message for one in answer.report.findings])
    assert not [one for one in answer.report.findings if one.consumers]
    written(tmp_path / "data/part-0.parquet", id=1, m="x")  # which may be n by another name
    assert ("EXPECT_FIELD_MISSING", "n", "break") in rules(the(store, [NAME]))


def test_a_version_that_cannot_be_read_keeps_nobody_from_looking(tmp_path: Path) -> None:
    store = adopted(tmp_path, columns="id BIGINT")
    written(tmp_path / "data/part-0.parquet", id=1, a="x", b="x")
    for name in "abc":
        store.table(NAME).evolve(f"ADD COLUMN {name} STRING")
    (old,) = (one for one in (tmp_path / "lake").rglob("schema-1") if one.is_file())
    old.chmod(0o644)
    old.write_text("{")
    answer = the(SchemaStore(tmp_path / "lake"), {NAME: "a STRING"})
    assert rules(answer) == []
    assert answer.report.notes[0].startswith("version 1 of shop.orders cannot be read")
    assert "written with version 2" in answer.report.notes[1]


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
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
    written(tmp_path / "data/day=2/part-1.parquet", order_id=1, customer_id=2, at=_MOMENT)
    os.utime(tmp_path / "data/part-0.parquet", (1, 1))
    assert (the(store).judged_by, rules(the(store))) == ("footer (1 of 2)", [("EXPECT_FIELD_MISSING", "cust_id", "break")])
    os.utime(tmp_path / "data/day=2/part-1.parquet", (0, 0))
    assert (the(store).judged_by, rules(the(store))) == ("footer (1 of 2)", [])


def test_the_greatest_partition_counts_by_its_number_and_null_counts_last(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/day=10/part-0.parquet", order_id=1, cust_id=2, at=_MOMENT)
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
    parquet.write_table(pa.table({"order_id": [1], "customer_id": [2], "at": _MOMENT}), sink)
    files.put("dt=2026-11-01/part-0.parquet", sink.getvalue().to_pybytes())
    files.put("_SUCCESS", b"")
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", [("EXPECT_FIELD_MISSING", "cust_id", "break")])
    from airflow_provider_schemas.store.footers.newest_file import newest_files
    from airflow_provider_schemas.store.footers.read_footer import read_footer

    counted = store._roots.open_location(s3_bucket.url("data"))  # type: ignore[misc]
    read_footer(counted, newest_files(counted).files[0], "parquet")
    assert counted.count.snapshot()[:2] == (2, 1)


# ---------------------------------------------------------------- adopting


def _adopt(store: SchemaStore, folder: Path, columns: str, **about: Any) -> Any:
    return store.adopt(NAME, str(folder / "data"), columns, **about)


def _create(store: SchemaStore, folder: Path, columns: str, *, format: str = "parquet", **about: Any) -> Any:  # noqa: A002  # as adopt has it
    options = {"schemas.table": json.dumps({"location": str(folder / "data"), "format": format})}
    return store.create_table(NAME, columns, options=options, **about)


@pytest.mark.parametrize("make", [_adopt, _create])
@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_a_description_that_the_newest_files_contradict_is_refused_with_every_column(
    tmp_path: Path, make: Callable[..., Any], kind: str
) -> None:
    written(tmp_path / f"data/dt=1/part-0.{kind}", kind, order_id=1, cust_id="seven", Name="x")
    store = SchemaStore(lake(tmp_path))
    with pytest.raises(IncompatibleSchemaError) as caught:
        make(store, tmp_path, "order_id BIGINT, cust_id BIGINT, foo BIGINT, name STRING, dt STRING", format=kind)
    assert [one.path for one in caught.value.faults] == ["cust_id", "foo", "name"]
    said = str(caught.value)
    assert "cust_id is described as BIGINT" in said
    assert "has STRING" in said
    assert "foo is described as BIGINT" in said
    assert "unchecked" in said
    assert not store.exists(NAME)
    done = make(store, tmp_path, "order_id BIGINT, foo BIGINT", format=kind, unchecked="INC-7: the files are written anew tonight")
    assert done.created
    assert "INC-7" in str(store.table(NAME).latest().provenance)
    assert not make(store, tmp_path, "order_id BIGINT, foo BIGINT", format=kind).created  # it is there


@pytest.mark.parametrize("make", [_adopt, _create])
def test_a_description_that_fits_says_what_it_leaves_out(tmp_path: Path, make: Callable[..., Any]) -> None:
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=7)
    done = make(SchemaStore(lake(tmp_path)), tmp_path, "order_id BIGINT")
    assert done.notes == ("part-0.parquet also has cust_id, which the description leaves out",)


def test_a_folder_that_is_iceberg_or_delta_is_not_adopted_as_plain(tmp_path: Path) -> None:
    (tmp_path / "data/metadata").mkdir(parents=True)
    (tmp_path / "data/metadata/00000-a.metadata.json").write_text("{}")
    store = SchemaStore(lake(tmp_path))
    with pytest.raises(IncompatibleSchemaError, match="kept by Iceberg"):
        _adopt(store, tmp_path, "foo BIGINT")
    assert _adopt(store, tmp_path, "foo BIGINT", format="iceberg").created


def test_what_cannot_be_looked_at_is_adopted_with_a_note(tmp_path: Path) -> None:
    done = _adopt(SchemaStore(lake(tmp_path), look=False), tmp_path, "foo BIGINT")
    assert done.created
    assert "not compared" in done.notes[0]
    assert "there is no folder" in _adopt(SchemaStore(tmp_path / "other"), tmp_path, "foo BIGINT").notes[1]
    (tmp_path / "data").mkdir()
    assert "no data file" in _adopt(SchemaStore(tmp_path / "third"), tmp_path, "foo BIGINT").notes[1]


def _three(folder: Path, *files: dict[str, Any]) -> None:
    """Data files, the oldest first."""
    for age, columns in enumerate(files):
        path = folder / f"data/part-{age}.parquet"
        written(path, **columns)
        os.utime(path, (1_000 + age, 1_000 + age))


@pytest.mark.parametrize("make", [_adopt, _create])
def test_older_files_may_lack_what_came_later_and_have_what_was_widened(tmp_path: Path, make: Callable[..., Any]) -> None:
    _three(tmp_path, {"id": pa.array([1], pa.int32())}, {"id": 1, "r": {"a": 1}}, {"id": 1, "r": {"a": 1, "b": "x"}, "n": "x"})
    store = SchemaStore(lake(tmp_path))
    for wrong, column in (
        ("id INT, n STRING, r ROW<a BIGINT, b STRING>", "id"),  # the newest has BIGINT
        ("id BIGINT, n STRING NOT NULL, r ROW<a BIGINT, b STRING>", "n"),
        ("id BIGINT, n STRING, m STRING, r ROW<a BIGINT, b STRING>", "m"),  # in none of them
    ):
        with pytest.raises(IncompatibleSchemaError) as caught:
            make(store, tmp_path, wrong)
        assert [one.path for one in caught.value.faults] == [column]
    assert make(store, tmp_path, "id BIGINT, n STRING, r ROW<a BIGINT, b STRING>").created


@pytest.mark.parametrize("older", [pa.array(["x"]), pa.array([1], pa.int64())])
def test_older_files_of_a_type_that_was_not_widened_are_refused(tmp_path: Path, older: pa.Array) -> None:
    _three(tmp_path, {"id": older}, {"id": pa.array([1], pa.int32())})
    with pytest.raises(IncompatibleSchemaError, match=r"part-0\.parquet"):
        _adopt(SchemaStore(lake(tmp_path)), tmp_path, "id INT")


def test_a_column_that_the_newest_file_left_out_may_be_in_an_older_one(tmp_path: Path) -> None:
    _three(tmp_path, {"id": 1, "n": "x"}, {"id": 1})
    assert _adopt(SchemaStore(lake(tmp_path)), tmp_path, "id BIGINT, n STRING").created


_SHAPES: dict[str, tuple[str, list[str], Any]] = {
    "row": ("ROW<{}>", ["r"], {"a": "x", "b": "y"}),
    "array": ("ARRAY<ROW<{}>>", ["r", "element"], [{"a": "x", "b": "y"}]),
    "map": ("MAP<STRING, ROW<{}>>", ["r", "value"], [("k", {"a": "x", "b": "y"})]),
}


def _struct(shape: str, ids: dict[str, int]) -> pa.DataType:
    """The type of a shape, whose fields bear these ids; none, if there are none."""
    marks = {name: {"PARQUET:field_id": str(ids[name])} if ids else None for name in ("a", "b")}
    struct = pa.struct([pa.field(name, pa.string(), metadata=mark) for name, mark in marks.items()])
    return {"row": struct, "array": pa.list_(struct), "map": pa.map_(pa.string(), struct)}[shape]


@pytest.mark.parametrize("how", ["of a version", "of no version", "bound", "bound, of no version"])
@pytest.mark.parametrize("shape", _SHAPES)
def test_inside_of_structs_too_a_name_that_is_another_field_in_the_file_fits_no_contract(tmp_path: Path, shape: str, how: str) -> None:
    text, place, value = _SHAPES[shape]
    both, alone = (f"id BIGINT, r {text.format(inner)}" for inner in ("a STRING, b STRING", "a STRING"))
    store = adopted(tmp_path, columns=both)
    table = store.table(NAME)
    for old, new in (("a", "c"), ("b", "a"), ("c", "b")):
        table.evolve({"action": "renameColumn", "fieldNames": [*place, old], "newName": new}, override="x")
    more = {"strange": _TEXT} if "no version" in how else {}
    values = pa.array([value], _struct(shape, {} if how.startswith("bound") else {"a": 2, "b": 3}))
    if how.startswith("bound"):
        written(tmp_path / "data/old/part-0.parquet", id=_ONE, r=values, **more)
        table.bind("old", 0)
    else:
        if more:
            table.evolve("ADD COLUMN strange STRING")
        stamped(tmp_path / "data/part-0.parquet", {"id": 0, "r": 1, "strange": 4}, id=_ONE, r=values, **more)
    for need in ({NAME: both}, {NAME: alone}, [NAME]):
        assert the(store, need).report.verdict is Verdict.BREAK, need
    assert rules(the(store, {NAME: "id BIGINT"})) == []
    assert rules(the(store, {NAME: {"columns": both, "read_with": "read_table"}})) == []
