"""The digest of a schema of Delta: the same whoever wrote it, and another one for every change that a reader may notice."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.formats.delta import DeltaMetadata, Metadata, read_actions, schema_digest

BASE: dict[str, Any] = {"type": "struct", "fields": [{"name": "a", "type": "decimal(10,2)", "nullable": True, "metadata": {}}]}


def field(**changes: Any) -> dict[str, Any]:
    return {"type": "struct", "fields": [{**BASE["fields"][0], **changes}]}


@pytest.mark.parametrize(
    "same",
    [
        {"fields": [{"metadata": {}, "nullable": True, "type": "decimal(10,2)", "name": "a"}], "type": "struct"},
        field(type="decimal(10, 2)"),
        field(metadata=None),
        field(metadata={"delta.identity.highWaterMark": 5}),
        {**BASE, "of tomorrow": None},
    ],
)
def test_spellings_of_one_schema_have_one_digest(same: dict[str, Any]) -> None:
    assert schema_digest(same) == schema_digest(BASE)


@pytest.mark.parametrize(
    "other",
    [
        field(name="A"),
        field(type="decimal(12,2)"),
        field(nullable=False),
        field(metadata={"comment": "x"}),
        field(metadata={"delta.columnMapping.id": 1}),
        field(metadata={"__COLLATIONS": {"a": "ICU.DE"}}),
    ],
)
def test_every_change_is_another_digest(other: dict[str, Any]) -> None:
    assert schema_digest(other) != schema_digest(BASE)


def test_partitions_belong_to_the_schema_and_properties_do_not() -> None:
    text = json.dumps(BASE)
    plain = DeltaMetadata(Metadata(text)).digest
    assert DeltaMetadata(Metadata(text, partition_columns=("a",))).digest != plain
    assert DeltaMetadata(Metadata(text, id="x", configuration={"delta.appendOnly": "true"})).digest == plain


def test_a_schema_that_nobody_can_read_has_a_digest_all_the_same() -> None:
    assert DeltaMetadata(Metadata("{")).digest == DeltaMetadata(Metadata("{")).digest != DeltaMetadata(Metadata("[")).digest


def test_the_digest_of_a_schema_is_pinned() -> None:
    assert schema_digest(BASE) == "e03e6eae6ba5f79876b8bc7eb86864137c128aaeea2d80efe3abb890778b85bb"


def test_of_several_actions_of_one_commit_the_last_one_counts() -> None:
    lines = [json.dumps({"metaData": {"schemaString": json.dumps(field(name=name))}}) for name in "xy"]
    actions = read_actions("\n".join([*lines, json.dumps({"add": {"path": "a"}}), ""]).encode())
    assert actions.metadata is not None
    assert json.loads(actions.metadata.schema_string)["fields"][0]["name"] == "y"
    assert (actions.protocol, actions.info.origin, actions.info.moment) == (None, "", None)
