"""What a page is: its path, its template, who may see it, and what computes its content. Nothing of FastAPI."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct

from airflow_provider_schemas.render.html.links import Links


class Access(StrEnum):
    """Who may see a page."""

    SIGNED_IN = "signed in"
    DAG = "dag"
    """Who may read the XComs of the DAG that the query names."""
    DAGS = "dags"
    """Who is signed in; the content is of the DAGs alone that the user may read."""
    CONNECTION = "connection"
    """Who may read the connection that the query names: an allow-listed one with the right to read assets, any other with its own."""


class Asked(Struct, frozen=True):
    """One request of a user whose right to the page is proven."""

    query: Mapping[str, str]
    """The query, each name once; a page takes from it what it knows."""
    dag_ids: frozenset[str] = frozenset()
    """The DAGs whose XComs the user may read, where the page is of several DAGs."""
    conn_ids: tuple[str, ...] = ()
    """The allow-listed connections that the user may read, and the one that the query names, if it may be read."""
    own_conn_ids: frozenset[str] = frozenset()
    """Those of them that the user may read in Airflow as well: of these, addresses of the storage may be shown."""
    links: Links = Links()


class Page(Struct, frozen=True):
    """A page at `schemas/<path>`."""

    path: str
    template: str
    access: Access
    content: Callable[[Asked], Mapping[str, object]]
    """Compute what the template is rendered with; runs in a thread of our own, within the limit of time."""
    is_storage: bool = False
    """Whether the content asks a storage: then one that was slow is not asked again for a while."""
