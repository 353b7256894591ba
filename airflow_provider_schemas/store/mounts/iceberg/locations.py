"""Read files by their full locations, as Iceberg's metadata names them: s3://lake/orders/metadata/v3.metadata.json."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.errors import check_size, trouble
from airflow_provider_schemas.store.storage.files import AT_ONCE, MAX_BYTES, Count
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles

MAX_METADATA: Final = 2 * MAX_BYTES
"""A table of a thousand schemas and a thousand snapshots has 61 MiB of metadata."""
_IO_IMPLEMENTATION: Final = "py-io-impl"
_SIGNER: Final = "s3.signer"
_AZURE: Final = frozenset({"abfs", "abfss", "wasb", "wasbs"})
_MOST_FOLDERS: Final = 1_000
_REFUSED: Final = frozenset({ErrorKind.FORBIDDEN.value, ErrorKind.CREDENTIALS.value})


class FolderReads(Protocol):
    """The files of one folder, as far as they are read."""

    def read(self, path: str, limit: int = ...) -> bytes:
        """Return the whole file. Raise NotThereError if there is none."""

    def read_part(self, path: str, start: int, end: int) -> bytes:
        """Return the bytes of a file from start up to end."""

    def read_many(self, paths: Iterable[str], limit: int = ...) -> Mapping[str, bytes | SchemaError]:
        """Return several files, asked for at once."""


_ReadMany = Callable[[Sequence[str]], Mapping[str, bytes | SchemaError]]
OpenFolder = Callable[[str], FolderReads]
"""Returns the files of a folder."""


class _Place(NamedTuple):
    """A location, as a folder and the name of a file in it."""

    folder: str
    name: str


class LocationReader:
    """Reads files by their locations; the folders in which they lie are opened when they are asked for.

    Credentials that a catalog has lent may end: where the storage denies access, they are renewed once, and what was refused is read again.
    """

    def __init__(self, open_folder: OpenFolder, count: Count, *, renew: Callable[[], OpenFolder] | None = None) -> None:
        self._open_folder = open_folder
        self._count = count
        self._renew = renew
        self._folders: dict[str, FolderReads] = {}

    def read(self, location: str, limit: int = MAX_METADATA) -> bytes:
        """Return the whole file. Raise NotThereError if there is none."""
        content = self.read_many([location], limit)[location]
        if isinstance(content, SchemaError):
            raise content
        return content

    def read_many(self, locations: Iterable[str], limit: int = MAX_METADATA) -> Mapping[str, bytes | SchemaError]:
        """Return several files, asked for at once: each with its bytes, or with the error about it."""
        return self._with_renewal(partial(self._read_all, limit=limit), locations)

    def start_many(self, locations: Iterable[str], size: int) -> Mapping[str, bytes | SchemaError]:
        """Return the first bytes of several files, asked for at once."""
        return self._with_renewal(partial(_at_once, partial(self._read_start, size=size), at_once=AT_ONCE), locations)

    def _with_renewal(self, read: _ReadMany, locations: Iterable[str]) -> Mapping[str, bytes | SchemaError]:
        contents = read(list(dict.fromkeys(locations)))
        refused = [location for location, content in contents.items() if isinstance(content, SchemaError) and content.code in _REFUSED]
        if not refused or self._renew is None:
            return contents
        self._open_folder = self._renew()
        self._folders = {}
        return {**contents, **read(refused)}

    def _read_start(self, location: str, size: int) -> bytes:
        place = _split(location)
        return self._files(place.folder).read_part(place.name, 0, size)

    def _read_all(self, locations: Sequence[str], limit: int) -> Mapping[str, bytes | SchemaError]:
        by_folder: dict[str, dict[str, str]] = defaultdict(dict)
        for location in locations:
            place = _split(location)
            by_folder[place.folder][place.name] = location
        contents: dict[str, bytes | SchemaError] = {}
        for folder, names in by_folder.items():
            answers = self._read_folder(folder, list(names), limit)
            contents.update((names[name], answer) for name, answer in answers.items())
        return contents

    def _read_folder(self, folder: str, names: list[str], limit: int) -> Mapping[str, bytes | SchemaError]:
        try:
            files = self._files(folder)
        except SchemaError as error:
            return dict.fromkeys(names, error)
        return files.read_many(names, limit)

    def _files(self, folder: str) -> FolderReads:
        files = self._folders.get(folder)
        if files is None:
            if len(self._folders) >= _MOST_FOLDERS:
                self._folders = {}
            files = self._open_folder(folder)
            if isinstance(files, RemoteFiles | LocalFiles):
                files.count = self._count
            self._folders[folder] = files
        return files


def _split(location: str) -> _Place:
    folder, _, name = location.rpartition("/")
    return _Place(folder, name)


# ---------------------------------------------------------------- with the properties of a catalog


def folders_of_properties(properties: Mapping[str, Any], count: Count) -> OpenFolder:
    """Return what opens folders with the credentials in the properties of a catalog or of a table."""
    return _CatalogFolders(dict(properties), count).open


class _CatalogFolders:
    """Opens folders with the properties that pyiceberg's own readers of files take."""

    def __init__(self, properties: dict[str, Any], count: Count) -> None:
        self._properties = properties
        self._count = count
        self._filesystems: dict[tuple[str, str], Any] = {}

    def open(self, folder: str) -> FolderReads:
        path = local_path(folder)
        if path is not None:
            return LocalFiles(path)
        scheme, _, rest = folder.partition("://")
        if _IO_IMPLEMENTATION in self._properties or _SIGNER in self._properties:
            return _StreamFolder(self._load_io(folder), folder, self._count)
        try:
            filesystem = self._filesystem(scheme.lower(), rest.partition("/")[0])
        except Exception as error:
            if isinstance(error, ImportError | ValueError):  # no library of fsspec for it: pyarrow may know the storage
                return _StreamFolder(self._load_io(folder), folder, self._count)
            raise trouble(error, url=without_credentials(folder), path="", doing="open") from error
        return open_files(folder, fs=filesystem)

    def _filesystem(self, scheme: str, host: str) -> Any:
        """Return the filesystem of fsspec for all locations of a scheme; of Azure, for those of an account."""
        from pyiceberg.io.fsspec import FsspecFileIO

        account = host.rpartition("@")[2] if scheme in _AZURE else ""
        filesystem = self._filesystems.get((scheme, account))
        if filesystem is None:
            filesystem = FsspecFileIO(self._properties).get_fs(scheme, account or None)
            self._filesystems[scheme, account] = filesystem
        return filesystem

    def _load_io(self, folder: str) -> Any:
        from pyiceberg.io import load_file_io

        try:
            return load_file_io(self._properties, folder)
        except Exception as error:
            raise trouble(error, url=without_credentials(folder), path="", doing="open") from error


