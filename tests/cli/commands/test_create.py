"""`create` with a location: the columns are compared with the data, unless a reason says why not."""

import json
from pathlib import Path

import pyarrow as pa  # noqa: TID253  # the file of this test is made by it
import pyarrow.parquet as pq  # noqa: TID253  # likewise

from tests.support.command_line import fine, typed


def test_columns_that_the_data_contradict_are_refused_and_a_reason_goes_on(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"order_id": [1], "cust_id": ["x"]}), tmp_path / "data/part-0.parquet")
    made = ["create", "shop.o", "order_id BIGINT, cust_id BIGINT, foo BIGINT", "--location", str(tmp_path / "data")]
    store = ["--store", str(tmp_path / "lake")]
    done = typed(*made, *store)
    assert done.code != 0
    for word in ("cust_id is described as BIGINT", "has STRING", "foo", "--unchecked"):
        assert word in done.err + done.out
    fine(*made, "--unchecked", "INC-7", *store)
    assert "unchecked: INC-7" in fine("log", "shop.o", *store)
    said = json.loads(typed("check", "shop.o", "--contract", "cust_id BIGINT", "--format", "json", *store).out)
    text = json.dumps(said)
    assert '"judged_by": "footer (1 of 1)"' in text
    assert "EXPECT_TYPE_MISMATCH" in text


def test_a_file_that_mends_what_the_data_contradict_is_not_blamed_for_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "o.yaml").write_text("table: shop.o\ncolumns:\n  - {name: order_id, type: BIGINT}\n  - {name: cust_id, type: STRING}\n")
    store, file = ["--store", str(tmp_path / "lake")], str(tmp_path / "o.yaml")
    fine("create", "shop.o", "order_id BIGINT, cust_id BIGINT", "--location", str(tmp_path / "data"), *store)
    pq.write_table(pa.table({"order_id": [1], "cust_id": ["x"]}), tmp_path / "data/part-0.parquet")
    by_itself = typed("check", "shop.o", *store)
    assert by_itself.code == 1
    assert "cust_id is STRING in part-0.parquet" in " ".join(by_itself.out.split())
    assert "this job" not in by_itself.out
    done = typed("check", file, "--format", "json", *store)
    (report,) = json.loads(done.out)["reports"]
    assert (report["judged_by"], "EXPECT_TYPE_MISMATCH" in done.out) == ("footer (1 of 1)", False)
    fine("evolve", file, "--override", "INC-7", *store)
    assert "EXPECT_" not in fine("check", file, *store)
    assert "judged by description" in fine("check", "shop.o:0", "shop.o", "--override", "x", "--policy", _weak(tmp_path), *store)


def _weak(folder: Path) -> str:
    (folder / "weak.yaml").write_text("protect: {data: off, jobs: off, writers: off}\n")
    return str(folder / "weak.yaml")


def test_a_step_between_two_versions_rests_on_the_schema_files(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path)]
    fine("create", "a.b", "x INT", *store)
    fine("evolve", "a.b", "--add", "y INT", *store)
    assert "  judged by schema files, 20" in fine("check", "a.b:0", "a.b", *store)
