"""Files on any storage that fsspec reaches: object stores, memory, and whatever else is installed.

Nothing is taken from a cache of listings, and a process that was forked opens the storage anew, since no
connection survives a fork. Threads share the connections.
"""

import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from glob import has_magic
from os import PathLike
from typing import Any, TypeVar

from airflow_provider_schemas.core.common.secrets import without_passwords
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.common.data_location import with_small_scheme
from airflow_provider_schemas.store.storage import client_retries, commit_steps, listings
from airflow_provider_schemas.store.storage.error_kinds import was_refused
from airflow_provider_schemas.store.storage.errors import is_bucket_missing, is_taken, is_unclear, trouble
from airflow_provider_schemas.store.storage.files import (
    AT_ONCE,
    MAX_BYTES,
    Count,
    Files,
    Gone,
    ListingEntry,
    OutcomeUnclear,
    Page,
    Parent,
    PathTaken,
    tried,
)
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee, one_name
from airflow_provider_schemas.store.storage.local import LocalFiles, within

_AT_ONCE_ELSEWHERE = 16
_EMPTY = ("416", "InvalidRange", "range")

# What is left of s3://bucket where somebody made a path of it.
_LOST_SLASH = re.compile(r"[a-z][a-z0-9+]+:/(?!/)")

_NOT_MADE: tuple[int, Any, str] = (-1, None, "")

T = TypeVar("T")

Entries = list[ListingEntry]
"""The name means a method in the class below."""

Ask = Callable[[Any, str], Iterable[listings.Info]]
"""How a filesystem is asked for what lies at a path."""

# One for all roots in memory of a process: they share one space of names. A lock that was held at a fork is of no use to the child.
_MEMORY_LOCKS = {os.getpid(): threading.RLock()}


def _memory_lock() -> AbstractContextManager[object]:
    return _MEMORY_LOCKS.setdefault(os.getpid(), threading.RLock())


