"""Schema files: what Java writes is read and written back, what nobody should write is explained, all of it at once."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, validity
from airflow_provider_schemas.core.schema.java_json import any_text
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.errors import SchemaError, SchemaFileError
from tests.support import damaged
from tests.support.tables import tables

JAVA = """{
  "version" : 3,
  "id" : 0,
  "fields" : [ {
    "id" : 0,
    "name" : "k",
    "type" : "INT NOT NULL",
    "description" : "the key"
  }, {
    "id" : 1,
    "name" : "v",
    "type" : {
      "type" : "ROW",
      "fields" : [ {
        "id" : 2,
        "name" : "f1",
        "type" : {
          "type" : "MAP NOT NULL",
          "key" : "STRING NOT NULL",
          "value" : {
            "type" : "VECTOR",
            "element" : "FLOAT",
            "length" : 3
          }
        }
      } ]
    },
    "defaultValue" : "{1}"
  } ],
  "highestFieldId" : 2,
  "partitionKeys" : [ ],
  "primaryKeys" : [ "k" ],
  "options" : {
    "bucket" : "2"
  },
  "comment" : "größer/\u2028",
  "timeMillis" : 1794993955083
}"""


def file(**members: Any) -> dict[str, Any]:
    return {
        "version": 3,
        "id": 7,
        "fields": [{"id": 0, "name": "a", "type": "INT"}, {"id": 1, "name": "b", "type": "STRING"}],
        "highestFieldId": 1,
        "partitionKeys": [],
        "primaryKeys": [],
        "options": {},
        "timeMillis": 1,
    } | members


def read(**members: Any) -> TableSchema:
    return TableSchema.from_json(json.dumps(file(**members)))


def faults_of(data: bytes | str) -> list[str]:
    with pytest.raises(SchemaError) as refused:
        TableSchema.from_json(data)
    assert pickle.loads(pickle.dumps(refused.value)).faults == refused.value.faults
    return [fault.code for fault in refused.value.faults]


def test_a_file_of_java_is_written_back_to_the_byte() -> None:
    assert TableSchema.from_json(JAVA).to_json() == JAVA


def test_an_empty_table_is_laid_out_as_java_does() -> None:
    text = TableSchema(fields=(), highest_field_id=-1).to_json()
    assert text.endswith(
        '"fields" : [ ],\n  "highestFieldId" : -1,\n  "partitionKeys" : [ ],\n  "primaryKeys" : [ ],\n'
        '  "options" : { },\n  "timeMillis" : 0\n}'
    )


@pytest.mark.parametrize(
    ("version", "options"),
    [
        (0, {"bucket": "1", "file.format": "orc"}),
        (1, {"bucket": "1", "file.format": "orc"}),
        (2, {"file.format": "orc"}),
        (3, {}),
        (4, {}),
    ],
)
def test_old_versions_are_read_with_the_defaults_of_their_time(version: int, options: dict[str, str]) -> None:
    schema = read(version=version)
    assert dict(schema.options) == options
    assert schema.version == version
    assert json.loads(schema.to_json())["version"] == max(3, version)


def test_a_file_without_version_or_time_is_of_version_one() -> None:
    source = file(options={"bucket": "4"})
    del source["version"], source["timeMillis"]
    schema = TableSchema.from_json(json.dumps(source))
    assert (schema.version, schema.time_millis, dict(schema.options)) == (1, 0, {"bucket": "4", "file.format": "orc"})


def test_a_null_is_read_as_absent_and_never_written() -> None:
    fields = [{"id": 0, "name": "a", "type": "INT", "description": None, "defaultValue": None}]
    schema = read(comment=None, fields=fields)
    assert (schema.comment, schema.fields[0].description, schema.fields[0].default) == (None, None, None)
    assert "null" not in schema.to_json()


def test_an_empty_comment_is_kept() -> None:
    assert json.loads(read(comment="").to_json())["comment"] == ""


def test_what_java_tolerates_is_tolerated() -> None:
    schema = read(
        id="7", options={"a": 1, "b": True, "c": None, "d": 1.5, "e": {"x": 1}}, fields=[{"id": "3", "name": "a", "type": "int  not null"}]
    )
    assert dict(schema.options) == {"a": "1", "b": "true", "c": "null", "d": "1.5", "e": ""}
    assert (schema.fields[0].id, str(schema.fields[0].type)) == (3, "INT NOT NULL")
    assert dict(read(options=None).options) == {}
    assert read(fields=[{"id": 0, "name": "a", "type": "INT"}, {"id": 1, "name": "a", "type": "INT"}]).names == ("a", "a")


def test_the_fraction_of_a_number_is_cut_off_as_java_does() -> None:
    numbers = {"version": 2.9, "id": 7.0, "highestFieldId": 3e0, "timeMillis": 1.5e12}
    schema = read(
        **numbers, fields=[{"id": 3.7, "name": "a", "type": {"type": "ROW", "fields": [{"id": -0.9, "name": "b", "type": "INT"}]}}]
    )
    assert (schema.version, schema.id, schema.highest_field_id, schema.time_millis) == (2, 7, 3, 1_500_000_000_000)
    assert all_ids(schema.fields) == [3, 0]
    assert TableSchema.from_json(schema.to_json()).fields == schema.fields


@pytest.mark.parametrize("number", [2**31, 2147483647.5, -2147483649.0, 1e30, True, "2.0", [2.0]])
def test_a_number_of_more_bits_than_java_has_for_it_is_refused(number: Any) -> None:
    for key in ("version", "id", "highestFieldId"):
        assert faults_of(json.dumps(file(**{key: number}))) == ["json.wrong-type"]
    assert faults_of(json.dumps(file(fields=[{"id": number, "name": "a", "type": "INT"}]))) == ["json.wrong-type"]


def test_unknown_keys_survive_and_are_shown() -> None:
    nested = {"type": "ARRAY", "element": "INT", "nullable": True}
    schema = read(foo={"bar": [1, None]}, fields=[{"id": 0, "name": "a", "type": nested, "unit": "EUR"}])
    assert dict(schema.unknown) == {
        ("foo",): '{"bar": [1, null]}',
        ("fields", 0, "type", "nullable"): "true",
        ("fields", 0, "unit"): '"EUR"',
    }
    assert json.loads(schema.to_json())["foo"] == {"bar": [1]}  # never a null
    assert TableSchema.from_json(schema.to_json()).unknown == ((("foo",), '{"bar": [1]}'),)


def test_a_schema_is_hashable_and_survives_pickling_after_use() -> None:
    schema = read(foo=1)
    assert schema.field("a") is schema.column(0)
    assert pickle.loads(pickle.dumps(schema)) == schema
    assert len({schema, read(foo=1)}) == 1


def test_a_schema_cannot_be_changed() -> None:
    schema = read(options={"a": "b"})
    with pytest.raises(AttributeError):
        schema.comment = "new"  # type: ignore[misc]  # the point of the test
    with pytest.raises(TypeError):
        schema.options["a"] = "c"  # type: ignore[index]  # likewise


def test_the_digest_is_of_the_content_alone() -> None:
    schema = read(options={"a": "1", "b": "2"})
    assert schema.digest == read(id=9, timeMillis=5, options={"b": "2", "a": "1"}, foo=1).digest
    changed: list[dict[str, Any]] = [{"comment": ""}, {"highestFieldId": 5}, {"options": {}}, {"primaryKeys": ["a"]}, {"fields": []}]
    for change in changed:
        assert read(**{"options": {"a": "1", "b": "2"}, **change}).digest != schema.digest


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"\xff", ["json.invalid"]),
        (b"", ["json.invalid"]),
        (b"[]", ["json.invalid"]),
        (b'{"a":1', ["json.invalid"]),
        (b'{"id":NaN}', ["json.invalid"]),
        ("\ud800", ["json.surrogate"]),
        (b"[" * 100_000, ["json.too-deep"]),
        (b'{"fields":' * 10_000, ["json.too-deep"]),
        (b'{"a":' + b"9" * 100_000 + b"}", ["json.invalid"]),
        (b" " * 100_000_000, ["json.too-large"]),
        (b"{}", ["json.missing-key"] * 6),
    ],
)
def test_bytes_that_are_no_schema_file_are_refused(data: bytes | str, codes: list[str]) -> None:
    assert faults_of(data) == codes


@pytest.mark.parametrize("data", [None, 5, ["x"], {"id": 0}])
def test_what_is_no_bytes_is_refused(data: Any) -> None:
    assert faults_of(data) == ["json.wrong-type"]


def test_half_a_surrogate_pair_is_refused_wherever_it_hides() -> None:
    for source in (file(comment="\ud800"), file(fields=[{"id": 0, "name": "\udfff", "type": "INT"}])):
        assert "json.surrogate" in faults_of(json.dumps(source))


@pytest.mark.parametrize(
    "text",
    [
        '{"version": 3, "version": 3, ',
        '{"version": 3, "versi\\u006fn": 3, ',
        '{"version": 3, "comment": "a \\" b", "comment": "c", ',
        '{"version": 3, "comment": "\\\\", "comment": "c", ',
    ],
)
def test_a_key_that_stands_twice_is_refused(text: str) -> None:
    rest = json.dumps({key: value for key, value in file().items() if key != "version"})
    assert faults_of(text + rest[1:]) == ["json.duplicate-key"]


def test_a_key_that_stands_twice_deep_inside_is_refused() -> None:
    good = json.dumps(file(options={"a": "b"}, fields=[{"id": 0, "name": "a", "type": {"type": "ARRAY", "element": "INT"}}]))
    for before, twice in (
        ('"a": "b"', '"a": "b", "a": "c"'),
        ('"element": "INT"', '"element": "INT", "element": "INT"'),
        ('"id": 0', '"id": 0, "id": 0'),
    ):
        assert faults_of(good.replace(before, twice)) == ["json.duplicate-key"]


@pytest.mark.parametrize("name", ["a", "comment", '"comment" : null'])
@pytest.mark.parametrize("absent", ['"comment": null', '"comment" :null'])
@pytest.mark.parametrize("place", ['"id": 7,', '"timeMillis": 1'])
def test_a_comment_that_is_null_does_not_hide_a_key_that_stands_twice(name: str, absent: str, place: str) -> None:
    text = json.dumps(file(fields=[{"id": 0, "name": name, "type": "INT"}], options={"comment": "x"}))
    once = text.replace(place, f"{absent}, {place}")
    assert TableSchema.from_json(once).fields == TableSchema.from_json(text).fields
    for twice in ('"id": 0, "id": 0,', '"id": 0, "id": 1,'):
        assert faults_of(once.replace('"id": 0,', twice)) == ["json.duplicate-key"]
        assert faults_of(text.replace('"id": 0,', twice)) == ["json.duplicate-key"]
    for before in ('"comment": "x"', absent):
        assert faults_of(once.replace(absent, f"{before}, {absent}")) == ["json.duplicate-key"]


def test_backslashes_at_the_end_of_texts_do_not_hide_a_key_that_stands_twice() -> None:
    text = json.dumps(file(options={"a": "x\\", "b": "y\\"}))
    assert dict(TableSchema.from_json(text).options) == {"a": "x\\", "b": "y\\"}
    assert faults_of(text.replace('"id": 7', '"id": 7, "id": 7')) == ["json.duplicate-key"]


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a JSON value that hold something, at every depth."""
    if not isinstance(value, dict | list):
        return []
    inner = [one for part in (value.values() if isinstance(value, dict) else value) for one in objects(part)]
    return [value, *inner] if isinstance(value, dict) and value else inner


