"""A data file of a table as it is read: where it lies, with which version it was written, and the values of its partition."""

from typing import Any, Final

from msgspec import Struct

PARQUET: Final = "parquet"
ORC: Final = "orc"
AVRO: Final = "avro"
UNKNOWN: Final = -1


class DataFile(Struct, frozen=True):
    """One data file."""

    path: str
    """As Spark takes it: an address with its scheme, never percent-encoded."""
    size: int
    version: int | None
    """The version of the schema with which it was written; None where only the file itself can tell."""
    format: str = PARQUET
    partition: tuple[tuple[str, Any], ...] = ()
    """The partition keys with their values as Python has them (date, Decimal, datetime ...), None for null."""
    rows: int = UNKNOWN
    mark: str = ""
    """What changes when the file does: its time, or a tag of the storage."""
