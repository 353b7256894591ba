"""The strict reader takes what is sound and only unusual, and never says anything else than the tolerant one."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema import schema_file
from airflow_provider_schemas.core.schema.strict_schema_file import Decoded, strictly_decoded
from airflow_provider_schemas.errors import SchemaError
from tests.support.tables import tables

INNER = {"type": "ROW", "fields": [{"id": 5, "name": "x", "type": {"type": "MAP", "key": "STRING", "value": "INT"}}]}
FILE: dict[str, Any] = {
    "version": 3,
    "id": 7,
    "fields": [
        {"id": 0, "name": "a", "type": "INT"},
        {"id": 1, "name": "b", "type": INNER},
        {"id": 2, "name": "c", "type": {"type": "VECTOR", "element": "FLOAT", "length": 3}},
    ],
    "highestFieldId": 5,
    "partitionKeys": [],
    "primaryKeys": ["a"],
    "options": {"bucket": "2"},
    "comment": "what it holds",
    "timeMillis": 1,
}


def field(**members: Any) -> dict[str, Any]:
    return {"fields": [{"id": 0, "name": "a", "type": "INT"} | members]}


def nested(**members: Any) -> dict[str, Any]:
    return field(type={"type": "ROW", "fields": [{"id": 4, "name": "x", "type": "INT"} | members]})


@pytest.mark.parametrize(
    "unusual",
    [
        {"engine": {"x": 1}},
        {"before": None, "schemas": {"by": "someone"}, "after": ["a", "\\", '"']},
        {"schemas": {"said": "a \\ b", "no": None}},
        {"comment": None},
        {"comment": "a \\"},
        {"comment": '\\\\" \\" "'},
        field(type="decimal(10,2)"),
        field(type="int not null"),
        field(type="dec(10)"),
        field(description=None),
        field(description="\\", defaultValue=None),
        nested(type="timestamp"),
        nested(description=None, defaultValue=None),
        field(type={"type": "ARRAY NOT NULL", "element": {"type": "MAP", "key": "varchar(3)", "value": INNER}}),
        field(type={"type": "MULTISET", "element": {"type": "VECTOR", "element": "FLOAT", "length": 2}}) | {"odd": 1},
        field(odd=[1, {"type": "INT"}, None]),
        field(odd=1.5e300, more={"a": "\\"}, description=None) | {"engine": "x", "schemas": {"by": "someone"}},
        nested(odd={"fields": []}, type="dec(10)"),
        field(type={"type": "ARRAY", "element": "INT", "odd": 1}),
        field(odd=2, type={"type": "MAP NOT NULL", "key": {"type": "ARRAY", "element": "INT", "odd": 0}, "value": INNER, "odd": 1}),
        field(type={"type": "VECTOR", "element": "FLOAT", "length": 3, "key": "x", "fields": 7}),
        {"fields": [{"id": number, "name": f"c{number}", "type": "INT"} | ({"odd": ""} if number > 5 else {}) for number in range(8)]},
    ],
    ids=json.dumps,
)
def test_what_is_only_unusual_needs_no_tolerant_reader(unusual: dict[str, Any]) -> None:
    raw = json.dumps(FILE | unusual).encode()
    strict, tolerant = strictly_decoded(raw), schema_file._read_tolerantly(raw)
    assert strict is not None
    assert plain(strict) == plain(tolerant)


def plain(decoded: Decoded) -> tuple[Any, ...]:
    """What the file says; a missing version or time is what the tolerant reader takes for missing."""
    file = decoded.file
    keys = (file.partitionKeys, file.primaryKeys, file.highestFieldId)
    return file.id, file.fields, keys, dict(file.options), file.comment, decoded.unknown


# Members with which an object of the file may differ: of the file, and of a field at any depth.
TEXT = st.sampled_from(["", "\\", '"', "null", '"description": null', '\\"', "größer", "{", "}"])
VALUE = st.one_of(st.none(), TEXT, st.integers(-3, 3), st.dictionaries(TEXT, st.one_of(st.none(), TEXT), max_size=2))
OF_FILE = st.dictionaries(st.sampled_from(["engine", "schemas", "o\\d", '"', "comment"]), VALUE, max_size=3)
OF_FIELD = st.fixed_dictionaries({}, optional={"description": st.one_of(st.none(), TEXT), "defaultValue": st.one_of(st.none(), TEXT)})
# Some of these are known, though not everywhere.
UNKNOWN = st.dictionaries(
    st.sampled_from(["odd", "o\\d", "größer", "element", "key", "length", "fields", "description"]), VALUE, max_size=2
)
RESPELLED: dict[str, Callable[[str], str]] = {"small": str.lower, "narrow": lambda text: text.replace(", ", ","), "same": str}


def fields_of(part: Any) -> list[dict[str, Any]]:
    """Every field inside this part of a file."""
    if not isinstance(part, dict | list):
        return []
    parts = part.values() if isinstance(part, dict) else part
    found = [field for inner in parts for field in fields_of(inner)]
    return [part, *found] if isinstance(part, dict) and {"id", "name", "type"} <= part.keys() else found


def outcome(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except SchemaError as error:
        return error.faults


def objects_of(part: Any) -> list[dict[str, Any]]:
    """Every object of JSON inside this part of a file: fields and containers."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    found = [one for each in inner for one in objects_of(each)]
    return [part, *found] if isinstance(part, dict) else found


