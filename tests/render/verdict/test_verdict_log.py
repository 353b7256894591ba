"""The log of a gate from the values in XCom alone: of earlier releases too, and never from what is no verdict. Without Airflow."""

from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.verdict.verdict_log import log_block, log_lines
from tests.render.support.earlier_verdict import EARLIER


def test_a_verdict_of_an_earlier_release_is_printed_as_far_as_it_says() -> None:
    assert log_block(EARLIER).splitlines() == [
        "SCHEMA GATE  ✖ breaks   daily.gate needs 1 table, 1 does not fit   (lake: asked 3 lists + 1 get, 61 ms)",
        "",
        "✖ breaks   shop.orders v42",
        "  judged by schema files, 2026-11-18 06:00:03 UTC",
        "  ✖ FIELD_RENAMED  a is now b",
        "      next step         Use b.",
        "  ... and 3 more: 3 break",
        "  note: version 41 did fit",
        "4 break",
        "note: a note",
    ]


def test_a_table_of_an_earlier_release_that_fits_is_one_line() -> None:
    table = {**EARLIER["tables"]["shop.orders"], "verdict": "ok", "fits": True, "findings": [], "more": 0}
    value = {**EARLIER, "verdict": "ok", "fits": True, "outcome": "fits", "notes": [], "tables": {"shop.orders": table}}
    assert [line for _, line in log_lines(value)] == [
        "shop.orders v42 fits  judged by schema files, 2026-11-18 06:00:03 UTC",
        "lake: asked 3 lists + 1 get, 61 ms",
    ]


def test_a_finding_that_breaks_is_never_printed_as_one_that_fits() -> None:
    table = {"verdict": "break", "fits": False, "version": 1, "counts": {"break": 7}, "findings": [], "more": 7}
    block = log_block({"tables": {"shop.orders": table}, "verdict": "break"})
    assert "✖ breaks   shop.orders v1" in block
    assert "... and 7 more: 7 break" in block


def test_values_without_a_verdict_count_as_the_worst() -> None:
    assert log_block({"tables": {"shop.orders": {"version": 1}}}).startswith("SCHEMA GATE  ⛔ invalid")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "x",
        {},
        {"tables": None},
        {"tables": {"a": 1}},
        {"tables": {"a": {"verdict": "fine"}}},
        {"tables": {"a": {"findings": [1]}}},
        {"tables": {}, "lists": "many"},
    ],
    ids=repr,
)
def test_what_is_no_verdict_is_one_error_that_says_so(value: Any) -> None:
    with pytest.raises(SchemaError, match="this is no verdict of a gate") as caught:
        log_block(value)
    assert caught.value.code == "verdict.unreadable"
