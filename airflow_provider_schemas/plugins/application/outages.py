"""Connections whose storage was slow or could not be reached, and since when: one that was slow is left alone for a while."""

import time
from datetime import UTC, datetime
from threading import Lock

from msgspec import Struct

REST = 30.0
"""For so many seconds a storage that was slow is not asked again."""
_MAX_KEPT = 1_000


class Outage(Struct, frozen=True):
    """Since when a connection gives no answers, and until when it is not asked."""

    since: datetime
    rests_until: float = 0.0

    @property
    def rests(self) -> bool:
        """Return whether the connection is not asked just now."""
        return time.monotonic() < self.rests_until


class Outages:
    """What is known of connections that gave no answer; all threads share it."""

    def __init__(self, rest: float = REST) -> None:
        self._rest = rest
        self._lock = Lock()
        self._known: dict[str, Outage] = {}

    def of(self, connection: str) -> Outage | None:
        """Return what is known of a connection; None if its last request was answered."""
        return self._known.get(connection)

    def was_slow(self, connection: str) -> Outage:
        """Note that a connection gave no answer in time."""
        return self._note(connection, time.monotonic() + self._rest)

    def failed(self, connection: str) -> Outage:
        """Note that a storage refused or could not be reached: it answered quickly, so it may be asked again."""
        return self._note(connection, 0.0)

    def answered(self, connection: str) -> None:
        """Forget what was known of a connection."""
        with self._lock:
            self._known.pop(connection, None)

    def _note(self, connection: str, rests_until: float) -> Outage:
        with self._lock:
            known = self._known.get(connection)
            since = known.since if known is not None else datetime.now(UTC)
            if len(self._known) >= _MAX_KEPT:
                self._known.clear()
            outage = self._known[connection] = Outage(since, rests_until)
            return outage
