"""ODF's YAML is read as the reference implementation reads it, with its traps, and written as it writes."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.attribute_keys import key_warnings
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import (
    PLAIN,
    Binary,
    DataField,
    DataType,
    Decimal,
    List,
    Map,
    Option,
    Struct,
    Timestamp,
)
from airflow_provider_schemas.formats.odf.serialization import json_text, yaml_text
from tests.formats.odf.support.strategies import schemas


def types_of(schema: DataSchema) -> list[DataType]:
    return [one.type for one in schema.fields]


def load(text: str) -> DataSchema:
    return yaml_text.load(text).schema


def codes(text: str) -> list[tuple[str, str]]:
    with pytest.raises(FormatError) as caught:
        yaml_text.load(text)
    assert all(fault.fix for fault in caught.value.faults)
    return [(fault.code, fault.path) for fault in caught.value.faults]


def event(text: str) -> str:
    """The schema in a manifest of an event."""
    inside = text.replace("\n", "\n    ")
    return f"kind: MetadataEvent\nversion: 1\ncontent:\n  kind: SetDataSchema\n  schema:\n    {inside}\n"


@pytest.mark.parametrize(("text", "name"), [("5", "5"), ("true", "true"), ("0x1F", "0x1F"), ("null", "null"), ("1.50", "1.50"), ("", "")])
def test_a_schema_by_itself_takes_any_scalar_as_a_name(text: str, name: str) -> None:
    schema = f"fields:\n- name: {text}\n  type: String"
    assert load(schema).names == (name,)
    assert codes(event(schema)) == [("odf.wrong-type", "content.schema.fields[0].name")]


def test_a_name_is_text_after_an_anchor_too() -> None:
    assert load("fields:\n- &f {name: &n 5, type: String}\n- *f\n- {name: *n, type: String}").names == ("5", "5", "5")


def test_the_first_null_of_a_type_is_its_kind_in_a_schema_by_itself() -> None:
    schema = "fields:\n- name: a\n  type: {kind: Null}"
    assert types_of(load(schema)) == [PLAIN[Kind.NULL]]
    assert codes(event(schema)) == [("odf.wrong-type", "content.schema.fields[0].type.kind")]


@pytest.mark.parametrize("place", ["{0}", "{{kind: Option, inner: {0}}}", "{{kind: List, itemType: {{kind: {0}}}}}"])
def test_null_without_quotes_is_no_type(place: str) -> None:
    schema = "fields:\n- name: a\n  type: " + place
    assert codes(schema.format("Null"))[0][0] == "odf.wrong-type"
    assert codes(event(schema.format("Null")))[0][0] == "odf.wrong-type"
    assert load(schema.format("'Null'")) == load(event(schema.format("'Null'")))


def test_inside_a_type_a_scalar_is_what_it_is() -> None:
    assert codes("fields:\n- {name: a, type: {kind: Struct, fields: [{name: 5, type: String}]}}") == [
        ("odf.wrong-type", "fields[0].type.fields[0].name")
    ]
    assert codes("fields:\n- {name: a, type: {kind: Timestamp, timezone: 5}}") == [("odf.wrong-type", "fields[0].type.timezone")]


@pytest.mark.parametrize("key", ["5", "true", "~", "1.5"])
def test_a_key_of_attributes_is_text_in_a_schema_by_itself_and_a_fault_elsewhere(key: str) -> None:
    schema = f"fields:\n- name: a\n  type: String\n  extra: {{{key}: {{{key}: x}}}}\nextra: {{{key}: y}}"
    assert load(schema).extra == Attributes({key: "y"})
    assert load(schema).fields[0].extra == Attributes({key: {key: "x"}})
    assert {code for code, _ in codes(event(schema))} == {"odf.attribute-key"}
    inside = f"fields:\n- name: a\n  type: {{kind: Struct, fields: [{{name: b, type: String, extra: {{{key}: 1}}}}]}}"
    assert codes(inside) == [("odf.attribute-key", f"fields[0].type.fields[0].extra.{key}")]
    assert load(inside.replace(f"{{{key}:", f"{{'{key}':")).names == ("a",)


def test_attributes_follow_yaml_1_2() -> None:
    text = (
        "fields: []\nextra: {a: +07:30, b: yes, d: 2020-01-01, e: 1e16, f: 0o17, g: 017, j: 1_000, k: .5, l: 0x1F, q: 0b11, v: 1e-7,"
        " w: .inf, x: [-.Inf, .nan], y: !!binary}"
    )
    with pytest.raises(FormatError):
        load(text)
    extra = load(text.replace(", y: !!binary", "")).extra
    assert extra is not None
    assert extra.text == (
        '{"a":"+07:30","b":"yes","d":"2020-01-01","e":1e16,"f":15,"g":"017","j":"1_000","k":0.5,"l":31,"q":3,"v":1e-7,"w":null,"x":[null,null]}'
    )


def test_infinity_is_null_in_attributes_alone() -> None:
    assert codes("fields:\n- {name: a, type: {kind: Binary, fixedLength: .inf}}") == [("odf.wrong-type", "fields[0].type.fixedLength")]


@pytest.mark.parametrize("number", ["18446744073709551616", "-9223372036854775809", "0x10000000000000000"])
def test_numbers_of_more_than_64_bits_are_refused(number: str) -> None:
    assert codes(f"fields: []\nextra: {{a/b: {number}}}") == [("odf.number", "extra.a/b")]
    assert codes(f"fields:\n- {{name: a, type: {{kind: Binary, fixedLength: {number}}}}}") == [("odf.number", "fields[0].type.fixedLength")]


def test_a_key_stands_once_but_in_attributes() -> None:
    assert codes("fields: []\nfields: []") == [("yaml.duplicate-key", "fields")]
    assert codes("fields:\n- {name: a, type: {kind: String, kind: Int8}}") == [("yaml.duplicate-key", "fields[0].type.kind")]
    assert load("fields: []\nextra: {a: 1, a: {b: 1, b: 2}}").extra == Attributes({"a": {"b": 2}})
    assert codes("fields: []\nextra: {}\nextra: {}") == [("yaml.duplicate-key", "extra")]


def test_types_can_be_shared_by_name() -> None:
    text = (
        "fields:\n- {name: a, type: &t {kind: List, itemType: String}}\n- {name: b, type: *t}\n- {name: c, type: {kind: Option, inner: *t}}"
    )
    shared = List(PLAIN[Kind.STRING])
    assert types_of(load(text)) == [shared, shared, Option(shared)]


@pytest.mark.parametrize(
    "text", ["", "~", "5", "fields", "- a", "fields:", "fields: ~", "{}", "extra: {}", "a: 1\n---\nb: 1", "fields: !x []"]
)
def test_what_is_no_schema_is_refused(text: str) -> None:
    assert codes(text)


def test_two_schemas_are_one_too_many() -> None:
    assert codes("fields: []\n---\nfields: []") == [("odf.many-schemas", "[1]")]


def test_keys_outside_the_grammar_are_warned_about() -> None:
    text = (
        "fields:\n- name: a\n  type: {kind: List, itemType: {kind: Struct, fields: [{name: b, type: String, extra: {foo: 1}}]}}\n"
        "  extra: {a b/c: 1, x.com/a_b-c: 2, x.com/a.b: 3}\nextra: {x_y/a: 1, /: 2}"
    )
    warnings = yaml_text.load(text).losses
    assert {one.path for one in warnings} == {
        "extra./",
        "extra.x_y/a",
        "fields[0].extra.a b/c",
        "fields[0].extra.x.com/a.b",
        "fields[0].type.itemType.fields[0].extra.foo",
    }
    assert set(key_warnings(load(text))) == set(warnings)


def test_reading_documents_loads_no_heavy_library() -> None:
    heavy = "{'pyarrow', 'numpy', 'flatbuffers', 'pandas', 'pyspark'}"
    modules = "known_attributes, json_text, manifests, yaml_text"
    code = f"import sys; from airflow_provider_schemas.formats.odf.serialization import {modules}; assert not sys.modules.keys() & {heavy}"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# ---------------------------------------------------------------- writing

KEPT = DataSchema(
    (
        DataField("no", PLAIN[Kind.NULL]),
        DataField("5", Timestamp(TimeUnit.MILLISECOND, "+10:30")),
        DataField("a: b", Option(List(Map(PLAIN[Kind.STRING], Binary(16), False), 3)), Attributes({})),
        DataField("", Struct(()), Attributes({"x.c/b": {"z": 1, "y": [1.0, 1e16, None, "true"]}, "x.c/a": "one\ntwo\n", "x.c/c": []})),
        DataField("s", Struct((DataField("d", Decimal(10, -2), Attributes({"k": "a\tb"})), DataField("t", Timestamp())))),
    ),
    Attributes({"kamu.dev/archetype": "Collection"}),
)
KEPT_TEXT = """\
fields:
- name: no
  type:
    kind: 'Null'
