"""The store of an Airflow connection: `--conn`. Airflow is loaded here, for whoever names a connection, and for nobody else.

The connection is looked up as Airflow's own commands look it up: in the environment, in secrets backends, in the
metadata database. What Airflow logs meanwhile is kept off the answer; with --verbose it goes to standard error.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, TypeVar

from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

# By it Airflow tells processes that may ask the metadata database from those that may not. Its own commands set it, too.
_PROCESS, _MAY_ASK = "_AIRFLOW_PROCESS_CONTEXT", "server"

_LONGEST = 500

T = TypeVar("T")


def over_airflow(args: Namespace, call: Callable[[], T]) -> T:
    """What the call answers, made where connections can be looked up, and in quiet."""
    found: list[T] = []
    with redirect_stdout(sys.stderr), _may_ask():
        quiet = _quiet()
        quiet(lambda _: found.append(call()))(Namespace(verbose=args.verbose))
    return found[0]


def store(args: Namespace, actor: str) -> "SchemaStore":
    """The store of the connection; read-only, and for another team, if that is asked for."""
    from airflow_provider_schemas.hooks.open_store import open_store
    from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook

    hook = SchemaStoreHook(args.conn, actor=actor)
    stricter = {"read_only": True} if args.read_only else {}
    settings = hook.settings.model_copy(update={**stricter, **({"team": args.team} if args.team else {})})
    return open_store(settings, args.conn, actor)


@contextmanager
def _may_ask() -> Iterator[None]:
    """Let connections be looked up in the metadata database, unless the process was told what it may."""
    if _PROCESS in os.environ:
        yield
        return
    os.environ[_PROCESS] = _MAY_ASK
    try:
        yield
    finally:
        os.environ.pop(_PROCESS, None)


def _quiet() -> Callable[[Callable[[Namespace], None]], Callable[[Namespace], None]]:
    """What keeps the logs of a command of Airflow's own quiet; a SchemaError that says what to do where Airflow cannot be loaded."""
    try:
        from airflow.utils.cli import suppress_logs_and_warning
    except ModuleNotFoundError as error:
        if error.name != "airflow":
            raise
        message = "--conn names a connection of Airflow, which is not installed here."
        fix = "Run: pip install airflow-provider-schemas, which brings it; or pass --store URL."
        raise SchemaError(message, code="cli.no-airflow", fix=fix) from None
    except Exception as error:  # Airflow reads its whole configuration while it loads, and raises what it likes
        message = f"Airflow could not be loaded: {str(error).strip().removesuffix('.')[:_LONGEST]}."
        raise SchemaError(message, code="cli.no-airflow", fix="Mend what it says, or pass --store URL.") from error
    return suppress_logs_and_warning
