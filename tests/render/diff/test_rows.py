"""Columns of two schemas beside each other: what differs is said once, nothing is left out, and every line fits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import Field, field
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.render.diff.columns import one_under_the_other, side_by_side
from airflow_provider_schemas.render.diff.counts import counts_text, difference_counts
from airflow_provider_schemas.render.diff.rows import DiffRow, RowKind, column_rows, shown_rows
from airflow_provider_schemas.render.diff.table_rows import table_rows
from airflow_provider_schemas.render.layout import display_width
from airflow_provider_schemas.render.page import Sheet

CODES = re.compile(r"\x1b\[[0-9;]*m")


def column(number: int, name: str, type_: str = "INT", comment: str | None = None, default: str | None = None) -> Field:
    return field(number, name, numbered(parse_ddl(type_)), comment, default)


def kinds(old: list[Field], new: list[Field]) -> dict[int | None, tuple[RowKind, ...]]:
    return {row.id: row.kinds for row in column_rows(old, new)}


OLD = [column(number, name) for number, name in enumerate("abcdef")]


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (column(2, "other"), RowKind.RENAMED),
        (column(2, "c", "BIGINT"), RowKind.RETYPED),
        (column(2, "c", "INT NOT NULL"), RowKind.NULLABILITY),
        (column(2, "c", "INT", "a comment"), RowKind.COMMENT),
        (column(2, "c", "INT", None, "7"), RowKind.DEFAULT),
    ],
)
def test_each_kind_of_change_is_told_apart(after: Field, kind: RowKind) -> None:
    found = kinds(OLD, [*OLD[:2], after, *OLD[3:]])
    assert found == {**dict.fromkeys(range(6), ()), 2: (kind,)}


def test_what_is_added_and_dropped_moves_nothing() -> None:
    new = [column(9, "first"), *OLD[:2], *OLD[3:], column(10, "last")]
    rows = column_rows(OLD, new)
    assert [row.id for row in rows] == [9, 0, 1, 2, 3, 4, 5, 10]
    assert [row.kinds for row in rows if row.differs] == [(RowKind.ADDED,), (RowKind.DROPPED,), (RowKind.ADDED,)]


def test_a_column_that_moves_is_one_move() -> None:
    rows = column_rows(OLD, [OLD[5], *OLD[:5]])
    assert [(row.id, row.places) for row in rows if row.differs] == [(5, (6, 1))]


def test_a_name_that_goes_over_to_another_column_is_a_drop_and_an_addition() -> None:
    assert kinds([column(1, "a")], [column(2, "a")]) == {1: (RowKind.DROPPED,), 2: (RowKind.ADDED,)}


def test_only_what_differs_of_a_struct_is_shown() -> None:
    old = [column(1, "s", "ARRAY<ROW<a INT, b INT, c INT, d INT>>")]
    new = [column(1, "s", "ARRAY<ROW<a INT, b INT, c INT, d BIGINT>>")]
    (row,) = column_rows(old, new)
    assert (row.kinds, row.new and row.new.type) == ((), "ARRAY<ROW>")
    shown = [(row.depth, row.hidden, row.kinds) for row in shown_rows([row], all_of_them=False)]
    assert shown == [(0, 0, ()), (1, 3, ()), (1, 0, (RowKind.RETYPED,))]


def test_a_struct_that_becomes_another_container_is_retyped_as_a_whole() -> None:
    (row,) = column_rows([column(1, "s", "ROW<a INT>")], [column(1, "s", "ARRAY<ROW<a INT>>")])
    assert (row.kinds, row.children) == ((RowKind.RETYPED,), ())


def test_a_list_whose_struct_may_not_be_null_differs_in_that() -> None:
    (row,) = column_rows([column(1, "s", "ARRAY<ROW<a INT>>")], [column(1, "s", "ARRAY<ROW<a INT> NOT NULL>")])
    assert row.kinds == (RowKind.NULLABILITY,)


# ---------------------------------------------------------------- keys and options


def test_options_and_keys_are_rows_without_secrets() -> None:
    old = TableSchema.create("a INT NOT NULL", options={"file.format": "orc", "gone": "x"})
    new = TableSchema.create(
        "a INT NOT NULL", options={"file.format": "parquet", "bucket": "1", "fs.s3a.secret.key": "hunter2"}, primary_keys=["a"], comment="c"
    )
    rows = table_rows(old, new)
    lines = "\n".join(one_under_the_other(rows, Sheet(width=100)))
    assert "hunter2" not in lines
    counts = difference_counts((), rows)
    assert (counts["option"], counts["key"], counts["comment"]) == (4, 1, 1)
    assert counts_text(counts) == "1 comment, 4 options, 1 key"


def test_no_difference_is_said_in_words() -> None:
    assert counts_text(difference_counts(column_rows(OLD, OLD), ())) == "no difference"
    assert counts_text(difference_counts((), (), 2)) == "2 other"


# ---------------------------------------------------------------- lines

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="`"), min_size=1, max_size=60)
TYPES = st.sampled_from(["INT", "DECIMAL(38, 18) NOT NULL", "MAP<STRING, ARRAY<ROW<a INT, b ROW<c STRING>>>>", "ROW<x INT, y STRING>"])
SIDES = st.dictionaries(st.integers(0, 8), st.tuples(NAMES, TYPES), max_size=8)


def rows_of(old: dict[int, tuple[str, str]], new: dict[int, tuple[str, str]]) -> list[DiffRow]:
    before = [column(number, name, type_) for number, (name, type_) in old.items()]
    return [*column_rows(before, [column(number, name, type_) for number, (name, type_) in new.items()])]


@given(SIDES, SIDES)
def test_every_column_of_both_sides_has_a_row(old: dict[int, tuple[str, str]], new: dict[int, tuple[str, str]]) -> None:
    rows = rows_of(old, new)
    assert [row.id for row in rows if row.new is not None] == [*new]
    assert {row.id for row in rows if row.old is not None} == {*old}
    hidden = sum(max(row.hidden, 1) for row in shown_rows(rows, all_of_them=False) if row.depth == 0)
    assert hidden == len(rows)


@given(SIDES, SIDES, st.sampled_from([20, 40, 80, 120, 160]), st.booleans())
def test_every_line_fits(old: dict[int, tuple[str, str]], new: dict[int, tuple[str, str]], width: int, shortens: bool) -> None:
    rows = [*shown_rows(rows_of(old, new), all_of_them=False)]
    sheet = Sheet(width=width, shortens=shortens)
    assert all(display_width(line) <= width for line in one_under_the_other(rows, sheet))
    if width >= 80:
        assert all(display_width(line) <= width for line in side_by_side(rows, ("old", "new"), sheet))


@given(SIDES, SIDES)
def test_colours_change_nothing_but_colours(old: dict[int, tuple[str, str]], new: dict[int, tuple[str, str]]) -> None:
    rows = rows_of(old, new)
    for draw in (one_under_the_other, lambda rows, sheet: side_by_side(rows, ("old", "new"), sheet)):
        plain = draw(rows, Sheet(width=120))
        assert [CODES.sub("", line) for line in draw(rows, Sheet(width=120, color=True))] == plain


def test_wide_letters_stand_below_each_other() -> None:
    old = [column(1, "数量"), column(2, "e\u0301te\u0301"), column(3, "plain")]
    lines = one_under_the_other(column_rows(old, [column(1, "数量", "BIGINT"), *old[1:]]), Sheet(width=80))
    assert len({display_width(line.partition("INT")[0].removesuffix("BIG")) for line in lines}) == 1


def test_what_is_cut_ends_in_an_ellipsis_and_is_whole_in_a_pipe() -> None:
    name = "a_name_that_is_much_longer_than_any_terminal_has_room_for" * 2
    rows = column_rows([], [column(1, name)])
    (line,) = one_under_the_other(rows, Sheet(width=80, shortens=True))
    assert "…" in line
    whole = "".join("".join(one_under_the_other(rows, Sheet(width=80))).split())
    assert name in whole.replace("INTadded", "")
