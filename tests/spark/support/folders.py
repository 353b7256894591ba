"""Plain folders of data whose table evolves: each batch of rows is written by Spark as the table is at that time, with ids or without."""

from pathlib import Path
from typing import Any

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

NAME = "shop.orders"


class Folder:
    """A table that is registered, and the folder of its data."""

    def __init__(self, root: Path, columns: str, *, kind: str = "parquet") -> None:
        self.store = SchemaStore(root / "registry", layout="registry")
        self.data = root / "data"
        self.kind = kind
        self.store.adopt(NAME, str(self.data), columns, format=kind)

    @property
    def table(self) -> Table:
        return self.store.table(NAME)

    def evolve(self, *changes: Any) -> None:
        """Change the table, whatever that breaks."""
        for one in changes:
            self.table.evolve(one, override="a test")

    def retype(self, path: str, kind: str) -> None:
        self.evolve([{"action": "updateColumnType", "fieldNames": path.split("."), "newDataType": kind}])

    def write(self, spark: Any, rows: list[tuple[Any, ...]], *, ids: bool = True, by: tuple[str, ...] = (), inside: str = "") -> None:
        """Write rows as the table is now; ids say whether the files bear them, by is how they are partitioned."""
        fields = tuple(Field(one.id, one.name, _loose(one).wire) for one in self.table.schema().fields)
        frame = spark.createDataFrame(rows, struct_type(fields, ids=ids)).coalesce(1)
        frame.write.format(self.kind).partitionBy(*by).mode("append").save(str(self.data / inside if inside else self.data))

    def files(self, inside: str = "") -> list[Path]:
        return sorted((self.data / inside).rglob(f"*.{self.kind}"))


def _loose(one: Field) -> Field:
    return one.with_type(one.type.with_nullable(True))


def rows(frame: Any, *columns: str) -> list[tuple[Any, ...]]:
    """The rows in an order that does not depend on how they were read."""
    return sorted((tuple(one) for one in (frame.select(*columns) if columns else frame).collect()), key=repr)
