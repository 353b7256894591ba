"""The format `delta`: what is read comes back, what cannot be written is told, and nothing hostile gets through."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import dump, load
from airflow_provider_schemas.formats.delta import language
from tests.formats.support import strategies

Json = dict[str, Any]


def column(name: str, kind: Any, *, nullable: Any = True, **metadata: Any) -> Json:
    return {"name": name, "type": kind, "nullable": nullable, "metadata": metadata}


def struct(*columns: Json) -> Json:
    return {"type": "struct", "fields": list(columns)}


def array(kind: Any, *, nullable: bool = True) -> Json:
    return {"type": "array", "elementType": kind, "containsNull": nullable}


def of(columns: str) -> TableSchema:
    fields = parse_columns(columns)
    return TableSchema(fields, highest_id(fields))


def read(*columns: Json) -> TableSchema:
    return load("delta", json.dumps(struct(*columns))).schema


# ---------------------------------------------------------------- laws

LEAVES = ["long", "string", "decimal(10,2)", "timestamp", "timestamp_ntz", "void", "variant", "binary", "interval day to second", "frob<3>"]
kinds: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: (
        st.builds(array, inner, nullable=st.booleans())
        | st.builds(lambda kind: {"type": "map", "keyType": "string", "valueType": kind, "valueContainsNull": True}, inner)
        | st.lists(inner, max_size=3).map(lambda found: struct(*[column(f"f{place}", kind) for place, kind in enumerate(found)]))
    ),
    max_leaves=5,
)
extras: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {},
    optional={
        "comment": st.text(st.characters(codec="utf-8"), max_size=5),
        "CURRENT_DEFAULT": st.sampled_from(["5", "'x'"]),
        "delta.generationExpression": st.just("a + 1"),
        "delta.typeChanges": st.just([{"fromType": "short", "toType": "integer"}]),
        "of tomorrow": st.sampled_from([None, 1, {"a": []}]),
    },
)


@st.composite
def structs(draw: st.DrawFn) -> Json:
    """A schema as a log has it, with or without column mapping."""
    fields = [{**column(f"c{place}", draw(kinds)), "nullable": draw(st.booleans())} for place in range(draw(st.integers(1, 4)))]
    for field in fields:
        field["metadata"] = draw(extras)
    return struct(*fields)


@given(structs())
def test_a_schema_of_a_log_comes_back_whole(source: Json) -> None:
    loaded = load("delta", json.dumps(source))
    dumped = dump("delta", loaded.schema)
    assert (loaded.losses, dumped.losses) == ((), ())
    assert json.loads(dumped.text) == source
    assert load("delta", dumped.text).schema == loaded.schema


@given(strategies.schemas())
def test_ids_names_comments_and_nullability_always_come_back(ours: TableSchema) -> None:
    try:
        dumped = dump("delta", ours)
    except FormatError:  # a coordinate system that Spark cannot name
        return
    back = load("delta", dumped.text)
    assert back.losses == ()
    assert [(field.id, field.name, field.description, field.default, field.type.nullable) for field in back.schema.fields] == [
        (field.id, field.name, field.description, field.default, field.type.nullable) for field in ours.fields
    ]


@given(strategies.schemas(strategies.few_columns))
def test_every_change_of_a_column_on_the_way_is_a_loss_with_its_path(ours: TableSchema) -> None:
    try:
        dumped = dump("delta", ours)
    except FormatError:
        return
    back = load("delta", dumped.text).schema
    changed = [old.name for old, new in zip(ours.fields, back.fields, strict=True) if old != new]
    for name in changed:
        assert any(loss.path == name or loss.path.startswith(f"{name}.") for loss in dumped.losses)


@pytest.mark.parametrize(("ours", "theirs", "back"), language.LOSSY)
def test_a_lossy_type_comes_back_as_the_table_says(ours: str, theirs: str, back: str) -> None:
    dumped = dump("delta", of(f"a {ours} NOT NULL"))
    (field,) = json.loads(dumped.text)["fields"]
    assert (field["type"], [loss.path for loss in dumped.losses]) == (theirs, ["a"])
    assert str(load("delta", dumped.text).schema.fields[0]) == f"`a` {back} NOT NULL"


# ---------------------------------------------------------------- types


NAMED = struct(column("x,y", "string"), column("d", "decimal(10,2)"))


@pytest.mark.parametrize(
    ("source", "ours"),
    [
        (column("a", "byte"), "TINYINT"),
        (column("a", "short"), "SMALLINT"),
        (column("a", "integer", nullable=False), "INT NOT NULL"),
        (column("a", "timestamp"), "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        (column("a", "timestamp_ntz"), "TIMESTAMP(6)"),
        (column("a", "decimal(38, 18)"), "DECIMAL(38, 18)"),
        (column("a", "void"), "OPAQUE('void')"),
        (column("a", "interval year to month"), "OPAQUE('interval year to month')"),
        (column("a", "decimal(99,2)"), "OPAQUE('decimal(99,2)')"),
        (column("a", {"type": "udt", "class": "x"}), 'OPAQUE(\'{"class":"x","type":"udt"}\')'),
        (column("a", "string collate UNICODE_CI"), "OPAQUE('string collate UNICODE_CI')"),
        (column("a", "string", __COLLATIONS={"a": "spark.UTF8_LCASE"}), "OPAQUE('string collate spark.UTF8_LCASE')"),
        (column("a", "string", __COLLATIONS={"a": "spark.UTF8_BINARY"}), "STRING"),
        (column("a", array("string"), __COLLATIONS={"a.element": "ICU.DE"}), "ARRAY<OPAQUE('string collate ICU.DE')>"),
        (column("a", "string", __CHAR_VARCHAR_TYPE_STRING="varchar(10)"), "VARCHAR(10)"),
        (column("a", "string", __CHAR_VARCHAR_TYPE_STRING="char(3)"), "CHAR(3)"),
        (column("a", array("string", nullable=False), __CHAR_VARCHAR_TYPE_STRING="array<char(3)>"), "ARRAY<CHAR(3) NOT NULL>"),
        (column("a", NAMED, __CHAR_VARCHAR_TYPE_STRING="struct<x,y:char(3),d:decimal(10,2)>"), "ROW<`x,y` CHAR(3), `d` DECIMAL(10, 2)>"),
        (column("a", "long", __CHAR_VARCHAR_TYPE_STRING="varchar(10)"), "BIGINT"),
        (column("a", "string", __CHAR_VARCHAR_TYPE_STRING="varchar(10"), "STRING"),
        (column("a", "string", __CHAR_VARCHAR_TYPE_STRING="varchar(10)>"), "STRING"),
    ],
)
def test_a_type_of_a_log_is_read(source: Json, ours: str) -> None:
    assert str(read(source).fields[0].type) == ours


@pytest.mark.parametrize("kind", ["VARCHAR(10)", "CHAR(3)", "ARRAY<VARCHAR(5)>", "MAP<CHAR(2) NOT NULL, ROW<a CHAR(3), b DECIMAL(3, 1)>>"])
def test_lengths_of_strings_come_back(kind: str) -> None:
    ours = of(f"a {kind}")
    dumped = dump("delta", ours)
    assert dumped.losses == ()
    assert load("delta", dumped.text).schema.fields[0].type == ours.fields[0].type


# ---------------------------------------------------------------- ids


def test_a_schema_from_elsewhere_is_written_with_its_ids_as_column_mapping() -> None:
    (field,) = json.loads(dump("delta", TableSchema(parse_columns("a INT"), 7)).text)["fields"]
    assert field["metadata"] == {"delta.columnMapping.id": 0, "delta.columnMapping.physicalName": "a"}


def test_ids_of_column_mapping_are_taken_where_every_field_has_one() -> None:
    one = {"delta.columnMapping.id": 7, "delta.columnMapping.physicalName": "col-1"}
    assert [field.id for field in read(column("a", "long", **one)).fields] == [7]
    assert [field.id for field in read(column("a", "long", **one), column("b", "long")).fields] == [0, 1]
    assert [field.id for field in read(column("a", "long", **one), column("b", "long", **one)).fields] == [0, 1]


def test_ids_that_a_table_without_mapping_cannot_keep_are_a_loss() -> None:
    kept = read(column("a", "long"), column("b", "long"))
    fewer = TableSchema(kept.fields[1:], 1, options=kept.options)
    assert [loss.what for loss in dump("delta", fewer).losses] == ["ids"]


def test_what_a_schema_has_no_place_for_is_a_loss() -> None:
    options = Options({"bucket": "1", "schemas.field.0": '{"unit": "EUR"}', "schemas.table": '{"owner": "shop", "format": "paimon"}'})
    ours = TableSchema(of("a INT NOT NULL, b INT").fields, 7, ("b",), ("a",), options, "people")
    losses = [(loss.path, loss.what) for loss in dump("delta", ours).losses]
    wanted = ["partition keys", "primary key", "comment", "highest field id", "options", "attributes"]
    assert losses == [*[("", what) for what in wanted], ("a", "attributes")]


# ---------------------------------------------------------------- whole actions, and anything else

ACTION = {"schemaString": json.dumps(struct(column("a", "long"))), "partitionColumns": ["a"], "id": "x", "configuration": {}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"metaData": ACTION}),
        json.dumps(ACTION),
        json.dumps({"commitInfo": {}}) + "\n" + json.dumps({"metaData": ACTION}) + "\n",
    ],
)
def test_the_schema_of_an_action_is_read(text: str) -> None:
    schema = load("delta", text).schema
    assert (schema.names, schema.partition_keys) == (("a",), ("a",))


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('{"type":"struct","fields":[],"fields":[]}', "json.duplicate-key"),
        ('{"type":"struct"}', "json.wrong-type"),
        ('{"type":"struct","fields":[{"name":"a"}]}', "json.wrong-type"),
        ('{"type":"struct","fields":[{"name":"a","type":"long","nullable":"no"}]}', "json.wrong-type"),
        ('{"type":"struct","fields":[{"name":"a","type":""}]}', "type.opaque-empty"),
        ('{"metaData":{"schemaString":"{\\"type\\":\\"struct\\",\\"fields\\":[],\\"fields\\":[]}"}}', "json.duplicate-key"),
        ('{"metaData":{"schemaString":7}}', "json.wrong-type"),
        ('{"commitInfo":{}}\n{"add":{}}', "json.missing-key"),
        ("[1]", "json.wrong-type"),
        ("{", "json.invalid"),
    ],
)
def test_what_is_no_schema_is_refused(source: str, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        load("delta", source)
    assert caught.value.code == code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["long", "array", "map", "struct", "void"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("name type fields elementType keyType valueType containsNull nullable metadata delta.columnMapping.id".split()),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(JSON, JSON)
def test_any_json_is_read_or_refused(one: Any, other: Any) -> None:
    for value in (one, struct(one, other), struct({**column("a", one), "metadata": other}), {"metaData": {**ACTION, "configuration": one}}):
        with suppress(SchemaError):
            load("delta", json.dumps(value))


def test_names_of_every_kind_are_read() -> None:
    names = ["", " ", "a.b", "日本", "x\ny", "😀", "'"]
    assert list(read(*[column(name, "long") for name in names]).names) == names
