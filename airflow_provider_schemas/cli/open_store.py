"""The store that the options name."""

import json
import os
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from airflow_provider_schemas.cli import airflow_connection
from airflow_provider_schemas.cli.arguments.options import CONN, STORE
from airflow_provider_schemas.cli.arguments.table_name import Named
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore
    from airflow_provider_schemas.store.table import Table

ACTOR = "AIRFLOW_SCHEMAS_ACTOR"


def store(args: Namespace) -> "SchemaStore":
    """The store, opened once. It asks nothing of its storage yet, but for the registry that the line names by its id."""
    if args.opened is None:
        made = airflow_connection.store(args, actor()) if args.conn else _opened(args)
        if made.expects_registry:
            _ = made.registry_id  # refuses another registry, also where nothing else is read from it
        args.opened = made
    return cast("SchemaStore", args.opened)


def _opened(args: Namespace) -> "SchemaStore":
    """The store at the address. Its libraries load here: plain files need none of them."""
    if not args.store:
        fix = f"Pass --store URL or --conn ID, or set {STORE} or {CONN}."
        raise SchemaError("this command works on a store, and none is named.", code="cli.no-store", fix=fix)
    from airflow_provider_schemas.store.schema_store import SchemaStore

    return SchemaStore(
        args.store,
        storage_options=options_of(args.storage_option) or None,
        layout=args.layout,
        registry=args.registry,
        registry_id=args.registry_id or "",
        read_only=args.read_only,
        single_writer=args.single_writer,
        team=args.team,
        actor=actor(),
    )


def named(args: Namespace) -> bool:
    """Whether a store is named."""
    return bool(args.store or args.conn)


def table(args: Namespace, named: Named) -> "Table":
    """The table that is named, on the branch that is meant."""
    return store(args).table(named.name, branch=named.branch or args.branch)


def actor() -> str:
    """Who types: the user of this machine, unless AIRFLOW_SCHEMAS_ACTOR says another."""
    try:
        import getpass

        return os.environ.get(ACTOR) or getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container without users
        return ""


def options_of(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The options of the storage. Objects, lists, true and false are read as JSON; all else is text."""
    return {key: _value(key, text) for key, text in pairs}


def _value(key: str, text: str) -> Any:
    if not text.startswith(("{", "[")) and text not in ("true", "false"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        message = "the value begins like JSON, and is none."
        raise SchemaError(message, code="cli.option", path=f"--storage-option {key}", fix="Mend it, or put it into quotes.") from None
