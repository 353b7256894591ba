"""Find tables in folders that no catalog is asked about: a metadata file, the folder of a table, or a folder of such folders."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.formats.iceberg import read_metadata
from airflow_provider_schemas.store.mounts.iceberg.finder import FoundMetadata
from airflow_provider_schemas.store.mounts.iceberg.folder_heads import (
    HINT,
    HeadCandidate,
    candidates,
    choose,
    hinted,
    is_metadata,
    metadata_files,
)
from airflow_provider_schemas.store.mounts.iceberg.locations import MAX_METADATA, LocationReader
from airflow_provider_schemas.store.mounts.iceberg.metadata_faults import head_by_file, head_by_listing
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.files import Files, ListingEntry

_METADATA: Final = "metadata"
_MOST_HINT: Final = 4_096
_NO_NAMES: Final = frozenset({"", ".", ".."})


class _Listed(NamedTuple):
    """The folder of a table's metadata, and what lies in it."""

    folder: str
    files: tuple[HeadCandidate, ...]
    has_hint: bool
    mark: str

    def path(self, name: str) -> str:
        return f"{self.folder}/{name}" if self.folder else name


class _Head(NamedTuple):
    """The metadata file that is current."""

    data: bytes
    notes: tuple[Finding, ...] = ()


class FolderFinder:
    """Finds tables below an address."""

    def __init__(self, files: Files, reader: LocationReader) -> None:
        self._files = files
        self._reader = reader
        self._is_table = False
        """Whether the address is known to be the folder of one table."""

    @property
    def at_once(self) -> int:
        return self._files.at_once

    def find(self, table: str, known_mark: str) -> FoundMetadata | None:
        listed = self._list_table(table)
        if listed is None:
            self._check_root()
            return None
        folder = self._files.url if listed.folder == _METADATA else f"{self._files.url.rstrip('/')}/{table}"
        if listed.mark == known_mark:
            return FoundMetadata(listed.mark, self._reader, folder=folder)
        head = self._read_head(listed)
        return FoundMetadata(listed.mark, self._reader, head.data, folder, head.notes)

    def _check_root(self) -> None:
        """Raise a StorageError if nothing lies below the address: then the address is wrong, and not the name of the table."""
        self._files.check_root()
        if not self._files.list(""):
            message = f"{self._files.url} holds nothing."
            fix = "Check the address: it is that of a table's folder, or of a folder with such folders."
            raise StorageError(message, code="mount.empty", path=self._files.url, fix=fix)

    def _list_table(self, table: str) -> _Listed | None:
        if table in _NO_NAMES or "/" in table:
            return None
        if table == _last_part(self._files.url):
            listed = self._list(_METADATA)
            if listed is not None:
                self._is_table = True
                return listed
        return None if self._is_table else self._list(f"{table}/{_METADATA}")

    def _list(self, folder: str) -> _Listed | None:
        """Return what lies in a folder of metadata; None if there is no metadata."""
        entries = self._files.list(folder)
        files = metadata_files(entries)
        if not files:
            return None
        hints = [entry for entry in entries if entry.name == HINT and not entry.folder]
        return _Listed(folder, files, bool(hints), _mark([*hints, *(file.entry for file in files)]))

    def _read_head(self, listed: _Listed) -> _Head:
        """Return the current one of the metadata files in a folder."""
        possible = candidates(listed.files)
        if all(file.plain for file in possible) and len(possible) == 1:
            return _Head(self._read(listed.path(possible[0].name)))
        if listed.has_hint:
            file = hinted(listed.files, read_listed(self._files, listed.path(HINT), _MOST_HINT))
            if file is not None:
                return _Head(self._read(listed.path(file.name)))
        return self._read_newest(listed, possible)

    def _read_newest(self, listed: _Listed, possible: Sequence[HeadCandidate]) -> _Head:
        paths = {file.name: listed.path(file.name) for file in possible}
        if len(paths) == 1:
            (name,) = paths
            data = {name: self._read(paths[name])}
        else:
            data = {name: self._read(path) for name, path in paths.items()}
            name = choose({file: read_metadata(content) for file, content in data.items()}, self._files.url)
        notes = (head_by_listing(name, len(listed.files)),) if len(listed.files) > 1 else ()
        return _Head(data[name], notes)

    def _read(self, path: str) -> bytes:
        return read_listed(self._files, path)

    def tables(self) -> tuple[str, ...]:
        self._check_root()
        folders = [entry.name for entry in self._files.list("") if entry.folder]
        if _METADATA in folders and self._list(_METADATA) is not None:
            return (_last_part(self._files.url),)
        paths = [f"{name}/{_METADATA}" for name in folders]
        with ThreadPoolExecutor(max(1, min(self.at_once, len(paths))), "schemas-tables") as pool:
            listings = list(pool.map(self._list, paths))
        return tuple(sorted(name for name, listed in zip(folders, listings, strict=True) if listed is not None))


class FileFinder:
    """Finds the one table whose metadata file is named, whatever its catalog says."""

    def __init__(self, files: Files, name: str, reader: LocationReader) -> None:
        self._files = files
        self._name = name
        self._reader = reader

    @property
    def at_once(self) -> int:
        return self._files.at_once

    @property
    def _table(self) -> str:
        return _last_part(self._folder)

    @property
    def _folder(self) -> str:
        """The folder of the table: the metadata lies in it, or in a folder of its own there."""
        url = self._files.url.rstrip("/")
        return url.removesuffix(f"/{_METADATA}")

    def find(self, table: str, known_mark: str) -> FoundMetadata | None:
        if table != self._table:
            return None
        try:
            data = self._files.read(self._name, MAX_METADATA)
        except NotThereError:
            raise self._gone() from None
        # A table of Hadoop that was dropped and made again has files of the same names.
        mark = hashlib.sha256(data).hexdigest()
        notes = (head_by_file(self._name),)
        return FoundMetadata(mark, self._reader, None if mark == known_mark else data, self._folder, notes)

    def tables(self) -> tuple[str, ...]:
        if not self._files.exists(self._name):
            raise self._gone()
        return (self._table,)

    def _gone(self) -> StorageError:
        message = f"there is no {self._name} in {self._files.url}."
        fix = "Mount the table by the file that is current, or through its catalog."
        return StorageError(message, code="mount.metadata-gone", path=self._name, fix=fix)


def read_listed(files: Files, path: str, limit: int = MAX_METADATA) -> bytes:
    """Return a file that was there a moment ago. If it is gone, that says nothing about the table."""
    try:
        return files.read(path, limit)
    except NotThereError as error:
        message = f"{path} was there when {files.url} was listed, and is gone."
        raise StorageError(message, code=ErrorKind.BUSY.value, path=path, fix="Look again: somebody writes the table.") from error


def names_file(url: str) -> bool:
    """Return whether an address is that of a metadata file."""
    return is_metadata(url)


def _last_part(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2]


def _mark(entries: Sequence[ListingEntry]) -> str:
    """Return what changes when a file comes, goes or changes."""
    names = "\n".join(entry.name for entry in entries).encode("utf-8", "surrogatepass")
    return hashlib.sha256(names + b"\0" + ListingEntry.marks(entries)).hexdigest()
