"""Where names lead on a page: to other pages of ours, beside this one; and to Airflow's own, one level up.

All addresses are relative: Airflow may lie below a prefix that nobody here knows. Names of ours stand in the query.
"""

from urllib.parse import quote, urlencode

from starlette.datastructures import URL

from airflow_provider_schemas.render.html.links import Links

DOCS = ""


class PageLinks(Links):
    """Addresses as they are seen from a page at `schemas/<path>`."""

    def __init__(self, conn_id: str = "", docs: str = DOCS) -> None:
        self._conn_id = conn_id
        self.docs = docs

    # ---------------------------------------------------------------- pages of ours

    def page(self, path: str, **query: object) -> str:
        """Return the address of a page of ours, without what is empty."""
        text = urlencode({name: str(value) for name, value in query.items() if value not in ("", None)}, errors="replace")
        return f"{path}?{text}" if text else path

    def table(self, table: str, conn_id: str = "") -> str:
        return self._of_table("table", table, conn_id)

    def diff(self, table: str, old: int | None, new: int | None, conn_id: str = "") -> str:
        return self._of_table("diff", table, conn_id, a=old, b=new)

    def column(self, table: str, column: str, conn_id: str = "") -> str:
        return self._of_table("readers", table, conn_id, column=column)

    def task(self, dag_id: str, run_id: str, task_id: str, map_index: int = -1) -> str:
        """Return the address of our page about a task."""
        return self.page("task", dag_id=dag_id, run_id=run_id, task_id=task_id, map_index=map_index)

    def dag_tables(self, dag_id: str) -> str:
        """Return the address of our page about a DAG."""
        return self.page("dag", dag_id=dag_id)

    def _of_table(self, path: str, table: str, conn_id: str, **query: object) -> str:
        connection = conn_id or self._conn_id
        # Without a connection nobody knows where the table is.
        return self.page(path, conn=connection, t=table, **query) if connection else ""

    # ---------------------------------------------------------------- pages of Airflow

    def dag(self, dag_id: str) -> str:
        return f"../dags/{_segment(dag_id)}" if _can_be_segment(dag_id) else ""

    def run(self, dag_id: str, run_id: str, task_id: str = "", map_index: int = -1) -> str:
        names = [name for name in (dag_id, run_id, task_id) if name]
        if not (dag_id and run_id) or not all(map(_can_be_segment, names)):
            return ""
        address = f"../dags/{_segment(dag_id)}/runs/{_segment(run_id)}"
        if task_id:
            address += f"/tasks/{_segment(task_id)}"
            if map_index >= 0:
                address += f"/mapped/{map_index}"
        return address

    def tab(self, dag_id: str, run_id: str, task_id: str, map_index: int = -1) -> str:
        """Return the address of our tab on a task, in Airflow's own page about it."""
        address = self.run(dag_id, run_id, task_id, map_index)
        return f"{address}/plugin/schemas_task" if address else ""


def _segment(name: str) -> str:
    return quote(name, safe="", errors="replace")


def _can_be_segment(name: str) -> bool:
    """Return whether a name can stand in a path: a browser takes the two others for steps."""
    return name not in (".", "..")


def sign_in_address(page: URL) -> str:
    """Return where somebody signs in who comes back to the page afterwards."""
    back = f"{page.path}?{page.query}" if page.query else page.path
    return f"../api/v2/auth/login?{urlencode({'next': back}, errors='replace')}"
