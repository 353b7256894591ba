"""Which type may follow another under one field id, at every depth; hostile schemas are no reason to fail."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.formats.iceberg.promotions import may_follow, refused_steps


def schema(*fields: dict[str, Any]) -> bytes:
    return json.dumps({"type": "struct", "fields": fields}).encode()


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("int", "long"),
        ("float", "double"),
        ("date", "timestamp"),
        ("unknown", "uuid"),
        ("decimal(10,2)", "decimal(10, 2)"),
        ("decimal(9, 2)", "decimal(38, 2)"),
    ],
)
def test_what_the_specification_promotes_may_follow_and_never_the_other_way(before: str, now: str) -> None:
    assert may_follow(before, now)
    assert before.replace(" ", "") == now.replace(" ", "") or not may_follow(now, before)


@pytest.mark.parametrize(
    ("before", "now"), [("decimal(10, 2)", "decimal(12, 4)"), ("string", "binary"), ("fixed[16]", "uuid"), ("date", "timestamptz")]
)
def test_what_the_specification_does_not_name_may_not_follow(before: str, now: str) -> None:
    assert not may_follow(before, now)


def test_leaves_are_found_by_id_at_every_depth() -> None:
    def nested(leaf: str) -> bytes:
        items = {"type": "list", "element-id": 2, "element": {"type": "struct", "fields": [{"id": 3, "name": "n", "type": leaf}]}}
        totals = {"type": "map", "key-id": 5, "key": "string", "value-id": 6, "value": leaf}
        return schema({"id": 1, "name": "items", "type": items}, {"id": 4, "name": "totals", "type": totals})

    steps = list(refused_steps(nested("int"), [(0, nested("long"))]))
    assert [(step.name, step.before, step.now) for step in steps] == [
        ("items.element.n", "long", "int"),
        ("totals.value", "long", "int"),
    ]
    assert not list(refused_steps(nested("long"), [(0, nested("int"))]))


def test_a_field_that_went_is_not_compared_and_one_type_is_told_once() -> None:
    old = schema({"id": 1, "name": "a", "type": "long"}, {"id": 2, "name": "b", "type": "long"})
    steps = list(refused_steps(schema({"id": 1, "name": "a", "type": "int"}), [(2, old), (1, old)]))
    assert [(step.numbers, step.id) for step in steps] == [((2, 1), 1)]


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"fields": 7}', b'{"fields": [1, {"id": "x", "type": []}]}', b"[" * 100_000])
def test_what_is_no_schema_is_not_compared(raw: bytes) -> None:
    assert not list(refused_steps(raw, [(0, raw)]))
