"""The connections that this process has opened: a store each, for some minutes, as long as the connection stays the same."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from airflow_provider_schemas.plugins.connections.open_connection import OpenConnection

# The connection behind storage_conn_id may change unseen, and its credentials may end: a store is opened anew after this time.
_STORE_SECONDS: Final = 600.0
# A secrets backend may be far away: the connection is looked up no more often than this.
_LOOKUP_SECONDS: Final = 30.0
_MOST: Final = 16


class _Kept(NamedTuple):
    """An opened connection, when it was opened, and when it was last looked up."""

    connection: OpenConnection
    opened: float
    looked_up: float


class OpenConnections:
    """Opened connections by their ids, those that nobody has asked for the longest time make room."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, conn_id: str) -> OpenConnection:
        """Return the connection, opened now or before; raise BadConnectionError if there is none of this id that opens a store."""
        now = self._now()
        with self._lock:
            kept = self._kept.get(conn_id)
        if kept is not None and now - kept.opened >= _STORE_SECONDS:
            kept = None
        if kept is not None and now - kept.looked_up < _LOOKUP_SECONDS:
            return kept.connection
        return self._keep(conn_id, _look_up(conn_id, kept, now))

    def _keep(self, conn_id: str, kept: _Kept) -> OpenConnection:
        with self._lock:
            self._kept.pop(conn_id, None)
            self._kept[conn_id] = kept
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)
        return kept.connection

    def clear(self) -> None:
        """Forget all connections."""
        with self._lock:
            self._kept.clear()


def _look_up(conn_id: str, kept: _Kept | None, now: float) -> _Kept:
    """Look the connection up; open its store, unless it is the same as before."""
    from airflow_provider_schemas.hooks.open_store import open_store
    from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook

    settings = SchemaStoreHook(conn_id).settings
    if kept is not None and kept.connection.settings == settings:
        return kept._replace(looked_up=now)
    # A page never writes: what a store notes down on the way, one that is read only leaves out.
    store = open_store(settings.model_copy(update={"read_only": True}), conn_id)
    return _Kept(OpenConnection(conn_id, settings, store), now, now)


OPENED: Final = OpenConnections()
"""Those of this process."""
