"""Metadata blocks read from their bytes, every part of which is checked before it is used."""

import struct
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.legacy_blocks import AMBIGUOUS_VERSION, ambiguities, as_written_before
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash, multihash_of
from airflow_provider_schemas.formats.odf.chain.schema_tables import read_schema
from airflow_provider_schemas.formats.odf.compatibility.system_columns import Vocabulary
from airflow_provider_schemas.formats.odf.flatbuffer.layout import (
    MANIFEST,
    MANIFEST_KIND,
    METADATA_BLOCK,
    READ_VERSIONS,
    SET_DATA_SCHEMA,
    SET_VOCAB,
    TIMESTAMP,
)
from airflow_provider_schemas.formats.odf.flatbuffer.reader import Buffer, broken
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import below
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EVENTS, EventKind

_OLDER_VERSION: Final = "Let kamu migrate the dataset: versions below 2 are read by nothing else."
_NEWER_RELEASE: Final = "Read it with a newer release of this library, if there is one."


def read_block(raw: bytes, *, before_0_263: bool = False) -> MetadataBlock:
    """Return the block in these bytes, or raise a FormatError that names all faults.

    An absent unit or timezone in a block of version 2 has two meanings: Second and none before kamu 0.263,
    Millisecond and UTC since then. It is read in the second way, with a warning, unless the caller sets `before_0_263`.
    """
    return read_opening(raw).block(before_0_263=before_0_263)


class Opening(Struct, frozen=True):
    """A block whose event is not read yet."""

    raw: bytes
    version: int
    system_time: BlockTime
    sequence_number: int
    prev_block_hash: Multihash | None
    kind: EventKind
    buffer: Buffer
    event_at: int

    def block(self, *, before_0_263: bool = False) -> MetadataBlock:
        """Read the event, and return the whole block."""
        event = self._read_event()
        if self.version != AMBIGUOUS_VERSION or not isinstance(event, SetDataSchema) or event.schema is None:
            return self._with_event(event)
        if before_0_263:
            return self._with_event(replace(event, schema=as_written_before(event.schema)))
        return self._with_event(event, ambiguities(event.schema, self.system_time))

    def _with_event(self, event: SetDataSchema | OtherEvent, warnings: tuple[Fault, ...] = ()) -> MetadataBlock:
        return MetadataBlock(self.system_time, self.sequence_number, event, self.prev_block_hash, self.version, self.raw, warnings)

    def vocabulary(self) -> Vocabulary:
        """Return the names of the system columns in a SetVocab; a column that it does not name keeps the usual name."""
        names: dict[str, str] = {}
        try:
            slots = self.buffer.slots(self.event_at, SET_VOCAB)
            for role, slot in zip(Vocabulary._fields, slots, strict=True):
                if slot:
                    names[role] = self.buffer.text_at(self.event_at + slot)
        except FormatError as error:
            raise below("event", error) from None
        return Vocabulary(**names)

    def _read_event(self) -> SetDataSchema | OtherEvent:
        if self.kind is not EventKind.SET_DATA_SCHEMA:
            return OtherEvent(self.kind, empty=self.buffer.is_empty(self.event_at))
        raw_slot, schema_slot = self.buffer.slots(self.event_at, SET_DATA_SCHEMA)
        if not raw_slot and not schema_slot:
            message = "the event sets no schema."
            raise FormatError(message, code="odf.missing-key", path="event.schema", fix="Ask whoever wrote the block.")
        schema = None
        if schema_slot:
            schema = self._read_schema(self.event_at + schema_slot)
        raw = None
        if raw_slot:
            raw = self.buffer.bytes_at(self.event_at + raw_slot)
        return SetDataSchema(schema, raw)

    def _read_schema(self, at: int) -> DataSchema:
        try:
            return read_schema(self.buffer, self.buffer.follow(at))
        except FormatError as error:
            raise below("event.schema", error) from None


def read_opening(raw: bytes) -> Opening:
    """Read a block except its event, or raise a FormatError."""
    if not isinstance(raw, bytes):
        raise FormatError(f"{shown(raw)} is not bytes.", code="format.wrong-type", fix="Pass the bytes of the file.")
    version, content = _read_manifest(raw)
    buffer = Buffer(content)
    at = buffer.root()
    time, previous, number, tag, event = buffer.slots(at, METADATA_BLOCK)
    return Opening(
        raw=raw,
        version=version,
        system_time=_read_time(content, at, time),
        sequence_number=_read_number("<Q", content, at, number),
        prev_block_hash=_read_hash(buffer, at, previous),
        kind=_event_kind(content[at + tag] if tag and event else 0),
        buffer=buffer,
        event_at=buffer.follow(at + event),
    )


def _read_manifest(raw: bytes) -> tuple[int, bytes]:
    """Return the version and the content of the manifest around a block."""
    buffer = Buffer(raw)
    at = buffer.root()
    kind, version, content = buffer.slots(at, MANIFEST)
    if not kind or struct.unpack_from("<q", raw, at + kind)[0] != MANIFEST_KIND:
        raise broken("it does not begin as metadata blocks do", "odf.block-kind")
    number = _read_number("<i", raw, at, version)
    if number not in READ_VERSIONS:
        message = f"the block has version {number}, and only {' and '.join(map(str, READ_VERSIONS))} can be read."
        fix = _OLDER_VERSION if number < READ_VERSIONS[0] else _NEWER_RELEASE
        raise FormatError(message, code="odf.block-version", path="version", fix=fix)
    if not content:
        raise broken("it has no content")
    return number, buffer.bytes_at(at + content)


def _read_number(code: str, content: bytes, at: int, slot: int) -> int:
    """Return the number in a slot; 0 if the slot is not set."""
    if not slot:
        return 0
    return int(struct.unpack_from(code, content, at + slot)[0])


def _read_time(content: bytes, at: int, slot: int) -> BlockTime:
    """Return the time, which may be at any place: blocks of version 2 do not align it."""
    if not slot:
        raise FormatError("the block has no time.", code="odf.missing-key", path="system_time", fix="Ask whoever wrote it.")
    try:
        return BlockTime(*TIMESTAMP.unpack_from(content, at + slot)).checked()
    except FormatError as error:
        raise below("system_time", error) from None


def _read_hash(buffer: Buffer, at: int, slot: int) -> Multihash | None:
    """Return the hash of the block before; None for the first block."""
    if not slot:
        return None
    try:
        return multihash_of(buffer.bytes_at(at + slot))
    except FormatError as error:
        raise below("prev_block_hash", error) from None


def _event_kind(tag: int) -> EventKind:
    if not tag:
        raise FormatError("the block has no event.", code="odf.missing-key", path="event", fix="Ask whoever wrote it.")
    if tag not in EVENTS:
        raise FormatError(f"{tag} is the tag of no event.", code="odf.unknown-event", path="event", fix=_NEWER_RELEASE)
    return EVENTS[tag]
