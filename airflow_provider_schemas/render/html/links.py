"""Where names lead: nowhere in a file by itself and in a notebook; the page in Airflow's UI gives addresses."""


class Links:
    """Addresses of what a piece of HTML names; empty where there is none, and the name stands without a link."""

    docs: str = ""
    """The address in front of `docs/rules/RULE.md`; empty where no address of the documentation is known."""

    def rule(self, rule: str) -> str:
        """Return the address of the page about a rule."""
        return f"{self.docs}docs/rules/{rule}.md" if self.docs else ""

    def table(self, table: str, conn_id: str = "") -> str:
        """Return the address of a table."""
        return ""

    def diff(self, table: str, old: int | None, new: int | None, conn_id: str = "") -> str:
        """Return the address of two versions beside each other."""
        return ""

    def column(self, table: str, column: str, conn_id: str = "") -> str:
        """Return the address of who reads a column."""
        return ""

    def dag(self, dag_id: str) -> str:
        """Return the address of a DAG in Airflow's own UI."""
        return ""

    def run(self, dag_id: str, run_id: str, task_id: str = "", map_index: int = -1) -> str:
        """Return the address of a run, or of a task of it, in Airflow's own UI."""
        return ""
