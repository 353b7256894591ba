"""Evidence from the data itself: what is so of all live files is proven, what is not is told, and the plan weighs it."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # these tests write files as others do
import pytest
from pyarrow import parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.core import Evidence
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark import prove
from airflow_provider_schemas.store.table import Table
from tests.spark.support.folders import Folder

COLUMNS = "id BIGINT, cust_id INT, amount DECIMAL(10, 2), note STRING, address ROW<city STRING, zip INT>, tags ARRAY<STRING>"
ROWS = [
    (1, 10, Decimal("1.50"), "old", ("Rome", 1), ["a"]),
    (2, None, Decimal("999.00"), "older", ("Oslo", None), []),
]


def retyped(path: str, kind: str) -> dict[str, Any]:
    return {"action": "updateColumnType", "fieldNames": path.split("."), "newDataType": kind}


def filled(path: str) -> dict[str, Any]:
    return {"action": "updateColumnNullability", "fieldNames": path.split("."), "newNullability": False}


def made_at(root: Path, columns: str) -> Folder:
    """A folder whose table lets columns become NOT NULL."""
    folder = Folder(root, columns)
    folder.evolve([{"action": "setOption", "key": "alter-column-null-to-not-null.disabled", "value": "false"}])
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, classic_spark: Any) -> Folder:
    """Two files with ids, one of them written before a rename and without the newest column."""
    made = made_at(tmp_path_factory.mktemp("lake"), COLUMNS)
    made.write(classic_spark, ROWS)
    made.evolve("RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING")
    made.write(classic_spark, [(3, 30_000, Decimal("-1.00"), "new", ("Bonn", 3), ["b", "c"], "x")])
    return made


def rules(plan: Plan) -> dict[tuple[str, str], tuple[Verdict, bool]]:
    """Of each finding whether it is proven, and what becomes of the data."""
    return {(one.rule, one.path): (one.data, one.proven) for one in plan.report.findings}


def proofs(found: Sequence[Evidence]) -> dict[str, tuple[bool, str | None]]:
    return {one.path: (one.not_null, one.fits) for one in found}


SAFE = [retyped("id", "INT"), filled("id"), retyped("amount", "DECIMAL(5, 2)"), retyped("note", "VARCHAR(5)"), filled("address.city")]
UNSAFE = [retyped("customer_id", "TINYINT"), filled("customer_id"), retyped("note", "VARCHAR(4)"), filled("address.zip"), filled("coupon")]


def test_what_all_live_files_say_is_evidence_that_a_plan_accepts(spark: Any, folder: Folder) -> None:
    table = folder.table
    found = prove(table, SAFE, spark=spark)
    assert sorted((one.path, one.not_null, one.fits) for one in found) == [
        ("address.city", True, None),
        ("amount", False, "DECIMAL(5, 2)"),
        ("id", False, "INT"),
        ("id", True, None),
        ("note", False, "VARCHAR(5)"),
    ]
    assert {one.files for one in found} == {2}
    before, after = rules(table.plan(SAFE)), rules(table.plan(SAFE, evidence=found))
    assert {rule for rule, _ in before} == {"NULLABILITY_TIGHTENED", "TYPE_NARROWED", "DECIMAL_DIGITS_REDUCED", "LENGTH_TIGHTENED"}
    assert {verdict for verdict, _ in before.values()} == {Verdict.BREAK}
    assert after[("NULLABILITY_TIGHTENED_PROVEN", "id")] == (Verdict.OK, True)
    # Plain Spark, which reads this folder too, fails on a BIGINT in the file whatever its value is.
    assert after[("TYPE_NARROWED", "id")] == (Verdict.BREAK, False)
    (note,) = table.plan(SAFE, evidence=found).report.notes
    assert note.startswith("the evidence for id does not help spark-4-parquet, which reads no file of BIGINT as INT")
    assert after[("DECIMAL_DIGITS_REDUCED", "amount")] == (Verdict.WARN, True)
    assert after[("LENGTH_TIGHTENED", "note")] == (Verdict.WARN, True)
    assert after[("NULLABILITY_TIGHTENED_PROVEN", "address.city")] == (Verdict.OK, True)


def test_what_is_not_so_has_no_evidence_and_is_told(spark: Any, folder: Folder, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING", "airflow_provider_schemas.spark"):
        assert prove(folder.table, UNSAFE, spark=spark) == ()
    for path in (
        "customer_id is never NULL",
        "customer_id fits TINYINT",
        "note fits VARCHAR(4)",
        "address.zip is never",
        "coupon is never",
    ):
        assert f"that {path}" in caplog.text
    assert "1 of 3 rows break it" in caplog.text


def test_footers_answer_without_a_scan_where_they_can(classic_spark: Any, folder: Folder, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING", "airflow_provider_schemas.spark"):
        found = prove(
            folder.table, [retyped("id", "INT"), filled("id"), filled("coupon"), retyped("customer_id", "TINYINT")], spark=classic_spark
        )
    assert proofs(found).keys() == {"id"}
    assert all("footers of" in one.found for one in found)
    assert "1 of 2 files hold NULL" in caplog.text
    assert "files hold values from 30000 to 30000" in caplog.text


UNSIGNED = "tiny SMALLINT, small INT, normal BIGINT, huge DECIMAL(20, 0)"
NARROWER = [retyped("tiny", "TINYINT"), retyped("small", "SMALLINT"), retyped("normal", "SMALLINT"), retyped("huge", "DECIMAL(10, 0)")]


@pytest.mark.parametrize(
    ("values", "proven"),
    [((100, 30_000, 7, 7), {"tiny", "small", "normal", "huge"}), ((2**8 - 1, 2**16 - 1, 2**32 - 1, 2**64 - 1), set())],
)
def test_statistics_of_numbers_without_a_sign_are_no_proof_of_numbers_with_one(
    classic_spark: Any, tmp_path: Path, values: tuple[int, ...], proven: set[str]
) -> None:
    kinds = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
    names = ("tiny", "small", "normal", "huge")
    folder = foreign(tmp_path, UNSIGNED, {name: pa.array([one], kind) for name, one, kind in zip(names, values, kinds, strict=True)})
    assert proofs(prove(folder.table, NARROWER, spark=classic_spark)).keys() == proven


def test_large_numbers_without_a_sign_are_no_small_ones(classic_spark: Any, tmp_path: Path) -> None:
    folder = foreign(tmp_path, "normal BIGINT", {"normal": pa.array([2**32 - 5, 2**32 - 1], pa.uint32())})
    assert prove(folder.table, [retyped("normal", "TINYINT")], spark=classic_spark) == ()
    assert prove(folder.table, [retyped("normal", "INT")], spark=classic_spark) == ()


CHAINS = {
    "a text that is no number": ("STRING", "INT", pa.array(["7", "seven"]), "SMALLINT"),
    "a number with too many digits": (
        "DECIMAL(9, 2)",
        "DECIMAL(4, 2)",
        pa.array([Decimal("12345.67")], pa.decimal128(9, 2)),
        "DECIMAL(3, 2)",
    ),
    "a number that is none": ("DOUBLE", "INT", pa.array([float("nan")]), "SMALLINT"),
    "a number that is too large": ("BIGINT", "INT", pa.array([2**40 + 1], pa.int64()), "SMALLINT"),
}


@pytest.mark.parametrize("what", CHAINS)
def test_nothing_is_proven_of_values_that_cannot_be_read_as_the_column_is_now(
    spark: Any, tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    before, now, values, narrower = CHAINS[what]
    folder = foreign(tmp_path, f"plain BIGINT, odd {before}", {"plain": pa.array([1] * len(values), pa.int64()), "odd": values})
    folder.retype("odd", now)
    asked = [retyped("odd", narrower), filled("odd"), filled("plain")]
    with caplog.at_level("WARNING", "airflow_provider_schemas.spark"):
        assert proofs(prove(folder.table, asked, spark=spark)).keys() == {"plain"}
    assert f"1 of {len(values)} rows hold what cannot be read as {now}" in caplog.text


def test_what_is_read_without_a_loss_is_proven_by_footers_of_old_files_too(classic_spark: Any, tmp_path: Path) -> None:
    folder = foreign(tmp_path, "number INT, text VARCHAR(9)", {"number": pa.array([7], pa.int32()), "text": ["a"]})
    folder.retype("number", "BIGINT")
    folder.retype("text", "VARCHAR(20)")
    found = prove(folder.table, [retyped("number", "TINYINT"), filled("number"), filled("text")], spark=classic_spark)
    assert [(one.path, "footers of" in one.found) for one in found] == [("number", True), ("number", True), ("text", True)]


FOREIGN = "plain BIGINT, number DECIMAL(9, 2), ratio DOUBLE, long STRING, list ARRAY<INT>, inner ROW<a INT>, none INT"


@pytest.mark.parametrize("written", [{}, {"write_statistics": False}, {"store_decimal_as_integer": True, "row_group_size": 1}])
def test_what_footers_do_not_say_surely_is_asked_of_the_rows(classic_spark: Any, tmp_path: Path, written: dict[str, Any]) -> None:
    columns = {
        "plain": pa.array([1, -5], pa.int64()),
        "number": pa.array([Decimal("99999.99"), Decimal(-1)], pa.decimal128(9, 2)),
        "ratio": pa.array([float("nan"), -0.0]),
        "long": pa.array(["x" * 5_000 + "é", ""]),
        "list": pa.array([[1, None], []], pa.list_(pa.int32())),
        "inner": pa.array([{"a": 1}, {"a": None}], pa.struct([("a", pa.int32())])),
        "none": pa.array([None, None], pa.int32()),
    }
    folder = foreign(tmp_path, FOREIGN, columns, **written)
    narrow = [
        retyped("plain", "TINYINT"),
        retyped("number", "DECIMAL(6, 2)"),
        retyped("ratio", "FLOAT"),
        retyped("long", "VARCHAR(5000)"),
        retyped("list.element", "TINYINT"),
        retyped("none", "TINYINT"),
    ]
    assert proofs(prove(folder.table, narrow, spark=classic_spark)) == {
        "plain": (False, "TINYINT"),
        "ratio": (False, "FLOAT"),
        "list[]": (False, "TINYINT"),
        "none": (False, "TINYINT"),
    }
    full = [filled(one) for one in (*columns, "list.element", "inner.a")]
    assert proofs(prove(folder.table, full, spark=classic_spark)).keys() == {"plain", "number", "ratio", "long", "list", "inner"}


def foreign(root: Path, columns: str, values: dict[str, Any], **written: Any) -> Folder:
    """A table with one file that another writer made, without ids."""
    folder = made_at(root, columns)
    folder.data.mkdir()
    parquet.write_table(pa.table(values), folder.data / "foreign.parquet", **written)
    return folder


def test_a_column_that_folders_speak_for_is_not_taken_from_a_file_that_has_it_too(classic_spark: Any, tmp_path: Path) -> None:
    folder = made_at(tmp_path, "id BIGINT, day INT")
    (folder.data / "day=40000").mkdir(parents=True)
    parquet.write_table(pa.table({"id": [1], "day": pa.array([4], pa.int32())}), folder.data / "day=40000" / "1.parquet")
    assert prove(folder.table, [retyped("day", "SMALLINT")], spark=classic_spark) == ()


def test_a_column_that_the_plan_renames_is_proven_all_the_same(classic_spark: Any, folder: Folder) -> None:
    changes = [
        "RENAME COLUMN note TO remark",
        retyped("remark", "VARCHAR(5)"),
        "RENAME COLUMN address.city TO town",
        filled("address.town"),
    ]
    found = prove(folder.table, changes, spark=classic_spark)
    assert proofs(found) == {"note": (False, "VARCHAR(5)"), "address.city": (True, None)}
    after = rules(folder.table.plan(changes, evidence=found))
    assert all(proven for (rule, _), (_, proven) in after.items() if rule.startswith(("LENGTH", "NULLABILITY")))


def test_evidence_lets_a_table_be_tightened(classic_spark: Any, tmp_path: Path) -> None:
    folder = made_at(tmp_path, "id BIGINT, note STRING")
    folder.write(classic_spark, [(1, "a"), (2, "b")])
    table: Table = folder.table
    strict = {"protect": {"data": "block", "jobs": "off", "writers": "off"}}
    with pytest.raises(IncompatibleSchemaError):
        table.evolve([filled("id")], policy=strict)
    found = prove(table, [filled("id")], spark=classic_spark)
    assert table.evolve([filled("id")], policy=strict, evidence=found).version.number == 2


def test_nothing_is_looked_at_where_nothing_is_asked(classic_spark: Any, tmp_path: Path) -> None:
    assert prove(Folder(tmp_path, "id BIGINT").table, "ADD COLUMN note STRING", spark=classic_spark) == ()


def test_a_table_without_a_file_proves_everything(classic_spark: Any, tmp_path: Path) -> None:
    folder = made_at(tmp_path, "id BIGINT")
    folder.data.mkdir()
    (found,) = prove(folder.table, [filled("id")], spark=classic_spark)
    assert (found.not_null, found.files) == (True, 0)


def test_bad_arguments_are_told(classic_spark: Any, folder: Folder) -> None:
    with pytest.raises(ContractError, match="no table"):
        prove("shop.orders", [filled("id")], spark=classic_spark)  # type: ignore[arg-type]
    with pytest.raises(SparkError, match="session"):
        prove(folder.table, [filled("id")], spark=7)  # type: ignore[arg-type]  # what a user may try
