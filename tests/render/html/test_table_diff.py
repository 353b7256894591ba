"""Two versions as one value: each finding of the report stands with the column that it is about, and none is lost."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.render.html.api import document
from airflow_provider_schemas.render.html.table_diff import TableDiff, table_diff
from airflow_provider_schemas.render.masking import masked_finding
from tests.render.support import story
from tests.support.tables import batches, tables

NESTED = TableSchema.create(
    "id BIGINT NOT NULL, s ROW<a INT, b ARRAY<ROW<c INT, d STRING>>>, m MAP<STRING, ROW<x INT>>, dt DATE NOT NULL",
    partition_keys=["dt"],
    primary_keys=["id", "dt"],
    options={"bucket": "4"},
)
JOB = Contract.of("s ROW<a INT, b ARRAY<ROW<c INT>>>", name="daily_report", table="shop.orders")


def judged(old: TableSchema, changes: list[str]) -> TableDiff:
    """The step that changes make of a table, judged for one job."""
    new = evolve(old, changes)
    return table_diff(old, new, report=check(old, new, contracts=[JOB], table="shop.orders"))


def test_a_renamed_column_names_the_jobs_that_break() -> None:
    diff = table_diff(*story.versions()[1:], report=story.change_report())
    assert [job.name for job in diff.impacts[1].consumers] == ["daily_report", "ltv_model"]
    assert {number: impact.verdict for number, impact in diff.impacts.items()} == {1: Verdict.BREAK, 3: Verdict.WARN, 7: Verdict.OK}
    assert (diff.table, diff.old_title, diff.new_title, diff.old, diff.new) == ("shop.orders", "v41", "v42", 41, 42)


def test_a_nested_field_has_its_own_verdict() -> None:
    diff = judged(NESTED, ["RENAME COLUMN s.b.element.c TO cc"])
    assert {number: impact.rules for number, impact in diff.impacts.items()} == {3: ("FIELD_RENAMED",)}
    assert [job.name for job in diff.impacts[3].consumers] == ["daily_report"]


def test_a_finding_about_an_option_stands_with_the_option() -> None:
    diff = judged(NESTED, ["SET OPTION bucket = 8"])
    assert "option bucket" in diff.impacts


def test_a_finding_about_a_column_that_stays_stands_below_the_table() -> None:
    new = evolve(NESTED, ["ADD COLUMN note STRING"])
    report = check(NESTED, new, contracts=[Contract.of("nowhere INT", name="odd", table="t")], table="t")
    diff = table_diff(NESTED, new, report=report)
    assert len(diff.others) + sum(len(impact.messages) for impact in diff.impacts.values()) == len(report.findings)


def test_without_a_report_nobody_is_said_to_break_or_to_fit() -> None:
    diff = table_diff(*story.versions()[1:])
    assert diff.impacts == {}
    assert diff.report is None


def test_values_of_secrets_are_in_no_text() -> None:
    old = TableSchema.create("a INT", options={"s3.secret-key": "hush-1", "note": "s3://ana:hush-2@lake/x"})
    new = evolve(
        old,
        [
            "SET OPTION s3.secret-key = hush-3",
            "SET OPTION note = s3://ana:hush-4@lake/x",
            "ALTER COLUMN a COMMENT 's3://ana:hush-5@lake'",
        ],
    )
    page = document(table_diff(old, new, report=check(old, new, table="t")))
    assert "option note" in page
    assert "hush" not in page


def test_schemas_whose_ids_mean_nothing_are_matched_by_name() -> None:
    old = TableSchema.create("a INT, b INT, c INT")
    new = TableSchema.create("c INT, b BIGINT")
    diff = table_diff(old, new, by_name=True, titles=("file", "store"))
    assert diff.counts["dropped"] == 1
    assert diff.counts["renamed"] == 0
    assert (diff.old_title, diff.new_title) == ("file", "store")


@st.composite
def steps(draw: st.DrawFn) -> tuple[TableSchema, TableSchema]:
    old = draw(tables())
    return old, draw(st.one_of(batches(old).map(lambda batch: evolve(old, batch)), tables()))


@given(steps())
def test_every_finding_of_the_report_stands_somewhere_once(step: tuple[TableSchema, TableSchema]) -> None:
    old, new = step
    report: Report = check(old, new, contracts=[Contract.of(old, name="job")], table="a.b")
    diff = table_diff(old, new, report=report)
    told = Counter(message for impact in (*diff.impacts.values(), *diff.others) for message in impact.messages)
    assert told == Counter(masked_finding(finding).message for finding in report.findings)
