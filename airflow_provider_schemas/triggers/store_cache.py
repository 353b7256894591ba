"""The stores that this process has open, one for each connection: a thousand triggers share one client."""

import threading
from typing import Final

from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.schema_store import SchemaStore

_STORES: Final[dict[str, SchemaStore]] = {}
_LOCKS: Final[dict[str, threading.Lock]] = {}


def store(conn_id: str) -> SchemaStore:
    """Return the store of a connection, and open it if it is not; other threads wait meanwhile."""
    with _lock(conn_id):
        if conn_id not in _STORES:
            _STORES[conn_id] = SchemaStoreHook(conn_id).get_conn()
        return _STORES[conn_id]


def forget(conn_id: str, failed: SchemaStore) -> None:
    """Have the store opened anew, whose password may have been changed; not if another thread has done so already."""
    with _lock(conn_id):
        if _STORES.get(conn_id) is failed:
            del _STORES[conn_id]


def _lock(conn_id: str) -> threading.Lock:
    return _LOCKS.setdefault(conn_id, threading.Lock())
