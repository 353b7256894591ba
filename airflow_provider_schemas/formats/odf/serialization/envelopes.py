"""The documents in which schemas of ODF come: bare, as events, in manifests of both styles. Which is which, and where schemas lie.

A document is recognised by its keys. What is no schema is kept as it stands.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.odf.model.kinds import Form, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import joined, members, nearest, number, word
from airflow_provider_schemas.formats.odf.serialization.events import PlacedSchema, read_event
from airflow_provider_schemas.formats.odf.serialization.reader import Reader

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


class Document(Struct, frozen=True):
    """A document: what it is, its plain values as they stand, the schemas in it, and what to look at."""

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
_BY_NAME: Final = {str(one): manifest for one, manifest in MANIFESTS.items()}
_MANIFEST_KEYS: Final = ("kind", "version", "content")
_DATASET_KINDS: Final = spellings(DatasetKind)


def envelope_of(value: Any) -> Envelope:
    """What a document is, judged by its keys; what is none of the others is a schema."""
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


def read_document(value: Any, reader: Reader, path: str = "") -> Document:
    """A document; its faults are the reader's."""
    envelope = envelope_of(value)
    before = len(reader.warnings)
    if envelope is Envelope.SCHEMA:
        schema = reader.schema(value, path)
        found = [] if schema is None else [PlacedSchema(path, schema)]
    else:
        events = _EVENTS.get(envelope, _of_manifest)(value, path, reader)
        placed = [read_event(event, place, reader) for place, event in events]
        found = [one for one in placed if one is not None]
    return Document(envelope, value, tuple(found), tuple(reader.warnings[before:]))


# ---------------------------------------------------------------- the events of each


_Events = Iterator[tuple[str, Any]]


def _of_event(value: Any, path: str, reader: Reader) -> _Events:
    del reader
    yield path, value


def _of_list(value: Any, path: str, reader: Reader) -> _Events:
    if not isinstance(value, list):
        reader.faults.wrong(value, path, "a list of events")
        return
    for place, event in enumerate(value):
        yield f"{path}[{place}]", event


def _of_resource(value: Any, path: str, reader: Reader) -> _Events:
    found = members(value, path, ("$schema", "headers", "spec"), ("headers", "spec"), reader.faults)
    said = value["$schema"]
    if said != DATASET_SCHEMA:
        fix = f"Write {DATASET_SCHEMA}."
        reader.faults.add("odf.unknown-kind", joined(path, "$schema"), f"{shown(said)} is no document with a schema.", fix)
    spec = found.get("spec")
    if "spec" in found and not isinstance(spec, dict):
        reader.faults.wrong(spec, joined(path, "spec"), "a map")
    if isinstance(spec, dict):
        yield from _of_dataset(spec, joined(path, "spec"), ("kind", "metadata"), reader)


def _of_manifest(value: Any, path: str, reader: Reader) -> _Events:
    found = members(value, path, _MANIFEST_KEYS, _MANIFEST_KEYS, reader.faults)
    manifest = _checked_kind(found, path, reader)
    content, here = found.get("content"), joined(path, "content")
    if manifest is None or "content" not in found:
        return
    if not manifest.events:
        yield here, content
    elif not isinstance(content, dict):
        reader.faults.wrong(content, here, "a map")
    else:
        yield from _of_dataset(content, here, manifest.keys, reader)


def _checked_kind(found: Any, path: str, reader: Reader) -> _Manifest | None:
    kind, version = found.get("kind"), found.get("version")
    manifest = _BY_NAME.get(kind) if isinstance(kind, str) else None
    if "version" in found:
        version = number(version, joined(path, "version"), Form.I32, reader.faults)
    if "kind" in found and manifest is None:
        fix = (nearest(kind, _BY_NAME) if isinstance(kind, str) else "") or f"There are {', '.join(_BY_NAME)}."
        reader.faults.add("odf.unknown-kind", joined(path, "kind"), f"{shown(kind)} is no kind of manifest.", fix)
    elif manifest is not None and version is not None and version not in manifest.versions:
        fix = f"Versions {' and '.join(map(str, manifest.versions))} are read."
        reader.faults.add("odf.version", joined(path, "version"), f"a {kind} of version {version} is unknown.", fix)
    return manifest


def _of_dataset(content: dict[str, Any], path: str, keys: tuple[str, ...], reader: Reader) -> _Events:
    for key in keys:
        if key not in content:
            reader.faults.add("odf.missing-key", joined(path, key), f"the key {key} is missing.", f"Add {key}.")
        elif key in _CHECKS:
            _CHECKS[key](content[key], joined(path, key), reader)
    if "metadata" in content:
        yield from _of_list(content["metadata"], joined(path, "metadata"), reader)
    elif "event" in keys and "event" in content:
        yield joined(path, "event"), content["event"]


def _check_text(value: Any, path: str, reader: Reader) -> None:
    if not isinstance(value, str):
        reader.faults.wrong(value, path, "text", "Put it in quotes.")


def _check_kind(value: Any, path: str, reader: Reader) -> None:
    word(value, path, _DATASET_KINDS, "a kind of datasets", reader.faults, code="odf.unknown-kind")


def _check_number(value: Any, path: str, reader: Reader) -> None:
    number(value, path, Form.U64, reader.faults)


_CHECKS: Final[dict[str, Callable[[Any, str, Reader], None]]] = {
    "name": _check_text,
    "kind": _check_kind,
    "systemTime": _check_text,
    "sequenceNumber": _check_number,
}
_EVENTS: Final[dict[Envelope, Callable[[Any, str, Reader], _Events]]] = {
    Envelope.EVENT: _of_event,
    Envelope.EVENTS: _of_list,
    Envelope.RESOURCE: _of_resource,
}
