"""Keep files of the registry that were read. A contract never changes, and the mark of its file in a listing tells if it did."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from functools import partial
from typing import Final

from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.files_snapshot import SnapshotFiles

_MOST_BYTES: Final = 16 * 1024 * 1024
# An entry weighs more than its bytes: its path, its mark and its place in the dictionary.
_OVERHEAD: Final = 512


class KeptRecords:
    """Bytes of files by path and mark, bounded. The lock is held for as long as a dictionary takes."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held_bytes = 0
        self._known: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def walk(self, files: Files, folder: str) -> "WalkedRecords":
        """Walk a folder in a snapshot, and give the snapshot the files of it that are kept."""
        walked = WalkedRecords(self, files, tuple(files.walk(folder)))
        walked.hand_over()
        return walked

    def get(self, path: str, mark: str) -> bytes | None:
        """Return the bytes of a file that still has this mark; None if they are not kept."""
        with self._lock:
            data = self._known.get((path, mark))
            if data is not None:
                self._known.move_to_end((path, mark))
            return data

    def put(self, path: str, mark: str, data: bytes) -> None:
        """Keep the bytes of a file. What was not asked for the longest time makes room."""
        size = len(data) + _OVERHEAD
        if not mark or size > self._most_bytes:
            return
        with self._lock:
            if (path, mark) in self._known:
                return
            self._known[path, mark] = data
            self._held_bytes += size
            while self._held_bytes > self._most_bytes:
                _, freed = self._known.popitem(last=False)
                self._held_bytes -= len(freed) + _OVERHEAD


class WalkedRecords:
    """The files below a folder, as one page sees them."""

    def __init__(self, kept: KeptRecords, files: Files, entries: Iterable[tuple[str, ListingEntry]]) -> None:
        self._kept = kept
        self._files = files
        self._entries = tuple(entries)

    def hand_over(self) -> None:
        """Give the snapshot what is kept, so that it is not read again."""
        if not isinstance(self._files, SnapshotFiles):
            return
        for path, entry in self._entries:
            data = self._kept.get(path, entry.mark)
            future = None if data is None else self._files.begin("read", path)
            if data is not None and future is not None:
                self._files.settle("read", path, future, partial(bytes, data))

    def keep(self) -> None:
        """Keep what the page has read."""
        if not isinstance(self._files, SnapshotFiles):
            return
        for path, entry in self._entries:
            data = self._files.bytes_read(path)
            if data is not None:
                self._kept.put(path, entry.mark, data)
