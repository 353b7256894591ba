"""The protocol of the files of one root on any storage: what a store asks of a storage, and nothing more.

Paths are relative to the root, with '/' between the parts; '' is the root. Listings never come from a cache. A failure is raised as one
of our errors, whatever library met it: NotThereError, StorageError.
"""

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from airflow_provider_schemas.errors import NotThereError, SchemaError

# How many requests of a judgement are under way at once, where each takes long.
AT_ONCE = 64
# Neither we nor Paimon write a larger file.
MAX_BYTES = 64 * 1024 * 1024
UNCLEAR = "storage.unclear"
"""The code of the error about a write of which nobody knows whether it took place, or lasts."""


class FileFacts(NamedTuple):
    """What a listing says about a file besides its name."""

    mark: str = ""
    """What changes when the content does: an etag, a generation; on local disks inode, time and size. Empty if the storage has none."""
    size: int | None = None
    modified: float | None = None
    """Seconds since 1970, by the clock of the storage."""


class ListingEntry(Struct, frozen=True):
    """One name in a listing."""

    name: str
    """The last part of the path."""
    folder: bool
    facts: FileFacts | Callable[[], FileFacts] = FileFacts()
    """A function where each file has to be asked, as on local disks: only then, when somebody wants to know."""

    @property
    def mark(self) -> str:
        return self._known.mark

    @classmethod
    def marks(cls, entries: Sequence["ListingEntry"]) -> bytes:
        """Return the marks of the entries of one listing, in one value; empty if an entry has none. A listing has thousands."""
        marks = [entry.mark for entry in entries]
        return "\n".join(marks).encode("utf-8", "surrogatepass") if all(marks) else b""

    @property
    def size(self) -> int | None:
        return self._known.size

    @property
    def modified(self) -> float | None:
        return self._known.modified

    @property
    def _known(self) -> FileFacts:
        return self.facts if isinstance(self.facts, FileFacts) else self.facts()


class Page(NamedTuple):
    """A part of all that lies below a folder."""

    files: tuple[tuple[str, ListingEntry], ...]
    """Files with their paths, in the order of the storage."""
    following: str
    """What the next page is asked by; empty for the last page."""
    has_markers: bool = False
    """Whether there are objects that stand for folders, which may be empty."""


class PathTaken(Exception):  # noqa: N818  # an answer and not a fault: somebody else has that name
    """The file of an exclusive create is there already."""


class Gone(Exception):  # noqa: N818  # likewise
    """The parent of a new file is not there any more, or has other bytes. Nothing was written."""


class OutcomeUnclear(Exception):  # noqa: N818  # likewise
    """Nobody knows whether an exclusive create took place: the answer was lost, or says neither yes nor no."""


class Parent(NamedTuple):
    """The file that a new file follows."""

    path: str
    digest: str
    """The sha256 of its bytes."""

    def is_in(self, files: "Files") -> bool:
        """Return whether the file is there, and still has these bytes."""
        try:
            return hashlib.sha256(files.read(self.path)).hexdigest() == self.digest
        except NotThereError:
            return False


class Requests(NamedTuple):
    """How many requests of each kind."""

    lists: int = 0
    gets: int = 0
    puts: int = 0

    def __add__(self, other: "Requests") -> "Requests":  # type: ignore[override]  # of sums and not of sequences
        return Requests(self.lists + other.lists, self.gets + other.gets, self.puts + other.puts)

    def __sub__(self, other: "Requests") -> "Requests":
        return Requests(self.lists - other.lists, self.gets - other.gets, self.puts - other.puts)


class Count:
    """A count of the requests that were made, for who wants to say what an answer cost. Exact among threads."""

    __slots__ = ("_lock", "_pid", "gets", "lists", "puts")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self.lists = 0
        self.gets = 0
        self.puts = 0

    def __reduce__(self) -> tuple[type["Count"], tuple[()]]:
        return Count, ()  # another process counts for itself

    def add(self, *, lists: int = 0, gets: int = 0, puts: int = 0) -> None:
        """Count requests."""
        if self._pid != os.getpid():  # a lock that was held at a fork is held for ever in the child
            self._lock = threading.Lock()
            self._pid = os.getpid()
        with self._lock:
            self.lists += lists
            self.gets += gets
            self.puts += puts

    def snapshot(self) -> tuple[int, int, int]:
        """Return the numbers of listings, reads and writes so far."""
        return (self.lists, self.gets, self.puts)


class Files(Protocol):
    """The files of one root."""

    @property
    def url(self) -> str:
        """The root as people know it, without credentials."""

    @property
    def identity(self) -> str:
        """What tells this root from every other, also from a root of the same address at another endpoint."""

    @property
    def protocol(self) -> str:
        """file, s3, gs, abfs, memory ..."""

    @property
    def count(self) -> Count:
        """The count of the requests so far."""

    @property
    def at_once(self) -> int:
        """How many requests may be under way at once."""

    def check_root(self) -> None:
        """Raise a StorageError if the root is not there, where folders can be missing. Every request tells that a bucket is missing."""

    def list(self, folder: str) -> list[ListingEntry]:
        """Return what lies in the folder, in one listing; nothing if there is no such folder."""

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        """Yield every file below the folder with its path."""

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """Return the whole file. Raise NotThereError if there is none, and StorageError if it is larger than the limit."""

    def read_part(self, path: str, start: int, end: int) -> bytes:
        """Return the bytes of a file from start up to end, in one request. Raise NotThereError if there is no such file."""

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        """Return several files, asked for at once: each with its bytes, or with the error about it."""

    def exists(self, path: str) -> bool:
        """Return whether there is a file or a folder."""

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        """Write a file that must not be there yet, whole or not at all. Raise PathTaken, Gone or OutcomeUnclear; never ask twice.

        Gone is raised if the parent is not there any more: at the moment of the create where the storage can tell, else just before it.
        """

    def refuses(self, path: str, data: bytes) -> bool:
        """Try to create a file that is there already, with its own bytes, and return whether the storage refuses. Raise OutcomeUnclear."""

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:
        """Write a file whole, over whatever was there. Raise Gone where its folder is not there and must not be made."""

    def delete(self, path: str) -> None:
        """Delete a file; content if it was not there."""

    def delete_folder(self, folder: str) -> bool:
        """Delete a folder and all that is in it, and return whether it held more than temporary files."""

    def move_folder(self, source: str, target: str) -> None:
        """Rename a folder, file by file where the storage cannot do it at once."""

    def make_folder(self, folder: str) -> None:
        """Make a folder, where the storage has such things; content if it is there."""

    def sweep(self, folder: str) -> None:
        """Delete what killed writers left in a folder long ago."""


def tried(files: Files, path: str, limit: int) -> bytes | SchemaError:
    """Return the file, or the error about it."""
    try:
        return files.read(path, limit)
    except SchemaError as error:
        return error
