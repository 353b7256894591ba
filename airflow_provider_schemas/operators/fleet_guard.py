"""Guards for a whole fleet: a cluster policy that guards each task by the tables among its inlets. No DAG file is touched.

In `airflow_local_settings.py`:

    from airflow_provider_schemas.operators import guard_by_inlets

    def task_policy(task):
        guard_by_inlets(task, on_incompatible="warn")

Airflow loads that file in each of its processes, and calls the policy for each task of each parse: nothing but the
standard library is imported here, and what a guard needs is imported when a task has a table among its inlets.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported

_log = logging.getLogger(__name__)
_OURS: Final = __name__.partition(".")[0]
_SCHEME: Final = "schemas"
_NAME: Final = re.compile(r"(?P<alias>[^/?]+)/(?P<database>[^/?.]+)\.(?P<table>[^/?.]+)(\?(?P<query>.*))?")

ConnId = str | Mapping[str, str] | None


class _Store(NamedTuple):
    """The store and branch whose tables one guard checks."""

    conn_id: str
    branch: str | None


class _Table(NamedTuple):
    alias: str
    name: str
    branch: str | None
    watch: str
    """The connection over which it is watched, if it is."""
    reference: str = ""
    """The name of the asset where nothing else is known of it: it may be another provider's."""


def guard_by_inlets(task: Any, *, conn_id: ConnId = None, on_incompatible: str = "warn", on_missing: str = "warn") -> None:
    """Guard a task by the tables among its inlets, `schema_asset(...)` or a reference to one; for a cluster policy.

    The connection is the one whose id is the alias of the asset, unless its id is given, or a mapping of aliases to ids.
    Tables are judged against what the task saw when it was last green. A guard that warns stops nothing, also if the
    store cannot be asked. Tasks with a guard of their own, sensors, and tasks of this package are left alone. Never
    raises: what goes wrong is logged, since a policy that raises takes the DAG away.
    """
    try:
        stores = _group_by_store(task, conn_id)
        if stores and not _is_left_alone(task):
            _guard(task, stores, on_incompatible, on_missing)
    except Exception:  # noqa: BLE001  # whatever it is, the DAG must stay
        _log.exception("the task %s was not guarded by its inlets", getattr(task, "task_id", task))


def _guard(task: Any, stores: Mapping[_Store, list[_Table]], on_incompatible: str, on_missing: str) -> None:
    # Tasks without such an inlet do not pay for guards.
    from airflow_provider_schemas.operators.guard import SchemaGuard
    from airflow_provider_schemas.operators.pre_execute import hook_on, hooks_on
    from airflow_provider_schemas.tasks.gate.arguments import GateArguments
    from airflow_provider_schemas.tasks.not_said import NOT_SAID

    if any(isinstance(hook, SchemaGuard) for hook in hooks_on(task)):
        return
    on_trouble: Literal["raise", "warn"] = "raise" if {on_incompatible, on_missing} - {"warn"} else "warn"
    for store, tables in stores.items():
        asked = GateArguments(
            conn_id=store.conn_id,
            branch=NOT_SAID if store.branch is None else store.branch,
            reads=sorted({table.name for table in tables}),
            on_incompatible=on_incompatible,
            on_missing=on_missing,
        )
        hook_on(task, SchemaGuard(asked, on_trouble, _unconfirmed(tables)))


def _unconfirmed(tables: Sequence[_Table]) -> tuple[tuple[str, str], ...]:
    """Return the tables that are known by the name of an asset alone, with that name."""
    confirmed = {table.name for table in tables if not table.reference}
    return tuple(sorted({(table.name, table.reference) for table in tables if table.name not in confirmed}))


def _is_left_alone(task: Any) -> bool:
    """Return whether the task waits rather than reads, or checks tables by itself."""
    operator_class = getattr(task, "operator_class", None) or type(task)
    bases = operator_class.__mro__ if isinstance(operator_class, type) else ()
    return any(base.__name__ == "BaseSensorOperator" or base.__module__.partition(".")[0] == _OURS for base in bases)


def _group_by_store(task: Any, conn_id: ConnId) -> dict[_Store, list[_Table]]:
    """Return the tables among the inlets, by the store and branch that they are checked in."""
    stores: defaultdict[_Store, list[_Table]] = defaultdict(list)
    for table in _inlet_tables(getattr(task, "inlets", None) or ()):
        stores[_Store(_connection_id(table, conn_id), table.branch)].append(table)
    return stores


def _connection_id(table: _Table, conn_id: ConnId) -> str:
    own = table.watch or table.alias
    if isinstance(conn_id, Mapping):
        return conn_id.get(table.alias, own)
    return conn_id or own


def _inlet_tables(inlets: Iterable[Any]) -> Iterator[_Table]:
    for inlet in inlets:
        uri = getattr(inlet, "uri", None)
        name = getattr(inlet, "name", None)
        if isinstance(uri, str):
            yield from _by_uri(uri)
        elif isinstance(name, str) and type(inlet).__name__ == "AssetNameRef":
            yield from _by_name(name)


def _by_uri(uri: str) -> Iterator[_Table]:
    if not uri.startswith(f"{_SCHEME}:"):
        return
    parts = urlsplit(uri)
    alias = unquote(parts.netloc)
    path = [unquote(part) for part in parts.path.split("/")[1:]]
    if alias and len(path) == 2 and all(path):
        yield _table(alias, ".".join(path), parts.query)


def _by_name(name: str) -> Iterator[_Table]:
    parts = _NAME.fullmatch(name)
    if parts:
        yield _table(parts["alias"], f"{parts['database']}.{parts['table']}", parts["query"] or "", name)


def _table(alias: str, name: str, query: str, reference: str = "") -> _Table:
    settings = dict(parse_qsl(query))
    return _Table(alias, name, settings.get("branch"), settings.get("watch", ""), reference)
