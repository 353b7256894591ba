"""A database of Iceberg tables that others keep: `IcebergMount(catalog, namespace="prod.shop")`, `IcebergMount("s3://lake/shop")`."""

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any, Final
from uuid import uuid4

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.iceberg import read_metadata
from airflow_provider_schemas.store.mounts.iceberg import changing
from airflow_provider_schemas.store.mounts.iceberg.catalog_errors import catalog_trouble
from airflow_provider_schemas.store.mounts.iceberg.catalog_finder import CatalogFinder
from airflow_provider_schemas.store.mounts.iceberg.finder import MetadataFinder
from airflow_provider_schemas.store.mounts.iceberg.folder_finder import FileFinder, FolderFinder, names_file
from airflow_provider_schemas.store.mounts.iceberg.history import KnownHistory
from airflow_provider_schemas.store.mounts.iceberg.live_schemas import KnownManifestSchemas
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader, local_path
from airflow_provider_schemas.store.mounts.iceberg.look import IcebergLook, KnownFiles
from airflow_provider_schemas.store.mounts.iceberg.rest_finder import RestFinder, is_rest
from airflow_provider_schemas.store.mounts.source import PastCommit, SchemaAttempt, SchemaStep, TableLook
from airflow_provider_schemas.store.storage.files import AT_ONCE, Count, Files
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles

_ENGINES: Final = ("spark-iceberg", "trino")
_CATALOG: Final = "iceberg"
# Catalogs of pyiceberg that their name and their properties make anew.
_WHOLE_IN_PROPERTIES: Final = frozenset({"SqlCatalog", "RestCatalog"})
_FOR_THIS_PROCESS: Final = ("_opened", "_lock", "count", "_known")