@st.composite
def unusual_files(draw: st.DrawFn) -> dict[str, Any]:
    source: dict[str, Any] = json.loads(draw(tables()).to_json())
    for one in fields_of(source["fields"]):
        one.update(draw(OF_FIELD))
        if isinstance(one["type"], str):
            one["type"] = RESPELLED[draw(st.sampled_from(sorted(RESPELLED)))](one["type"])
    places = st.sampled_from(objects_of(source["fields"]))
    for place in draw(st.lists(places, max_size=3)):
        place.update({key: value for key, value in draw(UNKNOWN).items() if key not in place})
    return source | draw(OF_FILE)


@given(unusual_files(), st.data())
def test_both_readers_say_the_same_of_unusual_files(source: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(source, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 2])))
    same_by_both(text.encode())


@given(unusual_files(), st.data())
def test_a_key_that_stands_twice_hides_behind_nothing_unusual(source: dict[str, Any], data: st.DataObject) -> None:
    owner = data.draw(st.sampled_from([source, *fields_of(source["fields"])]))
    key = data.draw(st.sampled_from(sorted(owner)))
    value = data.draw(st.sampled_from([None, owner[key], "", 7]))
    marked = json.dumps(source).replace(json.dumps(owner)[:-1], json.dumps(owner)[:-1] + f", {json.dumps(key)}: {json.dumps(value)}", 1)
    faults = outcome(lambda: TableSchema.from_json(marked))
    assert isinstance(faults, tuple)
    assert "json.duplicate-key" in {fault.code for fault in faults}


@given(unusual_files(), st.data())
def test_a_file_that_was_changed_at_random_is_read_alike_by_both(source: dict[str, Any], data: st.DataObject) -> None:
    raw = json.dumps(source, ensure_ascii=False).encode()
    pieces = st.sampled_from([b"", b"{", b"}", b'"', b",", b'"odd": 1, ', b'"odd": 1, "odd": 1, ', b"null", b"\\", b"\xff", b"]", b"1e400"])
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(raw)))
        end = start + data.draw(st.integers(0, 3))
        raw = raw[:start] + data.draw(pieces) + raw[end:]
    same_by_both(raw)


@given(unusual_files(), st.data())
def test_an_unknown_key_that_stands_twice_is_told(source: dict[str, Any], data: st.DataObject) -> None:
    owner = data.draw(st.sampled_from([source, *objects_of(source["fields"])]))
    values = st.sampled_from(['"odd": {"x": 1, "x": 1}', '"odd": 1, "odd": 1', '"odd": [{"x": "", "x": ""}]'])
    start = json.dumps(owner)[1:]
    raw = json.dumps(source).replace("{" + start, "{" + data.draw(values) + ("" if start == "}" else ", ") + start, 1).encode()
    assert "json.duplicate-key" in {fault.code for fault in same_by_both(raw)}


def same_by_both(raw: bytes) -> Any:
    """Read a file by the strict reader and the tolerant one behind it, then by that one alone; return what both say."""
    mine = outcome(lambda: TableSchema.from_json(raw))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_file, "strictly_decoded", lambda _: None)
        assert outcome(lambda: TableSchema.from_json(raw)) == mine
    return mine
