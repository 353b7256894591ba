"""Versions that were read, so that none is read twice: a version's file never changes, and its mark in a listing tells if one did.

Bounded by the bytes of the files. The lock is held for as long as a dictionary takes, never over a request.
"""

import os
import threading
from collections import OrderedDict

from airflow_provider_schemas.core.schema.version import Version

_MOST_BYTES = 64 * 1024 * 1024


class VersionCache:
    """Versions by where they lie and the mark of their file."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most, self._held = most_bytes, 0
        self._known: OrderedDict[tuple[str, str], tuple[Version, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def __reduce__(self) -> tuple[type["VersionCache"], tuple[int]]:
        return VersionCache, (self._most,)  # another process reads for itself

    def _unlocked(self) -> threading.Lock:
        """The lock of this process: one that was held at a fork is held for ever in the child, and what it guarded is half done."""
        if self._pid != os.getpid():
            self._lock, self._known, self._held, self._pid = threading.Lock(), OrderedDict(), 0, os.getpid()
        return self._lock

    def get(self, path: str, mark: str) -> Version | None:
        """The version at a path, if its file still has this mark."""
        if not mark:
            return None
        with self._unlocked():
            found = self._known.get((path, mark))
            if found is None:
                return None
            self._known.move_to_end((path, mark))
            return found[0]

    def put(self, path: str, mark: str, version: Version, size: int) -> None:
        """Keep a version; those that nobody asked for longest make room."""
        if not mark or size > self._most:
            return
        with self._unlocked():
            old = self._known.pop((path, mark), None)
            self._held += size - (old[1] if old else 0)
            self._known[path, mark] = (version, size)
            while self._held > self._most:
                _, (_, freed) = self._known.popitem(last=False)
                self._held -= freed
