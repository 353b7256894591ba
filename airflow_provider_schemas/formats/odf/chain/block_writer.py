"""Metadata blocks written as the reference implementation writes them, so that their hashes are the same."""

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash
from airflow_provider_schemas.formats.odf.chain.writable import check_writable
from airflow_provider_schemas.formats.odf.flatbuffer.layout import MAX_BYTES, WRITTEN_VERSION
from airflow_provider_schemas.formats.odf.flatbuffer.writer import BlockWriter
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.strict_reader import below
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EVENT_TAGS, EventKind


def write_block(
    event: SetDataSchema | OtherEvent,
    *,
    system_time: BlockTime,
    sequence_number: int,
    prev_block_hash: Multihash | None = None,
) -> MetadataBlock:
    """Return the block that holds an event, with the bytes to store under its hash."""
    _check_types(event, system_time, prev_block_hash)
    _check_event(event)
    if type(sequence_number) is not int or not 0 <= sequence_number < 2**64:
        message = f"{shown(sequence_number)} is no number of a block."
        raise FormatError(message, code="odf.sequence-number", path="sequence_number", fix="Count blocks from 0.")
    writer = BlockWriter()
    # The hash of the block before is written first, so that it is at the end of the bytes.
    previous = None
    if prev_block_hash is not None:
        previous = writer.vector(prev_block_hash.binary)
    event_offset = _write_event(writer, event)
    block = writer.block(system_time.checked(), previous, sequence_number, EVENT_TAGS[event.kind], event_offset)
    raw = BlockWriter().manifest(block)
    if len(raw) > MAX_BYTES:
        raise FormatError(f"the block has {len(raw)} bytes.", code="odf.too-large", fix="Leave out what need not be in the schema.")
    return MetadataBlock(system_time, sequence_number, event, prev_block_hash, WRITTEN_VERSION, raw)


def _check_types(event: object, system_time: object, prev_block_hash: object) -> None:
    """Raise a FormatError that names each argument of a wrong type."""
    faults: list[Fault] = []
    if not isinstance(event, SetDataSchema | OtherEvent):
        faults.append(_wrong_type("event", event, "Pass a SetDataSchema."))
    if not isinstance(system_time, BlockTime):
        faults.append(_wrong_type("system_time", system_time, "Pass a BlockTime, as BlockTime.of and BlockTime.parse give."))
    if not isinstance(prev_block_hash, Multihash | None):
        faults.append(_wrong_type("prev_block_hash", prev_block_hash, "Pass the hash of a block, or what parse_multihash gives."))
    if faults:
        raise FormatError.of(faults)


def _wrong_type(argument: str, value: object, fix: str) -> Fault:
    return Fault("format.wrong-type", argument, f"{shown(value)} means nothing here.", fix)


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
            raise below("event.schema", error) from None


def _write_event(writer: BlockWriter, event: SetDataSchema | OtherEvent) -> int:
    if isinstance(event, OtherEvent):
        return writer.empty()
    return writer.set_data_schema(event.raw_arrow_schema, event.schema)