class IcebergMount:
    """The Iceberg tables of one namespace of a catalog, or below an address. Nothing is opened until a table is asked for."""

    kind = "iceberg"

    def __init__(
        self,
        catalog: Any,
        namespace: str | Sequence[str] | None = None,
        evolve: bool = False,
        *,
        name: str = "",
        storage_options: Mapping[str, Any] | None = None,
        fs: Any = None,
    ) -> None:
        """Mount a namespace of a catalog, or an address.

        Catalog is a catalog of pyiceberg or another object with `load_table`, a function that opens one, or the address of a metadata
        file, of a table's folder, or of a folder with such folders, with the options of fsspec. Name is what people and engines call
        the catalog.
        """
        self.evolve = evolve
        """Whether schemas may be changed through the mount."""
        self._catalog = catalog
        self._is_address = isinstance(catalog, str | PathLike)
        self._namespace = _namespace(namespace, needed=not self._is_address)
        self._name = name or str(getattr(catalog, "name", "") or "")
        self._storage_options = dict(storage_options) if storage_options is not None else None
        self._fs = fs
        self._token = self._make_token()
        _check_catalog(catalog)
        if evolve and self._is_address:
            raise changing.no_catalog(self.url)
        self._begin()

    def _begin(self) -> None:
        """Set what belongs to this process."""
        self.count = Count()
        self._known = KnownFiles(KnownHistory(), KnownManifestSchemas())
        self._lock = threading.Lock()
        self._opened: tuple[int, MetadataFinder] | None = None

    def _make_token(self) -> str:
        """Return what tells this mount from others of the same address: its options. A function without a name is like no other."""
        properties = getattr(self._catalog, "properties", None)
        if not self._is_address and properties is None and not self._name:
            return uuid4().hex
        options = self._storage_options if self._is_address else properties
        pairs = sorted((str(key), repr(value)) for key, value in (options or {}).items())
        return hashlib.sha256(repr(pairs).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"IcebergMount({self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key not in _FOR_THIS_PROCESS}
        return {**state, "_catalog": _picklable(self._catalog)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    # ------------------------------------------------------------ what it is called

    @property
    def url(self) -> str:
        """The address; of a catalog, its name and the namespace."""
        if self._is_address:
            return without_credentials(os.fspath(self._catalog))
        return f"{self.kind}:{self._name or _CATALOG}/{'.'.join(self._namespace)}"

    @property
    def identity(self) -> str:
        """What tells this mount from every other, also from a catalog of the same name elsewhere."""
        return f"{self.url}#{self._token}"

    def engine_names(self, table: str) -> Mapping[str, tuple[str, ...]]:
        """Return the parts of a table's name in the SQL of each engine. What a catalog is called there is up to the engine."""
        if self._is_address:
            return dict.fromkeys(_ENGINES, (*self._namespace, table))
        return dict.fromkeys(_ENGINES, (self._name or _CATALOG, *self._namespace, table))

    # ------------------------------------------------------------ looking

    @property
    def at_once(self) -> int:
        return AT_ONCE if self._opened is None else self._opened[1].at_once

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        return self._finder().tables()

    def look(self, table: str, known: TableLook | None = None) -> TableLook | None:
        """Return what is known of a table now; the known look itself if nothing changed since; None if there is no such table."""
        own = known if isinstance(known, IcebergLook) else None
        found = self._finder().find(table, own.mark if own is not None else "")
        if found is None:
            return None
        if found.data is None:
            return own
        return IcebergLook(found, read_metadata(found.data), self._known)

    # ------------------------------------------------------------ changing

    def refused(self, look: TableLook, step: SchemaStep) -> tuple[Fault, ...]:
        """Return why Iceberg, or readers of the table, cannot bear a step. Nothing is asked."""
        return changing.refused(look, step)

    def commit(self, table: str, look: TableLook, step: SchemaStep, earlier: SchemaAttempt) -> SchemaAttempt:
        """Try to carry out a step on what the look has found; see `ChangeableSource`."""
        catalog = getattr(self._finder(), "catalog", None)
        if not hasattr(catalog, "commit_table"):
            raise changing.no_catalog(self.url)
        self.count.add(lists=1, puts=1)
        return changing.commit(catalog, (*self._namespace, table), look, step, earlier, where=self.url)

    def last_note(self, look: TableLook) -> Provenance | None:
        """Return the note of our last commit, as long as its schema is the current one."""
        return changing.last_note(look)

    def past_commit(self, look: TableLook, *, key: str | None = None, commit: str | None = None) -> PastCommit | None:
        """Return a commit of ours by its key or its id; None if the metadata names none."""
        return changing.past_commit(look, key=key, commit=commit)

    def _finder(self) -> MetadataFinder:
        """Return what finds tables, opened once a process."""
        opened = self._opened
        if opened is not None and opened[0] == os.getpid():
            return opened[1]
        if opened is not None:  # a lock that was held at a fork is held for ever in the child
            self._lock = threading.Lock()
            self._known = KnownFiles(KnownHistory(), KnownManifestSchemas())
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                self._opened = (os.getpid(), self._open())
            return self._opened[1]

    def _open(self) -> MetadataFinder:
        if self._is_address:
            return self._open_address(os.fspath(self._catalog))
        catalog = self._open_catalog()
        if is_rest(catalog):
            return RestFinder(catalog, self._namespace, self.url, self.count)
        return CatalogFinder(catalog, self._namespace, self.url, self.count)

    def _open_catalog(self) -> Any:
        """Return the catalog; a function that opens one is called."""
        if hasattr(self._catalog, "load_table"):
            return self._catalog
        try:
            catalog: Any = self._catalog()
        except Exception as error:
            raise catalog_trouble(error, where=self.url, what="the catalog") from error
        if not hasattr(catalog, "load_table"):
            raise _no_catalog(catalog)
        if is_rest(catalog):
            self.count.add(lists=1)  # it has asked for its configuration
        return catalog

    def _open_address(self, address: str) -> MetadataFinder:
        reader = LocationReader(partial(open_folder, self._storage_options, self._fs), self.count)
        url = address.rstrip("/")
        if names_file(url):
            folder, _, name = url.rpartition("/")
            return FileFinder(self._files(folder), name, reader)
        return FolderFinder(self._files(url), reader)

    def _files(self, folder: str) -> Files:
        files = open_folder(self._storage_options, self._fs, folder)
        if isinstance(files, LocalFiles):
            files = LocalFiles(files.root, home=files.root)
        if isinstance(files, RemoteFiles | LocalFiles):
            files.count = self.count
        return files


def open_folder(storage_options: Mapping[str, Any] | None, fs: Any, folder: str) -> Files:
    """Return the files of a folder, in each spelling of a path on this disk."""
    if fs is None:
        path = local_path(folder)
        if path is not None:
            return LocalFiles(path)
    return open_files(folder, storage_options=storage_options, fs=fs)


def _namespace(given: str | Sequence[str] | None, *, needed: bool) -> tuple[str, ...]:
    """Return the parts of a namespace: those of a text are divided by dots."""
    parts = given.split(".") if isinstance(given, str) else given or ()
    namespace = tuple(map(str, parts))
    if not all(namespace):
        message = f"{shown(given)} is no namespace."
        raise FormatError(message, code="mount.no-namespace", path="namespace", fix="Pass its parts, divided by dots: prod.shop.")
    if needed and not namespace:
        message = "a mounted catalog needs the namespace whose tables are meant."
        raise FormatError(message, code="mount.no-namespace", path="namespace", fix="Pass namespace='prod.shop'.")
    return namespace


def _check_catalog(catalog: Any) -> None:
    if isinstance(catalog, str | PathLike):
        if not os.fspath(catalog).strip():
            raise _no_catalog(catalog)
        return
    if not hasattr(catalog, "load_table") and not callable(catalog):
        raise _no_catalog(catalog)


def _no_catalog(catalog: object) -> FormatError:
    fix = "Pass an object with load_table, such as a catalog of pyiceberg, a function that opens one, or an address."
    return FormatError(f"a {type(catalog).__name__} is no catalog.", code="mount.no-catalog", path="catalog", fix=fix)


def _picklable(catalog: Any) -> Any:
    """Return what a catalog can be opened by in another process: connections stay in this one."""
    make: Any = type(catalog)
    if not make.__module__.startswith("pyiceberg."):
        return catalog
    if make.__name__ not in _WHOLE_IN_PROPERTIES:
        fix = "Pass a function of a module that opens the catalog, in the place of the catalog."
        message = f"a {make.__name__} that is open cannot go to another process: its client may have come from elsewhere."
        raise FormatError(message, code="mount.no-pickle", path="catalog", fix=fix)
    return partial(make, catalog.name, **catalog.properties)
