"""What tests of blocks share: the schema and bytes of the fixtures, and a writer of blocks as kamu wrote them before 0.265."""

import base64
import hashlib
from collections.abc import Sequence
from unittest import mock

from airflow_provider_schemas.formats.odf.chain import block_writer
from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_writer import write_block
from airflow_provider_schemas.formats.odf.chain.multihash import SHA3_256, Multihash
from airflow_provider_schemas.formats.odf.flatbuffer import writer
from airflow_provider_schemas.formats.odf.flatbuffer.layout import TIMESTAMP
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EVENT_TAGS, EventKind

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
    builder = writer.BlockWriter()
    before = builder.vector(None if previous is None else previous.binary)
    texts = [None if name is None else builder.builder.CreateString(name) for name in names]
    builder.builder.StartObject(len(texts))
    for slot, text in enumerate(texts):
        if text is not None:
            builder.builder.PrependUOffsetTRelativeSlot(slot, text, 0)
    event = builder.builder.EndObject()
    made = builder.block(NOON, before, number, EVENT_TAGS[EventKind.SET_VOCAB], event)
    return writer.BlockWriter().manifest(made)


class _OlderWriter(writer.BlockWriter):
    """As kamu wrote until 0.264: the time lies wherever the table begins, on no even place."""

    def time(self, number: int, time: BlockTime, _default: None = None) -> None:
        builder = self.builder
        builder.Prep(1, TIMESTAMP.size - 1)
        builder.head -= TIMESTAMP.size
        TIMESTAMP.pack_into(builder.Bytes, builder.head, *time)
        builder.PrependStructSlot(number, builder.Offset(), 0)


def older(event: SetDataSchema | OtherEvent, number: int = 0, previous: Multihash | None = None, time: BlockTime = NOON) -> bytes:
    """The bytes of the same block in version 2."""
    older_writer = mock.patch.object(block_writer, "BlockWriter", _OlderWriter)
    with older_writer, mock.patch.object(writer, "WRITTEN_VERSION", 2):
        return block(event, number, previous, time).raw
