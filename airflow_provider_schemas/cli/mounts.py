"""The mounts that a line names, as sources of tables. Airflow is loaded only for one that names a connection."""

from argparse import Namespace
from collections import Counter
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli import airflow_connection
from airflow_provider_schemas.cli.arguments.mount import DELTA, MountOption
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.mounts.source import TableSource


def check(args: Namespace) -> None:
    """Refuse a line that mounts a database twice."""
    for database, times in Counter(option.database for option in args.mount).items():
        if times > 1:
            message = f"{database!r} is mounted {times} times."
            raise SchemaError(message, code="cli.mount", path="--mount", fix="Keep one of them.")


def open_mounts(args: Namespace, storage_options: dict[str, Any] | None) -> "dict[str, TableSource]":
    """Return the source of each mounted database; nothing is asked of it yet."""
    check(args)
    return {option.database: _open(option, args, storage_options) for option in args.mount}


def _open(option: MountOption, args: Namespace, storage_options: dict[str, Any] | None) -> "TableSource":
    from airflow_provider_schemas.store import DeltaMount, IcebergMount
    from airflow_provider_schemas.store.mounts.named_catalog import NamedCatalog

    if option.source == DELTA:
        return DeltaMount(option.url, storage_options=_options_for(option.url, args, storage_options))
    namespace = option.namespace or option.database
    if option.conn_id:
        return airflow_connection.open_mount(option)
    if option.catalog:
        return IcebergMount(NamedCatalog(option.catalog), namespace, name=option.catalog)
    return IcebergMount(option.url, namespace, storage_options=_options_for(option.url, args, storage_options))


def _options_for(url: str, args: Namespace, storage_options: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the options of the store's storage, where the address lies in a storage of the same kind."""
    same = url.partition("://")[0] == args.store.partition("://")[0]
    return storage_options if same else None
