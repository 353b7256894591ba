"""Metadata blocks read from their bytes, of which nothing is believed before it was checked."""

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
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EVENTS, EventKind

_OLD: Final = "Let kamu migrate the dataset: versions below 2 are read by nothing else."
_NEW: Final = "Read it with a newer release of this library, if there is one."


def read_block(raw: bytes, *, before_0_263: bool = False) -> MetadataBlock:
    """The block in these bytes, or a FormatError that names all faults.

    A block of version 2 does not say what an absent unit or timezone means: Second and none before kamu 0.263,
    Millisecond and UTC since then. It is read in the second way, with a warning, unless the caller knows better.
    """
    return read_opening(raw).block(before_0_263=before_0_263)


class Opening(Struct, frozen=True):
    """All of a block but what its event says."""

    raw: bytes
    version: int
    system_time: BlockTime
    sequence_number: int
    prev_block_hash: Multihash | None
    kind: EventKind
    buffer: Buffer
    event_at: int

    def block(self, *, before_0_263: bool = False) -> MetadataBlock:
        """The whole block."""
        event = self._event()
        schema = event.schema if isinstance(event, SetDataSchema) else None
        warnings: tuple[Fault, ...] = ()
        if schema is not None and self.version == AMBIGUOUS_VERSION:
            event = replace(event, schema=as_written_before(schema)) if before_0_263 else event
            warnings = () if before_0_263 else ambiguities(schema, self.system_time)
        return MetadataBlock(self.system_time, self.sequence_number, event, self.prev_block_hash, self.version, self.raw, warnings)

    def vocabulary(self) -> Vocabulary:
        """What a SetVocab calls the system columns; what it does not name keeps the usual name."""
        try:
            places = self.buffer.slots(self.event_at, SET_VOCAB)
            found = {role: self.buffer.text_at(self.event_at + at) for role, at in zip(Vocabulary._fields, places, strict=True) if at}
        except FormatError as error:
            raise FormatError.of(one.at("event") for one in error.faults) from None
        return Vocabulary(**found)

    def _event(self) -> SetDataSchema | OtherEvent:
        if self.kind is not EventKind.SET_DATA_SCHEMA:
            return OtherEvent(self.kind, empty=self.buffer.is_empty(self.event_at))
        raw, schema = self.buffer.slots(self.event_at, SET_DATA_SCHEMA)
        if not raw and not schema:
            message = "the event sets no schema."
            raise FormatError(message, code="odf.missing-key", path="event.schema", fix="Ask whoever wrote the block.")
        try:
            found = read_schema(self.buffer, self.buffer.follow(self.event_at + schema)) if schema else None
        except FormatError as error:
            raise FormatError.of(one.at("event.schema") for one in error.faults) from None
        return SetDataSchema(found, self.buffer.bytes_at(self.event_at + raw) if raw else None)


def read_opening(raw: bytes) -> Opening:
    """Everything of a block but its event, or a FormatError."""
    if not isinstance(raw, bytes):
        raise FormatError(f"{shown(raw)} is not bytes.", code="format.wrong-type", fix="Pass the bytes of the file.")
    version, content = _content(raw)
    buffer = Buffer(content)
    at = buffer.root()
    time, previous, number, tag, event = buffer.slots(at, METADATA_BLOCK)
    return Opening(
        raw,
        version,
        _time(content, at, time),
        struct.unpack_from("<Q", content, at + number)[0] if number else 0,
        _previous(buffer, at + previous) if previous else None,
        _kind(content[at + tag] if tag and event else 0),
        buffer,
        buffer.follow(at + event),
    )


def _content(raw: bytes) -> tuple[int, bytes]:
    buffer = Buffer(raw)
    at = buffer.root()
    kind, version, content = buffer.slots(at, MANIFEST)
    if not kind or struct.unpack_from("<q", raw, at + kind)[0] != MANIFEST_KIND:
        raise broken("it does not begin as metadata blocks do", "odf.block-kind")
    number = struct.unpack_from("<i", raw, at + version)[0] if version else 0
    if number not in READ_VERSIONS:
        message = f"the block has version {number}, and only {' and '.join(map(str, READ_VERSIONS))} can be read."
        raise FormatError(message, code="odf.block-version", path="version", fix=_OLD if number < READ_VERSIONS[0] else _NEW)
    if not content:
        raise broken("it has no content")
    return number, buffer.bytes_at(at + content)


def _time(content: bytes, at: int, slot: int) -> BlockTime:
    """The time wherever it lies: blocks of version 2 have it at odd places."""
    if not slot:
        raise FormatError("the block has no time.", code="odf.missing-key", path="system_time", fix="Ask whoever wrote it.")
    try:
        return BlockTime(*TIMESTAMP.unpack_from(content, at + slot)).checked()
    except FormatError as error:
        raise FormatError.of(one.at("system_time") for one in error.faults) from None


def _previous(buffer: Buffer, at: int) -> Multihash:
    try:
        return multihash_of(buffer.bytes_at(at))
    except FormatError as error:
        raise FormatError.of(one.at("prev_block_hash") for one in error.faults) from None


def _kind(tag: int) -> EventKind:
    if not tag:
        raise FormatError("the block has no event.", code="odf.missing-key", path="event", fix="Ask whoever wrote it.")
    if tag not in EVENTS:
        raise FormatError(f"{tag} is the tag of no event.", code="odf.unknown-event", path="event", fix=_NEW)
    return EVENTS[tag]
