"""A database of Delta tables that others keep: `DeltaMount("s3://lake/shop")`, or the address of one table."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.delta.features import check_is_in_folder
from airflow_provider_schemas.store.mounts.delta.log_folder import LogFolder
from airflow_provider_schemas.store.mounts.delta.look import DeltaLook
from airflow_provider_schemas.store.mounts.delta.past_log import PastLog
from airflow_provider_schemas.store.mounts.delta.read_log import ReadLog, read_log, read_newer
from airflow_provider_schemas.store.mounts.delta.table_folders import TableFolders
from airflow_provider_schemas.store.mounts.source import TableLook
from airflow_provider_schemas.store.storage.files import AT_ONCE, Count, Files
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles

_SPARK: Final = "spark-delta"
_TRINO: Final = "trino"
_CATALOG: Final = "delta"
_FOR_THIS_PROCESS: Final = ("_folders", "count")


class DeltaMount:
    """The Delta tables below an address. Nothing is opened until a table is asked for, and nothing is ever written."""

    kind = "delta"
    evolve = False

    def __init__(
        self,
        url: str | PathLike[str],
        namespace: str | Sequence[str] | None = None,
        *,
        storage_options: Mapping[str, Any] | None = None,
        fs: Any = None,
    ) -> None:
        """Mount the folder of a table, or a folder with such folders, with the options of fsspec.

        Namespace is what engines call the database, where they know it by a name.
        """
        self._url = _checked_url(url)
        self._namespace = _parts(namespace)
        self._storage_options = dict(storage_options) if storage_options is not None else None
        self._fs = fs
        self._begin()

    def _begin(self) -> None:
        """Set what belongs to this process."""
        self.count = Count()
        self._folders: tuple[int, TableFolders] | None = None

    def __repr__(self) -> str:
        return f"DeltaMount({self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in _FOR_THIS_PROCESS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    # ------------------------------------------------------------ what it is called

    @property
    def url(self) -> str:
        return without_credentials(self._url)

    @property
    def identity(self) -> str:
        """What tells this mount from every other, also from a bucket of the same name at another endpoint."""
        pairs = sorted((str(key), repr(value)) for key, value in (self._storage_options or {}).items())
        return f"{self.kind}:{self.url}#{hashlib.sha256(repr(pairs).encode()).hexdigest()}"

    def engine_names(self, table: str) -> Mapping[str, tuple[str, ...]]:
        """Return the parts of a table's name in the SQL of each engine: Spark also takes the address of a table for its name."""
        named = (*self._namespace, table)
        in_spark = named if self._namespace else (_CATALOG, self._location(table))
        return {_SPARK: in_spark, _TRINO: named}

    def _location(self, table: str) -> str:
        url = self.url.rstrip("/")
        folders = self._folders
        is_table = folders is not None and folders[1].is_table
        return url if is_table else f"{url}/{table}"

    # ------------------------------------------------------------ looking

    @property
    def at_once(self) -> int:
        return AT_ONCE if self._folders is None else self._folders[1].files.at_once

    def tables(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        return self._opened().names()

    def look(self, table: str, known: TableLook | None = None) -> TableLook | None:
        """Return what is known of a table now; the known look itself if nothing changed since; None if there is no such table."""
        folders = self._opened()
        for log in folders.logs_of(table):
            look = self._look_at(log, known if isinstance(known, DeltaLook) else None, table)
            if look is not None:
                folders.is_table = folders.is_table or "/" not in log.folder
                return look
        return None

    def _look_at(self, log: LogFolder, known: DeltaLook | None, table: str) -> DeltaLook | None:
        """Return what the log of a table says now."""
        if known is not None and known.location == log.url:
            newer = read_newer(log, known.read)
            if newer is known.read:
                return known
            if newer is not None:
                _check(newer, table)
                return DeltaLook(newer, known.past, log.url)
        read = read_log(log)
        if read is None:
            return None
        _check(read, table)
        if known is not None and known.location == log.url and read.says_the_same_as(known.read):
            return known
        return DeltaLook(read, PastLog(log, read.base, read.listing), log.url)

    def _opened(self) -> TableFolders:
        """Return the folders of the tables, opened once a process."""
        folders = self._folders
        if folders is None or folders[0] != os.getpid():
            folders = (os.getpid(), TableFolders(self._open()))
            self._folders = folders
        return folders[1]

    def _open(self) -> Files:
        files = open_files(self._url, storage_options=self._storage_options, fs=self._fs)
        if isinstance(files, RemoteFiles | LocalFiles):
            files.count = self.count
        return files


def _check(read: ReadLog, table: str) -> None:
    """Refuse a log that does not tell the schema, or not the newest one."""
    if not read.state.schemas:
        message = f"the log of {table} has commits, and none of them says which columns the table has."
        raise FormatError(message, code="delta.no-metadata", path=table, fix="Restore the first commit of the log, or its checkpoint.")
    check_is_in_folder(read.state.protocol, read.state.schemas[-1].table.source, table)


def _checked_url(url: object) -> str:
    address = os.fspath(url) if isinstance(url, str | PathLike) else ""
    if not isinstance(address, str) or not address.strip():
        message = "a mount of Delta tables needs the address of a table, or of a folder with tables."
        raise FormatError(message, code="mount.no-address", path="url", fix="Pass a path or a URL, such as s3://lake/shop.")
    return address


def _parts(namespace: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the parts of a namespace: those of a text are divided by dots."""
    parts = namespace.split(".") if isinstance(namespace, str) else namespace or ()
    return tuple(str(part) for part in parts if part)
