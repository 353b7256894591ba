"""The answers of storages during one judgement: no request is made twice, and requests that are foreseen are made at once.

A snapshot is made when a judgement begins, is handed down, and goes with it: no answer rests on a listing that is older than the judgement.
The first write through a snapshot ends it: after a write every request goes to the storage.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple, Self

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.storage.errors import trouble
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Count, Files, ListingEntry, Page, Parent, tried
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from airflow_provider_schemas.store.storage.requests_at_once import FarRequest, answers

Key = tuple[int, str, str]
"""The files that are asked, the kind of request, and the path."""


class ForeseenRequest(NamedTuple):
    """A request that a judgement will make."""

    files: "SnapshotFiles"
    kind: str
    """list, walk or read"""
    path: str
    limit: int = MAX_BYTES

    @property
    def is_answered(self) -> bool:
        """Whether the answer is known already."""
        return self.files.knows(self.kind, self.path)


def make_all(requests: Iterable[ForeseenRequest], at_once: int) -> None:
    """Make requests at once, and keep their answers. An error is raised where the judgement asks for that answer."""
    begun = [(request, future) for request in requests if (future := request.files.begin(request.kind, request.path)) is not None]
    try:
        far_requests = [FarRequest(request.files.live, request.kind, request.path, request.limit) for request, _ in begun]
        for (request, future), answer in zip(begun, answers(far_requests, at_once), strict=True):
            request.files.settle(request.kind, request.path, future, answer)
    finally:
        for request, future in begun:
            request.files.drop(request.kind, request.path, future)


class Snapshot:
    """The answers of one judgement, from all roots."""

    def __init__(self) -> None:
        self._answers: dict[Key, Future[Any]] = {}
        self._lock = threading.Lock()
        self.ended = False

    def branch(self) -> "Snapshot":
        """Return a snapshot with the same answers, for a part of the judgement that may write: its end is not the end of the others."""
        branch = Snapshot()
        branch._answers = self._answers
        branch._lock = self._lock
        branch.ended = self.ended
        return branch

    def answer(self, key: Key, ask: Callable[[], Any]) -> Any:
        """Return the answer. The first caller asks for it, and all others wait for that caller."""
        future, is_first = self.begin(key)
        if is_first:
            self.settle(key, future, ask)
        return future.result()

    def begin(self, key: Key) -> "tuple[Future[Any], bool]":
        """Return the future of an answer, and whether the caller has to ask for it."""
        with self._lock:
            known = self._answers.get(key)
            future: Future[Any] = Future() if known is None else known
            self._answers[key] = future
        return future, known is None

    def settle(self, key: Key, future: "Future[Any]", ask: Callable[[], Any]) -> None:
        """Ask, and give the answer or the error to everybody who waits."""
        try:
            future.set_result(ask())
        except SchemaError as error:
            if isinstance(error, NotThereError):  # the next caller looks again
                self.forget(key)
            future.set_exception(error)
        finally:
            self.drop(key, future)

    def drop(self, key: Key, future: "Future[Any]") -> None:
        """Forget an answer that did not come, after a fault of ours or an interruption, so that nobody waits for it."""
        if not future.done():
            self.forget(key)
            future.cancel()

    def known(self, key: Key) -> "Future[Any] | None":
        """Return the future of an answer that is there."""
        future = self._answers.get(key)
        return future if future is not None and future.done() else None

    def forget(self, *keys: Key) -> None:
        """Forget answers, so that the next caller asks anew."""
        with self._lock:
            for key in keys:
                self._answers.pop(key, None)


class _Listing(NamedTuple):
    """The entries of a folder, and which of them are folders."""

    entries: tuple[ListingEntry, ...]
    folders: frozenset[str]

    @classmethod
    def of(cls, entries: Iterable[ListingEntry]) -> Self:
        """Return the listing with these entries."""
        kept = tuple(entries)
        return cls(kept, frozenset(entry.name for entry in kept if entry.folder))


class SnapshotFiles:
    """The files of one root in a snapshot."""

    def __init__(self, files: Files, snapshot: Snapshot) -> None:
        self.live = files
        self.snapshot = snapshot
        self._exact = guarantee(files.protocol).means is Means.CONDITION

    def __repr__(self) -> str:
        return f"SnapshotFiles({self.live!r})"

    @property
    def url(self) -> str:
        return self.live.url

    @property
    def identity(self) -> str:
        return self.live.identity

    @property
    def protocol(self) -> str:
        return self.live.protocol

    @property
    def count(self) -> Count:
        return self.live.count

    @property
    def at_once(self) -> int:
        return self.live.at_once

    @property
    def is_far(self) -> bool:
        """Whether each request takes long, so that foreseen requests are better made at once."""
        return self._exact

    def connect(self) -> None:
        """Make the connection before many threads ask."""
        if isinstance(self.live, RemoteFiles):
            self.live.connect()

    def within(self, snapshot: Snapshot) -> Self:
        """Return the same root in another snapshot."""
        return type(self)(self.live, snapshot)

    def check_root(self) -> None:
        self.live.check_root()

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        if self._is_absent(folder):
            return []
        listing: _Listing = self._answer("list", folder, lambda: _Listing.of(self.live.list(folder)))
        return [*listing.entries]

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        if not self._is_absent(folder):
            yield from self._answer("walk", folder, lambda: tuple(self.live.walk(folder)))

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        if self._is_unlisted(path):
            raise trouble(FileNotFoundError(path), url=self.url, path=path, doing="read")
        try:
            data: bytes = self._answer("read", path, lambda: self.live.read(path, limit))
        except NotThereError:
            self._forget_around(path)
            raise
        if len(data) > limit:
            return self.live.read(path, limit)
        return data

    def read_part(self, path: str, start: int, end: int) -> bytes:
        return self.live.read_part(path, start, end)

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        wanted = dict.fromkeys(paths)
        missing = [path for path in wanted if not self.knows("read", path)]
        contents = dict(self.live.read_many(missing, limit))
        for path, data in contents.items():
            if isinstance(data, NotThereError):
                self._forget_around(path)
            elif isinstance(data, bytes):
                self._answer("read", path, lambda data=data: data)  # type: ignore[misc]  # bound now
        return {path: contents[path] if path in contents else tried(self, path, limit) for path in wanted}

    def exists(self, path: str) -> bool:
        return self.live.exists(path)

    # ------------------------------------------------------------ asking many at once

    def begin(self, kind: str, path: str) -> "Future[Any] | None":
        """Return the future of the answer to a request; None where nobody needs to ask."""
        if self.snapshot.ended:
            return None
        future, is_first = self.snapshot.begin(self._key(kind, path))
        return future if is_first else None

    def settle(self, kind: str, path: str, future: "Future[Any]", answer: Callable[[], Any]) -> None:
        """Keep the answer to a request, or the error that it raises."""
        shaped = (lambda: _Listing.of(answer())) if kind == "list" else answer
        self.snapshot.settle(self._key(kind, path), future, shaped)
        if kind == "read" and isinstance(future.exception(), NotThereError):
            self._forget_around(path)

    def drop(self, kind: str, path: str, future: "Future[Any]") -> None:
        """Forget the answer to a request, where none came."""
        self.snapshot.drop(self._key(kind, path), future)

    def page(self, folder: str, after: str = "", following: str = "") -> Page | None:
        """Return a page of all that lies below a folder; None where there are no pages, and where the snapshot has ended."""
        if not isinstance(self.live, RemoteFiles) or self.snapshot.ended:
            return None
        return self.live.page(folder, after, following)

    def learn(self, folder: str, entries: Iterable[ListingEntry]) -> None:
        """Keep the listing of a folder, as pages tell it that were listed just now."""
        future = self.begin("list", folder)
        if future is not None:
            self.settle("list", folder, future, lambda: entries)

    # ------------------------------------------------------------ what is known

    def knows(self, kind: str, path: str) -> bool:
        """Return whether the answer to a request is known, also from the listing of a folder above."""
        if self._known(kind, path) is not None:
            return True
        if kind == "read":
            return self._is_unlisted(path)
        return self._is_absent(path)

    def listed(self, folder: str) -> tuple[ListingEntry, ...] | None:
        """Return what lies in a folder, if that is known."""
        if self._is_absent(folder):
            return ()
        listing: _Listing | None = self._result("list", folder)
        return None if listing is None else listing.entries

    def folders_in(self, folder: str) -> frozenset[str] | None:
        """Return the names of the folders in a folder, if they are known."""
        listing: _Listing | None = self._result("list", folder)
        return None if listing is None else listing.folders

    def walked(self, folder: str) -> tuple[tuple[str, ListingEntry], ...] | None:
        """Return all files below a folder, if they are known."""
        if self._is_absent(folder):
            return ()
        files: tuple[tuple[str, ListingEntry], ...] | None = self._result("walk", folder)
        return files

    def bytes_read(self, path: str) -> bytes | None:
        """Return the bytes of a file, if they are known."""
        data: bytes | None = self._result("read", path)
        return data

    def _result(self, kind: str, path: str) -> Any:
        future = self._known(kind, path)
        if future is None or future.exception() is not None:
            return None
        return future.result()

    def _known(self, kind: str, path: str) -> "Future[Any] | None":
        if self.snapshot.ended:
            return None
        return self.snapshot.known(self._key(kind, path))

    def _key(self, kind: str, path: str) -> Key:
        return (id(self.live), kind, path)

    def _answer(self, kind: str, path: str, ask: Callable[[], Any]) -> Any:
        if self.snapshot.ended:
            return ask()
        return self.snapshot.answer(self._key(kind, path), ask)

    def _is_absent(self, folder: str) -> bool:
        """Return whether the listing of a folder above shows that there is no such folder. Disks may know it under another spelling."""
        inside = folder
        while self._exact and inside:
            inside, _, name = inside.rpartition("/")
            above: _Listing | None = self._result("list", inside)
            if above is not None and name not in above.folders:
                return True
        return False

    def _is_unlisted(self, path: str) -> bool:
        """Return whether the listing of its folder shows that there is no such file, likewise."""
        if not self._exact:
            return False
        folder, _, name = path.rpartition("/")
        listed = self.listed(folder)
        return listed is not None and all(entry.name != name for entry in listed)

    def _forget_around(self, path: str) -> None:
        """Forget the listings of folders in which a file was seen that is not there any more."""
        inside, _, name = path.rpartition("/")
        if any(entry.name == name for entry in self.listed(inside) or ()):
            self.snapshot.forget(self._key("list", inside))
        parts = inside.split("/")
        for depth in range(len(parts) + 1):
            folder = "/".join(parts[:depth])
            if any(file == path for file, _ in self.walked(folder) or ()):
                self.snapshot.forget(self._key("walk", folder))

    # ------------------------------------------------------------ writing

    def _end(self) -> Files:
        """End the snapshot, and return the files for a write."""
        self.snapshot.ended = True
        return self.live

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        self._end().create(path, data, parent)

    def refuses(self, path: str, data: bytes) -> bool:
        return self._end().refuses(path, data)

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:
        self._end().put(path, data, make_folder=make_folder)

    def delete(self, path: str) -> None:
        self._end().delete(path)

    def delete_folder(self, folder: str) -> bool:
        return self._end().delete_folder(folder)

    def move_folder(self, source: str, target: str) -> None:
        self._end().move_folder(source, target)

    def make_folder(self, folder: str) -> None:
        self._end().make_folder(folder)

    def sweep(self, folder: str) -> None:
        self._end().sweep(folder)


def live(files: Files) -> Files:
    """Return the files as the storage has them now, for who asks again on purpose."""
    return files.live if isinstance(files, SnapshotFiles) else files
