"""The Iceberg tables of the scheduled story: most in a SQL catalog, one behind a REST catalog whose answers can be lost."""

from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.store import IcebergMount, SchemaStore
from tests.servers.iceberg_rest import IcebergRest
from tests.system.support.lakes import Connections

NAMESPACE = ("prod", "shop")
TABLES = ("orders", "users", "clicks", "grown", "returned", "killed_before", "killed_after")
_READ = ("orders", "users", "grown", "returned")
# The id of the connection is the name under which a SQL catalog keeps its tables.
_SQL = "story_sql"
_REST = "story_rest"
DAGS = ("story_nightly", "story_overtaken", "story_killed", "story_unanswered")


class Story(NamedTuple):
    """The catalogs, as other programs open them."""

    folder: Path
    rest: IcebergRest

    @property
    def connections(self) -> Connections:
        """The connections as `airflow connections import` reads them."""
        mounts = {
            "shop": {"source": "iceberg", "conn_id": _SQL, "namespace": ".".join(NAMESPACE), "evolve": True},
            "remote": {"source": "iceberg", "conn_id": _REST, "namespace": "web", "evolve": True},
        }
        warehouse = (self.folder / "warehouse").as_uri()
        return {
            "story": {"conn_type": "schema_store", "host": (self.folder / "registry").as_uri(), "extra": {"mounts": mounts}},
            _SQL: {"conn_type": "iceberg", "host": f"sqlite:///{self.folder}/catalog.db", "extra": {"type": "sql", "warehouse": warehouse}},
            _REST: {"conn_type": "iceberg", "host": self.rest.uri},
        }

    @property
    def catalog(self) -> Any:
        """The SQL catalog."""
        from pyiceberg.catalog.sql import SqlCatalog

        return SqlCatalog(_SQL, uri=f"sqlite:///{self.folder}/catalog.db", warehouse=(self.folder / "warehouse").as_uri())

    def table(self, name: str) -> Any:
        """A table, as pyiceberg has it now."""
        return self.catalog.load_table((*NAMESPACE, name))

    def columns(self, name: str) -> dict[str, int]:
        """The names of the columns of a table, with their ids."""
        return {field.name: field.field_id for field in self.table(name).schema().fields}

    def commits(self, name: str) -> int:
        """How many commits a table has seen since it was made."""
        return len(self.table(name).metadata.metadata_log)


def fill(story: Story) -> None:
    """Make the tables, and register who reads them."""
    for name in ("registry", "warehouse"):
        (story.folder / name).mkdir(parents=True)
    catalog = story.catalog
    for namespace in (NAMESPACE[:1], NAMESPACE):
        catalog.create_namespace(namespace)
    for table in TABLES:
        catalog.create_table((*NAMESPACE, table), _columns())
    story.rest.behind.create_namespace("web")
    story.rest.behind.create_table(("web", "visits"), _columns())
    store = SchemaStore(story.folder / "registry", mounts={"shop": IcebergMount(catalog, ".".join(NAMESPACE))}, actor="spark")
    for name in _READ:
        store.table(f"shop.{name}").register("cust_id BIGINT", consumer="daily_report", owner="team-bi", contact="#bi-oncall")


def _columns() -> Any:
    from pyiceberg.schema import Schema
    from pyiceberg.types import DecimalType, LongType, NestedField

    order_id = NestedField(1, "order_id", LongType(), required=True)
    return Schema(order_id, NestedField(2, "cust_id", LongType()), NestedField(3, "amount", DecimalType(10, 2)))
