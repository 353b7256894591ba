"""Metadata blocks written as the reference implementation writes them, so that their hashes are the same."""

from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.block_layout import EVENT_TAGS, MAX_BYTES, WRITTEN_VERSION, EventKind
from airflow_provider_schemas.formats.odf.block_time import BlockTime
from airflow_provider_schemas.formats.odf.blocks import MetadataBlock, OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.flatbuffers_writer import BlockWriter
from airflow_provider_schemas.formats.odf.multihash import Multihash
from airflow_provider_schemas.formats.odf.writable import check_writable


def write_block(
    event: SetDataSchema | OtherEvent,
    *,
    system_time: BlockTime,
    sequence_number: int,
    prev_block_hash: Multihash | None = None,
) -> MetadataBlock:
    """The block that holds an event, with the bytes that are to be stored under its hash."""
    _check_event(event)
    if not 0 <= sequence_number < 2**64:
        message = f"{shown(sequence_number)} is no number of a block."
        raise FormatError(message, code="odf.sequence-number", path="sequence_number", fix="Count blocks from 0.")
    writer = BlockWriter()
    previous = writer.previous(None if prev_block_hash is None else prev_block_hash.binary)
    block = writer.block(system_time.checked(), previous, sequence_number, EVENT_TAGS[event.kind], _event(writer, event))
    raw = BlockWriter().manifest(block)
    if len(raw) > MAX_BYTES:
        raise FormatError(f"the block has {len(raw)} bytes.", code="odf.too-large", fix="Leave out what need not be in the schema.")
    return MetadataBlock(system_time, sequence_number, event, prev_block_hash, WRITTEN_VERSION, raw)


def _check_event(event: SetDataSchema | OtherEvent) -> None:
    if isinstance(event, OtherEvent):
        if not event.empty or event.kind is EventKind.SET_DATA_SCHEMA:
            message = f"the event {event.kind} cannot be written: only SetDataSchema can, and others with nothing set."
            raise FormatError(message, code="odf.event", path="event", fix="Keep the bytes of the block as they are.")
        return
    if event.schema is None and event.raw_arrow_schema is None:
        raise FormatError("the event sets no schema.", code="odf.missing-key", path="event.schema", fix="Give it a schema.")
    if event.schema is not None:
        try:
            check_writable(event.schema)
        except FormatError as error:
            raise FormatError.of(one.at("event.schema") for one in error.faults) from None


def _event(writer: BlockWriter, event: SetDataSchema | OtherEvent) -> int:
    if isinstance(event, OtherEvent):
        return writer.empty()
    return writer.set_data_schema(event.raw_arrow_schema, event.schema)
