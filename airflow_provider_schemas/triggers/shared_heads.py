"""The newest version of each mounted table, as one look found it: all that wait on the table share the look.

A look at a table that others keep asks a catalog, which a thousand waiting sensors should not do each for itself. What was found less
than most of a poll ago counts for the others as well; a trigger never meets its own last look again. Our own layouts are not shared:
their looks are one listing each, as ever.
"""

import threading
import time
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.changes_since import Seen
from airflow_provider_schemas.store.versions.heads import is_head

# Polls are spread by a tenth to each side: the next look of the same trigger comes later than this.
_PART_OF_A_POLL: Final = 0.8
_MAX_TABLES: Final = 10_000

_Key = tuple[str, str, str]


class _Found(Struct):
    """What the last look at a table found, and when that look began."""

    lock: threading.Lock
    began: float = float("-inf")
    head: Version | None = None


_FOUND: Final[dict[_Key, _Found]] = {}
_GUARD: Final = threading.Lock()


def is_unchanged(conn_id: str, table: Table, seen: Seen, poll: float) -> bool:
    """Return whether a look at a mounted table, of anybody's within this poll, found what was seen.

    False says nothing: the table may be of our own layouts, or have moved. Raise NotThereError if it is not there.
    """
    if poll <= 0 or not table.subject.is_mounted:
        return False
    return is_head(seen, _newest(conn_id, table, poll * _PART_OF_A_POLL))


def _newest(conn_id: str, table: Table, max_age: float) -> Version:
    """Return the newest version, by a look that began no longer ago than this; who comes meanwhile waits for that look."""
    wanted = time.monotonic() - max_age
    found = _entry((conn_id, table.name, table.branch_name))
    with found.lock:
        if found.head is None or found.began < wanted:
            found.head = None  # a look that fails leaves nothing that would pass for fresh
            began = time.monotonic()
            found.head = table.latest()
            found.began = began
        return found.head


def _entry(key: _Key) -> _Found:
    with _GUARD:
        if key not in _FOUND and len(_FOUND) >= _MAX_TABLES:
            _FOUND.clear()
        return _FOUND.setdefault(key, _Found(threading.Lock()))
