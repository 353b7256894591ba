"""`SchemaStoreHook`: the schema store that a connection names, for tasks, triggers, the API server and tasks that people write.

DAG files and the triggerer's loop import this module, so that the library behind it is loaded at the first use of a hook.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseHook, get_current_context
from airflow.sdk.lineage import get_hook_lineage_collector

from airflow_provider_schemas.hooks.defaults import CONN_TYPE, DEFAULT

if TYPE_CHECKING:
    from airflow_provider_schemas.hooks.connection_settings import Settings
    from airflow_provider_schemas.store.layout.identifiers import TableName
    from airflow_provider_schemas.store.schema_store import SchemaStore
    from airflow_provider_schemas.store.table import Table

# The scheme of our assets, by whose factory Airflow makes the asset of a table.
_SCHEME = "schemas"


class SchemaStoreHook(BaseHook):
    """The store of a connection of the type `schema_store`. Nothing is looked up before it is used."""

    conn_name_attr = "conn_id"
    default_conn_name = DEFAULT
    conn_type = CONN_TYPE
    hook_name = "Schema store"

    def __init__(self, conn_id: str = default_conn_name, *, actor: str = "", **kwargs: Any) -> None:
        """Take the id of a connection, and the actor that versions record; the user of the process, if nobody is named."""
        super().__init__(**kwargs)
        self.conn_id = conn_id
        self.actor = actor

    @cached_property
    def settings(self) -> "Settings":
        """Return the settings in the connection."""
        from airflow_provider_schemas.hooks.open_store import read_settings

        return read_settings(self.conn_id)

    @cached_property
    def store(self) -> "SchemaStore":
        """Open the store."""
        from airflow_provider_schemas.hooks.open_store import open_store

        return open_store(self.settings, self.conn_id, self.actor)

    def get_conn(self) -> "SchemaStore":
        """Return the store: the same one for as long as the hook lives."""
        return self.store

    @property
    def alias(self) -> str:
        """Return what stands for the warehouse in the addresses of assets."""
        return self.settings.alias or self.conn_id

    def table(self, name: "str | TableName", branch: str | None = None) -> "Table":
        """Open a table, which need not be there, and report it as an input of the running task in lineage."""
        table = self.store.table(name, branch)
        self._report_input(table)
        return table

    def _report_input(self, table: "Table") -> None:
        """Report a table to lineage where a task runs: in the triggerer, which has none, reports would only pile up."""
        try:
            get_current_context()
        except RuntimeError:
            return
        asset = {"warehouse_alias": self.alias, "table": table.name, "branch": table.branch_name}
        get_hook_lineage_collector().add_input_asset(self, scheme=_SCHEME, asset_kwargs=asset)

    def get_table_schema(self, table: "str | TableName") -> list[dict[str, str]]:
        """Return the columns of the newest version: name and type of each."""
        return [{"name": field.name, "type": str(field.type)} for field in self.table(table).schema().fields]

    def test_connection(self) -> tuple[bool, str]:
        """Return whether the store can be listed, read and, if it may be written, keeps two writers apart. Leaves nothing behind."""
        from airflow_provider_schemas.hooks.connection_test import run_test

        return run_test(lambda: self.store)
