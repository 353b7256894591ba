"""What a log says of the time before its newest checkpoint: commits stay in the folder for a while, 30 days if nobody says otherwise.

Nobody needs it to judge a table: it is read when somebody asks for the history, once, and never changes.
"""

import threading
from collections.abc import Iterator
from functools import cached_property
from typing import Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import FormatError, NotThereError
from airflow_provider_schemas.store.mounts.delta.log_content import LogSource, read_checkpoint_of, read_steps
from airflow_provider_schemas.store.mounts.delta.log_folder import LogFolder
from airflow_provider_schemas.store.mounts.delta.log_names import LogListing
from airflow_provider_schemas.store.mounts.delta.log_state import LogState, SchemaVersion

_MOST_COMMITS: Final = 2_000


class LogHistory(Struct, frozen=True):
    """The schemas up to a version, oldest first."""

    schemas: tuple[SchemaVersion, ...]
    whole: bool


class PastLog:
    """The log of a table before the version with which its reading began."""

    def __init__(self, log: LogFolder, base: int, listing: LogListing) -> None:
        self._log = log
        self._base = base
        self._listing = listing
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type["PastLog"], tuple[LogFolder, int, LogListing]]:
        return PastLog, (self._log, self._base, self._listing)

    @property
    def is_read(self) -> bool:
        """Whether the history is known already."""
        return "_history" in vars(self)

    def history(self) -> LogHistory:
        """Return the schemas up to the version with which the reading of the log began."""
        with self._lock:
            return self._history

    @cached_property
    def _history(self) -> LogHistory:
        if self._base == 0:
            return LogHistory((), whole=True)
        listing = self._listing if self._listing.is_from_start else self._log.list_all()
        first = _first_of_run(listing, self._base)
        try:
            return self._read(listing, first)
        except (NotThereError, FormatError):  # old files go, and what is broken there hides nothing that is read today
            return LogHistory((), whole=False)

    def _read(self, listing: LogListing, first: int) -> LogHistory:
        """Return the schemas of the commits from a version on."""
        start = LogState()
        if first > 0:
            oldest = [checkpoint for checkpoint in listing.checkpoints if first - 1 <= checkpoint.version < self._base]
            if oldest:
                start = start.after_checkpoint(oldest[-1].version, read_checkpoint_of(self._log, oldest[-1]))
        sources = [LogSource(version, listing.commits[version]) for version in range(max(first, start.newest + 1), self._base + 1)]
        return LogHistory(start.after(read_steps(self._log, sources)).schemas, whole=first == 0)


def _first_of_run(listing: LogListing, last: int) -> int:
    """Return the first version from which on all commits up to the last are there, and not too many."""
    first = last
    while first > max(0, last - _MOST_COMMITS) and first - 1 in listing.commits:
        first -= 1
    return first if last in listing.commits else last + 1


def joined(past: LogHistory, schemas: tuple[SchemaVersion, ...]) -> Iterator[SchemaVersion]:
    """Yield all schemas, oldest first. A checkpoint does not say since when its schema is current: the commits before it do."""
    before = past.schemas
    first = schemas[0]
    if before and before[-1].identity == first.identity:
        yield from before[:-1]
        yield msgspec.structs.replace(first, moment=before[-1].moment, origin=before[-1].origin)
    else:
        yield from before
        yield first
    yield from schemas[1:]
