"""Spark's DDL is read as Spark reads it, and what we write it takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import dump, load
from airflow_provider_schemas.formats.spark import ddl, struct_json
from tests.formats.spark.support.facts import Fact, facts
from tests.formats.support.strategies import few_columns, schemas
from tests.support import damaged


def of(text: str) -> TableSchema:
    columns = parse_columns(text)
    return TableSchema(columns, highest_id(columns))


def columns(text: str) -> list[str]:
    return [str(one) for one in load("spark-ddl", text).schema.fields]


# ---------------------------------------------------------------- what Spark answered


@pytest.mark.parametrize("fact", facts("ddl"), ids=lambda fact: fact.text)
def test_a_text_means_to_us_what_it_means_to_spark(fact: Fact) -> None:
    if fact.ours == "reads" or (fact.ours is None and fact.spark is not None):
        found = load("spark-ddl", fact.text).schema
        assert fact.spark is None or found.digest == struct_json.of_value(fact.spark).schema.digest
    else:
        with pytest.raises(FormatError) as caught:
            load("spark-ddl", fact.text)
        assert fact.ours is None or fact.ours.endswith(caught.value.code)


def without_null(fields: tuple[Field, ...]) -> list[Field]:
    return [one.with_type(one.type.with_nullable(True)) for one in fields]


@pytest.mark.parametrize("fact", facts("create"), ids=lambda fact: fact.text)
def test_the_columns_of_a_create_table_mean_what_they_mean_to_spark(fact: Fact) -> None:
    if fact.spark is None and fact.ours is None:
        with pytest.raises(FormatError):
            load("spark-ddl", fact.text)
        return
    found = without_null(load("spark-ddl", fact.text).schema.fields)
    # Spark's own tables are nullable whatever was declared.
    assert fact.spark is None or found == without_null(struct_json.of_value(fact.spark).schema.fields)


# ---------------------------------------------------------------- laws


@given(schemas())
def test_a_schema_without_losses_comes_back_and_one_with_losses_does_not(schema: TableSchema) -> None:
    dumped = dump("spark-ddl", schema)
    back = load("spark-ddl", dumped.text)
    assert back.losses == ()
    assert (dumped.losses == ()) == (back.schema.digest == schema.digest)


@given(schemas())
def test_the_second_trip_loses_nothing(schema: TableSchema) -> None:
    once = load("spark-ddl", dump("spark-ddl", schema).text).schema
    assert dump("spark-ddl", once).losses == ()
    assert load("spark-ddl", dump("spark-ddl", once).text).schema == once


@pytest.mark.parametrize(("ours", "text", "back"), ddl.LOSSY)
def test_a_lossy_type_comes_back_as_the_table_says(ours: str, text: str, back: str) -> None:
    dumped = dump("spark-ddl", of(f"a {ours}"))
    assert dumped.text == f"`a` {text}"
    assert [loss.path for loss in dumped.losses] == ["a"]
    assert columns(dumped.text) == [f"`a` {back}"]


@pytest.mark.parametrize(
    ("ours", "text", "back", "lost"),
    [
        ("ARRAY<INT NOT NULL>", "ARRAY<INT>", "ARRAY<INT>", ["a.element"]),
        ("MAP<STRING NOT NULL, INT NOT NULL>", "MAP<STRING, INT>", "MAP<STRING NOT NULL, INT>", ["a.value"]),
        ("MAP<STRING, INT>", "MAP<STRING, INT>", "MAP<STRING NOT NULL, INT>", ["a.key"]),
        ("MULTISET<STRING>", "MAP<STRING, INT>", "MAP<STRING NOT NULL, INT>", ["a", "a.element"]),
        ("VECTOR<FLOAT, 3>", "ARRAY<FLOAT>", "ARRAY<FLOAT>", ["a"]),
        ("ROW<b BLOB, c INT DEFAULT 5>", "STRUCT<`b`: BINARY, `c`: INT>", "ROW<`b` BYTES, `c` INT>", ["a.b", "a.c"]),
    ],
)
def test_a_lossy_container_names_the_place(ours: str, text: str, back: str, lost: list[str]) -> None:
    dumped = dump("spark-ddl", of(f"a {ours}"))
    assert dumped.text == f"`a` {text}"
    assert [loss.path for loss in dumped.losses] == lost
    assert columns(dumped.text) == [f"`a` {back}"]


# ---------------------------------------------------------------- reading


def test_what_spark_prints_of_a_schema_is_read() -> None:
    assert columns("struct<a:int,b:array<struct<c:string>>>") == ["`a` INT", "`b` ARRAY<ROW<`c` STRING>>"]
    assert columns("a: int, b: string") == ["`a` INT", "`b` STRING"]


def test_fields_are_numbered_parents_first() -> None:
    schema = load("spark-ddl", "a STRUCT<b: INT, c: STRUCT<d: INT>>, e INT").schema
    assert [one.id for one in schema.fields] == [0, 4]
    assert schema.highest_field_id == 4


def test_all_faults_of_a_text_are_named_at_once() -> None:
    with pytest.raises(FormatError) as caught:
        load("spark-ddl", "a INTERVAL DAY, b VOID, c STRING COLLATE UNICODE, d STRUCT<x: FOO, y: CHAR>, e INT INT, f ARRAY<INT NULL>, g")
    assert [(fault.path, fault.code) for fault in caught.value.faults] == [
        ("a", "format.unsupported-type"),
        ("b", "format.unsupported-type"),
        ("c", "format.collation"),
        ("d.x", "format.unsupported-type"),
        ("d.y", "format.parameters"),
        ("e", "format.syntax"),
        ("f", "format.syntax"),
        ("g", "format.syntax"),
    ]
    assert all(fault.fix for fault in caught.value.faults)


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("a INT DEFAULT 5 > 3, b INT", "5 > 3"),
        ("a INT DEFAULT array(1, 2)[0] COMMENT 'x'", "array(1, 2)[0]"),
        ("a INT COMMENT 'x' DEFAULT ', COMMENT ''y''' NOT NULL", "', COMMENT ''y'''"),
        ("a INT DEFAULT b IS NOT NULL NOT NULL", "b IS NOT NULL"),
        ("a INT DEFAULT comment", "comment"),
    ],
)
def test_a_default_is_kept_as_it_was_typed(text: str, default: str) -> None:
    assert load("spark-ddl", text).schema.fields[0].default == default


@pytest.mark.parametrize("default", ["5, evil INT", "(1", "x)", "'", "", "5 COMMENT 'x'", "5 -- x", "/*"])
def test_a_default_cannot_add_columns(default: str) -> None:
    schema = TableSchema((nested.field(0, "a", atomic.STRING, None, default), nested.field(1, "b", atomic.STRING)), 1)
    dumped = dump("spark-ddl", schema)
    assert dumped.text == "`a` STRING,\n`b` STRING"
    assert [(loss.path, loss.what) for loss in dumped.losses] == [("a", "default")]


def test_a_table_without_columns_is_an_empty_struct() -> None:
    assert dump("spark-ddl", TableSchema((), -1)).text == "STRUCT<>"
    assert load("spark-ddl", "STRUCT<>").schema.fields == ()


SOUP = "a b INT STRING ARRAY MAP STRUCT < > , : ( ) 5 NOT NULL COMMENT 'x' DEFAULT DECIMAL -- /* */ ' ` \\ COLLATE UTF8_BINARY".split()
SOUP += ["`b c`", *"INTERVAL DAY TO TIMESTAMP WITH LOCAL TIME ZONE".split()]


WORDS = st.sampled_from(SOUP)


DDL = schemas(few_columns).map(lambda schema: dump("spark-ddl", schema).text)


@given(damaged.mostly(DDL | damaged.texts(DDL, WORDS), st.lists(WORDS, max_size=14).map(" ".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        schema = load("spark-ddl", text).schema
    except SchemaError:
        return
    assert load("spark-ddl", dump("spark-ddl", schema).text).schema == schema
