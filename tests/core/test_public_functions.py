"""Whatever is handed to a public function, what is wrong with it is told by an error of our own tree."""

from collections.abc import Callable
from typing import Any

import pytest

from airflow_provider_schemas.core import (
    TableSchema,
    cast_support,
    diff,
    evolve,
    merge,
    merge_type,
    parse_ddl,
    project,
    short_text,
    validity,
)
from airflow_provider_schemas.errors import MergeError, SchemaError

TABLE = TableSchema.create("a INT, r ROW<x INT>")
INT = parse_ddl("INT")

DOORS: dict[str, Callable[[Any], Any]] = {
    "evolve": lambda value: evolve(value, []),
    "evolve, the changes": lambda value: evolve(TABLE, [value]),
    "evolve, the history": lambda value: evolve(TABLE, [], history=[value]),
    "diff, the old": lambda value: diff(value, TABLE),
    "diff, the new": lambda value: diff(TABLE, value),
    "merge": lambda value: merge(value, "a INT"),
    "merge, the incoming": lambda value: merge(TABLE, value),
    "merge_type, the base": lambda value: merge_type(value, INT, highest_field_id=0),
    "merge_type, the update": lambda value: merge_type(INT, value, highest_field_id=0),
    "project": lambda value: project(value, TABLE),
    "cast_support": lambda value: cast_support(INT, value),
    "validity": validity,
    "short_text": short_text,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("value", [None, 3, "x", b"x", [], {}, object()], ids=lambda value: type(value).__name__)
def test_the_wrong_thing_is_refused_in_our_own_words(door: str, value: Any) -> None:
    with pytest.raises(SchemaError) as refused:
        DOORS[door](value)
    assert all(fault.code and fault.fix for fault in refused.value.faults)


def test_nothing_is_made_that_could_not_be_read_again() -> None:
    schema, path = TABLE, "r"
    for _ in range(98):
        schema, path = evolve(schema, [f"ADD COLUMN {path}.r ROW<x INT>"]), f"{path}.r"
    assert TableSchema.from_json(schema.to_json()) == schema
    with pytest.raises(SchemaError) as refused:
        evolve(schema, [f"ADD COLUMN {path}.r ROW<x INT>", f"ADD COLUMN {path}.r.r ROW<x INT>"])
    assert refused.value.code == "type.too-deep"


def test_explicit_casts_are_no_advice_for_a_key() -> None:
    table = TableSchema.create("k BIGINT, v BIGINT", primary_keys=["k"])
    with pytest.raises(MergeError) as refused:
        merge(table, "k STRING, v STRING")
    assert ["explicit" in fault.fix for fault in refused.value.faults] == [False, True]
