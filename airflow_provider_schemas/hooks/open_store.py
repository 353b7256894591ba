"""From what a connection says to the store."""

from pathlib import Path

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.hooks.connection_settings import Settings, protocol_of
from airflow_provider_schemas.hooks.errors import BadConnectionError
from airflow_provider_schemas.hooks.filesystems import Way, way_to
from airflow_provider_schemas.hooks.find_connection import connection
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.storage.guarantees import one_name


def settings_of(conn_id: str) -> Settings:
    """What the connection of this id says."""
    return Settings.of(connection(conn_id), conn_id)


def opened(settings: Settings, conn_id: str, actor: str = "") -> SchemaStore:
    """The store; nothing is asked of its storage yet."""
    try:
        warehouse, registry = _warehouse(settings), _registry(settings)
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
        )
    except StorageError as error:
        raise _of_connection(error, conn_id) if error.code == "storage.no-address" else _named(error, conn_id) from error
    except BadConnectionError as error:
        raise _named(error, conn_id) from error


def _warehouse(settings: Settings) -> Way:
    return way_to(settings.warehouse, settings.storage_conn_id, settings.storage_options, extra="storage_conn_id")


def _registry(settings: Settings) -> Way:
    """The registry is reached with a connection of its own; or with the one of the storage, where that is of the same kind or a disk."""
    if not settings.registry:
        return Way()
    same = one_name(protocol_of(settings.registry)) == one_name(settings.protocol)
    other = settings.registry_conn_id or (settings.storage_conn_id if same or one_name(settings.protocol) == "file" else "")
    said = settings.storage_options if same and not settings.registry_conn_id else {}
    extra = "registry_conn_id" if settings.registry_conn_id else "storage_conn_id"
    way = way_to(settings.registry, other, said, extra=extra)
    if way.fs is not None:
        message = f"a registry on {protocol_of(settings.registry)}:// cannot be opened with a connection."
        fix = f"Keep it on S3, GCS, Azure or a disk, or leave {extra} out."
        raise BadConnectionError(message, code="connection.no-filesystem", path="extra.registry", fix=fix)
    return way


def _url(address: str) -> str:
    """The address of a registry as a URL: a path would be looked for where the warehouse lies."""
    return address if "://" in address else f"file://{Path(address).expanduser()}"


def _named(error: SchemaError, conn_id: str) -> SchemaError:
    """The error, saying which connection it is about."""
    return type(error).of([fault._replace(path=f"connection {conn_id}{f', {fault.path}' if fault.path else ''}") for fault in error.faults])


def _of_connection(error: SchemaError, conn_id: str) -> SchemaError:
    return _named(BadConnectionError.of(error.faults), conn_id)
