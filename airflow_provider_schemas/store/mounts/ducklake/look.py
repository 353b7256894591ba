"""What one look at a table of DuckLake found. One answer of the catalog holds the schema, its whole past, and who made it."""

from bisect import bisect_right
from functools import cached_property

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.mounts.ducklake.catalog_rows import CatalogTable
from airflow_provider_schemas.store.mounts.ducklake.column_tree import digest_at, schema_at
from airflow_provider_schemas.store.mounts.source import Head, Heads, LiveSchemas, MountedVersion

_UNKNOWN = "DuckLake keeps rows in its catalog as well, and merges files: it does not say which schema each was written with"


class DuckLakeLook:
    """One look at a table. It does not change."""

    branches: tuple[str, ...] = ()

    def __init__(self, table: CatalogTable) -> None:
        self._table = table

    def __repr__(self) -> str:
        return f"DuckLakeLook({self.location!r}, head={self.head})"

    @property
    def mark(self) -> str:
        return self._table.mark

    @property
    def table_id(self) -> str:
        return self._table.table_id

    @property
    def location(self) -> str:
        return self._table.location

    @property
    def head(self) -> int:
        return self.numbers[-1]

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The snapshots that changed the schema, lowest first.

        Expiry may take away columns that no snapshot has any more: a schema is whole only if a snapshot is left that had it.
        """
        changes = self._table.changes
        first = bisect_right(changes, self._table.kept_from) - 1
        return changes[max(first, 0) :]

    def version(self, number: int) -> MountedVersion:
        """Return the schema that a snapshot made."""
        if number not in self.numbers:
            message = f"snapshot {number} made no schema of this table, or its schema has expired."
            raise NotThereError(message, path=str(number), fix="Look with `log` which schemas there are.")
        return MountedVersion(number, digest_at(self._table, number), schema_at(self._table, number))

    def heads(self) -> Heads:
        return self._heads

    @cached_property
    def _heads(self) -> Heads:
        entries = tuple(self._head(number) for number in self.numbers)
        return Heads(entries, whole=self._table.kept_from <= self._table.begin)

    def _head(self, number: int) -> Head:
        snapshot = self._table.snapshots.get(number)
        digest = digest_at(self._table, number)
        if snapshot is None:
            return Head(number, digest, None, self.table_id)
        origin = ": ".join(filter(None, (snapshot.author, snapshot.message)))
        return Head(number, digest, snapshot.moment, self.table_id, origin)

    def live(self) -> LiveSchemas:
        return LiveSchemas(None, _UNKNOWN)

    def findings(self) -> tuple[Finding, ...]:
        """Return nothing: what is wrong with the columns of a snapshot is an error when its schema is asked for."""
        return ()
