"""Files that are read from a root and written into memory: what a write would do is seen, and the storage gets none.

A rehearsal makes the same requests as the real thing, in the same order, so it is refused where that would be refused. What only the
storage can answer, whether it keeps its promise about new files, is not asked and not claimed.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from uuid import uuid4

from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Count, Files, Gone, ListingEntry, Parent, PathTaken, tried


class RehearsalFiles:
    """The files of one root, with what a rehearsal has written over them and taken away."""

    def __init__(self, base: Files) -> None:
        self.base = base
        self._written: dict[str, bytes] = {}
        self._deleted: set[str] = set()
        self._is_made = False
        self._id = uuid4().hex

    def __repr__(self) -> str:
        return f"RehearsalFiles({self.base!r})"

    @property
    def url(self) -> str:
        return self.base.url

    @property
    def identity(self) -> str:
        """A root of its own, so that nothing is taken for proven that was only rehearsed."""
        return f"{self.base.identity}?rehearsal={self._id}"

    @property
    def protocol(self) -> str:
        return self.base.protocol

    @property
    def count(self) -> Count:
        return self.base.count

    @property
    def at_once(self) -> int:
        return self.base.at_once

    def check_root(self) -> None:
        if not self._is_made:
            self.base.check_root()

    def make_root(self) -> None:
        """Take the root for there from now on."""
        self._is_made = True

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        entries = {entry.name: entry for entry in self.base.list(folder) if not self._is_gone(folder, entry)}
        for name, is_folder in self._names_written_in(folder):
            entries[name] = ListingEntry(name, is_folder)
        return list(entries.values())

    def _is_gone(self, folder: str, entry: ListingEntry) -> bool:
        """Return whether nothing is left of an entry of the base."""
        path = f"{folder}/{entry.name}" if folder else entry.name
        if not entry.folder:
            return path in self._deleted
        if not any(deleted.startswith(f"{path}/") for deleted in self._deleted):
            return False
        return all(below in self._deleted for below, _ in self.base.walk(path))

    def _names_written_in(self, folder: str) -> Iterator[tuple[str, bool]]:
        """Yield the names in a folder below which something was written, and whether they are folders."""
        prefix = f"{folder}/" if folder else ""
        for path in self._written:
            if path.startswith(prefix):
                name, slash, _ = path.removeprefix(prefix).partition("/")
                yield name, bool(slash)

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        prefix = f"{folder}/" if folder else ""
        for path, entry in self.base.walk(folder):
            if path not in self._deleted and path not in self._written:
                yield path, entry
        for path in sorted(self._written):
            if path.startswith(prefix):
                yield path, ListingEntry(path.rpartition("/")[2], False)

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        if path in self._written:
            return self._written[path]
        self._check_not_deleted(path)
        return self.base.read(path, limit)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        if path in self._written:
            return self._written[path][start:end]
        self._check_not_deleted(path)
        return self.base.read_part(path, start, end)

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        wanted = list(dict.fromkeys(paths))
        changed = [path for path in wanted if path in self._written or path in self._deleted]
        contents = dict(self.base.read_many([path for path in wanted if path not in changed], limit))
        return contents | {path: tried(self, path, limit) for path in changed}

    def exists(self, path: str) -> bool:
        if path in self._written or any(written.startswith(f"{path}/") for written in self._written):
            return True
        if path in self._deleted:
            return False
        if any(deleted.startswith(f"{path}/") for deleted in self._deleted):
            return any(True for _ in self.walk(path))
        return self.base.exists(path)

    def _check_not_deleted(self, path: str) -> None:
        if path in self._deleted:
            raise NotThereError(f"there is no file {path}.", path=path, fix="Name a file that is there.")

    # ------------------------------------------------------------ writing, into memory

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        if parent is not None and not self._follows(parent):
            raise Gone(path)
        if self.exists(path):
            raise PathTaken(path)
        self.put(path, data)

    def _follows(self, parent: Parent) -> bool:
        """Return whether the parent is there, and still has its bytes."""
        try:
            return hashlib.sha256(self.read(parent.path)).hexdigest() == parent.digest
        except NotThereError:
            return False

    def refuses(self, path: str, data: bytes) -> bool:
        """Return whether the file is there: the storage itself is not asked, since to ask it is to write."""
        del data
        return self.exists(path)

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:
        if not make_folder and not self.exists(path.rpartition("/")[0]):
            raise Gone(path)
        self._written[path] = data
        self._deleted.discard(path)

    def delete(self, path: str) -> None:
        self._written.pop(path, None)
        self._deleted.add(path)

    def delete_folder(self, folder: str) -> bool:
        paths = [path for path, _ in self.walk(folder)]
        for path in paths:
            self.delete(path)
        return bool(paths)

    def move_folder(self, source: str, target: str) -> None:
        for path in [path for path, _ in self.walk(source)]:
            self.put(f"{target}{path.removeprefix(source)}", self.read(path))
            self.delete(path)

    def make_folder(self, folder: str) -> None:
        """Do nothing: a folder without a file changes no answer."""

    def sweep(self, folder: str) -> None:
        """Do nothing: what killed writers left is no part of any answer."""


def beneath(files: Files) -> Files:
    """Return the files of the storage itself, for who asks what kind of storage it is."""
    return files.base if isinstance(files, RehearsalFiles) else files
