"""Ask a catalog of pyiceberg, or any object with `load_table`, where the metadata of a table lies."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.store.mounts.iceberg.catalog_errors import catalog_trouble, says_missing
from airflow_provider_schemas.store.mounts.iceberg.finder import FoundMetadata
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader, folders_of_properties
from airflow_provider_schemas.store.mounts.iceberg.stop_at_location import LocationFound, stopping
from airflow_provider_schemas.store.storage.files import Count

# The connections that a pool of SQLAlchemy holds, with those that it opens besides.
_AT_ONCE: Final = 15

Namespace = tuple[str, ...]
T = TypeVar("T")


class CatalogFinder:
    """Finds tables in one namespace of a catalog that is no REST catalog."""

    at_once = _AT_ONCE

    def __init__(self, catalog: Any, namespace: Namespace, where: str, count: Count) -> None:
        self._catalog = catalog
        self.catalog = catalog
        """What changes of a table are sent to."""
        self._namespace = namespace
        self._where = where
        self._count = count
        self._locating = stopping(catalog) if _can_stop(catalog) else catalog
        self._known_namespace = KnownNamespace(catalog, namespace, where, count)
        self._reader = LocationReader(folders_of_properties(getattr(catalog, "properties", {}), count), count)

    def find(self, table: str, known_mark: str) -> FoundMetadata | None:
        self._count.add(lists=1)
        try:
            loaded = ask(lambda: self._locating.load_table((*self._namespace, table)), self._where, table)
        except LocationFound as found:
            return self._read(table, found.location, known_mark)
        if loaded is None:
            self._known_namespace.check()
            return None
        location = getattr(loaded, "metadata_location", None)
        if not isinstance(location, str) or not location:
            message = f"{self._where} does not say where the metadata of {shown(table)} lies."
            raise StorageError(message, code="mount.no-metadata", path=table, fix="Mount it through a catalog that keeps metadata files.")
        return self._read(table, location, known_mark)

    def _read(self, table: str, location: str, known_mark: str) -> FoundMetadata:
        if location == known_mark:
            return FoundMetadata(location, self._reader)
        return FoundMetadata(location, self._reader, read_named(self._reader, location, self._where, table))

    def tables(self) -> tuple[str, ...]:
        self._count.add(lists=1)
        return listed(self._catalog, self._namespace, self._where)


def _can_stop(catalog: Any) -> bool:
    """Return whether it is a catalog of pyiceberg that reads the metadata after it has found its location."""
    from pyiceberg.catalog import MetastoreCatalog

    return isinstance(catalog, MetastoreCatalog)


class KnownNamespace:
    """Whether the namespace of a mount is there. If it is not, its name is wrong, and not that of a table."""

    def __init__(self, catalog: Any, namespace: Namespace, where: str, count: Count) -> None:
        self._catalog = catalog
        self._namespace = namespace
        self._where = where
        self._count = count
        self._is_there = not hasattr(catalog, "namespace_exists")

    def check(self) -> None:
        """Raise a StorageError if the catalog says that there is no such namespace. Ask until it was there once."""
        if self._is_there:
            return
        self._count.add(lists=1)
        try:
            self._is_there = bool(self._catalog.namespace_exists(self._namespace))
        except Exception as error:  # noqa: BLE001  # who may not look at namespaces may all the same be told about tables
            if not says_missing(error):
                return
        if not self._is_there:
            name = shown(".".join(self._namespace))
            fix = "Correct the namespace of the mount, or create it."
            raise StorageError(f"{self._where} has no namespace {name}.", code="mount.no-namespace", path="namespace", fix=fix)


def ask(call: Callable[[], T], where: str, table: str) -> T | None:
    """Return what a catalog answers; None if it says that there is no such table. Raise one of our errors for everything else."""
    try:
        return call()
    except LocationFound:
        raise
    except Exception as error:
        if says_missing(error):
            return None
        raise catalog_trouble(error, where=where, what=shown(table)) from error


def listed(catalog: Any, namespace: Namespace, where: str) -> tuple[str, ...]:
    """Return the names of the tables in a namespace."""
    name = ".".join(namespace)
    try:
        identifiers = catalog.list_tables(namespace)
    except Exception as error:
        raise catalog_trouble(error, where=where, what=f"namespace {shown(name)}") from error
    return tuple(sorted(str(identifier[-1]) for identifier in identifiers))


def read_named(reader: LocationReader, location: str, where: str, table: str) -> bytes:
    """Return the metadata at the location that a catalog names. If there is none, the table is broken, and not missing."""
    try:
        return reader.read(location)
    except NotThereError as error:
        message = f"{where} names {shown(location)} as the metadata of {shown(table)}, and there is no such file."
        fix = "Restore the file, or register the table with the metadata that is there."
        raise StorageError(message, code="mount.metadata-gone", path=table, fix=fix) from error
