"""The store that the options of a line name, and its tables."""

import json
import os
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from airflow_provider_schemas.cli import airflow_connection
from airflow_provider_schemas.cli.arguments.options import CONN, STORE
from airflow_provider_schemas.cli.arguments.table_name import TableReference
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore
    from airflow_provider_schemas.store.table import Table

ACTOR = "AIRFLOW_SCHEMAS_ACTOR"


def is_named(args: Namespace) -> bool:
    """Return whether the line names a store."""
    return bool(args.store or args.conn)


def store(args: Namespace) -> "SchemaStore":
    """Return the store, opened once. Nothing is read from its storage yet, except the registry that the line names by its id."""
    if args.opened is None:
        opened = airflow_connection.open_connection(args, actor()) if args.conn else _open_address(args)
        if opened.expects_registry:
            _ = opened.registry_id  # refuses another registry, also where nothing else is read from it
        args.opened = opened.rehearsing() if getattr(args, "dry_run", False) else opened
    return cast("SchemaStore", args.opened)


def _open_address(args: Namespace) -> "SchemaStore":
    """Open the store at the address. Its libraries load here: plain files need none of them."""
    if not args.store:
        fix = f"Pass --store URL or --conn ID, set {STORE} or {CONN}, or name it in schemas.toml."
        raise SchemaError("this command works on a store, and none is named.", code="cli.no-store", fix=fix)
    from airflow_provider_schemas.cli.mounts import open_mounts
    from airflow_provider_schemas.store.schema_store import SchemaStore

    storage_options = _storage_options(args.storage_option) or None
    return SchemaStore(
        args.store,
        storage_options=storage_options,
        mounts=open_mounts(args, storage_options),
        layout=args.layout,
        registry=args.registry,
        registry_id=args.registry_id or "",
        read_only=args.read_only,
        single_writer=args.single_writer,
        team=args.team,
        actor=actor(),
    )


def open_table(args: Namespace, reference: TableReference) -> "Table":
    """Return the table of the store, on the branch that its name or the line names."""
    return store(args).table(reference.name, branch=reference.branch or args.branch)


def actor() -> str:
    """Return who types: the user of this machine, unless AIRFLOW_SCHEMAS_ACTOR names another."""
    try:
        import getpass

        return os.environ.get(ACTOR) or getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container without users
        return ""


# ---------------------------------------------------------------- options of the storage


def _storage_options(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the options of the storage. Objects, lists, true and false are read as JSON; anything else is text."""
    return {key: _read_value(key, text) for key, text in pairs}


def _read_value(key: str, text: str) -> Any:
    if not text.startswith(("{", "[")) and text not in ("true", "false"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        message = "the value begins like JSON, and is none."
        raise SchemaError(message, code="cli.option", path=f"--storage-option {key}", fix="Mend it, or put it into quotes.") from None
