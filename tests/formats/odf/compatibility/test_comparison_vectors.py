"""The answers of the reference to comparisons, as it gave them: reference compatible gives each of them, defects and all."""

import pytest

from tests.conformance import rows
from tests.conformance.odf import comparison

ROWS = [row for row in rows.read("odf") if row.group == "compare"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_answer_of_the_reference_is_there_for_who_needs_it(row: rows.Row) -> None:
    assert comparison.reference_answer(row.content) == row.content["expect"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_ours_is_what_the_specification_asks_for(row: rows.Row) -> None:
    assert comparison.answer(row.content) == comparison.specified_answer(row.content)