def text_with(value: Any, owner: dict[str, Any], member: str) -> str:
    """The JSON text of the value, with one more member in the object that owns it."""
    if isinstance(value, list):
        return f"[{', '.join(text_with(one, owner, member) for one in value)}]"
    if not isinstance(value, dict):
        return json.dumps(value)
    members = [f"{json.dumps(key)}: {text_with(one, owner, member)}" for key, one in value.items()]
    return f"{{{', '.join([*members, *([member] if value is owner else [])])}}}"


TRICKY = st.sampled_from(["", "x\\", "\\\\", 'say "x"', '\\"', '"', "größer"])


@given(st.data())
def test_one_key_that_stands_twice_anywhere_is_refused(data: st.DataObject) -> None:
    source = json.loads(data.draw(tables()).to_json()) | {"comment": data.draw(TRICKY)}
    source["options"] |= data.draw(st.dictionaries(TRICKY, TRICKY, max_size=3))
    for key in data.draw(st.sets(st.sampled_from(["version", "timeMillis", "comment"]))):
        del source[key]
    TableSchema.from_json(json.dumps(source))
    owner = data.draw(st.sampled_from(objects(source)))
    key = data.draw(st.sampled_from(sorted(owner)))
    spelled = "".join(f"\\u{ord(char):04x}" for char in key) if data.draw(st.booleans()) else json.dumps(key)[1:-1]
    value = data.draw(st.sampled_from([owner[key], "INT", "", 7, [], {}]))
    assert faults_of(text_with(source, owner, f'"{spelled}": {json.dumps(value)}')) == ["json.duplicate-key"]


