"""What the files of a store say, for as long as one judgement lives: nothing is asked twice, and what is foreseen is asked at once.

A snapshot is made when a judgement begins, is handed down, and goes with it: no answer rests on a listing that is older than
the judgement. Whoever writes through it ends it: what is asked after a write is asked of the storage.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple, Self

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.storage.errors import trouble
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Count, Files, ListingEntry, Page, Parent, tried
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.object_storage import RemoteFiles
from airflow_provider_schemas.store.storage.requests_at_once import FarRequest, answers

Key = tuple[int, str, str]
"""The files that are asked, what kind of request it is, and the path."""


class ForeseenRequest(NamedTuple):
    """One request that is foreseen."""

    files: "SnapshotFiles"
    kind: str
    """list, walk or read"""
    path: str
    limit: int = MAX_BYTES

    @property
    def is_answered(self) -> bool:
        """Whether it need not be made any more."""
        return self.files.knows(self.kind, self.path)


def make_all(requests: Iterable[ForeseenRequest], at_once: int) -> None:
    """Ask them at once. What goes wrong is told to whoever relies on the answer."""
    begun = [(one, answer) for one in requests if (answer := one.files.begin(one.kind, one.path)) is not None]
    try:
        told = answers([FarRequest(one.files.live, one.kind, one.path, one.limit) for one, _ in begun], at_once)
        for (one, answer), tell in zip(begun, told, strict=True):
            one.files.settle(one.kind, one.path, answer, tell)
    finally:
        for one, answer in begun:
            one.files.drop(one.kind, one.path, answer)


class Snapshot:
    """The answers of one judgement, over all roots."""

    def __init__(self) -> None:
        self._answers: dict[Key, Future[Any]] = {}
        self._lock = threading.Lock()
        self.ended = False

    def branch(self) -> "Snapshot":
        """The same answers for a part of the judgement that may write: its end is not the end of the others."""
        other = Snapshot()
        other._answers, other._lock, other.ended = self._answers, self._lock, self.ended
        return other

    def answer(self, key: Key, ask: Callable[[], Any]) -> Any:
        """The answer; asked by whoever comes first, for whom all others wait."""
        answer, mine = self.begin(key)
        if mine:
            self.settle(key, answer, ask)
        return answer.result()

    def begin(self, key: Key) -> "tuple[Future[Any], bool]":
        """Return the answer, and whether the caller is who asks for it."""
        with self._lock:
            known = self._answers.get(key)
            answer: Future[Any] = Future() if known is None else known
            self._answers[key] = answer
        return answer, known is None

    def settle(self, key: Key, answer: "Future[Any]", ask: Callable[[], Any]) -> None:
        """Ask, and let everybody have what comes of it."""
        try:
            answer.set_result(ask())
        except SchemaError as error:
            if isinstance(error, NotThereError):  # the next one looks again
                self.forget(key)
            answer.set_exception(error)
        finally:
            self.drop(key, answer)

    def drop(self, key: Key, answer: "Future[Any]") -> None:
        """Have it asked anew where it did not come: after a fault of ours, or an interruption, nobody waits for it."""
        if not answer.done():
            self.forget(key)
            answer.cancel()

    def known(self, key: Key) -> "Future[Any] | None":
        """The answer, if it is there."""
        found = self._answers.get(key)
        return found if found is not None and found.done() else None

    def forget(self, *keys: Key) -> None:
        """Have it asked anew."""
        with self._lock:
            for key in keys:
                self._answers.pop(key, None)


class _Listing(NamedTuple):
    """What lies in a folder."""

    entries: tuple[ListingEntry, ...]
    folders: frozenset[str]

    @classmethod
    def of(cls, entries: Iterable[ListingEntry]) -> Self:
        there = tuple(entries)
        return cls(there, frozenset(one.name for one in there if one.folder))


class SnapshotFiles:
    """The files of one root in a snapshot."""

    def __init__(self, files: Files, snapshot: Snapshot) -> None:
        self.live, self.snapshot = files, snapshot
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
        """Whether each request takes its time, so that what is foreseen is better asked at once."""
        return self._exact

    def connect(self) -> None:
        """Make the connection before many threads ask."""
        if isinstance(self.live, RemoteFiles):
            self.live.connect()

    def within(self, snapshot: Snapshot) -> Self:
        """The same root in another snapshot."""
        return type(self)(self.live, snapshot)

    def check_root(self) -> None:
        self.live.check_root()

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        if self._is_absent(folder):
            return []
        found: _Listing = self._answer("list", folder, lambda: _Listing.of(self.live.list(folder)))
        return [*found.entries]

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
        return data if len(data) <= limit else self.live.read(path, limit)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        return self.live.read_part(path, start, end)

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        wanted = dict.fromkeys(paths)
        missing = [path for path in wanted if not self.knows("read", path)]
        found = dict(self.live.read_many(missing, limit))
        for path, data in found.items():
            if isinstance(data, NotThereError):
                self._forget_around(path)
            elif isinstance(data, bytes):
                self._answer("read", path, lambda data=data: data)  # type: ignore[misc]  # bound now
        return {path: found[path] if path in found else tried(self, path, limit) for path in wanted}

    def exists(self, path: str) -> bool:
        return self.live.exists(path)

    # ------------------------------------------------------------ asking many at once

    def begin(self, kind: str, path: str) -> "Future[Any] | None":
        """Return where the answer to a request goes; None where nobody needs to ask."""
        if self.snapshot.ended:
            return None
        answer, mine = self.snapshot.begin(self._key(kind, path))
        return answer if mine else None

    def settle(self, kind: str, path: str, answer: "Future[Any]", tell: Callable[[], Any]) -> None:
        """Keep what was told."""
        shaped = (lambda: _Listing.of(tell())) if kind == "list" else tell
        self.snapshot.settle(self._key(kind, path), answer, shaped)
        if kind == "read" and isinstance(answer.exception(), NotThereError):
            self._forget_around(path)

    def drop(self, kind: str, path: str, answer: "Future[Any]") -> None:
        """Have it asked anew, where nothing was told."""
        self.snapshot.drop(self._key(kind, path), answer)

    def page(self, folder: str, after: str = "", following: str = "") -> Page | None:
        """A page of all that lies below a folder; None where there are no pages, and where nothing is kept any more."""
        return self.live.page(folder, after, following) if isinstance(self.live, RemoteFiles) and not self.snapshot.ended else None

    def learn(self, folder: str, entries: Iterable[ListingEntry]) -> None:
        """Keep what lies in a folder, as pages say that were asked just now."""
        answer = self.begin("list", folder)
        if answer is not None:
            self.settle("list", folder, answer, lambda: entries)

    # ------------------------------------------------------------ what is known

    def knows(self, kind: str, path: str) -> bool:
        """Whether a request need not be made any more."""
        nothing = self._is_unlisted if kind == "read" else self._is_absent
        return self._known(kind, path) is not None or nothing(path)

    def listed(self, folder: str) -> tuple[ListingEntry, ...] | None:
        """What lies in a folder, as far as that is known."""
        if self._is_absent(folder):
            return ()
        found: _Listing | None = self._result("list", folder)
        return None if found is None else found.entries

    def folders_in(self, folder: str) -> frozenset[str] | None:
        """The names of the folders in it, likewise."""
        found: _Listing | None = self._result("list", folder)
        return None if found is None else found.folders

    def walked(self, folder: str) -> tuple[tuple[str, ListingEntry], ...] | None:
        """What lies below a folder, likewise."""
        if self._is_absent(folder):
            return ()
        found: tuple[tuple[str, ListingEntry], ...] | None = self._result("walk", folder)
        return found

    def bytes_read(self, path: str) -> bytes | None:
        """What is in a file, likewise."""
        found: bytes | None = self._result("read", path)
        return found

    def _result(self, kind: str, path: str) -> Any:
        found = self._known(kind, path)
        return None if found is None or found.exception() is not None else found.result()

    def _known(self, kind: str, path: str) -> "Future[Any] | None":
        return None if self.snapshot.ended else self.snapshot.known(self._key(kind, path))

    def _key(self, kind: str, path: str) -> Key:
        return (id(self.live), kind, path)

    def _answer(self, kind: str, path: str, ask: Callable[[], Any]) -> Any:
        if self.snapshot.ended:
            return ask()
        return self.snapshot.answer(self._key(kind, path), ask)

    def _is_absent(self, folder: str) -> bool:
        """Whether the listing of a folder above shows that there is none; on disks the names of folders may not be as they are written."""
        inside = folder
        while self._exact and inside:
            inside, _, name = inside.rpartition("/")
            above: _Listing | None = self._result("list", inside)
            if above is not None and name not in above.folders:
                return True
        return False

    def _is_unlisted(self, path: str) -> bool:
        """Whether the listing of its folder shows that there is no such file, likewise."""
        folder, _, name = path.rpartition("/")
        listed = self.listed(folder) if self._exact else None
        return listed is not None and all(one.name != name for one in listed)

    def _forget_around(self, path: str) -> None:
        """Have folders listed anew in which a file was seen that is not there any more."""
        inside, _, name = path.rpartition("/")
        if any(one.name == name for one in self.listed(inside) or ()):
            self.snapshot.forget(self._key("list", inside))
        parts = inside.split("/")
        for above in ("/".join(parts[:many]) for many in range(len(parts) + 1)):
            if any(below == path for below, _ in self.walked(above) or ()):
                self.snapshot.forget(self._key("walk", above))

    # ------------------------------------------------------------ writing

    def _writing(self) -> Files:
        self.snapshot.ended = True
        return self.live

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        self._writing().create(path, data, parent)

    def refuses(self, path: str, data: bytes) -> bool:
        return self._writing().refuses(path, data)

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:
        self._writing().put(path, data, make_folder=make_folder)

    def delete(self, path: str) -> None:
        self._writing().delete(path)

    def delete_folder(self, folder: str) -> bool:
        return self._writing().delete_folder(folder)

    def move_folder(self, source: str, target: str) -> None:
        self._writing().move_folder(source, target)

    def make_folder(self, folder: str) -> None:
        self._writing().make_folder(folder)

    def sweep(self, folder: str) -> None:
        self._writing().sweep(folder)


def live(files: Files) -> Files:
    """The files as the storage has them now, for whoever asks again on purpose."""
    return files.live if isinstance(files, SnapshotFiles) else files