- name: '5'
  type:
    kind: Timestamp
    unit: Millisecond
    timezone: +10:30
- name: 'a: b'
  type:
    kind: Option
    inner:
      kind: List
      itemType:
        kind: Map
        keyType:
          kind: String
        valueType:
          kind: Binary
          fixedLength: 16
        keysSorted: false
      fixedLength: 3
  extra: {}
- name: ''
  type:
    kind: Struct
    fields: []
  extra:
    x.c/a: |
      one
      two
    x.c/b:
      y:
      - 1.0
      - 1e16
      - null
      - 'true'
      z: 1
    x.c/c: []
- name: s
  type:
    kind: Struct
    fields:
    - name: d
      type:
        kind: Decimal
        precision: 10
        scale: -2
      extra:
        k: "a\\tb"
    - name: t
      type:
        kind: Timestamp
extra:
  kamu.dev/archetype: Collection
"""


def test_a_schema_is_written_as_the_reference_writes_it() -> None:
    assert yaml_text.dump(KEPT).text == KEPT_TEXT
    assert yaml_text.load(KEPT_TEXT).schema == KEPT


def test_no_fields_are_an_empty_list() -> None:
    assert yaml_text.dump(DataSchema((), Attributes({}))).text == "fields: []\nextra: {}\n"


@given(schemas)
def test_what_is_written_reads_back(schema: DataSchema) -> None:
    text = yaml_text.dump(schema).text
    assert load(text) == schema
    assert yaml_text.dump(load(text)).text == text
    assert json_text.dump(load(text)).text == json_text.dump(schema).text


@given(schemas)
def test_inside_a_manifest_it_reads_back_too(schema: DataSchema) -> None:
    value: dict[str, Any] = {"kind": "MetadataEvent", "version": 1, "content": {"kind": "setDataSchema"}}
    value["content"]["schema"] = json.loads(json_text.dump(schema).text)
    assert load(yaml_text.plain_text(value)) == schema


def test_what_no_reader_takes_is_not_written() -> None:
    kind: DataType = PLAIN[Kind.STRING]
    for _ in range(5_000):
        kind = Option(kind)
    for dump in (yaml_text.dump, json_text.dump):
        with pytest.raises(FormatError) as caught:
            dump(DataSchema((DataField("a", kind),)))
        assert caught.value.code == "odf.too-deep"
        with pytest.raises(FormatError) as caught:
            dump(DataSchema((DataField("\ud800", PLAIN[Kind.STRING]),)))
        assert caught.value.code == "json.surrogate"


def test_the_deepest_schema_reads_back() -> None:
    kind: DataType = PLAIN[Kind.STRING]
    value: Any = 1
    for _ in range(90):
        value = [value]
    for _ in range(59):
        kind = Struct((DataField("a", kind, Attributes({"x.c/a": value})),))
    schema = DataSchema((DataField("a", kind),))
    assert load(event(yaml_text.dump(schema).text.rstrip("\n"))) == schema
    assert json_text.load(json_text.dump(schema).text).schema == schema


def test_a_fault_says_its_line() -> None:
    text = "fields:\n- name: a\n  type:\n    kind: List\n    itemType: Strng\n- name: b\n---\nfields:\n- &x {name: a, type: 5}\n- *x\n"
    with pytest.raises(FormatError) as caught:
        yaml_text.load(text)
    assert [(fault.path, fault.message.split(":")[0]) for fault in caught.value.faults] == [
        ("[0].fields[0].type.itemType", "line 5"),
        ("[0].fields[1].type", "line 6"),
        ("[1].fields[0].type", "line 9"),
        ("[1].fields[1].type", "line 9"),
    ]


def test_a_manifest_of_tens_of_thousands_of_fields_is_read() -> None:
    fields = "".join(f"- {{name: f{number}, type: {{kind: Option, inner: String}}}}\n" for number in range(30_000))
    assert len(load(event(f"fields:\n{fields}")).fields) == 30_000
