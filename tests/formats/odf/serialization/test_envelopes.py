"""Schemas are found in every document that ODF has for them; what else is in there stays as it stands."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField
from airflow_provider_schemas.formats.odf.serialization import yaml_text
from airflow_provider_schemas.formats.odf.serialization.envelopes import DatasetKind, Envelope, OdfDocument
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind
from airflow_provider_schemas.formats.odf.serialization.events import set_data_schema
from airflow_provider_schemas.formats.odf.serialization.manifests import block_manifest, event_manifest, resource, snapshot
from tests.formats.odf.support.strategies import schemas

DATASET_SCHEMA = "https://opendatafabric.org/schemas/dataset/v1alpha1/Dataset"
SCHEMA = DataSchema((DataField("a", PLAIN[Kind.INT64]),))
SET = "{kind: SetDataSchema, schema: {fields: [{name: a, type: int64}]}}"
MOMENT = datetime(2020, 1, 1, 12, tzinfo=UTC)


def only(text: str) -> OdfDocument:
    [found] = yaml_text.documents(text)
    return found


def codes(text: str) -> list[tuple[str, str]]:
    with pytest.raises(FormatError) as caught:
        yaml_text.load(text)
    assert all(fault.fix for fault in caught.value.faults)
    return [(fault.code, fault.path) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("text", "envelope", "place"),
    [
        ("fields: [{name: a, type: int64}]", Envelope.SCHEMA, ""),
        (SET, Envelope.EVENT, "schema"),
        (SET.replace("SetD", "setD"), Envelope.EVENT, "schema"),
        (SET.replace("SetDataSchema", "setdataschema"), Envelope.EVENT, "schema"),
        (f"- kind: SetInfo\n  a.com/a: foo\n- {SET}", Envelope.EVENTS, "[1].schema"),
        (f"kind: MetadataEvent\nversion: 1\ncontent: {SET}", Envelope.METADATA_EVENT, "content.schema"),
        (
            f"kind: DatasetSnapshot\nversion: 1\ncontent: {{name: x, kind: root, metadata: [{{kind: SetVocab}}, {SET}]}}",
            Envelope.DATASET_SNAPSHOT,
            "content.metadata[1].schema",
        ),
        (
            f"kind: MetadataBlock\nversion: 2\ncontent: {{systemTime: '2020-01-01T12:00:00Z', sequenceNumber: 0, event: {SET}}}",
            Envelope.METADATA_BLOCK,
            "content.event.schema",
        ),
        (
            f"$schema: {DATASET_SCHEMA}\nheaders: {{name: x}}\nspec: {{kind: Root, metadata: [{SET}], did: x, volume: y}}",
            Envelope.RESOURCE,
            "spec.metadata[0].schema",
        ),
    ],
)
def test_a_document_is_recognised_and_its_schema_found(text: str, envelope: Envelope, place: str) -> None:
    found = only(text)
    assert found.envelope is envelope
    assert [(one.path, one.schema) for one in found.schemas] == [(place, SCHEMA)]
    assert yaml_text.load(text).schema == SCHEMA


def test_a_stream_of_snapshots_has_all_its_schemas() -> None:
    one = f"kind: DatasetSnapshot\nversion: 1\ncontent: {{name: x, kind: Root, metadata: [{SET}]}}\n"
    found = yaml_text.documents(f"---\n{one}---\n{one}")
    assert [place.path for document in found for place in document.schemas] == [
        f"[{number}].content.metadata[0].schema" for number in range(2)
    ]
    assert codes(f"{one}---\n{one}") == [("odf.many-schemas", "[1].content.metadata[0].schema")]


def test_a_document_may_have_no_schema() -> None:
    found = only("kind: MetadataEvent\nversion: 1\ncontent: {kind: addData, prevOffset: 5}")
    assert found.schemas == ()
    assert found.value["content"] == {"kind": "addData", "prevOffset": 5}
    assert codes("- kind: Seed") == [("odf.no-schema", "")]


@pytest.mark.parametrize("kind", [one for one in EventKind if one is not EventKind.SET_DATA_SCHEMA])
def test_other_events_stay_as_they_stand(kind: EventKind) -> None:
    event = {"kind": str(kind), "schema": {"anything": [1, None]}, "extra": {"b": 1, "a": 2.5}}
    assert only(yaml_text.plain_text([event])).value == [event]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"kind: MetadataEvents\nversion: 1\ncontent: {SET}", [("odf.unknown-kind", "kind")]),
        (f"kind: metadataevent\nversion: 1\ncontent: {SET}", [("odf.unknown-kind", "kind")]),
        (f"kind: 5\nversion: 1\ncontent: {SET}", [("odf.unknown-kind", "kind")]),
        (f"kind: MetadataEvent\nversion: 2\ncontent: {SET}", [("odf.version", "version")]),
        (f"kind: DatasetSnapshot\nversion: 3\ncontent: {{name: x, kind: Root, metadata: [{SET}]}}", [("odf.version", "version")]),
        ("kind: MetadataBlock\nversion: 1\ncontent: {systemTime: x, sequenceNumber: 0, event: {kind: Seed}}", [("odf.version", "version")]),
        ("kind: MetadataBlock\nversion: 4\ncontent: {systemTime: x, sequenceNumber: 0, event: {kind: Seed}}", [("odf.version", "version")]),
        (f"kind: MetadataEvent\nversion: '1'\ncontent: {SET}", [("odf.wrong-type", "version")]),
        (f"kind: MetadataEvent\nversion: 2147483648\ncontent: {SET}", [("odf.number", "version")]),
        (f"kind: MetadataEvent\ncontent: {SET}", [("odf.missing-key", "version")]),
        ("kind: MetadataEvent\nversion: 1", [("odf.missing-key", "content")]),
        (f"version: 1\ncontent: {SET}", [("odf.missing-key", "kind")]),
        (f"kind: MetadataEvent\nversion: 1\ncontent: {SET}\nname: x", [("odf.unknown-key", "name")]),
        ("kind: MetadataEvent\nversion: 1\ncontent: 5", [("odf.wrong-type", "content")]),
        ("kind: MetadataEvent\nversion: 1\ncontent: {}", [("odf.missing-key", "content.kind")]),
        ("kind: MetadataEvent\nversion: 1\ncontent: {kind: SetSchema}", [("odf.unknown-kind", "content.kind")]),
        ("kind: DatasetSnapshot\nversion: 1\ncontent: [5]", [("odf.wrong-type", "content")]),
        (
            "kind: DatasetSnapshot\nversion: 1\ncontent: {name: 5, kind: Leaf, metadata: {}}",
            [("odf.wrong-type", "content.name"), ("odf.unknown-kind", "content.kind"), ("odf.wrong-type", "content.metadata")],
        ),
        ("kind: DatasetSnapshot\nversion: 1\ncontent: {}", [("odf.missing-key", f"content.{key}") for key in ("name", "kind", "metadata")]),
        (
            f"$schema: https://example.org/Dataset\nheaders: {{}}\nspec: {{kind: Root, metadata: [{SET}]}}",
            [("odf.unknown-kind", "$schema")],
        ),
        ("{kind: SetDataSchema}", [("odf.no-schema", "schema")]),
        ("{kind: SetDataSchema, schema: null, rawArrowSchema: ~}", [("odf.no-schema", "schema")]),
        ("{kind: SetDataSchema, Schema: {fields: []}}", [("odf.unknown-key", "Schema"), ("odf.no-schema", "schema")]),
        ("{kind: SetDataSchema, rawArrowSchema: 'a b'}", [("odf.base64", "rawArrowSchema")]),
        ("{kind: SetDataSchema, rawArrowSchema: YQ}", [("odf.base64", "rawArrowSchema")]),
        ("{kind: SetDataSchema, rawArrowSchema: é}", [("odf.base64", "rawArrowSchema")]),
        ("{kind: SetDataSchema, rawArrowSchema: 5}", [("odf.wrong-type", "rawArrowSchema")]),
        ("[5]", [("odf.wrong-type", "[0]")]),
    ],
)
def test_an_envelope_that_is_not_sound_is_refused(text: str, found: list[tuple[str, str]]) -> None:
    assert codes(text) == found


def test_an_arrow_schema_is_handed_out_as_bytes() -> None:
    raw = bytes(range(256))
    text = yaml_text.plain_text({"kind": "SetDataSchema", "rawArrowSchema": b64encode(raw).decode()})
    [place] = only(text).schemas
    assert (place.path, place.schema, place.raw_arrow_schema) == ("rawArrowSchema", None, raw)
    assert codes(text) == [("odf.raw-arrow-schema", "rawArrowSchema")]


def test_of_both_schemas_the_one_of_odf_counts_with_a_warning() -> None:
    value = {**set_data_schema(SCHEMA), "rawArrowSchema": b64encode(b"x").decode()}
    found = only(yaml_text.plain_text(value))
    assert [(one.schema, one.raw_arrow_schema) for one in found.schemas] == [(SCHEMA, b"x")]
    assert [one.path for one in found.warnings] == ["rawArrowSchema"]
    assert yaml_text.load(yaml_text.plain_text(value)).schema == SCHEMA


# ---------------------------------------------------------------- writing


@given(schemas)
def test_what_is_written_around_a_schema_is_recognised(schema: DataSchema) -> None:
    event = set_data_schema(schema)
    others: list[tuple[Envelope, Any]] = [
        (Envelope.EVENT, event),
        (Envelope.METADATA_EVENT, event_manifest(schema)),
        (Envelope.DATASET_SNAPSHOT, snapshot("x", DatasetKind.ROOT, [{"kind": "SetVocab"}, event])),
        (Envelope.METADATA_BLOCK, block_manifest(event, system_time=MOMENT, sequence_number=1, prev_block_hash="f1620")),
        (Envelope.RESOURCE, resource("x", DatasetKind.DERIVATIVE, [event])),
    ]
    for envelope, value in others:
        text = yaml_text.plain_text(value)
        found = only(text)
        assert (found.envelope, [one.schema for one in found.schemas]) == (envelope, [schema])
        assert yaml_text.plain_text(found.value) == text


def test_a_manifest_is_written_in_canonical_form() -> None:
    event = set_data_schema(SCHEMA)
    schema = "schema:\n{0}  fields:\n{0}  - name: a\n{0}    type:\n{0}      kind: Int64\n"
    assert yaml_text.plain_text(snapshot("x", DatasetKind.ROOT, [event])) == (
        "kind: DatasetSnapshot\nversion: 1\ncontent:\n  name: x\n  kind: Root\n  metadata:\n  - kind: SetDataSchema\n    "
        + schema.format("    ")
    )
    assert yaml_text.plain_text(block_manifest(event, system_time=MOMENT, sequence_number=7)) == (
        "kind: MetadataBlock\nversion: 3\ncontent:\n  systemTime: 2020-01-01T12:00:00Z\n"
        "  sequenceNumber: 7\n  event:\n    kind: SetDataSchema\n    " + schema.format("    ")
    )


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (MOMENT, "2020-01-01T12:00:00Z"),
        (MOMENT.replace(microsecond=500_000), "2020-01-01T12:00:00.500Z"),
        (MOMENT.replace(microsecond=1), "2020-01-01T12:00:00.000001Z"),
        (MOMENT.astimezone(timezone(timedelta(hours=3))), "2020-01-01T12:00:00Z"),
    ],
)
def test_a_moment_has_as_many_digits_as_it_needs(moment: datetime, text: str) -> None:
    assert block_manifest(set_data_schema(SCHEMA), system_time=moment, sequence_number=0)["content"]["systemTime"] == text


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(FormatError, match="has no zone"):
        block_manifest(set_data_schema(SCHEMA), system_time=MOMENT.replace(tzinfo=None), sequence_number=0)