class RemoteFiles:
    """The files below an address."""

    def __init__(self, make: Callable[[], tuple[Any, str]], protocol: str, url: str, endpoint: str = "", *, at_once: int = AT_ONCE) -> None:
        self._make, self._made = make, _NOT_MADE
        far = guarantee(protocol).means is Means.CONDITION
        self.at_once = at_once if far else min(at_once, _AT_ONCE_ELSEWHERE)
        self.identity = f"{url}#{endpoint}"
        self.url, self.protocol = url, one_name(protocol)
        self.count = Count()

    def __repr__(self) -> str:
        return f"RemoteFiles({self.url!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": _NOT_MADE, "count": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.count = Count()

    def _opened(self) -> tuple[int, Any, str]:
        """The process, its filesystem, and the path of the root there."""
        made = self._made
        if made[0] != os.getpid():
            fs, root = self._make()
            made = self._made = (os.getpid(), fs, root.rstrip("/"))
        return made

    @property
    def fs(self) -> Any:
        """The filesystem of this process."""
        return self._opened()[1]

    @property
    def root(self) -> str:
        """The path of the root, as the filesystem writes it."""
        return self._opened()[2]

    def connect(self) -> None:
        """Make the connection before many threads ask: each of them would make one. What is in the way is told by what is asked."""
        with suppress(Exception):
            made = getattr(self.fs, "connect", None) if self.protocol == "s3" else None
            if made is not None:
                made()

    def at(self, path: str) -> str:
        """A path as the filesystem writes it."""
        return f"{self.root}/{path}" if path else self.root

    def _asked(self, call: Callable[[], Any], path: str, doing: str) -> Any:
        """The answer of the storage; what went wrong comes out as one of our errors."""
        try:
            return call()
        except SchemaError:
            raise
        except Exception as error:
            raise trouble(error, url=self.url, path=path, doing=doing) from error

    # ------------------------------------------------------------ the root

    def check_root(self) -> None:
        """Nothing to look for: a prefix needs no folder, and each request tells that a bucket is missing."""

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        return self.list_by(folder, listings.inside)

    def list_by(self, folder: str, ask: Ask) -> Entries:
        """What lies in the folder, where the filesystem is asked in this way."""
        self.count.add(lists=1)
        at = self.at(folder)
        found = [one for info in self._listed(ask, folder) if (one := listings.entry(info, at)) is not None]
        return list({(one.name, one.folder): one for one in found}.values())  # a folder with a blob that stands for it comes twice

    def _listed(self, ask: Callable[[Any, str], Iterable[T]], folder: str) -> Iterable[T]:
        """The answer to a listing; nothing, where there is no such folder."""

        def call() -> Iterable[T]:
            try:
                return ask(self.fs, self.at(folder))
            except FileNotFoundError as error:
                if is_bucket_missing(error) or was_refused(error):  # a listing of nothing is empty, and no error of the service
                    raise
            except NotADirectoryError:
                pass
            return []

        found: Iterable[T] = self._asked(call, folder, "list")
        return found

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        yield from self.walk_by(folder, listings.below)

    def walk_by(self, folder: str, ask: Ask) -> Iterator[tuple[str, ListingEntry]]:
        """Every file below the folder, likewise."""
        self.count.add(lists=1)
        paths = {str(info["name"]): info for info in self._listed(ask, folder)}
        for path in sorted(paths):
            one = None if path.endswith("/") else listings.entry(paths[path], path.rpartition("/")[0])
            if one is not None and not one.folder:
                yield self._relative(path), one

    def page(self, folder: str, after: str = "", following: str = "") -> Page | None:
        """A page of all that lies below the folder, of paths after one, or what follows a page; None where there are no pages."""
        start = self.at(after) if after else ""
        pages = self._listed(lambda fs, at: [listings.page(fs, at, start, following)], folder)
        raw = next(iter(pages), listings.RawPage([], ""))
        if raw is None:
            return None
        self.count.add(lists=1)
        files: list[tuple[str, ListingEntry]] = []
        for info in raw.infos:
            path = str(info["name"])
            entry = None if path.endswith("/") else listings.entry(info, path.rpartition("/")[0])
            files += [(self._relative(path), entry)] if entry is not None else []
        return Page(tuple(files), raw.following, len(files) < len(raw.infos))

    def _relative(self, path: str) -> str:
        path = path.removeprefix("/") if not self.root.startswith("/") else path
        return path.removeprefix(f"{self.root}/")

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        return self.read_by(path, limit, lambda fs, at: fs.cat_file(at, start=0, end=limit + 1))

    def read_by(self, path: str, limit: int, ask: Callable[[Any, str], bytes]) -> bytes:
        """The whole file, likewise: no more of it than one byte over the limit is asked for."""
        self.count.add(gets=1)
        data: bytes = self._asked(lambda: self._bytes(self.at(path), ask), path, "read")
        return within(data, limit, path, self.url)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        self.count.add(gets=1)
        data: bytes = self._asked(lambda: self.fs.cat_file(self.at(path), start=start, end=end), path, "read")
        return data

    def _bytes(self, path: str, ask: Callable[[Any, str], bytes]) -> bytes:
        try:
            return ask(self.fs, path)
        except FileNotFoundError:
            raise
        except Exception as error:
            if any(word in str(error) for word in _EMPTY) and self.fs.info(path).get("size") == 0:
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
        at = self.at(path)
        self.fs.invalidate_cache(at)
        return bool(self._asked(lambda: self._is_there(at), path, "look for"))

    def _is_there(self, path: str) -> bool:
        """Libraries differ in what they take for a no when asked whether something exists: some, that they were not answered."""
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
        with self._at_once():
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
        """Taken if somebody else was first; Gone if the table is not the one that the parent is of."""
        if parent is None or parent.is_in(self):
            return
        if self.exists(path):
            raise PathTaken(path)
        raise Gone(path)

    def _at_once(self) -> AbstractContextManager[object]:
        """Keep all other writers of this process waiting, where that is what the storage promises."""
        return _memory_lock() if guarantee(self.protocol).means is Means.LOCK else nullcontext()

    def _create(self, path: str, data: bytes) -> None:
        try:
            if guarantee(self.protocol).means is Means.LOCK:
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
        at = self.at(path)
        self._asked(lambda: self._put(at, data), path, "write")

    def _put(self, path: str, data: bytes) -> None:
        if guarantee(self.protocol).means is Means.NONE:  # a storage with real folders, as far as anybody knows
            self.fs.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.fs.pipe_file(path, data)

    def delete(self, path: str) -> None:
        self.count.add(puts=1)
        at = self.at(path)
        self._asked(lambda: self._gone(lambda: self.fs.rm_file(at)), path, "delete")

    def delete_folder(self, folder: str) -> bool:
        self.count.add(puts=1)
        at = self.at(folder)
        self.fs.invalidate_cache(at)
        with self._at_once():
            return bool(self._asked(lambda: self._gone(lambda: self._delete_all(at)), folder, "delete"))

    def _delete_all(self, path: str) -> None:
        if not has_magic(path):
            self.fs.rm(path, recursive=True)
            return
        # The library would take the name for a pattern, and delete whatever fits it.
        found = self.fs.find(path, detail=True, withdirs=guarantee(self.protocol).means is not Means.CONDITION)
        for one in sorted(found, reverse=True):
            (self.fs.rmdir if found[one]["type"] == "directory" else self.fs.rm_file)(one)

    def _gone(self, call: Callable[[], Any]) -> bool:
        """Whether there was anything to take away."""
        try:
            call()
        except FileNotFoundError as error:
            if is_bucket_missing(error):
                raise
            return False
        return True

    def move_folder(self, source: str, target: str) -> None:
        with self._at_once():
            self._move_folder(source, target)

    def _move_folder(self, source: str, target: str) -> None:
        """Copy file by file, over nothing that is there, and delete what was copied once all of it has arrived."""
        # The newest version first, so that a table has its head from the start under its new name; and last under the old one.
        files = sorted((path for path, _ in self.walk(source)), key=lambda path: (len(path), path), reverse=True)
        if not files:
            raise trouble(FileNotFoundError(source), url=self.url, path=source, doing="move")
        copied: list[str] = []
        try:
            for path in files:
                there = f"{target}{path.removeprefix(source)}"
                self._put_new(there, self.read(path))
                copied.append(there)
        except SchemaError:
            for path in copied:
                self.delete(path)
            raise
        for path in reversed(files):
            self.delete(path)
        self._move_late(source, target)
        if guarantee(self.protocol).means is not Means.CONDITION:  # where folders stay when they are empty
            self.delete_folder(source)

    def _move_late(self, source: str, target: str) -> None:
        """Move what was written to the source while it was copied: after this nobody writes there who looks whether the table is there."""
        for path, _ in list(self.walk(source)):
            with suppress(NotThereError):  # its writer has seen it, and took it back
                self._put_new(f"{target}{path.removeprefix(source)}", self.read(path))
                self.delete(path)

    def _put_new(self, path: str, data: bytes) -> None:
        """Write a file that must not be there, as far as the storage can tell."""
        if guarantee(self.protocol).means is Means.NONE:
            self.put(path, data)
            return
        self.count.add(puts=1)
        try:
            self._create(path, data)
        except (PathTaken, OutcomeUnclear) as error:
            raise trouble(FileExistsError(path), url=self.url, path=path, doing="move") from error

    def make_folder(self, folder: str) -> None:
        """Make a folder, where the storage has such things."""
        at = self.at(folder)
        if guarantee(self.protocol).means is not Means.CONDITION:
            self._asked(lambda: self.fs.makedirs(at, exist_ok=True), folder, "make")

    def sweep(self, folder: str) -> None:
        """Nothing is left behind where a write is one request."""


