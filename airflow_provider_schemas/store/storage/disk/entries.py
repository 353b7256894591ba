"""Names in the listing of a folder. A file is asked about itself once somebody wants to know."""

import os
from collections.abc import Sequence
from operator import attrgetter, methodcaller
from typing import Final

import msgspec

from airflow_provider_schemas.store.storage.files import FileFacts, ListingEntry

# Anybody can put back the time of the last write of a file, and nobody the time at which its inode changed.
_MARK: Final = attrgetter("st_ino", "st_ctime_ns", "st_mtime_ns", "st_size")
_FACTS: Final = attrgetter("facts")
_STAT: Final = methodcaller("stat")
_ENCODER: Final = msgspec.msgpack.Encoder()


def read_entry(entry: "os.DirEntry[str]") -> ListingEntry | None:
    """Return an entry of the system as listings have it; None for a link to nothing."""
    if entry.is_symlink():
        try:
            entry.stat()
        except OSError:
            return None
    if entry.is_dir():
        return ListingEntry(entry.name, folder=True)
    return _LocalFile(entry.name, False, entry)  # by place: a listing has thousands


class _LocalFile(ListingEntry, frozen=True):
    """A file in a listing. The system keeps its answer about it; a file that has gone has no facts."""

    facts: "FileFacts | os.DirEntry[str]"  # type: ignore[assignment]  # the system's entry instead of a function

    @property
    def mark(self) -> str:
        return self._known.mark

    @classmethod
    def marks(cls, entries: Sequence[ListingEntry]) -> bytes:
        try:
            return _ENCODER.encode([*map(_MARK, map(_STAT, map(_FACTS, entries)))])
        except (OSError, AttributeError):  # one has gone, or is no entry of the system
            return super().marks(entries)

    @property
    def _known(self) -> FileFacts:
        if isinstance(self.facts, FileFacts):
            return self.facts
        try:
            status = self.facts.stat()
        except OSError:
            return FileFacts()
        return FileFacts(_make_mark(status), status.st_size, status.st_mtime)


def _make_mark(status: os.stat_result) -> str:
    return "-".join(map(str, _MARK(status)))