def local_path(location: str) -> str | None:
    """Return the path of a location on this disk; None for a location elsewhere. Hadoop writes one slash behind the colon."""
    for prefix in ("file://", "file:"):
        if location.startswith(prefix):
            return location.removeprefix(prefix)
    return None if "://" in location else location


class _StreamFolder:
    """A folder that a reader of pyiceberg opens: a class that its user has named, or one of pyarrow."""

    def __init__(self, file_io: Any, folder: str, count: Count) -> None:
        self._io = file_io
        self._folder = folder
        self._count = count

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        return check_size(self.read_part(path, 0, limit + 1), limit, path, without_credentials(self._folder))

    def read_part(self, path: str, start: int, end: int) -> bytes:
        self._count.add(gets=1)
        try:
            with self._io.new_input(f"{self._folder}/{path}").open() as stream:
                stream.seek(start)
                data: bytes = stream.read(end - start)
                return data
        except Exception as error:
            raise trouble(error, url=without_credentials(self._folder), path=path, doing="read") from error

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        return _at_once(partial(self.read, limit=limit), paths, AT_ONCE)


def _at_once(read: Callable[[str], bytes], paths: Iterable[str], at_once: int) -> Mapping[str, bytes | SchemaError]:
    """Return what is read at each of some paths, or the error about it."""

    def attempt(path: str) -> bytes | SchemaError:
        try:
            return read(path)
        except SchemaError as error:
            return error

    wanted = list(dict.fromkeys(paths))
    if len(wanted) < 2:
        return {path: attempt(path) for path in wanted}
    with ThreadPoolExecutor(min(at_once, len(wanted)), "schemas-locations") as pool:
        return dict(zip(wanted, pool.map(attempt, wanted), strict=True))
