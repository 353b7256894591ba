"""Events and manifests as plain values, in canonical form: what to write around a schema."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.envelopes import DATASET_SCHEMA, MANIFESTS, DatasetKind, Envelope
from airflow_provider_schemas.formats.odf.serialization.events import set_data_schema

Event = Mapping[str, Any]


def event_manifest(schema: DataSchema) -> dict[str, Any]:
    """Return a manifest of the event that sets a schema."""
    return _manifest(Envelope.METADATA_EVENT, set_data_schema(schema))


def snapshot(name: str, kind: DatasetKind, events: Sequence[Event]) -> dict[str, Any]:
    """Return a manifest of a dataset that begins with these events."""
    return _manifest(Envelope.DATASET_SNAPSHOT, {"name": name, **_dataset(kind, events)})


def block_manifest(event: Event, *, system_time: datetime, sequence_number: int, prev_block_hash: str | None = None) -> dict[str, Any]:
    """Return a manifest of a block of a chain."""
    content: dict[str, Any] = {"systemTime": str(BlockTime.of(system_time))}
    if prev_block_hash is not None:
        content["prevBlockHash"] = prev_block_hash
    content["sequenceNumber"] = sequence_number
    content["event"] = dict(event)
    return _manifest(Envelope.METADATA_BLOCK, content)


def resource(name: str, kind: DatasetKind, events: Sequence[Event]) -> dict[str, Any]:
    """Return a dataset in the form of resources, which ODF has since 0.39."""
    return {"$schema": DATASET_SCHEMA, "headers": {"name": name}, "spec": _dataset(kind, events)}


def _manifest(envelope: Envelope, content: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": str(envelope), "version": MANIFESTS[envelope].versions[-1], "content": content}


def _dataset(kind: DatasetKind, events: Sequence[Event]) -> dict[str, Any]:
    return {"kind": str(kind), "metadata": [dict(event) for event in events]}
