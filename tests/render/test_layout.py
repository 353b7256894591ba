"""Lines and columns: nothing is wider than the terminal but a word that is, and cells stand below each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.render.layout import display_width, grid, labelled, longest, padded, paragraph, two_sided, wrapped

LETTERS = st.sampled_from("ab é漢字한é→")
TEXTS = st.text(LETTERS, max_size=60)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("cust_id", 7),
        ("größe", 5),
        ("gro\u0308ße", 5),
        ("顧客", 4),
        ("한국어", 6),
        ("\u1112\u1161\u11ab", 2),
        ("✖", 1),
        ("⛔", 2),
        ("\x1b[1;31m✖\x1b[0m", 1),
        ("", 0),
    ],
)
def test_a_text_is_as_wide_as_a_terminal_shows_it(text: str, width: int) -> None:
    assert display_width(text) == width
    assert display_width(padded(text, 12)) == 12


def test_a_paragraph_breaks_at_blanks_and_hangs() -> None:
    assert paragraph("one two three four", 12, indent=1, hang=4) == [" one two", "    three", "    four"]


def test_blanks_between_words_stay_as_they_are_and_vanish_at_breaks() -> None:
    assert wrapped("amount  DECIMAL  is new", 15) == ["amount  DECIMAL", "is new"]


def test_a_word_that_is_too_wide_stands_alone_and_whole() -> None:
    assert wrapped("a column_with_a_long_name b", 10) == ["a", "column_with_a_long_name", "b"]


def test_chinese_breaks_between_letters_as_it_is_written_without_blanks() -> None:
    assert wrapped("顧客番号です", 6) == ["顧客番", "号です"]


def test_a_blank_that_holds_words_together_is_no_place_to_break() -> None:
    assert wrapped("jobs\u00a0ok · writers\u00a0ok", 14) == ["jobs\u00a0ok ·", "writers\u00a0ok"]


@given(TEXTS, st.integers(1, 40))
def test_no_line_is_wider_than_asked_but_for_a_single_word(text: str, width: int) -> None:
    for line in wrapped(text, width):
        assert display_width(line) <= max(width, longest(line))
        assert display_width(line) <= width or " " not in line.strip(" ")


@given(TEXTS, st.integers(1, 40))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    assert "".join(wrapped(text, width)).replace(" ", "") == text.replace(" ", "")


# ---------------------------------------------------------------- cells

ROWS = [["✖ RENAMED", "cust_id -> customer_id", "data ok"], ["⚠ DROPPED", "legacy", "data ok"]]


def test_cells_stand_below_each_other() -> None:
    first, second = grid(ROWS, 80, indent=2)
    assert first == ["  ✖ RENAMED  cust_id -> customer_id  data ok"]
    assert second == ["  ⚠ DROPPED  legacy                  data ok"]


def test_on_a_narrow_terminal_cells_are_stacked() -> None:
    first, _ = grid(ROWS, 40, indent=2)
    assert first == ["  ✖ RENAMED", "      cust_id -> customer_id", "      data ok"]


def test_a_column_that_does_not_fit_goes_below_in_every_row() -> None:
    long = "data ok (by id) · jobs breaks daily_report, ltv_model · writers ok"
    rows = [["a" * 25, "b" * 25, long], ["a", "b", "data ok"]]
    assert grid(rows, 72) == [
        ["a" * 25 + "  " + "b" * 25, "    data ok (by id) · jobs breaks daily_report, ltv_model · writers ok"],
        ["a" + " " * 26 + "b", "    data ok"],
    ]


def test_one_very_wide_cell_moves_only_its_own_row() -> None:
    wide, narrow = grid([["n" * 70, "INT"], ["id", "INT"]], 100)
    assert wide == ["n" * 70, "    INT"]
    assert narrow == ["id  INT"]


def test_colours_do_not_move_columns() -> None:
    assert grid([["\x1b[31m✖\x1b[0m", "x"], ["⛔", "y"]], 80) == [["\x1b[31m✖\x1b[0m   x"], ["⛔  y"]]


def test_empty_cells_and_no_rows_are_fine() -> None:
    assert grid([["a", "", "c"]], 80) == [["a    c"]]
    assert grid([], 80) == []


@given(st.lists(st.lists(TEXTS, min_size=3, max_size=3), max_size=4), st.integers(20, 100))
def test_a_row_is_wider_than_the_terminal_only_where_a_word_is(rows: list[list[str]], width: int) -> None:
    for lines in grid(rows, width, indent=2):
        for line in lines:
            assert display_width(line) <= width or longest(line) > width - 8


@given(TEXTS, st.integers(40, 100))
def test_a_label_never_pushes_its_text_out(text: str, width: int) -> None:
    for line in labelled("what happens", text, width, indent=6, column=24):
        assert display_width(line) <= width or longest(line) > width - 8


def test_two_sides_share_a_line_where_they_fit() -> None:
    assert two_sided("left", "right", 12) == ["left   right"]
    assert two_sided("left", "right", 10) == ["left", "  right"]
    assert two_sided("left", "", 10) == ["left"]
