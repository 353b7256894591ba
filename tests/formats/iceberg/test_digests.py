"""The digest of a schema changes exactly when the schema does, whoever writes it."""

import json
import random
from typing import Any

import pytest
from hypothesis import given

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.iceberg import read_schema, schema_digest
from tests.formats.iceberg.support.tables import ORDERS, column, schema, schemas, text


def rewritten(value: Any, generator: random.Random) -> Any:
    """The same schema as another writer spells it: keys in another order, nulls, blanks."""
    if isinstance(value, list):
        return [rewritten(entry, generator) for entry in value]
    if not isinstance(value, dict):
        return value
    keys = [*value]
    generator.shuffle(keys)
    members = {key: rewritten(value[key], generator) for key in keys}
    return {"initial-default": None, **members} if "name" in members else members


@given(schemas())
def test_the_same_schema_has_one_digest_in_every_spelling(source: dict[str, Any]) -> None:
    other = rewritten(source, random.Random(7))
    other["schema-id"] = source["schema-id"] + 1
    wide = json.dumps(other, indent=4).encode()
    assert schema_digest(wide) == schema_digest(text(source))
    assert read_schema(wide).fields == read_schema(text(source)).fields


@given(schemas(), schemas())
def test_schemas_of_one_digest_are_the_same_to_us(one: dict[str, Any], other: dict[str, Any]) -> None:
    for second in (other, {**one, "schema-id": 9}):
        if schema_digest(text(one)) == schema_digest(text(second)):
            assert read_schema(text(one)).content == read_schema(text(second)).content
        else:
            assert one["fields"] != second["fields"] or one.get("identifier-field-ids") != second.get("identifier-field-ids")


@pytest.mark.parametrize(
    "changed",
    [
        column(1, "b", "decimal(9, 2)"),
        column(2, "a", "decimal(9, 2)"),
        column(1, "a", "decimal(9, 3)"),
        column(1, "a", "decimal(9, 2)", required=True),
        column(1, "a", "decimal(9, 2)", doc=""),
        {**column(1, "a", "decimal(9, 2)"), "write-default": "1.00"},
    ],
)
def test_every_change_is_another_digest(changed: dict[str, Any]) -> None:
    assert schema_digest(text(schema(changed))) != schema_digest(text(schema(column(1, "a", "decimal(9, 2)"))))


def test_writers_that_differ_in_what_means_nothing_do_not_wake_anybody() -> None:
    java = schema(column(1, "a", "decimal(9, 2)"))
    rust = {**schema(column(1, "a", "decimal(9,2)")), "identifier-field-ids": []}
    assert schema_digest(text(java)) == schema_digest(text(rust))
    keys = [schema_digest(text({**ORDERS, "identifier-field-ids": ids})) for ids in ([1, 2], [2, 1], [1])]
    assert keys[0] == keys[1] != keys[2]


def test_the_digest_is_pinned() -> None:
    assert schema_digest(text(ORDERS)) == "da7b868a7cefef06cfee3503e5fce1e77ae4c61bc68c7b6858e0048bba9c5c18"


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff", b'{"fields":' + b"[" * 100_000])
def test_what_is_no_json_has_no_digest(broken: bytes) -> None:
    with pytest.raises(FormatError):
        schema_digest(broken)
