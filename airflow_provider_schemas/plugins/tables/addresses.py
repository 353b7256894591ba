"""Addresses of the pages, relative to each other: names stand in the query alone, since a path is decoded on its way."""

from urllib.parse import urlencode

from msgspec import Struct

from airflow_provider_schemas.render.html.links import Links
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
    """Return the address of a page; what is None or empty is left out, and so is the main branch."""
    given = {name: value for name, value in query.items() if value not in (None, "") and (name, value) != ("branch", MAIN)}
    return f"{path}?{urlencode(given)}" if given else path


def tabs(here: str, conn_id: str, table: str, branch: str) -> tuple[Tab, ...]:
    """Return the pages about a table."""
    return tuple(Tab(title, address(path, conn=conn_id, t=table, branch=branch), path == here) for path, title in _TABS)


class BranchLinks(Links):
    """The links of a page about a branch: what they say of the table is said of the same branch."""

    def __init__(self, links: Links, branch: str) -> None:
        self._links = links
        self._more = "" if branch == MAIN else f"&{urlencode({'branch': branch})}"
        self.docs = links.docs

    def _of_branch(self, target: str) -> str:
        return f"{target}{self._more}" if target else ""

    def rule(self, rule: str) -> str:
        return self._links.rule(rule)

    def table(self, table: str, conn_id: str = "") -> str:
        return self._of_branch(self._links.table(table, conn_id))

    def diff(self, table: str, old: int | None, new: int | None, conn_id: str = "") -> str:
        return self._of_branch(self._links.diff(table, old, new, conn_id))

    def column(self, table: str, column: str, conn_id: str = "") -> str:
        return self._of_branch(self._links.column(table, column, conn_id))

    def dag(self, dag_id: str) -> str:
        return self._links.dag(dag_id)

    def run(self, dag_id: str, run_id: str, task_id: str = "", map_index: int = -1) -> str:
        return self._links.run(dag_id, run_id, task_id, map_index)