# ---------------------------------------------------------------- opening


def open_files(
    url: str | PathLike[str], *, storage_options: Mapping[str, Any] | None = None, fs: Any = None, at_once: int = AT_ONCE
) -> Files:
    """The files below an address: a path, a URL of fsspec with its options, or a path on a filesystem that is handed in."""
    text = os.fspath(url) if isinstance(url, os.PathLike) else url
    if not isinstance(text, str) or not text.strip():  # type: ignore[redundant-expr]  # not every caller has its types checked
        raise StorageError("an address of a store is a text that is not empty.", code="storage.no-address", fix="Pass a path or a URL.")
    shown = without_passwords(text)
    if storage_options is not None and not isinstance(storage_options, Mapping):
        message = f"a {type(storage_options).__name__} is no options of a storage."
        raise StorageError(message, code="storage.no-options", path="storage_options", fix="Pass a mapping, as fsspec takes it.")
    if fs is not None:
        return _handed_in(fs, text, shown, at_once)
    text = with_small_scheme(text)
    protocol, mark, rest = text.partition("://")
    if not mark and _LOST_SLASH.match(text):
        fix = "Pass the address as text: a path of pathlib keeps one slash of two."
        raise StorageError(f"{shown} is a URL with one slash.", code="storage.no-address", path=shown, fix=fix)
    if not mark or one_name(protocol) == "file":
        return LocalFiles(rest if mark else text)
    options = dict(storage_options or {})
    return RemoteFiles(partial(_filesystem, text, shown, options, at_once), protocol, shown, _endpoint(options), at_once=at_once)


