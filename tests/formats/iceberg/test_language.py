"""The format `iceberg`: what is read comes back, what cannot be written is told, and nothing hostile gets through."""

import gzip
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import dump, load
from airflow_provider_schemas.formats.iceberg import language
from tests.formats.iceberg.support.tables import ORDERS, WIDER, column, list_of, map_of, schema, schemas, table, text
from tests.formats.support import strategies


def of(columns: str) -> TableSchema:
    fields = parse_columns(columns)
    return TableSchema(fields, max(field.id for field in fields))


def read(*columns: Any, **more: Any) -> TableSchema:
    return load("iceberg", text(schema(*columns, **more))).schema


def without_nulls(value: Any) -> Any:
    return json.loads(json.dumps(value))


# ---------------------------------------------------------------- laws


@given(schemas())
def test_a_schema_of_iceberg_comes_back_whole(source: dict[str, Any]) -> None:
    loaded = load("iceberg", text(source))
    dumped = dump("iceberg", loaded.schema)
    assert (loaded.losses, dumped.losses) == ((), ())
    assert json.loads(dumped.text) == source
    assert load("iceberg", dumped.text).schema == loaded.schema


@given(strategies.schemas())
def test_ids_names_comments_and_nullability_always_come_back(ours: TableSchema) -> None:
    dumped = dump("iceberg", ours)
    back = load("iceberg", dumped.text)
    assert back.losses == ()
    assert [(field.id, field.name, field.description, field.type.nullable) for field in back.schema.fields] == [
        (field.id, field.name, field.description, field.type.nullable) for field in ours.fields
    ]


@given(strategies.schemas(strategies.few_columns))
def test_every_change_of_a_column_on_the_way_is_a_loss_with_its_path(ours: TableSchema) -> None:
    dumped = dump("iceberg", ours)
    back = load("iceberg", dumped.text).schema
    changed = [old.name for old, new in zip(ours.fields, back.fields, strict=True) if old != new]
    for name in changed:
        assert any(loss.path == name or loss.path.startswith(f"{name}.") for loss in dumped.losses)


@pytest.mark.parametrize(("ours", "theirs", "back"), language.LOSSY)
def test_a_lossy_type_comes_back_as_the_table_says(ours: str, theirs: str, back: str) -> None:
    dumped = dump("iceberg", of(f"a {ours} NOT NULL"))
    assert json.loads(dumped.text)["fields"] == [column(0, "a", theirs, required=True)]
    assert [loss.path for loss in dumped.losses] == ["a"]
    assert str(load("iceberg", dumped.text).schema.fields[0]) == f"`a` {back} NOT NULL"


@pytest.mark.parametrize(
    ("ours", "back", "lost"),
    [
        ("ARRAY<INT NOT NULL>", "ARRAY<INT NOT NULL>", []),
        ("MAP<STRING NOT NULL, INT>", "MAP<STRING NOT NULL, INT>", []),
        ("MAP<STRING, INT>", "MAP<STRING NOT NULL, INT>", ["a.key"]),
        ("MULTISET<STRING NOT NULL>", "MAP<STRING NOT NULL, INT NOT NULL>", ["a"]),
        ("VECTOR<FLOAT NOT NULL, 3>", "ARRAY<FLOAT NOT NULL>", ["a"]),
        ("ROW<b BLOB, c INT>", "ROW<`b` BYTES, `c` INT>", ["a.b"]),
    ],
)
def test_a_container_names_the_place_of_what_is_lost(ours: str, back: str, lost: list[str]) -> None:
    dumped = dump("iceberg", of(f"a {ours}"))
    assert [loss.path for loss in dumped.losses] == lost
    assert str(load("iceberg", dumped.text).schema.fields[0].type) == back


# ---------------------------------------------------------------- ids


def test_elements_get_new_ids_above_all_that_the_table_ever_gave() -> None:
    ours = TableSchema(parse_columns("a ARRAY<INT>, m MAP<STRING NOT NULL, ARRAY<INT>>"), 20)
    first, second = json.loads(dump("iceberg", ours).text)["fields"]
    assert first["type"]["element-id"] == 21
    assert (second["type"]["key-id"], second["type"]["value-id"], second["type"]["value"]["element-id"]) == (22, 23, 24)


def test_elements_keep_their_ids_and_new_ones_do_not_take_them() -> None:
    kept = read(column(1, "a", list_of(9, "int")))
    more = TableSchema((*kept.fields, Field(2, "b", parse_columns("x ARRAY<INT>")[0].wire)), 2, options=kept.options)
    first, second = json.loads(dump("iceberg", more).text)["fields"]
    assert (first["type"]["element-id"], second["type"]["element-id"]) == (9, 10)


