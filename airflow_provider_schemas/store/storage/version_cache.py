"""Keep versions that were read, so that none is read twice: the file of a version never changes, and its mark in a listing tells if it did.

The cache is bounded by the bytes of the files. Its lock is held for as long as a dictionary takes, never over a request.
"""

import os
import threading
from collections import OrderedDict

from airflow_provider_schemas.core.schema.version import Version

_MOST_BYTES = 64 * 1024 * 1024


class VersionCache:
    """A cache of versions by the path and the mark of their file."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held_bytes = 0
        self._known: OrderedDict[tuple[str, str], tuple[Version, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def __reduce__(self) -> tuple[type["VersionCache"], tuple[int]]:
        return VersionCache, (self._most_bytes,)  # another process reads for itself

    def _process_lock(self) -> threading.Lock:
        """Return the lock of this process. After a fork begin anew: the lock may be held for ever, and what it guards half done."""
        if self._pid != os.getpid():
            self._lock = threading.Lock()
            self._known = OrderedDict()
            self._held_bytes = 0
            self._pid = os.getpid()
        return self._lock

    def get(self, path: str, mark: str) -> Version | None:
        """Return the version at a path, if it is kept and its file still has this mark."""
        if not mark:
            return None
        with self._process_lock():
            known = self._known.get((path, mark))
            if known is None:
                return None
            self._known.move_to_end((path, mark))
            return known[0]

    def put(self, path: str, mark: str, version: Version, size: int) -> None:
        """Keep a version. Those that nobody has asked for the longest time make room."""
        if not mark or size > self._most_bytes:
            return
        with self._process_lock():
            known = self._known.pop((path, mark), None)
            if known is not None:
                self._held_bytes -= known[1]
            self._known[path, mark] = (version, size)
            self._held_bytes += size
            while self._held_bytes > self._most_bytes:
                _, (_, freed) = self._known.popitem(last=False)
                self._held_bytes -= freed
