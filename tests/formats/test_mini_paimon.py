"""Mini Paimon's two files are read in both their dialects and written as its documentation shows them."""

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import Dumped, dump, load, mini_paimon
from airflow_provider_schemas.formats.mini_paimon import TableMetadata, metadata_from, read_metadata, write_metadata
from tests.formats.support.strategies import fields, schemas

SCHEMA = """{
  "schemaId" : 1,
  "fields" : [ {
    "name" : "id",
    "type" : "INT",
    "nullable" : false
  }, {
    "name" : "name",
    "type" : "STRING",
    "nullable" : true
  } ],
  "primaryKeys" : [ "id" ],
  "partitionKeys" : [ ]
}"""
METADATA = """{
  "tableName" : "user_table",
  "databaseName" : "example_db",
  "currentSchemaId" : 0,
  "createTime" : "2025-11-05T08:23:50.910Z",
  "lastModifiedTime" : "2025-11-05T08:23:50.910Z",
  "description" : "",
  "properties" : { }
}"""
LATER = """{
  "tableName" : "user_table",
  "databaseName" : "example_db",
  "currentSchemaId" : 0,
  "tableType" : "APPEND_ONLY",
  "createTime" : "2025-11-05T08:23:50.910Z",
  "lastModifiedTime" : "2025-11-05T08:23:50.910Z",
  "description" : "",
  "properties" : {
    "owner" : "anna"
  },
  "indexConfig" : {
    "id" : [ "bloom_filter" ]
  },
  "colour" : [ 1, {
    "a" : null
  } ]
}"""
NOON = datetime(2026, 3, 1, 12, 30, 0, 250_000, UTC)


def of(ddl: str, **rest: Any) -> TableSchema:
    columns = parse_columns(ddl)
    return TableSchema(columns, len(columns) - 1, **rest)


def file(*columns: Any, **rest: Any) -> str:
    return json.dumps({"schemaId": 0, "fields": columns, "primaryKeys": [], "partitionKeys": [], **rest})


def column(kind: Any, name: str = "a", nullable: Any = True) -> dict[str, Any]:
    return {"name": name, "type": kind, "nullable": nullable}


# ---------------------------------------------------------------- the schema file


def test_the_documented_schema_file_comes_back_byte_for_byte() -> None:
    loaded = load("mini-paimon", SCHEMA)
    assert (loaded.schema.id, loaded.schema.primary_keys, loaded.losses) == (1, ("id",), ())
    assert [str(one) for one in loaded.schema.fields] == ["`id` INT NOT NULL", "`name` STRING"]
    assert [one.id for one in loaded.schema.fields] == [0, 1]
    assert dump("mini-paimon", loaded.schema) == Dumped(SCHEMA)


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("LONG", "BIGINT"),
        ("BIGINT", "BIGINT"),
        ("BOOLEAN", "BOOLEAN"),
        ("DOUBLE", "DOUBLE"),
        ("TIMESTAMP", "TIMESTAMP(6)"),
        ("DECIMAL(10, 2)", "DECIMAL(10, 2)"),
        ("DECIMAL(10,2)", "DECIMAL(10, 2)"),
        ("int", "INT"),
        ({"type": "INT"}, "INT"),
        ({"type": "BIGINT"}, "BIGINT"),
        ({"type": "DECIMAL", "precision": 10, "scale": 2}, "DECIMAL(10, 2)"),
        ({"type": "ARRAY", "elementType": {"type": "STRING"}}, "ARRAY<STRING>"),
        ({"type": "ARRAY", "elementType": "STRING"}, "ARRAY<STRING>"),
        (
            {"type": "MAP", "keyType": {"type": "STRING"}, "valueType": {"type": "ARRAY", "elementType": {"type": "INT"}}},
            "MAP<STRING, ARRAY<INT>>",
        ),
    ],
)
def test_both_dialects_of_types_are_read(kind: Any, ours: str) -> None:
    schema = load("mini-paimon", file(column(kind), column(kind, "b", False))).schema
    assert [str(one.type) for one in schema.fields] == [ours, f"{ours} NOT NULL"]


