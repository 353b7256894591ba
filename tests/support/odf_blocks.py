"""What tests of blocks share: the schema and bytes of the fixtures, and a writer of blocks as kamu wrote them before 0.265."""

import base64
import hashlib
from collections.abc import Sequence
from unittest import mock

from airflow_provider_schemas.formats.odf import block_writing, flatbuffers_writer
from airflow_provider_schemas.formats.odf.block_layout import TIMESTAMP
from airflow_provider_schemas.formats.odf.block_time import BlockTime
from airflow_provider_schemas.formats.odf.block_writing import write_block
from airflow_provider_schemas.formats.odf.blocks import MetadataBlock, OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.event_kinds import EVENT_TAGS, EventKind
from airflow_provider_schemas.formats.odf.multihash import SHA3_256, Multihash
from airflow_provider_schemas.formats.odf.schema import DataSchema

NOON = BlockTime.parse("2020-01-01T12:00:00Z")
PREVIOUS = Multihash(SHA3_256, hashlib.sha3_256(b"prev").digest())
TWO_COLUMNS = base64.b64decode(
    "DAAAAAgACAAAAAQACAAAAAQAAAACAAAAQAAAAAQAAADY////GAAAAAwAAAAAAAAGEAAAAAAAAAAEAAQABAAAAAEAAABiAAAAEAAUABAAAAAPAAQAAAAI"
    "ABAAAAAYAAAAIAAAAAAAAAIcAAAACAAMAAQACwAIAAAAQAAAAAAAAAEAAAAAAQAAAGEAAAA="
)
NOTHING_ADDED = OtherEvent(EventKind.ADD_DATA, empty=True)


def block(event: SetDataSchema | OtherEvent, number: int = 0, previous: Multihash | None = None, time: BlockTime = NOON) -> MetadataBlock:
    """A block at noon."""
    return write_block(event, system_time=time, sequence_number=number, prev_block_hash=previous)


def schema_block(schema: DataSchema, number: int = 0, previous: Multihash | None = None) -> MetadataBlock:
    """A block that sets a schema."""
    return block(SetDataSchema(schema), number, previous)


def vocabulary_block(names: Sequence[str | None], number: int, previous: Multihash | None) -> bytes:
    """The bytes of a block that renames system columns: offset, operation, system time, event time."""
    writer = flatbuffers_writer.BlockWriter()
    before = writer.previous(None if previous is None else previous.binary)
    texts = [None if name is None else writer.builder.CreateString(name) for name in names]
    writer.builder.StartObject(len(texts))
    for slot, text in enumerate(texts):
        if text is not None:
            writer.builder.PrependUOffsetTRelativeSlot(slot, text, 0)
    event = writer.builder.EndObject()
    made = writer.block(NOON, before, number, EVENT_TAGS[EventKind.SET_VOCAB], event)
    return flatbuffers_writer.BlockWriter().manifest(made)


class _OlderWriter(flatbuffers_writer.BlockWriter):
    """As kamu wrote until 0.264: the time lies wherever the table begins, on no even place."""

    def time(self, number: int, time: BlockTime, _default: None = None) -> None:
        builder = self.builder
        builder.Prep(1, TIMESTAMP.size - 1)
        builder.head -= TIMESTAMP.size
        TIMESTAMP.pack_into(builder.Bytes, builder.head, *time)
        builder.PrependStructSlot(number, builder.Offset(), 0)


def older(event: SetDataSchema | OtherEvent, number: int = 0, previous: Multihash | None = None, time: BlockTime = NOON) -> bytes:
    """The bytes of the same block in version 2."""
    writer = mock.patch.object(block_writing, "BlockWriter", _OlderWriter)
    with writer, mock.patch.object(flatbuffers_writer, "WRITTEN_VERSION", 2):
        return block(event, number, previous, time).raw
