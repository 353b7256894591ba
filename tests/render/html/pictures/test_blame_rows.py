"""Since when each column is as it is: the newest versions that changed it, and what is older than all that is known."""

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.blame.trace import blame
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.html.api import fragment
from airflow_provider_schemas.render.html.pictures.blame_rows import blame_origins, blame_rows
from tests.render.html.support.html_tables import ReadHtml
from tests.render.support import story


def test_each_column_names_the_version_that_made_it_what_it_is() -> None:
    told = blame(story.TABLE, story.versions())
    rows = {row.path: row for row in blame_rows(told)}
    assert [(step.name, step.day, step.who, step.what) for step in rows["customer_id"].steps] == [
        ("v42", "2026-11-18", "by ana", "renamed cust_id -> customer_id")
    ]
    assert [(step.name, step.who, step.what) for step in rows["utm_source"].steps] == [("v41", "by an outside writer", "added")]
    assert rows["order_id"].unknown == "there since v40 or before"
    assert [origin.number for origin in blame_origins(told)] == [42, 41]


def renamed_often(columns: str) -> list[Version]:
    """Seven versions of a table, each with another name of a column."""
    schemas = [TableSchema.create(columns)]
    for number in range(6):
        name = "a" if number == 0 else f"a{number - 1}"
        schemas.append(evolve(schemas[-1], [f"RENAME COLUMN {name} TO a{number}"]))
    return [story.version(schema, number, "2026-06-01T08:00Z") for number, schema in enumerate(schemas)]


def test_many_changes_of_one_of_many_columns_are_the_newest_and_a_count() -> None:
    told = blame("a.b", renamed_often("id INT, a INT, b INT, c INT, d INT, e INT"))
    row = blame_rows(told)[1]
    assert [step.name for step in row.steps] == ["v6", "v5", "v4"]
    assert row.more == "and 4 earlier changes"


def test_a_column_by_itself_shows_all_of_its_changes() -> None:
    told = blame("a.b", renamed_often("a INT"))
    row = blame_rows(told)[0]
    assert [step.name for step in row.steps] == ["v6", "v5", "v4", "v3", "v2", "v1", "v0"]
    assert row.more == ""


def test_the_page_has_a_row_for_each_column() -> None:
    shown = ReadHtml(fragment(blame(story.TABLE, story.versions())))
    assert [row.cells[1].text for row in shown.rows_of("schema-table")] == [field.name for field in story.versions()[-1].schema.fields]


def test_a_change_of_a_comment_or_default_is_named_once() -> None:
    before = TableSchema.create("a INT")
    after = evolve(before, ["ALTER COLUMN a COMMENT 'in euros'"])
    told = blame("a.b", [story.version(before, 0, "2026-06-01T08:00Z"), story.version(after, 1, "2026-06-02T08:00Z")])
    assert blame_rows(told)[0].steps[0].what == "comment none -> 'in euros'"
