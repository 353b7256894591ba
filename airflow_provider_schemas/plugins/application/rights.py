"""Who may see a page, and which DAGs and connections in it. Runs in a thread of ours: auth managers ask Airflow's database.

The dependencies of Airflow that work in a mounted application are those that ask for the auth manager of the process; the ones that
take it from the state of the application end in an error there.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.batch_apis import IsAuthorizedDagRequest
from airflow.api_fastapi.auth.managers.models.resource_details import AssetDetails, ConnectionDetails, DagAccessEntity, DagDetails
from airflow.models.connection import Connection
from airflow.models.dag import DagModel
from msgspec import Struct

from airflow_provider_schemas.plugins.application import no_page
from airflow_provider_schemas.plugins.application.no_page import NoPageError
from airflow_provider_schemas.plugins.common import allow_list
from airflow_provider_schemas.plugins.common.page import Access, Page
from airflow_provider_schemas.plugins.common.query import needed
from airflow_provider_schemas.plugins.verdicts.read import dag_ids_with_verdicts

# A database takes no more values in one statement.
_MAX_DAGS = 20_000


class Rights(Struct, frozen=True):
    """What a user may see on a page."""

    dag_ids: frozenset[str] = frozenset()
    conn_ids: tuple[str, ...] = ()
    own_conn_ids: frozenset[str] = frozenset()
    """Those that the user may read in Airflow as well."""


def prove(page: Page, query: Mapping[str, str], user: Any) -> Rights:
    """Return what the user may see on the page; NoPageError if the user may not see the page."""
    return _PROOFS[page.access](query, user)


def _signed_in(query: Mapping[str, str], user: Any) -> Rights:
    return Rights()


def _one_dag(query: Mapping[str, str], user: Any) -> Rights:
    dag_id = needed(query, "dag_id")
    if not _may_read(dag_id, DagModel.get_team_name(dag_id), user):
        raise NoPageError(no_page.NOT_THIS_DAG)
    return Rights(dag_ids=frozenset({dag_id}))


def _all_dags(query: Mapping[str, str], user: Any) -> Rights:
    """Return the DAGs whose XComs the user may read: the right to see a DAG alone is not enough."""
    dag_ids = sorted(get_auth_manager().get_authorized_dag_ids(user=user, method="GET"))
    if len(dag_ids) <= _MAX_DAGS and _may_read_all(dag_ids, user):
        return Rights(dag_ids=frozenset(dag_ids))
    # Each is asked about by itself, which may be a request over the network: only where there is something to see.
    with_verdicts = sorted(dag_ids_with_verdicts() & frozenset(dag_ids))
    teams = _teams(with_verdicts)
    return Rights(dag_ids=frozenset(dag_id for dag_id in with_verdicts if _may_read(dag_id, teams.get(dag_id), user)))


def _may_read_all(dag_ids: Collection[str], user: Any) -> bool:
    """Return whether the user may read the XComs of all of these DAGs: one request to auth managers that are far away."""
    teams = _teams(dag_ids)
    requests = [_request(dag_id, teams.get(dag_id)) for dag_id in dag_ids]
    return bool(requests) and get_auth_manager().batch_is_authorized_dag(requests, user=user)


def _request(dag_id: str, team: str | None) -> IsAuthorizedDagRequest:
    return {"method": "GET", "access_entity": DagAccessEntity.XCOM, "details": DagDetails(id=dag_id, team_name=team)}


def _teams(dag_ids: Collection[str]) -> Mapping[str, str | None]:
    return DagModel.get_dag_id_to_team_name_mapping(list(dag_ids)) if dag_ids else {}


def _may_read(dag_id: str, team: str | None, user: Any) -> bool:
    details = DagDetails(id=dag_id, team_name=team)
    return get_auth_manager().is_authorized_dag(method="GET", access_entity=DagAccessEntity.XCOM, details=details, user=user)


def _connections(query: Mapping[str, str], user: Any) -> Rights:
    """Return the connections that the user may read; NoPageError if the query names another one."""
    allowed = _allowed(user)
    named = query.get("conn", "")
    is_own = bool(named) and _may_read_connection(named, user)
    if named and named not in allowed:
        if not is_own:
            raise NoPageError(no_page.not_this_connection(allow_list.SETTING, allow_list.VARIABLE))
        allowed = (*allowed, named)
    return Rights(conn_ids=allowed, own_conn_ids=frozenset({named} if is_own else ()))


def _allowed(user: Any) -> tuple[str, ...]:
    listed = allow_list.allow_listed()
    if not listed or get_auth_manager().is_authorized_asset(method="GET", details=AssetDetails(id=None), user=user):
        return listed
    return tuple(_readable(listed, user))


def _readable(conn_ids: Iterable[str], user: Any) -> Iterable[str]:
    return (conn_id for conn_id in conn_ids if _may_read_connection(conn_id, user))


def _may_read_connection(conn_id: str, user: Any) -> bool:
    details = ConnectionDetails(conn_id=conn_id, team_name=Connection.get_team_name(conn_id))
    return get_auth_manager().is_authorized_connection(method="GET", details=details, user=user)


_PROOFS: dict[Access, Callable[[Mapping[str, str], Any], Rights]] = {
    Access.SIGNED_IN: _signed_in,
    Access.DAG: _one_dag,
    Access.DAGS: _all_dags,
    Access.CONNECTION: _connections,
}
