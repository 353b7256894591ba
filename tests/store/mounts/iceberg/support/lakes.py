"""An Iceberg table that pyiceberg changes, and a mount that looks at it: through SQL, REST, Glue, or in its folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import IcebergMount
from airflow_provider_schemas.store.mounts.iceberg.look import IcebergLook

NAMESPACE = "shop"
ORDERS = f"{NAMESPACE}.orders"


class Lake:
    """A catalog of pyiceberg that writes, and a mount that reads."""

    def __init__(self, writer: Any, mount: IcebergMount, folder: str) -> None:
        self.writer = writer
        self.mount = mount
        self.folder = folder
        """Where the tables of the namespace lie."""

    def look(self, table: str = "orders", known: Any = None) -> IcebergLook:
        """What the mount finds of a table that is there."""
        look = self.mount.look(table, known)
        assert isinstance(look, IcebergLook)
        return look

    def create(self, name: str = "orders", **options: Any) -> Any:
        return create(self.writer, name, **options)

    def change(self, act: Callable[[Any], Any], name: str = "orders") -> None:
        """Change the schema of a table, as another process would."""
        with self.writer.load_table((NAMESPACE, name)).update_schema() as update:
            act(update)

    def narrow(self) -> None:
        """Make an INT of the key, which the library would refuse: another writer does."""
        from pyiceberg.schema import Schema
        from pyiceberg.table.update import AddSchemaUpdate, SetCurrentSchemaUpdate
        from pyiceberg.types import IntegerType, NestedField

        table = self.writer.load_table(ORDERS)
        number = max(schema.schema_id for schema in table.metadata.schemas) + 1
        schema = Schema(NestedField(1, "order_id", IntegerType(), required=True), *table.schema().fields[1:], schema_id=number)
        added: Any = {"schema": schema}
        self.writer.commit_table(table, (), (AddSchemaUpdate(**added), SetCurrentSchemaUpdate(schema_id=-1)))

    def append(self, name: str = "orders", rows: int = 1) -> None:
        """Write rows under the schema of the table."""
        append(self.writer.load_table((NAMESPACE, name)), rows)


def sql_catalog(folder: Path, name: str = "sql") -> Any:
    from pyiceberg.catalog.sql import SqlCatalog

    (folder / "warehouse").mkdir(parents=True, exist_ok=True)
    catalog = SqlCatalog(name, uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse")
    catalog.create_namespace_if_not_exists(NAMESPACE)
    return catalog


def create(catalog: Any, name: str = "orders", **options: Any) -> Any:
    """A table with an id, a customer and an amount."""
    from pyiceberg.schema import Schema
    from pyiceberg.types import DecimalType, LongType, NestedField, StringType

    schema = Schema(
        NestedField(1, "order_id", LongType(), required=True),
        NestedField(2, "cust", StringType()),
        NestedField(3, "amount", DecimalType(10, 2)),
    )
    return catalog.create_table((NAMESPACE, name), schema, **options)


def append(table: Any, rows: int = 1) -> None:
    """Write rows of NULLs, but for the key."""
    import pyarrow as pa

    schema = table.schema().as_arrow()
    columns = [pa.array(range(rows), field.type) if not field.nullable else pa.nulls(rows, field.type) for field in schema]
    table.append(pa.Table.from_arrays(columns, schema=schema))


def names(look: IcebergLook, number: int | None = None) -> list[str]:
    """The columns of a schema; of the current one, if none is named."""
    return [field.name for field in look.version(look.head if number is None else number).schema.fields]


def numbers(look: IcebergLook) -> list[int]:
    """The schemas that were current, oldest first."""
    return [head.number for head in look.heads().entries]


def metadata_files(folder: str, table: str = "orders") -> list[Path]:
    """The metadata files of a table on this disk, oldest first."""
    return sorted((Path(folder) / table / "metadata").glob("*.metadata.json"))
