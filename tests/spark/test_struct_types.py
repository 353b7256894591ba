"""Our types as Spark's and back, and what Spark cannot hold."""

from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, parse_ddl
from airflow_provider_schemas.core.types.nested import RowType
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.struct_types import as_held, spark_type, struct_type, table_schema

HELD = """id BIGINT NOT NULL, c CHAR(3), v VARCHAR(9), b BINARY(5), d DECIMAL(38, 10), t TIMESTAMP(3), z TIMESTAMP(6) WITH LOCAL TIME ZONE,
who ROW<name STRING NOT NULL, born DATE>, lines ARRAY<ROW<sku STRING>>, tags MAP<STRING, ROW<x INT>>, seen MULTISET<STRING>, any VARIANT"""


def test_a_schema_becomes_a_struct_with_the_ids_of_all_levels() -> None:
    struct = struct_type(TableSchema.create(columns=HELD))
    assert struct.simpleString() == (
        "struct<id:bigint,c:string,v:string,b:binary,d:decimal(38,10),t:timestamp_ntz,z:timestamp,who:struct<name:string,born:date>,"
        "lines:array<struct<sku:string>>,tags:map<string,struct<x:int>>,seen:map<string,int>,any:variant>"
    )
    assert [one.nullable for one in struct][:2] == [False, True]
    assert [one.metadata for one in struct] == [{"parquet.field.id": one} for one in (0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 14, 15)]
    who: Any = struct["who"].dataType
    tags: Any = struct["tags"].dataType
    assert [one.metadata["parquet.field.id"] for one in who] == [8, 9]
    assert tags.valueType["x"].metadata == {"parquet.field.id": 13}


def test_without_ids_and_without_what_would_mean_something_else_to_spark() -> None:
    schema = TableSchema.create(columns="id BIGINT COMMENT 'which' DEFAULT 3, c CHAR(3), who ROW<name STRING COMMENT 'x'>")
    for struct in (struct_type(schema, ids=False), struct_type(schema.fields, ids=False), struct_type(RowType(schema.fields), ids=False)):
        assert [one.metadata for one in struct] == [{}, {}, {}]
        who: Any = struct["who"].dataType
        assert who["name"].metadata == {}


def test_a_struct_comes_back_as_what_spark_holds_with_its_ids() -> None:
    schema = TableSchema.create(columns=HELD)
    back = table_schema(struct_type(schema)).schema
    assert [(one.id, one.name) for one in back.fields] == [(one.id, one.name) for one in schema.fields]
    held = {one.name: str(one.type) for one in as_held(schema.fields)}
    assert (held["c"], held["b"], held["t"], held["seen"]) == ("STRING", "BYTES", "TIMESTAMP(6)", "MAP<STRING NOT NULL, INT NOT NULL>")
    assert as_held(back.fields) == as_held(schema.fields)


@pytest.mark.parametrize(
    "text",
    ["TIME(3)", "TIMESTAMP(9)", "TIMESTAMP(7) WITH LOCAL TIME ZONE", "BLOB", "VECTOR<FLOAT, 3>", "GEOMETRY", "GEOGRAPHY", "OPAQUE('x')"],
)
def test_types_that_spark_lacks_are_named_wherever_they_stand(text: str) -> None:
    for inside in ("{}", "ARRAY<{}>", "MAP<STRING, {}>", "ROW<a INT, b ARRAY<ROW<c {}>>>"):
        reason = lacks(parse_ddl(inside.format(text)))
        assert reason.startswith(str(parse_ddl(text)))
        assert "Spark" in reason
    assert lacks(parse_ddl("ROW<a TIMESTAMP(6), b MULTISET<INT>>")) == ""


def test_all_columns_that_spark_lacks_are_told_at_once() -> None:
    with pytest.raises(SparkError) as caught:
        struct_type(TableSchema.create(columns="a TIME, b INT, c ROW<x TIMESTAMP(9)>"))
    assert [(fault.path, fault.code) for fault in caught.value.faults] == [("a", "spark.type"), ("c", "spark.type")]
    assert spark_type(parse_ddl("ARRAY<INT>"), ids=False).simpleString() == "array<int>"
