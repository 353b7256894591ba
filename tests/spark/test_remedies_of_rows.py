"""What the rules about rows propose, followed in Spark: the data fit then, and the rows that come back are the right ones."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.core import Contract, TableSchema
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.rules import CATALOGUE, RULES, Judges
from airflow_provider_schemas.spark import validate
from tests.spark.support.folders import rows

COLUMNS = "id BIGINT NOT NULL, name VARCHAR(3), pieces TINYINT, price DECIMAL(5, 2)"
TABLE = TableSchema.create(COLUMNS)
KEYED = TableSchema.create("id BIGINT NOT NULL, name STRING", primary_keys=["id"])
IN_ORDER = Contract.of({"columns": [{"name": "net", "type": "INT"}, {"name": "gross", "type": "INT"}], "shape": "positional"})
WHOLE = "1L AS id, 'ab' AS name, CAST(3 AS TINYINT) AS pieces, 1.20BD AS price"
PAIR = "SELECT 1L AS id, '{}' AS name, CAST({} AS INT) AS pieces, {}BD AS price UNION ALL SELECT 2L, 'b', 2, 2.00BD"
SECOND = [(2, "b", 2, 2)]

Followed = Callable[[Any, Any], Any]
"""Takes the session and the frame that broke, and gives the frame or what it is validated against."""


class Remedy(NamedTuple):
    """Data that break a rule; what the rule says, the data of those who followed it, and their rows."""

    says: str
    broken: str
    fixed: str | Followed
    right: list[tuple[Any, ...]]
    expected: Any = TABLE
    wider: Any = None
    """What is expected once the table was changed as the sentence says."""
    about: Mapping[str, Any] = {}
    mended: Mapping[str, Any] | None = None


def kept_apart(_spark: Any, frame: Any) -> Any:
    """The rows that are good, as `mode='quarantine'` gives them."""
    return validate(frame, TABLE, mode="quarantine").good


ROW = [(1, "ab", 3, 1.2)]
OF_ROWS: dict[str, tuple[Remedy, ...]] = {
    "DATA_COLUMN_MISSING": (
        Remedy("Add the column to the data", "SELECT 'ab' AS name, CAST(3 AS TINYINT) AS pieces, 1.20BD AS price", f"SELECT {WHOLE}", ROW),
    ),
    "DATA_COLUMN_UNKNOWN": (
        Remedy("leave it out of the data", f"SELECT {WHOLE}, 'x' AS coupon", lambda _, frame: frame.drop("coupon"), ROW),
        Remedy(
            "Add it to the table", f"SELECT {WHOLE}, 'x' AS coupon", f"SELECT {WHOLE}, 'x' AS coupon", [(*ROW[0], "x")],
            wider=TableSchema.create(f"{COLUMNS}, coupon STRING"),
        ),
    ),
    "DATA_COLUMN_RENAMED": (
        Remedy(
            "Rename it in the data.", f"SELECT {WHOLE.replace('AS id', 'AS ID')}",
            lambda _, frame: frame.toDF("id", *frame.columns[1:]), ROW,
        ),
    ),
    "DATA_TYPE_DIFFERS": (
        Remedy("Convert the column in the data", f"SELECT {WHOLE.replace('CAST(3 AS TINYINT)', 'true')}", f"SELECT {WHOLE}", ROW),
    ),
    "DATA_ORDER": (
        Remedy(
            "Select the columns in the order that is expected.", "SELECT 2 AS gross, 1 AS net",
            lambda _, frame: frame.select("net", "gross"), [(1, 2)], IN_ORDER,
        ),
    ),
    "DATA_NULL": (
        Remedy("mode='quarantine'", f"SELECT {WHOLE} UNION ALL SELECT CAST(NULL AS BIGINT), 'x', 1, 1.00BD", kept_apart, ROW),
        Remedy(
            "Fill the rows in", f"SELECT {WHOLE.replace('1L AS id', 'CAST(NULL AS BIGINT) AS id')}",
            lambda _, frame: frame.fillna({"id": 1}), ROW,
        ),
    ),
    "DATA_TOO_LONG": (
        Remedy("mode='quarantine'", PAIR.format("abcd", 1, "1.00"), kept_apart, SECOND),
        Remedy(
            "Widen the column in the table", PAIR.format("abcd", 1, "1.00"), PAIR.format("abcd", 1, "1.00"), [(1, "abcd", 1, 1), *SECOND],
            wider=TableSchema.create(COLUMNS.replace("VARCHAR(3)", "VARCHAR(4)")),
        ),
    ),
    "DATA_OUT_OF_RANGE": (
        Remedy("mode='quarantine'", PAIR.format("a", 300, "1.00"), kept_apart, SECOND),
        Remedy(
            "Widen the column in the table", PAIR.format("a", 300, "1.00"), PAIR.format("a", 300, "1.00"), [(1, "a", 300, 1), *SECOND],
            wider=TableSchema.create(COLUMNS.replace("TINYINT", "SMALLINT")),
        ),
    ),
    "DATA_INEXACT": (
        Remedy(
            "Round the values where you see it", PAIR.format("a", 1, "1.234"),
            lambda _, frame: frame.selectExpr("id", "name", "pieces", "round(price, 2) AS price"), [(1, "a", 1, 1.23), *SECOND],
        ),
        Remedy(
            "give the column a finer type", PAIR.format("a", 1, "1.234"), PAIR.format("a", 1, "1.234"), [(1, "a", 1, 1.234), *SECOND],
            wider=TableSchema.create(COLUMNS.replace("DECIMAL(5, 2)", "DECIMAL(6, 3)")),
        ),
    ),
    "DATA_KEY_DUPLICATE": (
        Remedy(
            "Keep one row of each key", "SELECT 1L AS id, 'a' AS name UNION ALL SELECT 1L, 'b'",
            lambda _, frame: frame.groupBy("id").agg({"name": "max"}).toDF("id", "name"), [(1, "b")], KEYED,
        ),
    ),
    "DATA_TOO_FEW_ROWS": (
        Remedy("lower min_rows", f"SELECT {WHOLE}", f"SELECT {WHOLE}", ROW, about={"min_rows": 2}, mended={"min_rows": 1}),
    ),
}  # fmt: skip
# Executed below: no SQL makes such a map.
TWICE = "DATA_MAP_KEY_DUPLICATE"
# Neither Spark nor pyarrow makes a map with a NULL key, so nobody has the entry that is to be left out.
NOT_TO_BE_MADE = {"DATA_MAP_KEY_NULL": "Leave the entry out."}
WAYS = [(rule, remedy) for rule, remedies in OF_ROWS.items() for remedy in remedies]


def broken_rules(validation: Any) -> dict[str, str]:
    """The rules that break, each with what it proposes."""
    return {one.rule: one.fix for one in validation.findings if one.verdict is not Verdict.OK}


def test_every_rule_about_rows_has_a_remedy_that_is_executed() -> None:
    assert {rule.id for rule in CATALOGUE if rule.judges is Judges.DATA} == {*OF_ROWS, TWICE, *NOT_TO_BE_MADE}
    assert {rule: RULES[rule].fix for rule in NOT_TO_BE_MADE} == NOT_TO_BE_MADE


@pytest.mark.parametrize(("rule", "remedy"), WAYS, ids=[f"{rule}-{remedy.says}" for rule, remedy in WAYS])
def test_rows_that_followed_the_remedy_fit_and_come_back(classic_spark: Any, rule: str, remedy: Remedy) -> None:
    frame = classic_spark.sql(remedy.broken)
    told = broken_rules(validate(frame, remedy.expected, **remedy.about))
    assert remedy.says in told[rule]
    mended = classic_spark.sql(remedy.fixed) if isinstance(remedy.fixed, str) else remedy.fixed(classic_spark, frame)
    about = remedy.about if remedy.mended is None else remedy.mended
    expected = remedy.wider or remedy.expected
    assert broken_rules(validate(mended, expected, **about)) == {}
    given = [tuple(float(value) if hasattr(value, "as_tuple") else value for value in row) for row in rows(mended)]
    assert given == remedy.right


def test_entries_of_maps_that_are_left_out_are_no_more_told(classic_spark: Any, tmp_path: Any) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kind = pa.map_(pa.string(), pa.int32())
    table = pa.table({"id": pa.array([1], pa.int64()), "counts": pa.array([[("a", 1), ("a", 2), ("b", 3)]], kind)})
    parquet.write_table(table, tmp_path / "maps.parquet")
    schema = TableSchema.create("id BIGINT, counts MAP<STRING NOT NULL, INT>")
    frame = classic_spark.read.parquet(str(tmp_path / "maps.parquet"))
    assert broken_rules(validate(frame, schema)) == {TWICE: "Keep one entry of each key."}
    kept = frame.selectExpr("id", "map_from_entries(array_distinct(filter(map_entries(counts), one -> one.value <> 2))) AS counts")
    assert broken_rules(validate(kept, schema)) == {}
    assert rows(kept) == [(1, {"a": 1, "b": 3})]
