"""The store of an Airflow connection: `--conn`. Airflow is loaded here, and only for a line that names a connection.

The connection is looked up as Airflow's own commands look it up: in the environment, in secrets backends, in the
metadata database. The logs of Airflow are kept out of the answer; with --verbose they go to standard error.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, TypeVar

from airflow_provider_schemas.cli.arguments.mount import MountOption
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.hooks.connection_settings import Settings
    from airflow_provider_schemas.hooks.mount_settings import MountSettings
    from airflow_provider_schemas.store.mounts.source import TableSource
    from airflow_provider_schemas.store.schema_store import SchemaStore

# The variable by which Airflow knows which processes may ask the metadata database. Its own commands set it, too.
_PROCESS = "_AIRFLOW_PROCESS_CONTEXT"
_MAY_ASK = "server"

_MAX_MESSAGE = 500

T = TypeVar("T")


def call_in_airflow(args: Namespace, call: Callable[[], T]) -> T:
    """Make a call where connections can be looked up, without Airflow's logs, and return its answer."""
    answers: list[T] = []
    with redirect_stdout(sys.stderr), _may_ask_database():
        without_logs = _import_log_suppression()
        without_logs(lambda _: answers.append(call()))(Namespace(verbose=args.verbose))
    return answers[0]


def open_connection(args: Namespace, actor: str) -> "SchemaStore":
    """Open the store of the connection; read-only, and for another team, if the line says so."""
    from airflow_provider_schemas.hooks.open_store import open_store
    from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook

    hook = SchemaStoreHook(args.conn, actor=actor)
    settings_of_line: dict[str, bool | str] = {}
    if args.read_only:
        settings_of_line["read_only"] = True
    if args.team:
        settings_of_line["team"] = args.team
    return open_store(_with_mounts(hook.settings, args.mount).model_copy(update=settings_of_line), args.conn, actor)


def _with_mounts(settings: "Settings", options: Sequence[MountOption]) -> "Settings":
    """Return the settings with the mounts of the line; refuse a database that the connection mounts already."""
    mounts = dict(settings.mounts)
    for option in options:
        if option.database in mounts:
            message = f"the connection mounts {option.database!r} already."
            raise SchemaError(message, code="cli.mount", path="--mount", fix="Leave it out, or mount under another name.")
        mounts[option.database] = _settings_of(option)
    return settings.model_copy(update={"mounts": mounts})


def _settings_of(option: MountOption) -> "MountSettings":
    from airflow_provider_schemas.hooks.mount_settings import MountSettings

    return MountSettings(option.source, option.conn_id, option.url, option.catalog, option.namespace)


def open_mount(option: MountOption) -> "TableSource":
    """Return the source of a mount that names a connection; the connection is looked up when a table is asked for."""
    from airflow_provider_schemas.hooks.filesystems import StorageAccess
    from airflow_provider_schemas.hooks.mounts import open_mounts

    return open_mounts({option.database: _settings_of(option)}, lambda _: StorageAccess())[option.database]


@contextmanager
def _may_ask_database() -> Iterator[None]:
    """Let connections be looked up in the metadata database, unless the environment sets what the process may do."""
    if _PROCESS in os.environ:
        yield
        return
    os.environ[_PROCESS] = _MAY_ASK
    try:
        yield
    finally:
        os.environ.pop(_PROCESS, None)


def _import_log_suppression() -> Callable[[Callable[[Namespace], None]], Callable[[Namespace], None]]:
    """Return Airflow's decorator that suppresses the logs of a command; raise a SchemaError where Airflow cannot be loaded."""
    try:
        from airflow.utils.cli import suppress_logs_and_warning
    except ModuleNotFoundError as error:
        if error.name != "airflow":
            raise
        message = "the line names a connection of Airflow, which is not installed here."
        fix = "Run: pip install airflow-provider-schemas, which brings it; or pass --store URL, and mount by catalog= or a URL."
        raise SchemaError(message, code="cli.no-airflow", fix=fix) from None
    except Exception as error:  # Airflow reads its whole configuration while it loads, and raises what it likes
        message = f"Airflow could not be loaded: {str(error).strip().removesuffix('.')[:_MAX_MESSAGE]}."
        raise SchemaError(message, code="cli.no-airflow", fix="Mend what it says, or pass --store URL.") from error
    return suppress_logs_and_warning
