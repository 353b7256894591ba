"""The recorded answers of the reference to comparisons and DDL, wherever vectors are told to lie.

Reference compatible gives each of them; ours differs only at the defects that are listed here, and always to the safe side or in maps.
"""

import pytest

from airflow_provider_schemas.errors import FormatError
from tests.conformance.odf import comparison, ddl
from tests.conformance.rows import Content
from tests.formats.odf.recorded import rows

COMPARISONS, TEXTS = rows("compare"), rows("parse_ddl")


@pytest.mark.parametrize("row", COMPARISONS, ids=lambda row: row["id"])
def test_the_reference_s_own_answer_is_there_for_who_needs_it(row: Content) -> None:
    assert comparison.reference_answer(row) == row["expected"]


@pytest.mark.parametrize("row", COMPARISONS, ids=lambda row: row["id"])
def test_ours_differs_only_at_its_defects(row: Content) -> None:
    assert comparison.answer(row) == row["expected"] or comparison.defects(row)


@pytest.mark.parametrize("row", TEXTS, ids=lambda row: row["id"])
def test_ddl_is_read_and_refused_as_there(row: Content) -> None:
    if "error" in row["expected"]:
        with pytest.raises(FormatError):
            ddl.answer(row)
    else:
        assert ddl.answer(row) == row["expected"]
