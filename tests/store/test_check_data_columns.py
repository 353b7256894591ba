"""Verdicts about tables whose data lie elsewhere: what the newest file says of the columns that are needed."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest
from pyarrow import parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store import SchemaStore
from tests.store.support.described_tables import COLUMNS, MOMENT, NAME, NEED, adopted, rules, stamped, the, written

# ---------------------------------------------------------------- the newest footer


@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_a_column_that_somebody_renamed_in_the_files_stops_the_job_that_needs_it(tmp_path: Path, kind: str) -> None:
    store = adopted(tmp_path, kind)
    (tmp_path / "data").mkdir()
    assert "no data file" in the(store).report.notes[0]
    assert (the(store).judged_by, rules(the(store))) == ("description", [])
    written(tmp_path / f"data/dt=2026-11-01/part-0.{kind}", kind, order_id=1, cust_id=2, at=MOMENT)
    answer = the(store)
    assert (answer.judged_by, rules(answer)) == ("footer (1 of 1)", [])
    written(tmp_path / f"data/dt=2026-11-02/part-0.{kind}", kind, order_id=1, customer_id=2, at=MOMENT)
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
    written(tmp_path / "data/part-0.parquet", order_id="one", cust_id=2, at=MOMENT, more=1)
    answer = the(store)
    assert rules(answer) == [("EXPECT_TYPE_MISMATCH", "order_id", "break")]
    assert rules(the(store, {NAME: "cust_id BIGINT, at TIMESTAMP(6) WITH LOCAL TIME ZONE"})) == []
    assert "no version explains part-0.parquet" in the(store, {NAME: "cust_id BIGINT"}).report.notes[0]


def test_a_file_of_an_older_version_is_named_and_judged_as_that(tmp_path: Path) -> None:
    store = adopted(tmp_path)
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
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
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=2, at=MOMENT)
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


# ---------------------------------------------------------------- inside of structs


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
