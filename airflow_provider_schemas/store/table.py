"""A table of a store, on one branch: its versions, what may become of it, and what hangs on it.

`Table` is put together of three parts: `table_versions.py` reads, `table_changes.py` plans and commits, and `table_records.py` keeps
contracts, waivers, bindings and plans. Nothing is asked of the storage before a method is called, and nothing is remembered but files
that never change.
"""

from airflow_provider_schemas.core.common.short_repr import bounded
from airflow_provider_schemas.store.commit import manage_branches
from airflow_provider_schemas.store.commit.mounted import refusals as mounted_refusals
from airflow_provider_schemas.store.common import arguments
from airflow_provider_schemas.store.table_changes import TableChanges
from airflow_provider_schemas.store.table_records import TableRecords


class Table(TableChanges, TableRecords):
    """One table on one branch."""

    def __repr__(self) -> str:
        if "_subject" not in vars(self):  # a debugger shows a table whose name was refused
            return "Table(...)"
        branch = "" if self.branch_name == "main" else f", branch={self.branch_name!r}"
        return bounded(f"Table({self.name!r}{branch})")

    # ------------------------------------------------------------ branches

    def branches(self) -> tuple[str, ...]:
        """Return the branches of the table, without the main one."""
        return manage_branches.branches(self._subject)

    def branch(self, name: str | None) -> "Table":
        """Return the table on another branch."""
        return Table(self._subject.roots, self.id, name, self._subject.place)

    def create_branch(self, name: str, version: int | None = None) -> "Table":
        """Create a branch with the versions up to this one, or all of them, and return the table on it."""
        number = None if version is None else arguments.number(version)
        mounted_refusals.refuse_branch(self._subject, name)
        manage_branches.create_branch(self._subject, name, number)
        return self.branch(name)
