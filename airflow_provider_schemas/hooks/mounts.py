"""The mounts of a connection, opened as sources of tables: nothing is asked of a catalog before one of its tables is asked for.

The catalog of an Airflow connection is the one that Airflow's own Iceberg hook makes. Its name is the id of the connection.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.filesystems import StorageAccess
from airflow_provider_schemas.hooks.find_connection import find_connection
from airflow_provider_schemas.hooks.mount_settings import MountSettings
from airflow_provider_schemas.store import DeltaMount, IcebergMount
from airflow_provider_schemas.store.mounts.named_catalog import UNREACHABLE, NamedCatalog, catalog_error

if TYPE_CHECKING:
    from airflow_provider_schemas.store.mounts.source import TableSource

_TYPE: Final = "iceberg"
_DELTA: Final = "delta"
_PROVIDER: Final = "apache-airflow-providers-apache-iceberg"


class ConnectedCatalog(Struct, frozen=True):
    """The catalog of an Airflow connection. A call looks the connection up and opens it. It can be pickled."""

    conn_id: str

    def __call__(self) -> Any:
        """Open the catalog with Airflow's own hook."""
        connection = find_connection(self.conn_id)
        if connection.conn_type != _TYPE:
            message = f"it is of the type {shown(connection.conn_type or '')}, and not of the type {_TYPE}."
            fix = f"Name a connection of the type {_TYPE} as conn_id of the mount."
            raise BadConnectionError(message, code="connection.type", path=f"connection {self.conn_id}", fix=fix)
        try:
            return _hook_class(self.conn_id)(self.conn_id).catalog
        except Exception as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> Exception:
        """Return an error of the connection as one that fails a task immediately; a catalog that is down is tried again."""
        known = catalog_error(error, f"the catalog of connection {self.conn_id}", f"Mend the connection {self.conn_id}")
        if known.code == UNREACHABLE:
            return known
        return BadConnectionError.of(known.faults)


def _hook_class(conn_id: str) -> Callable[[str], Any]:
    try:
        from airflow.providers.apache.iceberg.hooks.iceberg import IcebergHook
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("airflow.providers"):
            raise
        message = f"{_PROVIDER}, which opens connections of the type {_TYPE}, is not installed."
        fix = f"Run: pip install {_PROVIDER}"
        raise BadConnectionError(message, code="connection.no-provider", path=f"connection {conn_id}", fix=fix) from None
    return IcebergHook


def open_mounts(mounts: Mapping[str, MountSettings], access: Callable[[str], StorageAccess]) -> "dict[str, TableSource]":
    """Return the source of each mounted database. `access` tells how an address is reached."""
    return {database: _open_mount(database, mount, access) for database, mount in mounts.items()}


def _open_mount(database: str, mount: MountSettings, access: Callable[[str], StorageAccess]) -> "TableSource":
    if mount.source == _DELTA:
        reached = access(mount.url)
        return DeltaMount(mount.url, mount.namespace or None, storage_options=reached.options, fs=reached.fs)
    namespace = mount.namespace or database
    if mount.conn_id:
        return IcebergMount(ConnectedCatalog(mount.conn_id), namespace, mount.evolve, name=mount.conn_id)
    if mount.catalog:
        return IcebergMount(NamedCatalog(mount.catalog), namespace, mount.evolve, name=mount.catalog)
    reached = access(mount.url)
    return IcebergMount(mount.url, namespace, mount.evolve, storage_options=reached.options, fs=reached.fs)
