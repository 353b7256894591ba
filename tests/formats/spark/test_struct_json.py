"""The JSON of a StructType is read as Spark reads it, and carries all that its metadata can."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import Loaded, dump, load
from airflow_provider_schemas.formats.spark import struct_json
from tests.conformance import real_files
from tests.conformance.real_files import RealFile
from tests.formats.spark.support.facts import Fact, facts
from tests.formats.support.strategies import few_columns, schemas
from tests.support import damaged


def of(text: str) -> TableSchema:
    columns = parse_columns(text)
    return TableSchema(columns, highest_id(columns))


def column(kind: Any, name: str = "a", metadata: Any = None, *, nullable: bool = True) -> dict[str, Any]:
    return {"name": name, "type": kind, "nullable": nullable, "metadata": metadata or {}}


def struct(*columns: Any) -> dict[str, Any]:
    return {"type": "struct", "fields": list(columns)}


def read(*columns: Any) -> Loaded:
    return load("spark-json", json.dumps(struct(*columns)))


def texts(loaded: Loaded) -> list[str]:
    return [str(one) for one in loaded.schema.fields]


# ---------------------------------------------------------------- what Spark answered


@pytest.mark.parametrize("fact", facts("json"), ids=lambda fact: fact.text)
def test_a_schema_means_to_us_what_it_means_to_spark(fact: Fact) -> None:
    if fact.ours == "reads" or (fact.ours is None and fact.spark is not None):
        found = load("spark-json", fact.text).schema
        assert fact.spark is None or found.digest == struct_json.of_value(fact.spark).schema.digest
    else:
        with pytest.raises(FormatError) as caught:
            load("spark-json", fact.text)
        assert fact.ours is None or fact.ours.endswith(caught.value.code)


# ---------------------------------------------------------------- laws


@given(schemas())
def test_a_schema_without_losses_comes_back_and_one_with_losses_does_not(schema: TableSchema) -> None:
    dumped = dump("spark-json", schema)
    back = load("spark-json", dumped.text)
    assert back.losses == ()
    assert (dumped.losses == ()) == (back.schema.digest == schema.digest)


@given(schemas())
def test_ids_names_comments_and_defaults_always_come_back(schema: TableSchema) -> None:
    back = load("spark-json", dump("spark-json", schema).text).schema
    kept = [(one.id, one.name, one.description, one.default, one.type.nullable) for one in schema.fields]
    assert [(one.id, one.name, one.description, one.default, one.type.nullable) for one in back.fields] == kept


@pytest.mark.parametrize(("ours", "text", "back"), struct_json.LOSSY)
def test_a_lossy_type_comes_back_as_the_table_says(ours: str, text: str, back: str) -> None:
    dumped = dump("spark-json", of(f"a {ours} NOT NULL"))
    assert json.loads(dumped.text) == struct(column(text, metadata={struct_json.FIELD_ID: 0}, nullable=False))
    assert [loss.path for loss in dumped.losses] == ["a"]
    assert texts(load("spark-json", dumped.text)) == [f"`a` {back} NOT NULL"]


@pytest.mark.parametrize(
    ("ours", "back", "lost"),
    [
        ("ARRAY<INT NOT NULL>", "ARRAY<INT NOT NULL>", []),
        ("MAP<STRING NOT NULL, INT NOT NULL>", "MAP<STRING NOT NULL, INT NOT NULL>", []),
        ("MAP<STRING, INT>", "MAP<STRING NOT NULL, INT>", ["a.key"]),
        ("MULTISET<STRING>", "MAP<STRING NOT NULL, INT NOT NULL>", ["a", "a.element"]),
        ("VECTOR<FLOAT NOT NULL, 3>", "ARRAY<FLOAT NOT NULL>", ["a"]),
        ("ROW<b BLOB, c INT DEFAULT 5>", "ROW<`b` BYTES, `c` INT DEFAULT 5>", ["a.b"]),
    ],
)
def test_a_lossy_container_names_the_place(ours: str, back: str, lost: list[str]) -> None:
    dumped = dump("spark-json", of(f"a {ours}"))
    assert [loss.path for loss in dumped.losses] == lost
    assert texts(load("spark-json", dumped.text)) == [f"`a` {back}"]


@pytest.mark.parametrize("file", real_files.read(), ids=lambda file: file.name)
def test_a_table_of_java_keeps_its_columns_on_the_way_to_spark(file: RealFile) -> None:
    schema = load("paimon", file.text).schema
    back = load("spark-json", dump("spark-json", schema).text).schema
    assert [(one.id, one.name, one.type.root, one.description) for one in back.fields] == [
        (one.id, one.name, one.type.root, one.description) for one in schema.fields
    ]


# ---------------------------------------------------------------- metadata


def test_lengths_lie_where_spark_keeps_them() -> None:
    dumped = dump("spark-json", of("a VARCHAR(20), b ROW<c ARRAY<CHAR(3)>>, d STRING"))
    a, b, d = json.loads(dumped.text)["fields"]
    assert (a["type"], a["metadata"][struct_json.DECLARED]) == ("string", "VARCHAR(20)")
    assert b["metadata"][struct_json.DECLARED] == "STRUCT<`c`: ARRAY<CHAR(3)>>"
    assert struct_json.DECLARED not in d["metadata"]
    assert dumped.losses == ()


def test_lengths_are_read_from_what_spark_wrote() -> None:
    inner = struct(column("string", "d"), column({"type": "array", "elementType": "string", "containsNull": False}, "e"))
    loaded = read(column(inner, metadata={struct_json.DECLARED: "struct<d:varchar(5),e:array<char(2)>>"}))
    assert texts(loaded) == ["`a` ROW<`d` VARCHAR(5), `e` ARRAY<CHAR(2) NOT NULL>>"]
    assert loaded.losses == ()


@pytest.mark.parametrize("declared", ["varchar(", "int", "array<varchar(3)>", "varchar(0)", "", "x" * 5_000_000])
def test_a_declared_type_that_does_not_describe_the_column_is_a_loss(declared: str) -> None:
    loaded = read(column("string", metadata={struct_json.DECLARED: declared}))
    assert texts(loaded) == ["`a` STRING"]
    assert [(loss.path, loss.what) for loss in loaded.losses] == [("a", "length")]


def test_ids_are_kept_when_every_field_has_its_own() -> None:
    inner = struct(column("integer", "b", {struct_json.FIELD_ID: 9}))
    schema = read(column(inner, "a", {struct_json.FIELD_ID: 4})).schema
    assert (schema.fields[0].id, schema.highest_field_id) == (4, 9)


@pytest.mark.parametrize("second", [None, 4, "5", -1, True])
def test_fields_are_numbered_anew_when_an_id_is_missing_or_wrong(second: Any) -> None:
    loaded = read(column("integer", "a", {struct_json.FIELD_ID: 4}), column("integer", "b", {struct_json.FIELD_ID: second}))
    assert [one.id for one in loaded.schema.fields] == [0, 1]
    assert [loss.what for loss in loaded.losses] == ["ids"]


def test_what_means_nothing_to_a_table_is_a_loss_with_its_path() -> None:
    inner = struct(column("integer", "b", {"ml_attr": {"x": 1}}))
    loaded = read({**column(inner, "a", {"EXISTS_DEFAULT": "1", "CURRENT_DEFAULT": "2"}), "extra": 1})
    lost = [("a", "unknown key"), ("a", "default of old rows"), ("a.b", "unknown key")]
    assert [(loss.path, loss.what) for loss in loaded.losses] == lost
    assert loaded.schema.fields[0].default == "2"


@pytest.mark.parametrize(
    ("columns", "codes"),
    [
        ([column("interval day to second"), column("void", "b"), column("INT", "c")], ["format.unsupported-type"] * 3),
        ([column({"type": "udt", "class": "x", "sqlType": "integer"})], ["format.unsupported-type"]),
        ([column("decimal(50,2)"), column("decimal(5)", "b")], ["type.decimal-precision-range", "format.parameters"]),
        ([column("char(0)")], ["type.length-out-of-range"]),
        ([column("string", "a", {"__COLLATIONS": {"a": "spark.UNICODE"}})], ["format.collation"]),
        ([column("string collate UNICODE")], ["format.collation"]),
        ([column({"type": "array", "elementType": "integer"})], ["json.missing-key"]),
        ([column({"type": "array", "containsNull": True})], ["json.missing-key"]),
        ([column({"type": "map", "keyType": "integer", "valueType": "integer", "valueContainsNull": 1})], ["json.wrong-type"]),
        ([column({"type": "struct", "fields": 3})], ["json.wrong-type"]),
        ([column("integer"), column("integer")], ["fields.duplicate-name-in-row"]),
        ([column("integer", "a", {"comment": 5})], ["json.wrong-type"]),
        ([{"name": "a", "type": "integer", "metadata": []}, {"name": "b", "type": "integer", "metadata": 3}], ["json.wrong-type"]),
        ([3, {"type": "integer"}, {"name": "a"}], ["json.wrong-type", "json.wrong-type", "json.missing-key"]),
        ([column(None), column({}, "b")], ["type.json-shape"] * 2),
    ],
)
def test_all_faults_of_a_schema_are_named_at_once(columns: list[Any], codes: list[str]) -> None:
    with pytest.raises(FormatError) as caught:
        read(*columns)
    assert [fault.code for fault in caught.value.faults] == codes
    assert all(fault.fix for fault in caught.value.faults)


@pytest.mark.parametrize("text", ['"integer"', "3", "null", '{"type":"array","elementType":"integer","containsNull":true}', "{}"])
def test_what_is_no_struct_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        load("spark-json", text)


def test_a_deep_type_is_refused() -> None:
    kind: Any = "integer"
    for _ in range(150):
        kind = {"type": "array", "elementType": kind, "containsNull": True}
    with pytest.raises(FormatError) as caught:
        read(column(kind))
    assert caught.value.code == "type.too-deep"


def test_a_coordinate_system_that_spark_cannot_name_is_refused_with_its_column() -> None:
    with pytest.raises(FormatError) as caught:
        dump("spark-json", of("a INT, b GEOMETRY('my own')"))
    assert caught.value.path == "b"


KEYS = [*"type fields name nullable metadata elementType containsNull keyType valueType comment".split(), struct_json.DECLARED]
WORDS = ["struct", "array", "map", "udt", "integer", "string", "decimal(5,2)", "varchar(3)", "a", "interval", "STRUCT<a: CHAR(3)>"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 9) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=15,
)


STRUCTS = schemas(few_columns).map(lambda schema: json.loads(dump("spark-json", schema).text))


@given(damaged.mostly(damaged.mostly(STRUCTS, damaged.values(STRUCTS, JSON), 2), JSON))
def test_any_json_is_read_or_refused(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(struct(column(value), value))):
        try:
            schema = load("spark-json", text).schema
        except SchemaError:
            continue
        assert load("spark-json", dump("spark-json", schema).text).schema.digest == schema.digest
