"""Files of one root on any storage: what a store asks of it, and nothing more.

Paths are relative to the root, with '/' between the parts; '' is the root. Listings are never taken from a
cache. A failure comes out as one of our errors, whatever library met it: NotThereError, StorageError.
"""

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from airflow_provider_schemas.errors import NotThereError, SchemaError

# How many requests of a judgement are under way at once, where each takes its time.
AT_ONCE = 64
# A file of ours that is larger than this was not written by us, nor by Paimon.
MAX_BYTES = 64 * 1024 * 1024
UNCLEAR = "storage.unclear"
"""The code of the error about a write of which nobody knows whether it took place, or stays."""


class FileFacts(NamedTuple):
    """What a listing says about a file besides its name."""

    mark: str = ""
    """What is another one once the content is: an etag, a generation; on local disks inode, time and size. Empty if nobody knows."""
    size: int | None = None
    modified: float | None = None
    """Seconds since 1970, by the clock of the storage."""


class ListingEntry(Struct, frozen=True):
    """One name in a listing."""

    name: str
    """The last part of the path."""
    folder: bool
    facts: FileFacts | Callable[[], FileFacts] = FileFacts()
    """On local disks each file has to be asked for them, so that nobody does before they are wanted."""

    @property
    def mark(self) -> str:
        return self._known.mark

    @classmethod
    def marks(cls, entries: Sequence["ListingEntry"]) -> bytes:
        """Return the marks of entries of one listing, asked of the class of the first: of thousands at once. Nothing if one has none."""
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
    """What the next page is asked by; empty for the last one."""
    has_markers: bool = False
    """Whether there are objects that stand for folders, which may be empty."""


class PathTaken(Exception):  # noqa: N818  # an answer and no fault: somebody else has that name
    """The file of an exclusive create is there already."""


class Gone(Exception):  # noqa: N818  # likewise
    """The file that a new one follows is not there any more, or is another one. Nothing was written."""


class OutcomeUnclear(Exception):  # noqa: N818  # likewise
    """Whether an exclusive create took place is not known: the answer was lost, or says neither."""


class Parent(NamedTuple):
    """The file that a new one follows."""

    path: str
    digest: str
    """The sha256 of its bytes."""

    def is_in(self, files: "Files") -> bool:
        """Whether it is there, and still has these bytes."""
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
    """How many requests were made, for whoever wants to say what an answer cost. Exact among threads."""

    __slots__ = ("_lock", "_pid", "gets", "lists", "puts")

    def __init__(self) -> None:
        self._lock, self._pid = threading.Lock(), os.getpid()
        self.lists = self.gets = self.puts = 0

    def __reduce__(self) -> tuple[type["Count"], tuple[()]]:
        return Count, ()  # another process counts for itself

    def add(self, *, lists: int = 0, gets: int = 0, puts: int = 0) -> None:
        if self._pid != os.getpid():  # a lock that was held at a fork is held for ever in the child
            self._lock, self._pid = threading.Lock(), os.getpid()
        with self._lock:
            self.lists += lists
            self.gets += gets
            self.puts += puts

    def snapshot(self) -> tuple[int, int, int]:
        """Listings, reads, writes so far."""
        return (self.lists, self.gets, self.puts)


class Files(Protocol):
    """The files of one root."""

    @property
    def url(self) -> str:
        """The root as people know it, without credentials."""

    @property
    def identity(self) -> str:
        """What tells this root from every other, also from one of the same address at another endpoint."""

    @property
    def protocol(self) -> str:
        """file, s3, gs, abfs, memory ..."""

    @property
    def count(self) -> Count:
        """What was asked of the storage so far."""

    @property
    def at_once(self) -> int:
        """How many requests may be under way at once."""

    def check_root(self) -> None:
        """StorageError if the root is not there, where folders can be missing; a bucket that is missing is told by every request."""

    def list(self, folder: str) -> list[ListingEntry]:
        """What lies in the folder, by name, in one listing; nothing if there is no such folder."""

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        """Every file below the folder with its path."""

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        """The whole file. NotThereError if there is none; StorageError if it is larger than the limit."""

    def read_part(self, path: str, start: int, end: int) -> bytes:
        """The bytes of a file from start up to end, in one request. NotThereError if there is no such file."""

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        """Several files at once, each with its bytes or with what went wrong."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or a folder."""

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        """Write a file that must not be there yet, whole or not at all. Raises Taken, Gone or Unclear; never asks twice.

        Gone if the parent is not there any more: where the storage can tell, at the very moment of the create, else just before it.
        """

    def refuses(self, path: str, data: bytes) -> bool:
        """Ask for a file that is there already, with the bytes that it has: whether the storage refuses. Raises Unclear."""

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:
        """Write a file whole, over whatever was there. Gone if its folder is not there and is not to be made, where there are folders."""

    def delete(self, path: str) -> None:
        """Take a file away; content if it was not there."""

    def delete_folder(self, folder: str) -> bool:
        """Take away a folder and all that is in it; whether there was one that held more than temporary files."""

    def move_folder(self, source: str, target: str) -> None:
        """Give a folder another name, file by file where the storage cannot do it at once."""

    def make_folder(self, folder: str) -> None:
        """Make a folder, where the storage has such things; content if it is there."""

    def sweep(self, folder: str) -> None:
        """Take away what writers who were killed left behind in a folder, long ago."""


def tried(files: Files, path: str, limit: int) -> bytes | SchemaError:
    """The file, or what went wrong with it."""
    try:
        return files.read(path, limit)
    except SchemaError as error:
        return error
