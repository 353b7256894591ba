"""A manifest of kamu that sets no schema has that of its source, under read.schema; what else is there is told with its place."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats import load
from airflow_provider_schemas.formats.odf.serialization import json_text, yaml_text
from airflow_provider_schemas.formats.odf.serialization.envelopes import DATASET_SCHEMA

FIELDS: dict[str, Any] = {
    "fields": [{"name": "city", "type": {"kind": "Option", "inner": "String"}}, {"name": "population", "type": "UInt64"}]
}
SCHEMA = yaml_text.load(yaml_text.plain_text(FIELDS)).schema


def source(kind: str = "SetPollingSource", **read: Any) -> dict[str, Any]:
    about = {"sourceName": "pushed"} if "Push" in kind or "push" in kind else {"fetch": {"kind": "Url", "url": "https://acme.org/x.csv"}}
    return {"kind": kind, **about, "read": {"kind": "Csv", "header": True, **read}, "merge": {"kind": "Append"}}


def snapshot(*events: Any, kind: str = "Root") -> dict[str, Any]:
    return {"kind": "DatasetSnapshot", "version": 1, "content": {"name": "org.acme.x", "kind": kind, "metadata": list(events)}}


def refusal(value: Any) -> FormatError:
    with pytest.raises(FormatError) as refused:
        yaml_text.load(yaml_text.plain_text(value))
    return refused.value


INFO = {"kind": "SetInfo", "description": "x"}
MANIFESTS: dict[str, tuple[Any, str]] = {
    "a polling source": (snapshot(INFO, source(schema=FIELDS)), "content.metadata[1].read.schema"),
    "a push source": (snapshot(source("AddPushSource", schema=FIELDS)), "content.metadata[0].read.schema"),
    "another spelling": (snapshot(source("setPollingSource", schema=FIELDS)), "content.metadata[0].read.schema"),
    "one of two": (snapshot(source(), source("AddPushSource", schema=FIELDS)), "content.metadata[1].read.schema"),
    "an event": (source(schema=FIELDS), "read.schema"),
    "a list of events": ([INFO, source(schema=FIELDS)], "[1].read.schema"),
    "a manifest of an event": ({"kind": "MetadataEvent", "version": 1, "content": source(schema=FIELDS)}, "content.read.schema"),
    "a resource": (
        {"$schema": DATASET_SCHEMA, "headers": {"name": "x"}, "spec": {"kind": "Root", "metadata": [source(schema=FIELDS)]}},
        "spec.metadata[0].read.schema",
    ),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_the_schema_of_the_one_source_is_read_with_a_word_on_what_it_is_not(name: str) -> None:
    value, place = MANIFESTS[name]
    for found in (yaml_text.load(yaml_text.plain_text(value)), json_text.load(json.dumps(value))):
        assert found.schema == SCHEMA
        assert [(one.path, "system columns" in str(one)) for one in found.losses] == [(place, True)]


def test_it_is_read_as_a_format_as_well() -> None:
    assert load("odf-yaml", yaml_text.plain_text(snapshot(source(schema=FIELDS)))).schema == SCHEMA


def test_a_schema_that_the_manifest_sets_counts_alone() -> None:
    other = {"fields": [{"name": "x", "type": "Int64"}]}
    found = yaml_text.load(yaml_text.plain_text(snapshot(source(schema=FIELDS), {"kind": "SetDataSchema", "schema": other})))
    assert [one.name for one in found.schema.fields] == ["x"]
    assert found.losses == ()


def test_a_query_in_front_is_mentioned() -> None:
    event = source(schema=FIELDS) | {"preprocess": {"kind": "Sql", "query": "select 1"}}
    assert "preprocess query" in str(yaml_text.load(yaml_text.plain_text(snapshot(event))).losses[0])


def test_of_several_sources_it_is_asked_which() -> None:
    error = refusal(snapshot(source(schema=FIELDS), source("AddPushSource", schema=FIELDS)))
    assert error.code == "odf.many-schemas"
    for words in ("'default' at content.metadata[0].read.schema", "'pushed' at content.metadata[1].read.schema", "a file of its own"):
        assert words in str(error)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (snapshot(source()), ["content.metadata[0].read.schema", "infers it", "the folder of its chain"]),
        (snapshot(source(schema=None)), ["content.metadata[0].read.schema"]),
        (snapshot({"kind": "SetTransform", "inputs": []}, kind="Derivative"), ["derived", "the folder of its chain"]),
        (snapshot(INFO), ["no schema is in there", "read.schema"]),
        (snapshot(source(ddlSchema=["city STRING"])), ["as DDL", "content.metadata[0].read.ddlSchema", "load_ddl"]),
        (snapshot(source(schema=["city STRING"])), ["as DDL", "content.metadata[0].read.schema", "load_ddl"]),
    ],
)
def test_where_there_is_none_it_is_told_where_it_would_stand(value: Any, words: list[str]) -> None:
    error = refusal(value)
    assert error.code == "odf.no-schema"
    assert [word for word in words if word not in str(error)] == []


def test_a_mistake_in_it_is_told_with_its_place() -> None:
    broken = {"fields": [{"name": "city", "type": "Strin"}]}
    error = refusal(snapshot(source(schema=broken)))
    assert error.path == "content.metadata[0].read.schema.fields[0].type"


@pytest.mark.parametrize("odd", [{"read": 5}, {"read": {"schema": 7}}, {"kind": 3}, {"read": {"ddlSchema": [1]}}])
def test_odd_sources_are_errors_of_ours(odd: dict[str, Any]) -> None:
    assert refusal(snapshot(source() | odd)).code.startswith("odf.")