@pytest.mark.parametrize(
    ("ours", "written"),
    [
        ("BIGINT", "BIGINT"),
        ("DECIMAL(10, 2)", "DECIMAL(10, 2)"),
        ("ARRAY<DECIMAL(3, 1)>", {"type": "ARRAY", "elementType": {"type": "DECIMAL", "precision": 3, "scale": 1}}),
        ("MAP<STRING, BIGINT>", {"type": "MAP", "keyType": {"type": "STRING"}, "valueType": {"type": "BIGINT"}}),
    ],
)
def test_a_type_is_written_as_text_where_text_can_say_it(ours: str, written: Any) -> None:
    text = dump("mini-paimon", of(f"a {ours}")).text
    assert json.loads(text)["fields"][0]["type"] == written
    assert str(load("mini-paimon", text).schema.fields[0].type) == ours


ATOMS: list[DataType] = [*mini_paimon.NAMES.values(), atomic.atomic(Root.DECIMAL, precision=7, scale=3)]
SAYABLE: st.SearchStrategy[DataType] = st.recursive(
    st.sampled_from(ATOMS), lambda inner: inner.map(nested.array) | st.builds(nested.map_of, inner, inner), max_leaves=4
)


@given(fields(st.tuples(SAYABLE, st.booleans()).map(lambda pair: pair[0].with_nullable(pair[1])), 1))
def test_what_mini_paimon_can_say_comes_back_and_what_it_leaves_behind_is_named(found: list[nested.Field]) -> None:
    columns = tuple(nested.field(place, one.name, one.type, one.description, one.default) for place, one in enumerate(found))
    schema = TableSchema(columns, len(columns) - 1)
    dumped = dump("mini-paimon", schema)
    back = load("mini-paimon", dumped.text)
    assert [(one.name, one.wire) for one in back.schema.fields] == [(one.name, one.wire) for one in columns]
    assert (dumped.losses == ()) == (back.schema.digest == schema.digest)


@given(schemas())
def test_any_schema_is_written_or_refused(schema: TableSchema) -> None:
    try:
        dumped = dump("mini-paimon", schema)
    except FormatError as error:
        codes = {fault.code for fault in error.faults}
    else:
        codes = {"format.unsupported-type"}
        back = load("mini-paimon", dumped.text)
        assert (dumped.losses == ()) == (back.schema.digest == schema.digest)
    assert codes == {"format.unsupported-type"}


def test_every_type_that_mini_paimon_lacks_is_named_at_once() -> None:
    ddl = "a VARCHAR(5), b INT, c ARRAY<INT NOT NULL>, d ROW<x INT>, e TIMESTAMP(3), f MAP<STRING NOT NULL, FLOAT>"
    with pytest.raises(FormatError) as caught:
        dump("mini-paimon", of(ddl))
    assert [fault.path for fault in caught.value.faults] == ["a", "c.element", "d", "e", "f.key", "f.value"]


def test_what_a_sidecar_can_hold_is_a_loss() -> None:
    columns = (nested.field(4, "a", atomic.STRING, "the name", "'x'"), nested.field(2, "b", atomic.STRING))
    schema = TableSchema(columns, 9, primary_keys=("a",), options=Options({"bucket": "2"}), comment="people")
    lost = [(loss.path, loss.what) for loss in dump("mini-paimon", schema).losses]
    assert lost == [("", "options"), ("", "comment"), ("", "highest field id"), ("", "ids"), ("a", "description"), ("a", "default")]


def test_no_type_comes_back_as_another() -> None:
    assert mini_paimon.LOSSY == ()


def test_keys_that_nobody_knows_are_named() -> None:
    loaded = load("mini-paimon", file({**column("INT"), "id": 7}, comment="x"))
    assert [(loss.path, loss.what) for loss in loaded.losses] == [("", "unknown key"), ("a", "unknown key")]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("{}", ["json.missing-key"]),
        ("[]", ["json.wrong-type"]),
        (file(), ["schema.no-fields"]),
        (file({"name": "a"}, 3, column("FOO")), ["json.missing-key", "json.wrong-type", "format.unsupported-type"]),
        (file(column("DECIMAL(50, 2)"), column("DECIMAL(2, 5)", "b")), ["type.decimal-precision-range", "type.decimal-scale-range"]),
        (file(column({"type": "ARRAY"}), column(["INT"], "b"), column(None, "c")), ["type.json-shape"] * 3),
        (file(column("INT", nullable="yes")), ["json.wrong-type"]),
        (file(column("INT NOT NULL")), ["format.unsupported-type"]),
        (file(column("INT"), column("INT")), ["fields.duplicate-name-in-row"]),
        (file(column("INT"), primaryKeys=["x"]), ["schema.primary-key-not-a-column"]),
        (file(column("INT"), partitionKeys=["a", "y"]), ["schema.partition-key-not-a-column"]),
        (file(column("INT"), schemaId=-1), ["json.wrong-type"]),
        (file(column("INT"), schemaId=2**40), ["json.wrong-type"]),
        (file(column("INT"), primaryKeys="a"), ["json.wrong-type"]),
        (file(*[column("INT", f"c{number}") for number in range(100_001)]), ["format.too-large"]),
    ],
)
def test_a_broken_schema_file_is_told_all_its_faults(text: str, codes: list[str]) -> None:
    with pytest.raises(FormatError) as caught:
        load("mini-paimon", text)
    assert [fault.code for fault in caught.value.faults] == codes


