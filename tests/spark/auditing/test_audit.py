"""An audit finds what is wrong with each table of a warehouse, whoever wrote it, and never calls a table sound that it could not read."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError, SparkError
from airflow_provider_schemas.spark import audit, summarize
from airflow_provider_schemas.spark.auditing import executor, frames
from airflow_provider_schemas.spark.auditing.rows import COLUMNS
from airflow_provider_schemas.store import SchemaStore
from tests.spark.support import auditing
from tests.spark.support.auditing import ALIKE, BROKEN, EDITED, LOST, RENUMBERED, REUSED, SOUND


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> SchemaStore:
    return auditing.made(tmp_path_factory.mktemp("audit"))


@pytest.fixture(scope="module")
def findings(classic_spark: Any, warehouse: SchemaStore) -> Any:
    return audit(classic_spark, warehouse.url)


@pytest.fixture(scope="module")
def rows(findings: Any) -> list[Any]:
    found: list[Any] = findings.collect()
    return found


def of(rows: list[Any], table: str) -> Iterator[tuple[str, str]]:
    return ((one["rule"], one["verdict"]) for one in rows if one["table"] == table)


def the(rows: list[Any], table: str) -> Any:
    (found,) = (one for one in rows if one["table"] == table)
    return found


def test_a_finding_is_a_row_of_plain_columns(findings: Any) -> None:
    assert [(one.name, one.dataType.simpleString().upper(), one.nullable) for one in findings.schema] == [
        (name, kind.removesuffix(" NOT NULL"), "NOT NULL" not in kind) for name, kind in COLUMNS.items()
    ]


@pytest.mark.parametrize("table", SOUND)
def test_a_table_with_which_all_is_well_has_no_row(rows: list[Any], table: str) -> None:
    assert not list(of(rows, table))


def test_a_chain_of_types_that_no_reader_can_follow_is_told_by_its_ends(rows: list[Any]) -> None:
    (found,) = (one for one in rows if one["rule"] == "TYPE_CHAIN_BROKEN")
    assert found["table"] == "shop.chained"
    assert (found["rule"], found["verdict"], found["path"], found["version"]) == ("TYPE_CHAIN_BROKEN", "break", "day", 0)
    assert "day is INT" in found["message"]
    assert "hold DATE" in found["message"]


def test_a_type_that_old_values_need_not_fit_is_told(rows: list[Any]) -> None:
    found = the(rows, "shop.narrowed")
    assert (found["rule"], found["path"]) == ("TYPE_NARROWED", "amount")
    assert "Files of version 0" in found["message"]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (EDITED, {"SCHEMA_FILE_MUTATED", "VERSION_NOT_SUCCESSOR"}),
        (BROKEN, {"TABLE_UNREAD"}),
        (RENUMBERED, {"TABLE_UNREAD"}),
        (REUSED, {"FIELD_ID_REUSED"}),
        (ALIKE, {"NAME_CASE_COLLISION"}),
        (LOST, {"TABLE_UNREAD"}),
    ],
)
def test_what_is_wrong_with_a_table_is_found(rows: list[Any], table: str, expected: set[str]) -> None:
    assert {rule for rule, _ in of(rows, table)} == expected


def test_a_version_that_cannot_be_read_is_named_with_its_file(rows: list[Any]) -> None:
    found = the(rows, BROKEN)
    assert (found["path"], found["version"], found["fault"]) == ("version 1", 1, "json.invalid")
    assert found["file"].endswith("shop.db/wrong1/schema/schema-1")
    assert found["verdict"] == "break"


def test_every_row_says_what_to_do(rows: list[Any]) -> None:
    assert all(one["message"].endswith(".") and one["fix"] and one["verdict"] in {"warn", "break", "invalid"} for one in rows)


def test_the_summary_counts_what_was_looked_at_and_what_could_not_be_read(findings: Any, rows: list[Any]) -> None:
    summary = summarize(findings)
    assert (summary.tables, summary.unread, summary.findings) == (11, 3, len(rows))
    assert summary.verdict == "invalid"
    assert Counter({line.rule: line.findings for line in summary.lines}) == Counter(one["rule"] for one in rows)
    text = str(summary)
    assert text.startswith("11 tables · ")
    assert "3 tables could not be read, or not all of them" in text
    assert summary.to_dict()["lines"][0]["verdict"] == "invalid"


def test_a_summary_is_the_same_whether_spark_makes_it_or_not(findings: Any) -> None:
    by_spark = findings.select("*")
    assert frames.recall_rows(findings) is not None
    assert frames.recall_rows(by_spark) is None
    assert summarize(findings) == summarize(by_spark)


def test_a_summary_of_some_findings_still_knows_what_was_looked_at(findings: Any) -> None:
    some = summarize(findings.where("rule = 'TABLE_UNREAD'"))
    assert (some.tables, [line.rule for line in some.lines]) == (11, ["TABLE_UNREAD"])


def test_both_kinds_of_session_find_the_same(spark: Any, warehouse: SchemaStore, rows: list[Any]) -> None:
    assert sorted(map(tuple, audit(spark, warehouse).collect()), key=str) == sorted(map(tuple, rows), key=str)


def test_a_warehouse_that_only_spark_reaches_is_audited_through_it(spark: Any, warehouse: SchemaStore, rows: list[Any]) -> None:
    findings = audit(spark, SchemaStore.on(spark, f"file://{warehouse.url}"))
    # A folder without any version is no table that Spark could find without listing all data.
    assert set(brief(findings.collect())) == {one for one in brief(rows) if one[0] != LOST}
    assert summarize(findings).tables == 10


def brief(rows: Iterable[Any]) -> list[tuple[str, ...]]:
    return sorted((one["table"], one["rule"], one["path"], one["verdict"]) for one in rows)


def test_executors_without_this_package_leave_the_work_to_the_driver(
    classic_spark: Any, warehouse: SchemaStore, rows: list[Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(executor, "_FEW", 1)
    shared = audit(classic_spark, warehouse)
    monkeypatch.setattr(executor, "_run_task", nowhere)
    alone = audit(classic_spark, warehouse)
    assert brief(shared.collect()) == brief(alone.collect()) == brief(rows)
    assert "has no airflow-provider-schemas" in caplog.text


def nowhere(batches: Any, **_: Any) -> Any:
    raise ModuleNotFoundError("No module named 'airflow_provider_schemas'")


# ---------------------------------------------------------------- which tables


@pytest.mark.parametrize(
    ("said", "tables"),
    [
        ({"databases": "web"}, set()),
        ({"tables": "shop.c*"}, {"shop.chained"}),
        ({"tables": ["*rowed", "web.*"]}, {"shop.narrowed"}),
        ({"tables": ["shop.chained", "web.clicks"]}, {"shop.chained"}),
    ],
)
def test_tables_are_chosen_by_name_or_pattern(classic_spark: Any, warehouse: SchemaStore, said: Any, tables: set[str]) -> None:
    assert {one["table"] for one in audit(classic_spark, warehouse, data=False, **said).collect()} == tables


def test_a_pattern_that_fits_no_table_is_an_error(classic_spark: Any, warehouse: SchemaStore) -> None:
    with pytest.raises(NotThereError, match=r"no table in .* that fits 'shop\.ordres\*'"):
        audit(classic_spark, warehouse, tables="shop.ordres*")


def test_a_table_that_is_named_and_not_there_is_a_finding(classic_spark: Any, warehouse: SchemaStore) -> None:
    found = the(audit(classic_spark, warehouse, tables="shop.ordres").collect(), "shop.ordres")
    assert (found["rule"], found["fault"]) == ("TABLE_UNREAD", "table.not-there")


@pytest.mark.parametrize("said", [{"parallel": 0}, {"parallel": "two"}, {"tables": 3}, {"databases": []}, {"cache": 5}, {"cache": ""}])
def test_what_makes_no_sense_is_told(classic_spark: Any, warehouse: SchemaStore, said: Any) -> None:
    with pytest.raises(SparkError):
        audit(classic_spark, warehouse, **said)


def test_a_warehouse_that_is_none_is_told(classic_spark: Any) -> None:
    with pytest.raises(SparkError, match="a int is no warehouse"):
        audit(classic_spark, 3)  # type: ignore[arg-type]


def test_a_frame_of_something_else_is_no_findings(classic_spark: Any) -> None:
    with pytest.raises(SparkError, match="no column 'owner', 'rule', 'table', 'verdict'"):
        summarize(classic_spark.range(1))
