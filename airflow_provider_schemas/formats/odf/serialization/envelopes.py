"""The documents in which schemas of ODF come: bare, as events, in manifests of both styles; and where the schemas are in each.

A document is recognised by its keys. Everything but schemas is kept as it is.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.attributes import PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import ParameterForm, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import joined, members, nearest, number, word
from airflow_provider_schemas.formats.odf.serialization.events import PlacedSchema, read_event
from airflow_provider_schemas.formats.odf.serialization.reader import DocumentReader

DATASET_SCHEMA: Final = "https://opendatafabric.org/schemas/dataset/v1alpha1/Dataset"


class Envelope(StrEnum):
    """What a document is."""

    SCHEMA = "schema"
    EVENT = "event"
    EVENTS = "list of events"
    METADATA_EVENT = "MetadataEvent"
    DATASET_SNAPSHOT = "DatasetSnapshot"
    METADATA_BLOCK = "MetadataBlock"
    RESOURCE = "resource"


class DatasetKind(StrEnum):
    """How a dataset comes to its data."""

    ROOT = "Root"
    DERIVATIVE = "Derivative"


class OdfDocument(Struct, frozen=True):
    """A document: what it is, its plain values, the schemas in it, and warnings."""

    envelope: Envelope
    value: Any
    schemas: tuple[PlacedSchema, ...]
    warnings: tuple[Loss, ...] = ()


class _Manifest(NamedTuple):
    versions: tuple[int, ...]
    keys: tuple[str, ...]
    """What its content must have."""
    events: str
    """The key of the event, or of the list of events; empty if the content is the event."""


# The last version is the one that is written.
MANIFESTS: Final = {
    Envelope.METADATA_EVENT: _Manifest((1,), (), ""),
    Envelope.DATASET_SNAPSHOT: _Manifest((1,), ("name", "kind", "metadata"), "metadata"),
    Envelope.METADATA_BLOCK: _Manifest((2, 3), ("systemTime", "sequenceNumber", "event"), "event"),
}
_BY_NAME: Final = {str(envelope): manifest for envelope, manifest in MANIFESTS.items()}
_MANIFEST_KEYS: Final = ("kind", "version", "content")
_DATASET_KINDS: Final = spellings(DatasetKind)


def envelope_of(value: PlainValue) -> Envelope:
    """Return what a document is, judged by its keys; without any of these keys it is a schema."""
    if isinstance(value, list):
        return Envelope.EVENTS
    if not isinstance(value, dict):
        return Envelope.SCHEMA
    if "$schema" in value:
        return Envelope.RESOURCE
    kind = value.get("kind")
    if isinstance(kind, str) and kind in _BY_NAME:
        return Envelope(kind)
    if "content" in value:
        return Envelope.METADATA_EVENT
    return Envelope.EVENT if "kind" in value else Envelope.SCHEMA


def read_document(value: PlainValue, reader: DocumentReader, path: str = "") -> OdfDocument:
    """Read a document; its faults are left with the reader."""
    envelope = envelope_of(value)
    before = len(reader.warnings)
    schemas = tuple(_read_schemas(envelope, value, path, reader))
    return OdfDocument(envelope, value, schemas, tuple(reader.warnings[before:]))


def _read_schemas(envelope: Envelope, value: PlainValue, path: str, reader: DocumentReader) -> Iterator[PlacedSchema]:
    if envelope is Envelope.SCHEMA:
        schema = reader.schema(value, path)
        if schema is not None:
            yield PlacedSchema(path, schema)
        return
    list_events = _EVENTS.get(envelope, _list_manifest)
    for event_path, event in list_events(value, path, reader):
        placed = read_event(event, event_path, reader)
        if placed is not None:
            yield placed


# ---------------------------------------------------------------- the events of each document, with their paths


_Events: TypeAlias = Iterator[tuple[str, PlainValue]]


def _list_event(value: PlainValue, path: str, reader: DocumentReader) -> _Events:
    del reader
    yield path, value


def _list_events(value: PlainValue, path: str, reader: DocumentReader) -> _Events:
    if not isinstance(value, list):
        reader.faults.wrong(value, path, "a list of events")
        return
    for place, event in enumerate(value):
        yield f"{path}[{place}]", event


def _list_resource(value: PlainValue, path: str, reader: DocumentReader) -> _Events:
    entries = members(value, path, ("$schema", "headers", "spec"), ("headers", "spec"), reader.faults)
    address = entries["$schema"]
    if address != DATASET_SCHEMA:
        fix = f"Write {DATASET_SCHEMA}."
        reader.faults.add("odf.unknown-kind", joined(path, "$schema"), f"{shown(address)} is no document with a schema.", fix)
    if "spec" not in entries:
        return
    spec = entries["spec"]
    spec_path = joined(path, "spec")
    if isinstance(spec, dict):
        yield from _list_dataset(spec, spec_path, ("kind", "metadata"), reader)
    else:
        reader.faults.wrong(spec, spec_path, "a map")


def _list_manifest(value: PlainValue, path: str, reader: DocumentReader) -> _Events:
    entries = members(value, path, _MANIFEST_KEYS, _MANIFEST_KEYS, reader.faults)
    manifest = _check_kind_and_version(entries, path, reader)
    if manifest is None or "content" not in entries:
        return
    content = entries["content"]
    content_path = joined(path, "content")
    if not manifest.events:
        yield content_path, content
    elif isinstance(content, dict):
        yield from _list_dataset(content, content_path, manifest.keys, reader)
    else:
        reader.faults.wrong(content, content_path, "a map")


def _check_kind_and_version(entries: Mapping[str, Any], path: str, reader: DocumentReader) -> _Manifest | None:
    """Return the kind of manifest that the entries name, with faults for an unknown kind or version."""
    kind = entries.get("kind")
    manifest = _BY_NAME.get(kind) if isinstance(kind, str) else None
    version = None
    if "version" in entries:
        version = number(entries["version"], joined(path, "version"), ParameterForm.I32, reader.faults)
    if "kind" in entries and manifest is None:
        fix = nearest(kind, _BY_NAME) or f"There are {', '.join(_BY_NAME)}."
        reader.faults.add("odf.unknown-kind", joined(path, "kind"), f"{shown(kind)} is no kind of manifest.", fix)
    elif manifest is not None and version is not None and version not in manifest.versions:
        fix = f"Versions {' and '.join(map(str, manifest.versions))} are read."
        reader.faults.add("odf.version", joined(path, "version"), f"a {kind} of version {version} is unknown.", fix)
    return manifest


def _list_dataset(content: dict[str, Any], path: str, keys: tuple[str, ...], reader: DocumentReader) -> _Events:
    for key in keys:
        if key not in content:
            reader.faults.add("odf.missing-key", joined(path, key), f"the key {key} is missing.", f"Add {key}.")
        elif key in _CHECKS:
            _CHECKS[key](content[key], joined(path, key), reader)
    if "metadata" in content:
        yield from _list_events(content["metadata"], joined(path, "metadata"), reader)
    elif "event" in keys and "event" in content:
        yield joined(path, "event"), content["event"]


def _check_text(value: PlainValue, path: str, reader: DocumentReader) -> None:
    if not isinstance(value, str):
        reader.faults.wrong(value, path, "text", "Put it in quotes.")


def _check_dataset_kind(value: PlainValue, path: str, reader: DocumentReader) -> None:
    word(value, path, _DATASET_KINDS, "a kind of datasets", reader.faults, code="odf.unknown-kind")


def _check_number(value: PlainValue, path: str, reader: DocumentReader) -> None:
    number(value, path, ParameterForm.U64, reader.faults)


_CHECKS: Final[dict[str, Callable[[PlainValue, str, DocumentReader], None]]] = {
    "name": _check_text,
    "kind": _check_dataset_kind,
    "systemTime": _check_text,
    "sequenceNumber": _check_number,
}
_EVENTS: Final[dict[Envelope, Callable[[PlainValue, str, DocumentReader], _Events]]] = {
    Envelope.EVENT: _list_event,
    Envelope.EVENTS: _list_events,
    Envelope.RESOURCE: _list_resource,
}
