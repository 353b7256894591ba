"""Rows of a diff in words: what happened is told apart, and what is shown stands in the page exactly once."""

import pytest
from hypothesis import given

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.diff.rows import DiffRow
from airflow_provider_schemas.render.html.api import document, fragment
from airflow_provider_schemas.render.html.pictures.diff_lines import basis, diff_lines, table_lines
from airflow_provider_schemas.render.html.table_diff import table_diff
from tests.render.html.support.html_tables import ReadHtml
from tests.render.html.test_table_diff import steps
from tests.render.support import story

OLD = TableSchema.create(
    "a INT, b INT NOT NULL, c INT, d INT, s ROW<x INT, y INT>", options={"snapshot.time-retained": "1h"}, comment="old"
)


def words(*changes: str) -> list[tuple[str, ...]]:
    """What the lines that differ say."""
    diff = table_diff(OLD, evolve(OLD, list(changes)))
    return [line.words for line in (*diff_lines(diff), *table_lines(diff)) if line.words]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("RENAME COLUMN a TO z", "renamed"),
        ("ALTER COLUMN a TYPE BIGINT", "retyped"),
        ("ALTER COLUMN b DROP NOT NULL", "may be NULL now"),
        ("ALTER COLUMN d FIRST", "moved from place 4 to 1"),
        ("ALTER COLUMN a COMMENT 'x'", "comment changed"),
        ("ADD COLUMN z INT AFTER a", "added after a"),
        ("ADD COLUMN z INT FIRST", "added"),
        ("ADD COLUMN s.z INT", "added after y"),
        ("DROP COLUMN a", "dropped"),
        ("RENAME COLUMN s.x TO z", "renamed"),
        ("SET OPTION snapshot.time-retained = 2h", "changed"),
        ("SET OPTION note = x", "added"),
    ],
)
def test_each_kind_of_change_has_its_words(change: str, word: str) -> None:
    assert words(change) == [(word,)]


def test_a_column_that_is_renamed_and_retyped_says_both() -> None:
    assert words("RENAME COLUMN a TO z", "ALTER COLUMN z TYPE BIGINT", "ALTER COLUMN z COMMENT 'x'") == [
        ("renamed", "retyped", "comment changed")
    ]


def test_both_comments_stand_below_the_names() -> None:
    diff = table_diff(OLD, evolve(OLD, ["ALTER COLUMN a COMMENT 'at s3://ana:hush@lake/x'"]))
    line = diff_lines(diff)[0]
    assert line.old is not None
    assert line.new is not None
    assert (line.old.notes, line.new.notes) == (("comment \u2014",), ("comment at s3://****@lake/x",))


def test_unchanged_columns_are_a_count_and_all_of_them_on_request() -> None:
    new = evolve(OLD, ["RENAME COLUMN a TO z"])
    assert [line.hidden for line in diff_lines(table_diff(OLD, new))] == ["", "4 columns unchanged"]
    lines = diff_lines(table_diff(OLD, new, all_rows=True))
    assert [line.is_same for line in lines] == [False, True, True, True, True]


def test_what_the_verdicts_rest_on_is_said() -> None:
    before, after = story.versions()[1:]
    assert basis(table_diff(before, after)) == "Whom the changes break was not checked."
    assert basis(table_diff(before, after, report=Report(contracts=0))).startswith("No job has registered")
    assert basis(table_diff(before, after, report=story.change_report())) == "Checked against 14 registered contracts."


def test_a_change_that_was_not_judged_has_no_verdict() -> None:
    shown = ReadHtml(fragment(table_diff(*story.versions()[1:])))
    assert "whom it breaks" not in shown.heads
    assert not [attributes for _, attributes in shown.elements if "verdict-" in attributes.get("class", "")]


def test_the_page_names_the_jobs_that_break_and_links_the_rule() -> None:
    shown = ReadHtml(document(table_diff(*story.versions()[1:], report=story.change_report()), docs="https://docs.example/"))
    renamed = next(row for row in shown.rows_of("beside") if row.cells[0].text == "1")
    assert [cell.text for cell in renamed.cells] == [
        "1",
        "cust_id BIGINT",
        "customer_id BIGINT",
        "renamed",
        "\u2716 breaks daily_report (team-bi, #bi-oncall), ltv_model (team-ml) FIELD_RENAMED",
    ]
    assert "https://docs.example/docs/rules/FIELD_RENAMED.md" in [attributes.get("href") for _, attributes in shown.elements]


def changed_ids(rows: tuple[DiffRow, ...]) -> list[str]:
    """The ids of the rows that differ themselves, nested ones as well."""
    ids: list[str] = []
    for row in rows:
        if row.kinds:
            ids.append(str(row.id))
        ids += changed_ids(row.children)
    return ids


@given(steps())
def test_every_column_that_changed_stands_in_the_page_exactly_once(step: tuple[TableSchema, TableSchema]) -> None:
    for all_rows in (False, True):
        diff = table_diff(*step, all_rows=all_rows)
        rows = [row for row in ReadHtml(fragment(diff)).rows_of("beside") if row.cells[0].text]
        shown = [row.cells[0].text for row in rows if row.classes in {"added", "dropped", "changed"}]
        assert sorted(shown) == sorted(changed_ids(diff.rows))
        if all_rows:
            columns = {str(field.id) for schema in step for field in schema.fields}
            assert columns <= {row.cells[0].text for row in rows}


def wide_step() -> tuple[Version, Version, Report]:
    """A step from 1,000 columns to 1,218, with 358 changes, judged for five jobs."""
    old = TableSchema.create([{"name": f"column_{number}", "type": "BIGINT" if number % 2 else "STRING"} for number in range(1000)])
    changes = [
        *(f"RENAME COLUMN column_{number} TO renamed_{number}" for number in range(90)),
        *(f"ALTER COLUMN column_{number} TYPE DECIMAL(20, 0)" for number in range(101, 141, 2)),
        *(f"DROP COLUMN column_{number}" for number in range(500, 510)),
        *(f"ALTER COLUMN column_{number} COMMENT 'comment {number}'" for number in range(600, 610)),
        *(f"ADD COLUMN new_{number} STRING" for number in range(228)),
    ]
    before = story.version(old, 41, "2026-06-01T08:00Z")
    after = story.version(evolve(old, changes), 42, "2026-07-01T08:00Z")
    contracts = [Contract.of([f"column_{number}" for number in range(30)], name=f"job_{job}", table="a.b") for job in range(5)]
    return before, after, check(before, after, contracts=contracts, table="a.b")


def test_358_changes_of_a_thousand_columns_are_a_page_of_at_most_150_kilobytes() -> None:
    before, after, report = wide_step()
    diff = table_diff(before, after, report=report)
    page = document(diff, docs="https://docs.example/")
    assert len(after.schema.fields) == 1218
    assert len(changed_ids(diff.rows)) == 358
    assert len(page.encode()) < 150_000
    assert len(document(table_diff(before, after, report=report, all_rows=True)).encode()) < 170_000
