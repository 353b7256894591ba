"""Columns through the versions: a cell for each version, and signs for what happened."""

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.blame.lifelines import Cell, CellState, Lifeline, Lifelines
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.blame.trace import lifelines
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.html.api import fragment
from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.render.html.links import Links
from airflow_provider_schemas.render.html.pictures.lifeline_rows import (
    SIGNS_OF_STATES,
    lifeline_rows,
    unchanged_lines,
    used_states,
)
from tests.render.html.support.html_tables import ReadHtml
from tests.render.support import story
from tests.support.tables import batches, tables

QUIET = {CellState.SAME, CellState.ABSENT}


def line(*states: CellState, number: int = 0, type_: str = "INT") -> Lifeline:
    return Lifeline(number, f"c{number}", tuple(Cell((state,), f"c{number}", type_) for state in states))


def of(*lines: Lifeline) -> Lifelines:
    return Lifelines("shop.orders", tuple(Origin(number) for number in range(len(lines[0].cells))), lines)


def test_every_state_but_the_quiet_ones_has_a_sign_of_its_own() -> None:
    assert set(SIGNS_OF_STATES) == set(CellState) - QUIET
    assert len(set(SIGNS_OF_STATES.values())) == len(SIGNS_OF_STATES)


def test_versions_in_which_nothing_happens_are_one_cell() -> None:
    row = lifeline_rows(of(line(CellState.ADDED, *[CellState.SAME] * 5, CellState.RENAMED, CellState.SAME)))[0]
    assert [(cell.span, cell.sign, cell.words, cell.label) for cell in row.cells] == [
        (1, "+", "added", ""),
        (5, "", "same", "INT"),
        (1, "~", "renamed", ""),
        (1, "", "same", ""),
    ]
    assert row.cells[1].title == "v1 to v5: same, c0 INT"


def test_two_changes_that_follow_each_other_stay_two_cells() -> None:
    row = lifeline_rows(of(line(CellState.ADDED, CellState.RETYPED, CellState.RETYPED)))[0]
    assert [cell.span for cell in row.cells] == [1, 1, 1]


def test_a_version_that_is_not_known_is_no_change_and_is_shown_as_unknown() -> None:
    lines = of(line(CellState.UNKNOWN, CellState.SAME), line(CellState.UNKNOWN, CellState.DROPPED, number=1))
    assert [each.has_changed for each in lines.lines] == [False, False]
    gap = of(line(CellState.ADDED, CellState.UNKNOWN, CellState.RETYPED))
    assert [cell.words for cell in lifeline_rows(gap)[0].cells] == ["added", "not known", "retyped"]
    assert "not known" in [words for _, _, words in used_states(gap)]


def test_columns_that_stay_are_a_count() -> None:
    lines = of(line(CellState.ADDED, CellState.SAME), line(CellState.ADDED, CellState.RENAMED, number=1))
    assert len(lifeline_rows(lines)) == 1
    assert unchanged_lines(lines) == "1 column as in the first version that is known."


def test_a_limit_leaves_out_columns_and_counts_them() -> None:
    lines = of(*[line(CellState.ADDED, CellState.RENAMED, number=number) for number in range(5)])
    macro = environment().get_template("partials/lifelines.html").make_module({"links": Links()})
    shown = ReadHtml(str(macro.lifelines(lines, Links(), limit=2)))  # type: ignore[attr-defined]  # a macro of the template
    assert len(shown.rows_of("lifelines")) == 2
    assert "and 3 more columns that changed" in shown.text


def test_the_story_of_a_table_can_be_read_from_its_lines() -> None:
    shown = ReadHtml(fragment(lifelines(story.TABLE, story.versions())))
    texts = {row.cells[0].text: [cell.classes for cell in row.cells[1:]] for row in shown.rows_of("lifelines")}
    assert texts["customer_id"][-1] == "renamed"
    assert texts["coupon"][-1] == "added"
    assert texts["legacy_flag"][-1] == "dropped"
    assert texts["utm_source"] == ["absent", "added", "same"]


@st.composite
def histories(draw: st.DrawFn) -> list[Version]:
    schemas: list[TableSchema] = [draw(tables())]
    for _ in range(draw(st.integers(1, 4))):
        schemas.append(evolve(schemas[-1], draw(batches(schemas[-1]))))
    return [story.version(schema, number, "2026-06-01T08:00Z") for number, schema in enumerate(schemas)]


@given(histories())
def test_each_row_has_as_many_cells_as_there_are_versions(versions: list[Version]) -> None:
    lines = lifelines(story.TABLE, versions)
    shown = ReadHtml(fragment(lines))
    rows = shown.rows_of("lifelines")
    assert len(rows) == sum(each.has_changed for each in lines.lines)
    assert [sum(cell.span for cell in row.cells[1:]) for row in rows] == [len(versions)] * len(rows)