def test_escaped_text_does_not_look_like_a_key_that_stands_twice() -> None:
    for comment in ('say "hello"', "back\\slash", 'both \\" of them', "line\nbreak", "größer"):
        assert read(comment=comment).comment == comment


def test_all_faults_of_a_file_are_named() -> None:
    fields = [{"id": 0, "name": "x" * 65_536, "type": "INT"}, {"id": 1, "type": "FOO"}, {"name": 5, "type": "INT"}, 7]
    assert faults_of(json.dumps(file(fields=fields, partitionKeys=[3], primaryKeys="a", options=[]))) == [
        "fields.name-too-long",
        "json.missing-key",
        "type.parse.unknown-name",
        "json.wrong-type",
        "json.missing-key",
        "json.wrong-type",
        "json.wrong-type",
        "json.wrong-type",
        "json.wrong-type",
    ]


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"partitionKeys": ["a"], "primaryKeys": ["a"]}, "schema.primary-key-equals-partition-keys"),
        ({"options": {"bucket": "two"}}, "option.bad-value"),
        ({"options": {"bucket-key": "c"}}, "bucket.key-unknown-or-not-in-pk"),
        ({"options": {"bucket-key": "a, b"}}, "bucket.key-unknown-or-not-in-pk"),
        ({"options": {"bucket-key": "a"}, "partitionKeys": ["a"]}, "bucket.key-in-partition"),
        ({"options": {"bucket-key": "b"}, "primaryKeys": ["a"]}, "bucket.key-unknown-or-not-in-pk"),
    ],
)
def test_what_java_refuses_even_to_read_is_refused(members: dict[str, Any], code: str) -> None:
    assert faults_of(json.dumps(file(**members))) == [code]


