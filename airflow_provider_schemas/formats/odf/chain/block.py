"""Metadata blocks of a chain as values, known by the hash of their bytes.

A block keeps the bytes that it was read from, and its hash is over these: a block is never written anew. Only the
event that sets a schema is read, all others stay as they are.
"""

from msgspec import Struct

from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash, block_hash
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind


class SetDataSchema(Struct, frozen=True):
    """The event that sets the schema of all data after it; with both set, `schema` counts."""

    schema: DataSchema | None = None
    raw_arrow_schema: bytes | None = None

    @property
    def kind(self) -> EventKind:
        return EventKind.SET_DATA_SCHEMA


class OtherEvent(Struct, frozen=True):
    """Any other event; its content stays in the bytes of its block."""

    kind: EventKind
    empty: bool = False
    """Whether nothing is set in it."""


class MetadataBlock(Struct, frozen=True):
    """A block of a chain, and the bytes that it was read from or written as."""

    system_time: BlockTime
    sequence_number: int
    event: SetDataSchema | OtherEvent
    prev_block_hash: Multihash | None
    version: int
    raw: bytes
    warnings: tuple[Fault, ...] = ()
    """The types in it that can be read in two ways."""

    @property
    def hash(self) -> Multihash:
        """Return the hash by which the block is known."""
        return block_hash(self.raw)
