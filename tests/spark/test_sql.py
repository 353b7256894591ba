"""A type as SQL is that of its values, whatever may be null in them."""

import pytest

from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.spark.sql import null, type_text

KINDS = {
    "ARRAY<INT NOT NULL>": "ARRAY<INT>",
    "VECTOR<FLOAT, 3>": "ARRAY<FLOAT>",
    "MAP<STRING, ARRAY<INT>>": "MAP<STRING, ARRAY<INT>>",
    "MULTISET<STRING>": "MAP<STRING, INT>",
    "ROW<a MULTISET<INT>, b VECTOR<FLOAT, 3>>": "STRUCT<`a`: MAP<INT, INT>, `b`: ARRAY<FLOAT>>",
}


@pytest.mark.parametrize(("text", "sql"), KINDS.items())
def test_a_container_is_written_alike_with_not_null_and_without_at_every_depth(text: str, sql: str) -> None:
    kind = parse_ddl(text)
    required = kind.with_nullable(False)
    assert type_text(kind) == type_text(required) == sql
    assert null(required) == f"cast(null as {sql})"
    around = parse_ddl(f"ARRAY<ROW<f {text} NOT NULL> NOT NULL>")
    assert type_text(around) == f"ARRAY<STRUCT<`f`: {sql}>>"