def test_nesting_beyond_the_limit_is_refused_by_both_readers() -> None:
    kind: Any = "INT"
    for _ in range(150):
        kind = {"type": "ARRAY", "element": kind}
    assert faults_of(json.dumps(file(fields=[{"id": 0, "name": "a", "type": kind}]))) == ["type.too-deep"]


@given(st.binary())
def test_no_bytes_make_the_reader_fail_otherwise(data: bytes) -> None:
    faults_of(data)


KEYS = st.sampled_from([*file(), "comment", "name", "type", "x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["INT", "ROW", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=8,
)


FILES = tables().map(lambda table: json.loads(table.to_json()))


OTHERS = st.dictionaries(KEYS, JSON, max_size=4).map(lambda members: file() | members)


@given(damaged.mostly(FILES | damaged.values(FILES, JSON), OTHERS))
def test_no_json_makes_the_reader_fail_otherwise(value: Any) -> None:
    try:
        schema = TableSchema.from_json(json.dumps(value))
    except SchemaError:
        return
    assert TableSchema.from_json(schema.to_json()).digest == schema.digest


@given(JSON)
def test_the_layout_is_json(value: Any) -> None:
    text = any_text(value)
    assert json.loads(text) == value or text.count("NaN") > 0


def test_the_attributes_of_a_field_are_seen_through_the_options() -> None:
    schema = read(
        options={"schemas.field.1": '{"unit": "EUR", "tags": ["pii"]}', "schemas.table": '{"owner": "ana"}', "schemas.field.0": "oops"}
    )
    assert dict(schema.attributes(1)) == {"unit": "EUR", "tags": ["pii"]}
    assert dict(schema.attributes(5)) == {}
    assert dict(schema.table_attributes) == {"owner": "ana"}
    with pytest.raises(SchemaFileError, match="one JSON object"):
        schema.attributes(0)


def test_a_file_of_faults_is_told_in_bounded_memory() -> None:
    many = json.dumps(file(fields=[]))
    assert faults_of(many.replace("[]", "[" + "1," * 5_000_000 + "1]", 1)) == ["fields.too-many"]
    codes = faults_of(json.dumps(file(fields=[1] * 90_000)))
    assert set(codes) == {"json.wrong-type"}


def test_a_schema_prints_as_a_table_of_columns() -> None:
    assert str(TableSchema.from_json(JAVA)).splitlines() == [
        "schema 0 · 2 columns · highest id 2 · primary key (k)",
        "  0  k  INT NOT NULL                                               the key",
        "  1  v  ROW<`f1` MAP<STRING NOT NULL, VECTOR<FLOAT, 3>> NOT NULL>",
    ]
    assert str(TableSchema(fields=(), highest_field_id=-1)) == "schema 0 · 0 columns · highest id -1"


@pytest.mark.parametrize("absent", [(), ("version",), ("timeMillis",), ("version", "timeMillis")], ids=str)
@pytest.mark.parametrize(
    ("before", "twice"),
    [
        ('"name": "a"', '"name": "a", "name": "b"'),
        ('"type": "INT"', '"type": "INT", "type": "STRING"'),
        ('"bucket": "1"', '"bucket": "1", "bucket": "2"'),
        ('"id": 0', '"id": 0, "id": 7'),
        ('"highestFieldId": 1', '"highestFieldId": 1, "highestFieldId": 2'),
    ],
)
def test_a_key_that_stands_twice_is_refused_in_the_files_of_old_releases_too(absent: tuple[str, ...], before: str, twice: str) -> None:
    source = {key: value for key, value in file(options={"bucket": "1"}).items() if key not in absent}
    text = json.dumps(source)
    TableSchema.from_json(text)
    assert faults_of(text.replace(before, twice, 1)) == ["json.duplicate-key"]


def test_more_columns_than_the_limit_are_refused_by_the_strict_reader_too() -> None:
    fields = [{"id": number, "name": f"c{number}", "type": "INT"} for number in range(100_001)]
    assert faults_of(json.dumps(file(fields=fields))) == ["fields.too-many"]


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": 1, "a": 2}', "[]", "5", '{"a": "\\ud800"}', "{" * 5_000])
def test_attributes_are_read_as_strictly_as_they_are_checked(text: str) -> None:
    schema = read(options={"schemas.field.1": text})
    assert [one.fault for one in validity(schema).findings] == ["attributes.invalid"]
    with pytest.raises(SchemaFileError):
        schema.attributes(1)
