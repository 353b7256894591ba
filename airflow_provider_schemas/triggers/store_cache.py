"""The stores that this process has open, one a connection, for all that look: a thousand triggers are not a thousand clients."""

import threading
from typing import Final

from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.schema_store import SchemaStore

_STORES: Final[dict[str, SchemaStore]] = {}
_LOCKS: Final[dict[str, threading.Lock]] = {}


def store(conn_id: str) -> SchemaStore:
    """The store of a connection, opened if it is not; whoever comes at the same moment waits for it."""
    with _lock(conn_id):
        if conn_id not in _STORES:
            _STORES[conn_id] = SchemaStoreHook(conn_id).get_conn()
        return _STORES[conn_id]


def forget(conn_id: str, failed: SchemaStore) -> None:
    """Let the next one open it anew: its password may have been changed. Not if somebody else has done so already."""
    with _lock(conn_id):
        if _STORES.get(conn_id) is failed:
            del _STORES[conn_id]


def _lock(conn_id: str) -> threading.Lock:
    return _LOCKS.setdefault(conn_id, threading.Lock())
