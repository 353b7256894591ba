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
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported

_log = logging.getLogger(__name__)
_OURS: Final = __name__.partition(".")[0]
_SCHEME: Final = "schemas"
_NAME: Final = re.compile(r"(?P<alias>[^/?]+)/(?P<database>[^/?.]+)\.(?P<table>[^/?.]+)(\?(?P<query>.*))?")

ConnId = str | Mapping[str, str] | None


class _Store(NamedTuple):
    """Where tables are asked about with one guard."""

    conn_id: str
    branch: str | None


class _Table(NamedTuple):
    alias: str
    name: str
    branch: str | None
    watch: str
    """The connection over which it is watched, if it is."""
    reference: str = ""
    """The name of the asset where nothing else is known of it: it may be anybody's."""


def guard_by_inlets(task: Any, *, conn_id: ConnId = None, on_incompatible: str = "warn", on_missing: str = "warn") -> None:
    """Guard a task by the tables among its inlets, `schema_asset(...)` or a reference to one; for a cluster policy.

    The connection is the one whose id is the alias of the asset, unless its id is given, or a mapping of aliases to ids.
    Tables are judged against what the task saw when it was last green. A guard that warns stops nothing, also if the
    store cannot be asked. Tasks with a guard of their own, sensors, and tasks of this package are left alone. Never
    raises: what goes wrong is logged, since a policy that raises takes the DAG away.
    """
    try:
        stores = _stores(task, conn_id)
        if stores and not _is_left_alone(task):
            _guard(task, stores, on_incompatible, on_missing)
    except Exception:  # noqa: BLE001  # whatever it is, the DAG must stay
        _log.exception("the task %s was not guarded by its inlets", getattr(task, "task_id", task))


def _guard(task: Any, stores: Mapping[_Store, list[_Table]], on_incompatible: str, on_missing: str) -> None:
    # Who has no such inlet does not pay for guards.
    from airflow_provider_schemas.operators.guard import SchemaGuard
    from airflow_provider_schemas.operators.pre_execute import hook_on, hooks_on
    from airflow_provider_schemas.tasks.gate.arguments import Asked
    from airflow_provider_schemas.tasks.not_said import NOT_SAID

    if any(isinstance(one, SchemaGuard) for one in hooks_on(task)):
        return
    on_trouble: Literal["raise", "warn"] = "raise" if {on_incompatible, on_missing} - {"warn"} else "warn"
    for store, tables in stores.items():
        asked = Asked(
            conn_id=store.conn_id,
            branch=NOT_SAID if store.branch is None else store.branch,
            reads=sorted({one.name for one in tables}),
            on_incompatible=on_incompatible,
            on_missing=on_missing,
        )
        hook_on(task, SchemaGuard(asked, on_trouble, _referred(tables)))


def _referred(tables: Iterable[_Table]) -> tuple[tuple[str, str], ...]:
    """The tables of which only the name of an asset tells, with that name."""
    certain = {one.name for one in tables if not one.reference}
    return tuple(sorted({(one.name, one.reference) for one in tables if one.name not in certain}))


def _is_left_alone(task: Any) -> bool:
    """Whether the task waits rather than reads, or asks about tables by itself."""
    kind = getattr(task, "operator_class", None) or type(task)
    family = kind.__mro__ if isinstance(kind, type) else ()
    return any(one.__name__ == "BaseSensorOperator" or one.__module__.partition(".")[0] == _OURS for one in family)


def _stores(task: Any, conn_id: ConnId) -> dict[_Store, list[_Table]]:
    """The tables among the inlets, by how they are asked about."""
    found: defaultdict[_Store, list[_Table]] = defaultdict(list)
    for one in _tables(getattr(task, "inlets", None) or ()):
        found[_Store(_connection(one, conn_id), one.branch)].append(one)
    return found


def _connection(table: _Table, conn_id: ConnId) -> str:
    own = table.watch or table.alias
    return conn_id.get(table.alias, own) if isinstance(conn_id, Mapping) else conn_id or own


def _tables(inlets: Iterable[Any]) -> Iterator[_Table]:
    for inlet in inlets:
        uri, name = getattr(inlet, "uri", None), getattr(inlet, "name", None)
        if isinstance(uri, str):
            yield from _by_uri(uri)
        elif isinstance(name, str) and type(inlet).__name__ == "AssetNameRef":
            yield from _by_name(name)


def _by_uri(uri: str) -> Iterator[_Table]:
    if not uri.startswith(f"{_SCHEME}:"):
        return
    parts = urlsplit(uri)
    alias, path = unquote(parts.netloc), [unquote(one) for one in parts.path.split("/")[1:]]
    if alias and len(path) == 2 and all(path):
        yield _table(alias, ".".join(path), parts.query)


def _by_name(name: str) -> Iterator[_Table]:
    found = _NAME.fullmatch(name)
    if found:
        yield _table(found["alias"], f"{found['database']}.{found['table']}", found["query"] or "", name)


def _table(alias: str, name: str, query: str, reference: str = "") -> _Table:
    said = dict(parse_qsl(query))
    return _Table(alias, name, said.get("branch"), said.get("watch", ""), reference)
