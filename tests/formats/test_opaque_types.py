"""A type of which only the text is known is never turned into a guess: each language refuses it, and says which column it is."""

import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import FORMATS, dump
from airflow_provider_schemas.formats.table_file import read

COLUMNS = ["wait OPAQUE('interval')", "waits ARRAY<OPAQUE('interval') NOT NULL>", "r ROW<wait OPAQUE('interval')>"]


@pytest.mark.parametrize("language", sorted({*FORMATS} - {"table-file"}))
@pytest.mark.parametrize("column", COLUMNS)
def test_a_language_refuses_what_it_has_no_type_for(language: str, column: str) -> None:
    with pytest.raises(SchemaError) as refused:
        dump(language, TableSchema.create(f"id BIGINT NOT NULL, {column}", options={"schemas.table": '{"format": "hudi"}'}))
    assert "interval" in str(refused.value)


def test_iceberg_writes_its_own_types_of_the_future_and_the_columns_of_nulls_of_others() -> None:
    own = TableSchema.create("wait OPAQUE('interval')", options={"schemas.table": '{"format": "iceberg"}'})
    other = TableSchema.create("nothing OPAQUE('void')", options={"schemas.table": '{"format": "delta"}'})
    assert '"type":"interval"' in dump("iceberg", own).text
    assert '"type":"unknown"' in dump("iceberg", other).text


def test_a_table_file_says_it_as_it_is() -> None:
    schema = TableSchema.create("wait OPAQUE('it''s')", options={"schemas.table": '{"format": "iceberg"}'})
    assert [column.type for column in read(dump("table-file", schema).text).columns] == ["OPAQUE('it''s')"]
