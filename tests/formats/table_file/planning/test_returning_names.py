"""A file from before a column was renamed or dropped brings nothing back, even with an edit of its own."""

import pytest

from airflow_provider_schemas.core import Plan, TableSchema, Version, evolve
from airflow_provider_schemas.errors import TableFileError
from airflow_provider_schemas.formats import table_file

FIRST = TableSchema.create("id BIGINT NOT NULL, cust_id BIGINT, flag BOOLEAN")


def version(schema: TableSchema, number: int) -> Version:
    return Version.read(schema.to_json().encode(), number)


BEFORE = version(FIRST, 0)
DROPPED = version(evolve(FIRST, ["DROP COLUMN flag"]), 1)
RENAMED = version(evolve(FIRST, ["RENAME COLUMN cust_id TO customer_id"]), 1)


def planned(columns: str, head: Version) -> Plan:
    file = table_file.read(f"table: a.b\ncolumns:\n  - {{name: id, type: BIGINT NOT NULL}}\n{columns}", "b.yaml")
    return table_file.plan(file, head, history=[BEFORE])


def test_a_column_that_was_dropped_since_stops_the_plan() -> None:
    with pytest.raises(TableFileError) as caught:
        planned("  - {name: flag, type: BOOLEAN}\n  - {name: more, type: DATE}\n", DROPPED)
    assert [(one.code, one.path) for one in caught.value.faults] == [("table-file.dropped-since", "b.yaml:4 columns[1]")]
    assert "up to version 0" in str(caught.value)


def test_whoever_wants_to_begin_again_under_a_new_id_says_so() -> None:
    plan = planned("  - {name: flag, type: BOOLEAN, accepts: {FIELD_READDED: another flag, until: 2999-12-31}}\n", DROPPED)
    found = next(one for one in plan.report.findings if one.rule == "FIELD_READDED")
    assert "another flag" in found.waived
    assert plan.result.field("flag") != FIRST.field("flag")


def test_a_column_that_was_renamed_since_stops_the_plan_and_the_advice_does_not_undo_it() -> None:
    with pytest.raises(TableFileError) as caught:
        planned("  - {name: cust_id, type: BIGINT}\n  - {name: more, type: DATE}\n", RENAMED)
    assert [one.code for one in caught.value.faults] == ["table-file.renamed-since"]
    assert "`name: customer_id`" in caught.value.fix


def test_an_old_name_beside_the_name_of_now_is_a_column_of_its_own() -> None:
    plan = planned("  - {name: cust_id, type: BIGINT}\n  - {name: customer_id, type: BIGINT}\n", RENAMED)
    assert [one.rule for one in plan.report.findings] == ["FIELD_READDED"]


def test_a_file_that_says_was_is_not_from_before() -> None:
    assert planned("  - {name: customer_id, type: BIGINT, was: cust_id}\n", RENAMED).unchanged
