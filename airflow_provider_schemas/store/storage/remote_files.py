"""Files on any storage that fsspec reaches: object stores, memory, and whatever else is installed.

No listing comes from a cache, and a process that was forked opens the storage anew, since no connection survives a fork. Threads share the
connections.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from glob import has_magic
from typing import Any, Final, TypeVar

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.error_kinds import was_refused
from airflow_provider_schemas.store.storage.errors import check_size, is_bucket_missing, is_taken, is_unclear, trouble
from airflow_provider_schemas.store.storage.files import (
    AT_ONCE,
    MAX_BYTES,
    Count,
    Gone,
    ListingEntry,
    OutcomeUnclear,
    Page,
    Parent,
    PathTaken,
    tried,
)
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee, one_name
from airflow_provider_schemas.store.storage.remote import listings
from airflow_provider_schemas.store.storage.remote.listings import FileSystem, Info

_AT_ONCE_ELSEWHERE: Final = 16
# How libraries say that an empty file has no part to read.
_EMPTY_FILE_WORDS: Final = ("416", "InvalidRange", "range")

Connection = tuple[int, FileSystem, str]
"""A process, its filesystem, and the path of the root there."""
_NOT_CONNECTED: Final[Connection] = (-1, None, "")

T = TypeVar("T")

Entries = list[ListingEntry]
"""The name `list` means a method in the class below."""

Ask = Callable[[FileSystem, str], T]
"""How a filesystem is asked for what is at a path."""

# One for all roots in memory of a process: they share one space of names. A lock that was held at a fork is of no use to the child.
_MEMORY_LOCKS: Final = {os.getpid(): threading.RLock()}


def _memory_lock() -> AbstractContextManager[object]:
    return _MEMORY_LOCKS.setdefault(os.getpid(), threading.RLock())


class RemoteFiles:
    """The files below an address."""

    def __init__(
        self, connect: Callable[[], tuple[FileSystem, str]], protocol: str, url: str, endpoint: str = "", *, at_once: int = AT_ONCE
    ) -> None:
        self._connect = connect
        self._connection = _NOT_CONNECTED
        self._means = guarantee(protocol).means
        self.at_once = at_once if self._means is Means.CONDITION else min(at_once, _AT_ONCE_ELSEWHERE)
        self.identity = f"{url}#{endpoint}"
        self.url = url
        self.protocol = one_name(protocol)
        self.count = Count()

    def __repr__(self) -> str:
        return f"RemoteFiles({self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_connection": _NOT_CONNECTED, "count": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.count = Count()

    def _open(self) -> Connection:
        """Return the connection of this process; make it, if there is none."""
        connection = self._connection
        if connection[0] != os.getpid():
            fs, root = self._connect()
            connection = (os.getpid(), fs, root.rstrip("/"))
            self._connection = connection
        return connection

    @property
    def fs(self) -> FileSystem:
        """The filesystem of this process."""
        return self._open()[1]

    @property
    def root(self) -> str:
        """The path of the root, as the filesystem writes it."""
        return self._open()[2]

    def connect(self) -> None:
        """Make the connection before many threads ask: each of them would make one. The first request tells what is in the way."""
        if self.protocol != "s3":
            return
        with suppress(Exception):
            if hasattr(self.fs, "connect"):
                self.fs.connect()

    def at(self, path: str) -> str:
        """Return a path as the filesystem writes it."""
        return f"{self.root}/{path}" if path else self.root

    def _call(self, call: Callable[[], T], path: str, doing: str) -> T:
        """Return the answer of the storage; raise one of our errors for whatever goes wrong."""
        try:
            return call()
        except SchemaError:
            raise
        except Exception as error:
            raise trouble(error, url=self.url, path=path, doing=doing) from error

    # ------------------------------------------------------------ the root

    def check_root(self) -> None:
        """Do nothing: a prefix needs no folder, and each request tells that a bucket is missing."""

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        return self.list_by(folder, listings.inside)

    def list_by(self, folder: str, ask: Ask[Iterable[Info]]) -> Entries:
        """Return what lies in the folder, where the filesystem is asked in this way."""
        self.count.add(lists=1)
        path = self.at(folder)
        entries = [entry for info in self._ask_for(ask, folder) if (entry := listings.read_entry(info, path)) is not None]
        return list({(entry.name, entry.folder): entry for entry in entries}.values())  # a folder with a blob of its name comes twice

    def _ask_for(self, ask: Ask[Iterable[T]], folder: str) -> Iterable[T]:
        """Return the answer to a listing; nothing, where there is no such folder."""

        def call() -> Iterable[T]:
            try:
                return ask(self.fs, self.at(folder))
            except FileNotFoundError as error:
                if is_bucket_missing(error) or was_refused(error):  # a listing of nothing is empty, and no error of the service
                    raise
            except NotADirectoryError:
                pass
            return []

        return self._call(call, folder, "list")

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        yield from self.walk_by(folder, listings.below)

    def walk_by(self, folder: str, ask: Ask[Iterable[Info]]) -> Iterator[tuple[str, ListingEntry]]:
        """Yield every file below the folder with its path, where the filesystem is asked in this way."""
        self.count.add(lists=1)
        infos = {str(info["name"]): info for info in self._ask_for(ask, folder)}
        for path in sorted(infos):
            entry = _read_file_entry(path, infos[path])
            if entry is not None and not entry.folder:
                yield self._relative(path), entry

    def page(self, folder: str, after: str = "", following: str = "") -> Page | None:
        """Return a page of all that lies below the folder, of paths after a path, or behind another page; None where there are no pages."""
        start = self.at(after) if after else ""
        pages = self._ask_for(lambda fs, path: [listings.page(fs, path, start, following)], folder)
        raw = next(iter(pages), listings.RawPage([], ""))
        if raw is None:
            return None
        self.count.add(lists=1)
        files: list[tuple[str, ListingEntry]] = []
        for info in raw.infos:
            path = str(info["name"])
            entry = _read_file_entry(path, info)
            if entry is not None:
                files.append((self._relative(path), entry))
        return Page(tuple(files), raw.following, len(files) < len(raw.infos))

    def _relative(self, path: str) -> str:
        if not self.root.startswith("/"):
            path = path.removeprefix("/")
        return path.removeprefix(f"{self.root}/")

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        return self.read_by(path, limit, lambda fs, full_path: fs.cat_file(full_path, start=0, end=limit + 1))

    def read_by(self, path: str, limit: int, ask: Ask[bytes]) -> bytes:
        """Return the whole file, where the filesystem is asked in this way: for no more than one byte over the limit."""
        self.count.add(gets=1)
        data = self._call(lambda: self._read(self.at(path), ask), path, "read")
        return check_size(data, limit, path, self.url)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        self.count.add(gets=1)
        data: bytes = self._call(lambda: self.fs.cat_file(self.at(path), start=start, end=end), path, "read")
        return data

    def _read(self, path: str, ask: Ask[bytes]) -> bytes:
        try:
            return ask(self.fs, path)
        except FileNotFoundError:
            raise
        except Exception as error:
            if any(word in str(error) for word in _EMPTY_FILE_WORDS) and self.fs.info(path).get("size") == 0:
                return b""  # a part of nothing is refused
            raise

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        wanted = list(dict.fromkeys(paths))
        if len(wanted) < 2:
            return {path: tried(self, path, limit) for path in wanted}
        with ThreadPoolExecutor(min(self.at_once, len(wanted)), "schemas-read") as pool:
            return dict(zip(wanted, pool.map(partial(tried, self, limit=limit), wanted), strict=True))

    def exists(self, path: str) -> bool:
        self.count.add(gets=1)
        full_path = self.at(path)
        self.fs.invalidate_cache(full_path)
        return self._call(lambda: self._is_there(full_path), path, "look for")

    def _is_there(self, path: str) -> bool:
        """Return whether there is something at a path. `exists` of some libraries also says no where the storage does not answer."""
        try:
            self.fs.info(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            if is_bucket_missing(error):
                raise
            return False
        return True

    # ------------------------------------------------------------ writing

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        self.count.add(puts=1)
        with self._writers_lock():
            self._check_follows(path, parent)
            self._create(path, data)
        commit_steps.reached(commit_steps.CREATED)

    def refuses(self, path: str, data: bytes) -> bool:
        self.count.add(puts=1)
        try:
            self._create(path, data)
        except PathTaken:
            return True
        return False

    def _check_follows(self, path: str, parent: Parent | None) -> None:
        """Raise PathTaken if another writer was first, and Gone if the table is not that of the parent."""
        if parent is None or parent.is_in(self):
            return
        if self.exists(path):
            raise PathTaken(path)
        raise Gone(path)

    def _writers_lock(self) -> AbstractContextManager[object]:
        """Return what keeps all other writers of this process waiting, where that is what the storage promises."""
        return _memory_lock() if self._means is Means.LOCK else nullcontext()

    def _create(self, path: str, data: bytes) -> None:
        try:
            if self._means is Means.LOCK:
                self._create_in_memory(self.at(path), data)
            else:
                self.fs.pipe_file(self.at(path), data, mode="create")
        except SchemaError:
            raise
        except Exception as error:
            if is_taken(error):
                raise PathTaken(path) from error
            if is_unclear(error):
                raise OutcomeUnclear(str(error)) from error
            raise trouble(error, url=self.url, path=path, doing="write") from error

    def _create_in_memory(self, path: str, data: bytes) -> None:
        with _memory_lock():
            if self.fs.exists(path):
                raise FileExistsError(path)
            self.fs.pipe_file(path, data)

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:  # folders come by themselves
        self.count.add(puts=1)
        full_path = self.at(path)
        self._call(lambda: self._put(full_path, data), path, "write")

    def _put(self, path: str, data: bytes) -> None:
        if self._means is Means.NONE:  # a storage with real folders, as far as anybody knows
            self.fs.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.fs.pipe_file(path, data)

    def delete(self, path: str) -> None:
        self.count.add(puts=1)
        full_path = self.at(path)
        self._call(lambda: self._delete(lambda: self.fs.rm_file(full_path)), path, "delete")

    def delete_folder(self, folder: str) -> bool:
        self.count.add(puts=1)
        full_path = self.at(folder)
        self.fs.invalidate_cache(full_path)
        with self._writers_lock():
            return self._call(lambda: self._delete(lambda: self._delete_all(full_path)), folder, "delete")

    def _delete_all(self, path: str) -> None:
        if not has_magic(path):
            self.fs.rm(path, recursive=True)
            return
        # The library would take the name for a pattern, and delete whatever fits it.
        infos = self.fs.find(path, detail=True, withdirs=self._means is not Means.CONDITION)
        for name in sorted(infos, reverse=True):
            if infos[name]["type"] == "directory":
                self.fs.rmdir(name)
            else:
                self.fs.rm_file(name)

    def _delete(self, delete: Callable[[], object]) -> bool:
        """Call what deletes something, and return whether it was there."""
        try:
            delete()
        except FileNotFoundError as error:
            if is_bucket_missing(error):
                raise
            return False
        return True

    def move_folder(self, source: str, target: str) -> None:
        with self._writers_lock():
            self._move_folder(source, target)

    def _move_folder(self, source: str, target: str) -> None:
        """Copy file by file, over nothing that is there, and delete the source once all of it has arrived."""
        # The newest version comes first, so that a table has its head from the start under its new name; and goes last under the old one.
        files = sorted((path for path, _ in self.walk(source)), key=lambda path: (len(path), path), reverse=True)
        if not files:
            raise trouble(FileNotFoundError(source), url=self.url, path=source, doing="move")
        copied: list[str] = []
        try:
            for path in files:
                new_path = f"{target}{path.removeprefix(source)}"
                self._put_new(new_path, self.read(path))
                copied.append(new_path)
        except SchemaError:
            for path in copied:
                self.delete(path)
            raise
        for path in reversed(files):
            self.delete(path)
        self._move_late(source, target)
        if self._means is not Means.CONDITION:  # where folders stay when they are empty
            self.delete_folder(source)

    def _move_late(self, source: str, target: str) -> None:
        """Move what was written to the source while it was copied: after this nobody writes there who looks whether the table is there."""
        for path, _ in list(self.walk(source)):
            with suppress(NotThereError):  # its writer has noticed, and deleted it
                self._put_new(f"{target}{path.removeprefix(source)}", self.read(path))
                self.delete(path)

    def _put_new(self, path: str, data: bytes) -> None:
        """Write a file that must not be there, as far as the storage can tell."""
        if self._means is Means.NONE:
            self.put(path, data)
            return
        self.count.add(puts=1)
        try:
            self._create(path, data)
        except (PathTaken, OutcomeUnclear) as error:
            raise trouble(FileExistsError(path), url=self.url, path=path, doing="move") from error

    def make_folder(self, folder: str) -> None:
        """Make a folder, where the storage has such things."""
        if self._means is not Means.CONDITION:
            full_path = self.at(folder)
            self._call(lambda: self.fs.makedirs(full_path, exist_ok=True), folder, "make")

    def sweep(self, folder: str) -> None:
        """Do nothing: where a write is one request, killed writers leave nothing behind."""


def _read_file_entry(path: str, info: Info) -> ListingEntry | None:
    """Return the entry of a path in a listing of many folders; None for what stands for a folder."""
    if path.endswith("/"):
        return None
    return listings.read_entry(info, path.rpartition("/")[0])
