"""Ids that are made of names stand in no order: whatever comes to a table that maps no columns, or goes, none was ever another column's."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.evolution.source_diff import source_diff
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats.delta import DeltaMetadata, Metadata

LIES = {"FIELD_ID_REUSED", "FIELD_MOVED", "HIGHEST_FIELD_ID_REGRESSED", "FIELD_REORDERED"}
leaves = st.sampled_from(["integer", "string", "double"])
columns = st.dictionaries(
    st.sampled_from(["id", "cust", "at", "coupon", "note", "amount"]),
    leaves | st.dictionaries(st.sampled_from(["a", "b", "c"]), leaves, min_size=1, max_size=3),
    min_size=1,
    max_size=5,
)


def of_columns(kinds: dict[str, Any]) -> dict[str, Any]:
    fields = [
        {"name": name, "type": of_columns(kind) if isinstance(kind, dict) else kind, "nullable": True, "metadata": {}}
        for name, kind in sorted(kinds.items())
    ]
    return {"type": "struct", "fields": fields}


def schema(kinds: dict[str, Any], number: int = 0) -> TableSchema:
    """A table that maps no columns."""
    return DeltaMetadata(Metadata(schema_string=json.dumps(of_columns(kinds)))).schema(number)


@given(columns, columns)
def test_a_column_that_comes_is_new_and_one_that_goes_is_dropped(before: dict[str, Any], after: dict[str, Any]) -> None:
    report = check(schema(before), schema(after, 1))
    assert not LIES & {finding.rule for finding in report.findings}
    came = {finding.path for finding in report.findings if finding.rule == "FIELD_ADDED_NULLABLE"}
    assert came >= set(after) - set(before)
    assert {finding.path for finding in report.findings if finding.rule == "FIELD_DROPPED"} >= set(before) - set(after)


@pytest.mark.parametrize("name", [f"c{number}" for number in range(40)])
def test_a_struct_that_comes_brings_fields_that_were_none_before(name: str) -> None:
    report = check(schema({"id": "long"}), schema({"id": "long", name: {"a": "integer", "b": "string"}}, 1))
    assert {finding.verdict for finding in report.findings} <= {Verdict.OK}


def test_a_column_that_comes_back_with_another_type_is_told_as_that() -> None:
    past = [schema({"id": "long", "x": "integer"}), schema({"id": "long"}, 1)]
    report = check(past[1], schema({"id": "long", "x": {"a": "integer"}}, 2), history=past)
    assert {finding.rule for finding in report.findings if finding.verdict is not Verdict.OK} == {"KIND_CHANGED"}


@given(columns, columns)
def test_what_changed_is_told_without_a_word_of_ids(before: dict[str, Any], after: dict[str, Any]) -> None:
    texts = source_diff(schema(before), schema(after, 1)).texts
    assert not [text for text in texts if "with id" in text or "its id" in text]
    assert bool(texts) == (before != after)
