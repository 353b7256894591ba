"""What editors are told about the table file is what the library reads."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import TableFileError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.table_file import Column, TableFile, json_schema, read, write
from airflow_provider_schemas.formats.table_file.editor_schema import json_schema_text
from tests.support.tables import tables

TOP = Path(__file__).parents[3]
SCHEMA = json_schema()
ORDERS = (TOP / "docs/examples/shop/orders.yaml").read_text("utf-8")

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value fits a JSON Schema of the keywords that ours consists of."""
    return all(_CHECKS[key](value, asked, schema) for key, asked in schema.items() if key not in _WORDS)


_WORDS = {"$schema", "$defs", "title", "description", "examples"}
_CHECKS: dict[str, Any] = {
    "$ref": lambda value, asked, _: fits(value, SCHEMA["$defs"][asked.removeprefix("#/$defs/")]),
    "type": lambda value, asked, _: isinstance(value, _KINDS[asked]) and not (asked == "integer" and isinstance(value, bool)),
    "enum": lambda value, asked, _: value in asked,
    "anyOf": lambda value, asked, _: any(fits(value, one) for one in asked),
    "properties": lambda value, asked, _: all(fits(value[key], one) for key, one in asked.items() if key in value),
    "required": lambda value, asked, _: set(asked) <= value.keys(),
    "additionalProperties": lambda value, asked, schema: all(_rest(value, asked, schema)),
    "propertyNames": lambda value, asked, _: all(fits(key, asked) for key in value),
    "items": lambda value, asked, _: all(fits(one, asked) for one in value),
    "uniqueItems": lambda value, asked, _: len(set(value)) == len(value),
    "pattern": lambda value, asked, _: re.search(asked, value) is not None,
    "minItems": lambda value, asked, _: len(value) >= asked,
    "minLength": lambda value, asked, _: len(value) >= asked,
    "minProperties": lambda value, asked, _: len(value) >= asked,
}


def _rest(value: Mapping[str, Any], asked: Any, schema: Mapping[str, Any]) -> Iterator[bool]:
    for key in value.keys() - schema.get("properties", {}).keys():
        yield False if asked is False else fits(value[key], asked)


def ordered(schema: Any) -> Any:
    """The kind of a value is asked first, so that the other questions make sense."""
    if isinstance(schema, list):
        return list(map(ordered, schema))
    if not isinstance(schema, dict):
        return schema
    return {key: ordered(schema[key]) for key in sorted(schema, key=lambda key: key != "type")}


SCHEMA = ordered(SCHEMA)


def test_the_shipped_file_is_what_the_model_gives() -> None:
    shipped = (TOP / "docs/table-file.schema.json").read_text("utf-8")
    assert json.loads(shipped) == json.loads(json_schema_text())


def test_every_key_of_the_file_is_explained() -> None:
    parts = [(SCHEMA, set(TableFile.KEYS)), (SCHEMA["$defs"]["Column"], set(Column.KEYS))]
    for part, keys in parts:
        assert set(part["properties"]) == keys
        assert all(one["description"].endswith((".", "example.")) for one in part["properties"].values())
        assert part["additionalProperties"] is False
    for part in ("Policy", "Protect", "Waiver"):
        assert all(one["description"] for one in SCHEMA["$defs"][part]["properties"].values())


def test_an_editor_knows_the_rules() -> None:
    accepts = SCHEMA["$defs"]["Accepts"]["properties"]
    assert set(accepts) == {*RULES, "until", "by"}
    assert SCHEMA["$defs"]["Waiver"]["properties"]["rule"]["enum"] == list(RULES)


def test_the_examples_are_table_files() -> None:
    for one in SCHEMA["examples"]:
        assert fits(one, SCHEMA)
        assert TableFile.read(one).create().fields
    assert fits(yaml.read(ORDERS).value, SCHEMA)
    assert read(ORDERS).table == "shop.orders"


@given(tables())
def test_whatever_is_written_fits(schema: TableSchema) -> None:
    assert fits(yaml.read(write(schema, table="a.b")).value, SCHEMA)


GOOD = [
    "columns: [{name: a, type: INT, was: [b, c], alias: {d: 2026-12-31, e: }, tags: [], default: 5, deprecated: true}]",
    "columns: [{name: a, type: 'ROW<b INT>', was: {a.b: c}, accepts: {FIELD_RENAMED: why, until: 2026-12-31, by: me}}]",
    "dropped: [a, {name: b, accepts: {FIELD_DROPPED: why, until: 2026-12-31}}]",
    "policy: {protect: [data], against: all, rules: {TYPE_WIDENED: ok}, readers: paimon, enforce_from: 2026-12-31}",
    "policy: {protect: {jobs: off}, exceptions: [{rule: TYPE_WIDENED, until: 2026-12-31, reason: x}]}",
    "policy: {mode: FULL_TRANSITIVE}",
    "policy: null\nowner: null\ncomment: null\noptions: {a: null, b: 1, c: true}",
]
BAD = [
    "columns: [{name: a}]",
    "columns: [{name: 5, type: INT}]",
    "columns: [{name: a, type: INT, tpye: INT}]",
    "columns: [{name: a, type: INT, default: 1.5}]",
    "columns: [{name: a, type: INT, was: []}]",
    "columns: [{name: a, type: INT, accepts: {FIELD_RENAMED: why}}]",
    "columns: [{name: a, type: INT, accepts: {until: 2026-12-31}}]",
    "columns: [{name: a, type: INT, accepts: {NO_RULE: why, until: 2026-12-31}}]",
    "columns: {a: INT}",
    "dropped: [5]",
    "dropped: [{nam: a}]",
    "primary_key: a",
    "primary_key: [a, a]",
    "columns: [{name: a, type: INT, deprecated: soon}]",
    "options: {primary-key: a}",
    "options: {schemas.field.0: '{}'}",
    "options: {a: [b]}",
    "owner: 5",
    "policy: {agianst: all}",
    "policy: {against: none}",
    "policy: {rules: {TYPE_WIDENED: never}}",
    "policy: [a]",
    "onwer: me",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_the_library_reads_an_editor_lets_stand(text: str) -> None:
    text = f"table: a.b\n{text}\n"
    assert read(text).table == "a.b"
    assert fits(yaml.read(text).value, SCHEMA)


@pytest.mark.parametrize("text", BAD)
def test_what_the_library_refuses_an_editor_underlines(text: str) -> None:
    text = f"table: a.b\n{text}\n"
    assert not fits(yaml.read(text).value, SCHEMA)
    with pytest.raises(TableFileError):
        read(text)


@pytest.mark.parametrize("table", ["orders", "shop.", ".orders", "shop.or ders", "a/b.c", ""])
def test_a_name_without_a_database_is_refused_by_both(table: str) -> None:
    assert not fits({"table": table}, SCHEMA)
    with pytest.raises(TableFileError):
        TableFile(table=table)


def test_a_table_needs_its_name_for_both() -> None:
    assert not fits({}, SCHEMA)
    with pytest.raises(TableFileError):
        read("{}")