def test_a_deep_type_is_refused() -> None:
    kind: Any = "INT"
    for _ in range(150):
        kind = {"type": "ARRAY", "elementType": kind}
    with pytest.raises(FormatError) as caught:
        load("mini-paimon", file(column(kind)))
    assert caught.value.code == "type.too-deep"


def test_a_schema_without_columns_is_not_written() -> None:
    with pytest.raises(FormatError, match="no field"):
        dump("mini-paimon", TableSchema((), -1))


# ---------------------------------------------------------------- the metadata file


def test_the_documented_metadata_file_comes_back_byte_for_byte() -> None:
    metadata = read_metadata(METADATA)
    assert (metadata.table_name, metadata.database_name, metadata.current_schema_id) == ("user_table", "example_db", 0)
    assert (metadata.table_type, metadata.description, dict(metadata.properties), metadata.index_config) == (None, "", {}, None)
    assert write_metadata(metadata) == METADATA


def test_what_later_versions_and_strangers_add_survives() -> None:
    metadata = read_metadata(LATER)
    assert (metadata.table_type, dict(metadata.properties)) == ("APPEND_ONLY", {"owner": "anna"})
    assert metadata.index_config == '{"id": ["bloom_filter"]}'
    assert write_metadata(metadata) == LATER
    assert hash(metadata) == hash(read_metadata(LATER))


def test_nulls_count_as_left_out() -> None:
    text = METADATA.replace('"description" : ""', '"description" : null').replace('"properties" : { }', '"properties" : null')
    assert read_metadata(text) == read_metadata(METADATA)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[]", ""),
        ("{}", ""),
        (METADATA.replace("50.910Z", "50.910"), "createTime"),
        (METADATA.replace('"user_table"', "7"), "tableName"),
        (METADATA.replace(": 0,", ": -1,"), "currentSchemaId"),
        (METADATA.replace("{ }", '{"a": 1}'), "properties"),
    ],
)
def test_a_broken_metadata_file_is_refused_where_it_is_broken(text: str, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_metadata(text)
    assert caught.value.path.startswith(path)


def test_missing_metadata_are_made_from_the_latest_schema() -> None:
    made = metadata_from(of("a INT", id=4, comment="people"), database="db", table="t", moment=NOON)
    assert made == TableMetadata(
        table_name="t",
        database_name="db",
        current_schema_id=4,
        create_time="2026-03-01T12:30:00.250Z",
        last_modified_time="2026-03-01T12:30:00.250Z",
        description="people",
    )
    assert read_metadata(write_metadata(made)) == made


def test_metadata_follow_the_latest_schema_and_keep_the_rest() -> None:
    later = NOON.astimezone(timezone(timedelta(hours=2)))
    made = metadata_from(of("a INT", id=7, primary_keys=("a",)), database="db", table="t", moment=later, previous=read_metadata(LATER))
    assert (made.current_schema_id, made.last_modified_time, made.table_type) == (7, "2026-03-01T12:30:00.250Z", "PRIMARY_KEY")
    assert (made.create_time, made.description, made.unknown) == ("2025-11-05T08:23:50.910Z", "", read_metadata(LATER).unknown)


# ---------------------------------------------------------------- anything else

KEYS = st.sampled_from("name type nullable elementType keyType precision fields schemaId".split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["INT", "ARRAY", "MAP", "DECIMAL"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON)
def test_any_json_is_read_or_refused(one: Any, other: Any) -> None:
    for text in (json.dumps(one), file(one, column(other))):
        with suppress(SchemaError):
            load("mini-paimon", text)
        with suppress(SchemaError):
            read_metadata(text)
