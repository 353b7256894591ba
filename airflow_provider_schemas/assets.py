"""The schema of a table as an asset of Airflow: the one place where its name and URI are made.

Two kinds are never the same asset, because a DAG that is scheduled on one must not be started by the other:

- what our operators announce when they make a version: `schemas://lake/shop/orders`, named `lake/shop.orders`;
- what is watched from the triggerer: its settings stand in its name and in the query of its URI, so that two files
  with other settings never take each other's watcher away, and no URI has two names.

Every version is an event of its own, and each event starts a DAG that is scheduled on its asset, but not each a run
of its own: what Airflow hears before its scheduler comes round (several versions between two looks of a watcher,
tables changed by several tasks, a DAG that was paused) may go into one run. So each version is in exactly one run,
and a run goes through all of `triggering_asset_events`. Three things are different:

- scheduled on both kinds at once, a DAG hears of a version twice: choose the announced asset where only our operators
  change the table, the watched one where anybody else does;
- an event of a watcher that was cut off within the second in which it was handed on comes again after the restart: it
  holds the table and the version, by which it is recognised;
- on Airflow 3.2, and for an asset whose settings were changed, a watcher begins at the newest version, so that what
  was made in between is not announced.

Airflow imports this module for the first asset with any scheme, so that it stays small: the library is imported when an
asset of ours is made.
"""

import math
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlencode, urlsplit

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported

# isort: split
from airflow.sdk import Asset, AssetWatcher

from airflow_provider_schemas.errors import Fault, FormatError

if TYPE_CHECKING:
    from pydantic.types import JsonValue

SCHEME = "schemas"
STARTS = ("latest", "earliest")
_POLL_SECONDS = (0.05, 86_400.0)


def schema_asset(
    warehouse_alias: str = "",
    table: str = "",
    *,
    warehouse: str = "",
    branch: str | None = None,
    watch: str | None = None,
    poll: float = 60.0,
    start: str = "latest",
) -> Asset:
    """Return the asset of a table's schema, as our operators announce it; with watch, one that a DAG may be scheduled on without them.

    The warehouse, which may be given by either name, is the alias of the connection: its extra `alias`, else its id. Watch is
    the id of a connection over which the triggerer looks for new versions every poll seconds, from the newest one or from the earliest.
    """
    from airflow_provider_schemas.store.layout.identifiers import branch_name, table_name

    alias = _read_alias(_read_warehouse(warehouse_alias, warehouse))
    database, name_in_database = table_name(table)
    checked_branch = branch_name(branch)
    name, uri = _name_and_uri(alias, database, name_in_database, checked_branch)
    if watch is None:
        return Asset(name=name, uri=uri)
    settings = {"poll": _read_poll(poll), "start": _read_start(start), "watch": _read_watch(watch)}
    name = _with_settings(name, settings)
    uri = _with_settings(uri, settings)
    from airflow_provider_schemas.triggers.event import SchemaVersionEventTrigger

    trigger = SchemaVersionEventTrigger(
        conn_id=watch, table=f"{database}.{name_in_database}", branch=checked_branch, poll=float(poll), start=start, asset=name
    )
    return Asset(name=name, uri=uri, watchers=[AssetWatcher(name="versions", trigger=trigger)])


def create_asset(*, warehouse_alias: str, table: str, branch: str | None = None, extra: "dict[str, JsonValue] | None" = None) -> Asset:
    """Return the announced asset of a table; Airflow calls this for hook lineage."""
    asset = schema_asset(warehouse_alias, table, branch=branch)
    return Asset(name=asset.name, uri=asset.uri, extra=extra) if extra else asset


def sanitize_uri(uri: SplitResult) -> SplitResult:
    """Return the URI with its alias in small letters; ValueError if it names no table. Airflow calls this for every URI of the scheme."""
    parts = uri.path.split("/")[1:]
    if not uri.netloc or len(parts) != 2 or not all(parts):
        address = f"{uri.scheme}://{uri.netloc.rpartition('@')[2]}{uri.path}"
        raise ValueError(f"{address} names no table. Make it with schema_asset('<alias of the connection>', 'db.table').")
    return uri._replace(netloc=uri.netloc.lower())


def to_openlineage_dataset(asset: Asset, lineage_context: object) -> Any:
    """Return the dataset of OpenLineage that an asset stands for; a watched one stands for the same."""
    from airflow.providers.common.compat.openlineage.facet import Dataset

    uri = urlsplit(asset.uri)
    alias, database, table = (unquote(part) for part in (uri.netloc, *uri.path.split("/")[1:3]))
    namespace, name = dataset_of(alias, f"{database}.{table}", *parse_qs(uri.query).get("branch", [])[:1])
    return Dataset(namespace=namespace, name=name)


def dataset_of(alias: str, table: str, branch: str | None = None) -> tuple[str, str]:
    """Return the namespace and the name of a table in OpenLineage, which are the same for assets, hooks and operators."""
    namespace = f"{SCHEME}://{_quote(_read_alias(alias))}"
    is_main = branch in (None, "", "main")
    return namespace, table if is_main else f"{table}$branch_{branch}"


# ---------------------------------------------------------------- names


def _name_and_uri(alias: str, database: str, table: str, branch: str) -> tuple[str, str]:
    """Return the name and the URI: one name for one URI, or tasks with it as inlet or outlet fail."""
    name = f"{alias}/{database}.{table}"
    uri = f"{SCHEME}://{_quote(alias)}/{_quote(database)}/{_quote(table)}"
    if branch == "main":
        return name, uri
    return _with_settings(name, {"branch": branch}), _with_settings(uri, {"branch": branch})


def _with_settings(text: str, settings: dict[str, str]) -> str:
    """Return the text with settings, which are in alphabetical order, as Airflow sorts a query."""
    separator = "&" if "?" in text else "?"
    return f"{text}{separator}{urlencode(settings)}"


def _quote(part: str) -> str:
    return quote(part, safe="")


def _read_warehouse(alias: object, warehouse: object) -> object:
    """Return the warehouse by the one of its two arguments that was used."""
    if alias != "" and warehouse != "":
        raise _fault("warehouse", "warehouse and warehouse_alias are one argument.", "Pass one of them.")
    return warehouse if alias == "" else alias


def _read_alias(alias: object) -> str:
    """Return the alias in small letters, as a URI's authority is."""
    if not isinstance(alias, str) or not alias.strip() or not alias.isprintable():
        raise _fault("alias", f"{alias!r} is no alias of a warehouse.", "Pass the id of its connection, or the alias in its extra.")
    return alias.strip().lower()


def _read_watch(watch: object) -> str:
    if not isinstance(watch, str) or not watch.strip():
        raise _fault("watch", f"{watch!r} is no id of a connection.", "Pass the id of a connection of type schema_store.")
    return watch


def _read_start(start: object) -> str:
    if start not in STARTS:
        raise _fault("start", f"{start!r} is no beginning.", "Pass 'latest' or 'earliest'.")
    return str(start)


def _read_poll(poll: object) -> str:
    lowest, highest = _POLL_SECONDS
    if isinstance(poll, bool) or not isinstance(poll, int | float) or not math.isfinite(poll) or not lowest <= poll <= highest:
        raise _fault("poll", f"{poll!r} is no time between two looks.", f"Pass seconds, from {lowest:g} to {highest:g}.")
    return repr(float(poll)).removesuffix(".0")


def _fault(argument: str, message: str, fix: str) -> FormatError:
    return FormatError.of([Fault(f"asset.{argument}", argument, message, fix)])
