"""Open the store of a connection."""

from functools import partial
from pathlib import Path

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.hooks.connection_settings import Settings, protocol_of
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.filesystems import StorageAccess, access_to
from airflow_provider_schemas.hooks.find_connection import find_connection
from airflow_provider_schemas.hooks.mounts import open_mounts
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.storage.guarantees import one_name


def read_settings(conn_id: str) -> Settings:
    """Return the settings in the connection of this id."""
    return Settings.of(find_connection(conn_id), conn_id)


def open_store(settings: Settings, conn_id: str, actor: str = "") -> SchemaStore:
    """Open a store; its storage is not read yet."""
    try:
        warehouse = _warehouse_access(settings)
        registry = _registry_access(settings)
        return SchemaStore(
            settings.warehouse,
            storage_options=warehouse.options,
            fs=warehouse.fs,
            layout=settings.layout,
            registry=_url(settings.registry) if settings.registry else None,
            registry_options=registry.options,
            registry_id=settings.registry_id,
            read_only=settings.read_only,
            single_writer=settings.single_writer,
            catalog=settings.catalog,
            team=settings.team,
            actor=actor,
            look=settings.look,
            at_once=settings.at_once,
            mounts=open_mounts(settings.mounts, partial(_shared_access, settings)),
        )
    except StorageError as error:
        if error.code == "storage.no-address":
            raise _with_connection(BadConnectionError.of(error.faults), conn_id) from error
        raise _with_connection(error, conn_id) from error
    except BadConnectionError as error:
        raise _with_connection(error, conn_id) from error


def _warehouse_access(settings: Settings) -> StorageAccess:
    return access_to(settings.warehouse, settings.storage_conn_id, settings.storage_options, extra="storage_conn_id")


def _registry_access(settings: Settings) -> StorageAccess:
    """Reach the registry with a connection of its own, or as the warehouse is reached."""
    if not settings.registry:
        return StorageAccess()
    if settings.registry_conn_id:
        extra = "registry_conn_id"
        access = access_to(settings.registry, settings.registry_conn_id, {}, extra=extra)
    else:
        extra = "storage_conn_id"
        access = _shared_access(settings, settings.registry)
    if access.fs is not None:
        message = f"a registry on {protocol_of(settings.registry)}:// cannot be opened with a connection."
        fix = f"Keep it on S3, GCS, Azure or a disk, or leave {extra} out."
        raise BadConnectionError(message, code="connection.no-filesystem", path="extra.registry", fix=fix)
    return access


def _shared_access(settings: Settings, url: str) -> StorageAccess:
    """Reach another address as the warehouse is reached, where it is a storage of the same kind or the warehouse is a disk."""
    is_same = one_name(protocol_of(url)) == one_name(settings.protocol)
    is_shared = is_same or one_name(settings.protocol) == "file"
    conn_id = settings.storage_conn_id if is_shared else ""
    return access_to(url, conn_id, settings.storage_options if is_same else {}, extra="storage_conn_id")


def _url(address: str) -> str:
    """Return the address of a registry as a URL: a path would be looked for where the warehouse lies."""
    if "://" in address:
        return address
    return f"file://{Path(address).expanduser()}"


def _with_connection(error: SchemaError, conn_id: str) -> SchemaError:
    """Return the error with the connection that it is about."""
    faults = []
    for fault in error.faults:
        inside = f", {fault.path}" if fault.path else ""
        faults.append(fault._replace(path=f"connection {conn_id}{inside}"))
    return type(error).of(faults)
