"""Addresses of the pages, relative to each other: names stand in the query alone, since a path is decoded on its way."""

from urllib.parse import urlencode

from msgspec import Struct

from airflow_provider_schemas.store.layout.identifiers import MAIN


class Tab(Struct, frozen=True):
    """A page about the same table."""

    title: str
    address: str
    is_here: bool = False


_TABS = (
    ("table", "Versions"),
    ("diff", "Differences"),
    ("columns", "Columns"),
    ("readers", "Readers"),
    ("references", "References"),
)


def address(path: str, **query: str | int | None) -> str:
    """Return the address of a page; what is None or empty is left out."""
    given = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path


def tabs(here: str, conn_id: str, table: str, branch: str) -> tuple[Tab, ...]:
    """Return the pages about a table."""
    other = "" if branch == MAIN else branch
    return tuple(Tab(title, address(path, conn=conn_id, t=table, branch=other), path == here) for path, title in _TABS)
