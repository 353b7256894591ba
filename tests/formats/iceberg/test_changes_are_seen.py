"""What changes between two schemas of Iceberg is seen by the rules, also where our types cannot hold it."""

from typing import Any

import pytest

from airflow_provider_schemas.core import check
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats.iceberg import read_schema
from tests.formats.iceberg.support.tables import column, list_of, schema, text


def read(*columns: Any) -> TableSchema:
    return read_schema(text(schema(column(1, "id", "long", required=True), *columns)))


def rules(old: TableSchema, new: TableSchema) -> list[str]:
    return [finding.rule for finding in check(old, new).findings]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (column(2, "a", "uuid"), column(2, "a", "fixed[16]"), "TYPE_CHANGED"),
        (column(2, "a", "fixed[16]"), column(2, "a", "uuid"), "TYPE_CHANGED"),
        (column(2, "a", list_of(3, "uuid")), column(2, "a", list_of(3, "fixed[16]")), "TYPE_CHANGED"),
        (column(2, "a", "interval"), column(2, "a", "string"), "TYPE_CHANGED"),
        (column(2, "a", "interval"), column(2, "a", "duration"), "TYPE_CHANGED"),
        (column(2, "a", "unknown"), column(2, "a", "string"), "VOID_TYPED"),
        (column(2, "a", "int"), column(2, "b", "int"), "FIELD_RENAMED"),
        ({**column(2, "a", "int"), "initial-default": 1}, {**column(2, "a", "int"), "initial-default": 2}, "READ_DEFAULT_CHANGED"),
    ],
)
def test_a_change_has_its_rule(old: Any, new: Any, rule: str) -> None:
    assert rule in rules(read(old), read(new))


@pytest.mark.parametrize("kind", ["uuid", "unknown", "interval", list_of(3, "uuid"), list_of(3, list_of(4, "unknown"))])
def test_a_schema_that_is_the_same_has_no_change(kind: Any) -> None:
    assert rules(read(column(2, "a", kind)), read(column(2, "a", kind))) == ["NO_CHANGE"]


def test_a_field_with_a_default_for_old_rows_is_told_from_one_without() -> None:
    added = {**column(2, "a", "int", required=True), "initial-default": 1}
    assert "FIELD_ADDED_DEFAULTED" in rules(read(), read(added))
    assert "FIELD_ADDED_DEFAULTED" not in rules(read(), read(column(2, "a", "int")))