def open_root(
    url: str | PathLike[str], *, storage_options: Mapping[str, Any] | None = None, fs: Any = None, at_once: int = AT_ONCE
) -> Files:
    """The same for a root of a store: if its folder is not there, that is an error, and no empty store."""
    files = open_files(url, storage_options=storage_options, fs=fs, at_once=at_once)
    return LocalFiles(files.root, home=files.root) if isinstance(files, LocalFiles) else files


def folder_of(files: Files, name: str) -> Files:
    """A folder as a root of its own, with the connections of the one that it lies in."""
    if isinstance(files, LocalFiles):
        return LocalFiles(f"{files.root.rstrip('/')}/{name}", home=files.home)
    if not isinstance(files, RemoteFiles):
        raise TypeError(f"{type(files).__name__} are no files of ours")
    endpoint = files.identity.rpartition("#")[2]
    url = f"{files.url.rstrip('/')}/{name}"
    return RemoteFiles(partial(_within, files, name), files.protocol, url, endpoint, at_once=files.at_once)


def _within(files: RemoteFiles, name: str) -> tuple[Any, str]:
    return files.fs, f"{files.root}/{name}"


def _endpoint(options: Mapping[str, Any]) -> str:
    """What tells options from others, without telling what they are."""
    return hashlib.sha256(repr(sorted((str(key), repr(value)) for key, value in options.items())).encode()).hexdigest()


def _filesystem(url: str, shown: str, options: Mapping[str, Any], at_once: int) -> tuple[Any, str]:
    import fsspec.core

    protocol, _, rest = url.partition("://")
    url = f"s3://{rest}" if one_name(protocol) == "s3" else url
    try:
        fs, path = fsspec.core.url_to_fs(url, **{**client_retries.with_patience(protocol, options, at_once), "skip_instance_cache": True})
    except Exception as error:
        raise trouble(error, url=shown, path="", doing="open") from error
    return client_retries.settled(fs, protocol, options), str(path)


def _handed_in(fs: Any, url: str, shown: str, at_once: int) -> Files:
    if not hasattr(fs, "protocol") or not hasattr(fs, "pipe_file"):
        fix = "Pass a filesystem of fsspec, such as fsspec.filesystem('memory')."
        raise StorageError(f"a {type(fs).__name__} is no filesystem.", code="storage.no-filesystem", path="fs", fix=fix)
    protocols = (fs.protocol,) if isinstance(fs.protocol, str) else tuple(fs.protocol)
    path = str(fs._strip_protocol(url))
    if one_name(protocols[0]) == "file":
        return LocalFiles(path)
    endpoint = f"{id(fs)}-{getattr(fs, '_fs_token', '')}"
    return RemoteFiles(partial(_of_this_process, fs, os.getpid(), path), protocols[0], shown, endpoint, at_once=at_once)


def _of_this_process(fs: Any, pid: int, path: str) -> tuple[Any, str]:
    """The filesystem as it was handed in, or one like it after a fork."""
    if pid == os.getpid():
        return fs, path
    return type(fs)(*fs.storage_args, **{**fs.storage_options, "skip_instance_cache": True}), path