# ---------------------------------------------------------------- what a schema has no place for


def test_what_a_schema_has_no_place_for_is_a_loss() -> None:
    options = Options({"bucket": "1", "schemas.field.0": '{"unit": "EUR"}', "schemas.table": '{"owner": "shop", "format": "paimon"}'})
    ours = TableSchema(of("a INT NOT NULL, b INT").fields, 7, ("b",), ("a",), options, "people")
    losses = [(loss.path, loss.what) for loss in dump("iceberg", ours).losses]
    wanted = ["partition keys", "primary key", "comment", "highest field id", "options", "attributes"]
    assert losses == [*[("", what) for what in wanted], ("a", "attributes")]


@pytest.mark.parametrize(
    ("columns", "default"),
    [
        ("a INT DEFAULT 5", 5),
        ("a BOOLEAN DEFAULT true", True),
        ("a DOUBLE DEFAULT 1.5", 1.5),
        ("a TIMESTAMP(6) DEFAULT 2024-01-01", "2024-01-01"),
    ],
)
def test_a_default_becomes_the_value_of_new_rows(columns: str, default: Any) -> None:
    fields = [Field(field.id, field.name, field.wire, None, json.dumps(default).strip('"')) for field in parse_columns(columns)]
    dumped = dump("iceberg", TableSchema(tuple(fields), 0))
    assert json.loads(dumped.text)["fields"][0]["write-default"] == default
    assert dumped.losses == ()


@pytest.mark.parametrize("wrong", [("INT", "'5'"), ("INT", "1.5"), ("BOOLEAN", "yes"), ("BYTES", "x"), ("INT", "01")])
def test_a_default_that_iceberg_cannot_say_is_a_loss(wrong: tuple[str, str]) -> None:
    kind, default = wrong
    dumped = dump("iceberg", TableSchema((Field(0, "a", kind, None, default),), 0))
    assert [(loss.path, loss.what) for loss in dumped.losses] == [("a", "default")]
    assert "write-default" not in json.loads(dumped.text)["fields"][0]


# ---------------------------------------------------------------- whole tables, and anything else


def test_of_a_table_the_current_schema_is_read_and_the_others_are_told() -> None:
    loaded = load("iceberg", text(table(ORDERS, WIDER, **{"current-schema-id": 0})))
    assert (loaded.schema.id, loaded.schema.names) == (0, ("id", "at"))
    assert [loss.what for loss in loaded.losses] == ["schemas"]
    assert load("iceberg", gzip.compress(text(table(WIDER)))).schema.names == ("id", "at", "coupon")


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('{"type":"struct","fields":[],"fields":[]}', "json.duplicate-key"),
        ('{"type":"struct"}', "json.missing-key"),
        ('{"type":"struct","fields":[{"id":1,"name":"a"}]}', "json.missing-key"),
        ('{"type":"struct","fields":[{"id":4294967296,"name":"a","type":"int"}]}', "json.wrong-type"),
        ('{"type":"struct","fields":[{"id":1,"name":"a","type":{"type":"set"}}]}', "json.wrong-type"),
        ('{"type":"struct","fields":[{"id":1,"name":"a","type":""}]}', "type.opaque-empty"),
        ("[1]", "json.wrong-type"),
        ("{", "json.invalid"),
        (gzip.compress(b"{}")[:-9], "format.encoding"),
    ],
)
def test_what_is_no_schema_is_refused(source: str | bytes, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        load("iceberg", source)
    assert caught.value.code == code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["int", "list", "map", "struct", "fixed[0]"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("id name type fields element element-id key value required doc".split()), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(JSON, JSON)
def test_any_json_is_read_or_refused(one: Any, other: Any) -> None:
    for value in (one, schema(one, other), schema(column(1, "a", one, **{"write-default": other})), table(schema(column(1, "a", one)))):
        with suppress(SchemaError):
            load("iceberg", json.dumps(value))


def test_names_of_every_kind_are_read() -> None:
    names = ["", " ", "a.b", "A", "a", "日本", "x\ny", "😀", "'"]
    found = read(*[column(number, name, "int") for number, name in enumerate(names)])
    assert list(found.names) == names
    nested = read(column(1, "s", map_of(2, "string", 3, {"type": "struct", "fields": [column(4, "", "int"), column(5, ".", "int")]})))
    assert str(nested.fields[0].type) == "MAP<STRING NOT NULL, ROW<`` INT, `.` INT>>"
