"""Metadata blocks of a chain as values, known by the hash of their bytes.

What a block was read from is kept, and is what its hash is over: nothing is ever written anew. Of the events
only the one that sets a schema is looked into, all others pass through as they are.
"""

from msgspec import Struct

from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash, block_hash
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind


class SetDataSchema(Struct, frozen=True):
    """The event that sets the schema of all data after it; if both are there, `schema` counts."""

    schema: DataSchema | None = None
    raw_arrow_schema: bytes | None = None

    @property
    def kind(self) -> EventKind:
        return EventKind.SET_DATA_SCHEMA


class OtherEvent(Struct, frozen=True):
    """Any other event; what it says stays in the bytes of its block."""

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
    """What in it may be read in two ways."""

    @property
    def hash(self) -> Multihash:
        """The hash by which the block is known."""
        return block_hash(self.raw)
