"""What finds the current metadata of tables: a catalog of pyiceberg, a REST catalog, a folder."""

from typing import Protocol

from msgspec import Struct

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader


class FoundMetadata(Struct, frozen=True):
    """The current metadata of a table, as it was found."""

    mark: str
    """What changes whenever the metadata does."""
    reader: LocationReader
    """Reads the files that the metadata names."""
    data: bytes | None = None
    """The metadata; None where the mark is the one that the caller knows."""
    folder: str = ""
    """Where the table lies, if it need not be where its metadata says: a folder may be a copy."""
    notes: tuple[Finding, ...] = ()
    """What has to be known about how it was found."""


class MetadataFinder(Protocol):
    """Finds the metadata of tables."""

    @property
    def at_once(self) -> int:
        """How many requests may be under way at once."""

    def find(self, table: str, known_mark: str) -> FoundMetadata | None:
        """Return the current metadata of a table, without its bytes where the mark is known; None if there is no such table."""

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables."""
