"""`SchemaStoreHook`: the schema store that a connection names, for tasks, triggers, the API server and tasks that people write.

DAG files and the triggerer's loop import this module, so that the library behind it is loaded by the first who asks a hook for something.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseHook

from airflow_provider_schemas.hooks import lineage
from airflow_provider_schemas.hooks.defaults import CONN_TYPE, DEFAULT

if TYPE_CHECKING:
    from airflow_provider_schemas.hooks.connection_settings import Settings
    from airflow_provider_schemas.store.layout.identifiers import TableName
    from airflow_provider_schemas.store.schema_store import SchemaStore
    from airflow_provider_schemas.store.table import Table


class SchemaStoreHook(BaseHook):
    """The store of a connection of the type `schema_store`. Nothing is looked up before somebody asks for it."""

    conn_name_attr = "conn_id"
    default_conn_name = DEFAULT
    conn_type = CONN_TYPE
    hook_name = "Schema store"

    def __init__(self, conn_id: str = default_conn_name, *, actor: str = "", **kwargs: Any) -> None:
        """Actor is who is recorded in what is written; the user of the process, if nobody is named."""
        super().__init__(**kwargs)
        self.conn_id, self.actor = conn_id, actor

    @cached_property
    def settings(self) -> "Settings":
        """What the connection says."""
        from airflow_provider_schemas.hooks.open_store import settings_of

        return settings_of(self.conn_id)

    @cached_property
    def store(self) -> "SchemaStore":
        """The store."""
        from airflow_provider_schemas.hooks.open_store import opened

        return opened(self.settings, self.conn_id, self.actor)

    def get_conn(self) -> "SchemaStore":
        """The store: the same one for as long as the hook lives."""
        return self.store

    @property
    def alias(self) -> str:
        """What stands for the warehouse in the addresses of assets."""
        return self.settings.alias or self.conn_id

    def table(self, name: "str | TableName", branch: str | None = None) -> "Table":
        """A table of the store, which need not be there. A task that reads it through this has it among its inputs in lineage."""
        found = self.store.table(name, branch)
        lineage.read(self, self.alias, found.name, found.branch_name)
        return found

    def get_table_schema(self, table: "str | TableName") -> list[dict[str, str]]:
        """The columns of the newest version: name and type of each."""
        return [{"name": field.name, "type": str(field.type)} for field in self.table(table).schema().fields]

    def test_connection(self) -> tuple[bool, str]:
        """Whether the store can be listed, read and, if it may be written, keeps two writers apart. Leaves nothing behind."""
        from airflow_provider_schemas.hooks.connection_test import tried

        return tried(lambda: self.store)
