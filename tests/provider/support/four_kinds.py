"""One connection over tables of four kinds, and the peer of each, which changes it behind our back.

Iceberg in a REST catalog and in Glue is pyiceberg's, plain Parquet is pyarrow's; another store of ours, which stands for any writer of
Paimon, changes the fourth without asking. The connection mounts the first two, keeps the third, and describes the last.
"""

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from airflow_provider_schemas.store import SchemaStore
from tests.servers.bucket import Storage
from tests.servers.iceberg_rest import iceberg_rest
from tests.servers.process import HOST
from tests.servers.s3 import REGION

ORDERS: Final = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
NEEDS: Final = "order_id BIGINT, cust_id BIGINT, amount DECIMAL(10, 2)"
TABLES: Final = {"rest": "web.orders", "glue": "aws.orders", "paimon": "shop.orders", "parquet": "raw.orders"}
_NAMESPACE: Final = "prod"
_KEYS: Final = {"client.region": REGION, "client.access-key-id": "testing", "client.secret-access-key": "testing"}
_ANYHOW: Final = "what another writer does without asking"


class Peer(Protocol):
    """What another program does to the one table that it keeps."""

    def create(self) -> None:
        """Make the table."""

    def add(self) -> None:
        """Add a column that nobody needs."""

    def rename(self) -> None:
        """Call the customer otherwise."""

    def rename_back(self) -> None:
        """Take that back."""

    def drop(self) -> None:
        """Drop the amount."""

    def narrow(self) -> None:
        """Make an INT of the customer."""

    def remove(self) -> None:
        """Take the whole table away."""

    def create_another(self) -> None:
        """Make a table of the same name that holds something else."""

    def write(self) -> None:
        """Write a row."""


class IcebergPeer:
    """pyiceberg."""

    def __init__(self, catalog: Any, namespace: str) -> None:
        self._catalog = catalog
        self._name = (namespace, "orders")
        catalog.create_namespace_if_not_exists(namespace)

    @property
    def _table(self) -> Any:
        return self._catalog.load_table(self._name)

    def create(self) -> None:
        from pyiceberg.schema import Schema
        from pyiceberg.types import DecimalType, LongType, NestedField

        order_id = NestedField(1, "order_id", LongType(), required=True)
        columns = (order_id, NestedField(2, "cust_id", LongType()), NestedField(3, "amount", DecimalType(10, 2)))
        self._catalog.create_table(self._name, Schema(*columns))

    def add(self) -> None:
        from pyiceberg.types import StringType

        self._table.update_schema().add_column("coupon", StringType()).commit()

    def rename(self) -> None:
        self._table.update_schema().rename_column("cust_id", "customer_id").commit()

    def rename_back(self) -> None:
        self._table.update_schema().rename_column("customer_id", "cust_id").commit()

    def drop(self) -> None:
        self._table.update_schema().delete_column("amount").commit()

    def narrow(self) -> None:
        """Make an INT of the customer, which pyiceberg itself refuses: its protocol does not."""
        from pyiceberg.schema import Schema
        from pyiceberg.table.update import AddSchemaUpdate, SetCurrentSchemaUpdate
        from pyiceberg.types import IntegerType, NestedField

        table = self._table
        order_id, _, *others = table.schema().fields
        number = max(schema.schema_id for schema in table.metadata.schemas) + 1
        narrowed: Any = {"schema": Schema(order_id, NestedField(2, "cust_id", IntegerType()), *others, schema_id=number)}
        self._catalog.commit_table(table, (), (AddSchemaUpdate(**narrowed), SetCurrentSchemaUpdate(schema_id=-1)))

    def remove(self) -> None:
        self._catalog.drop_table(self._name)

    def create_another(self) -> None:
        from pyiceberg.schema import Schema
        from pyiceberg.types import NestedField, StringType

        self._catalog.create_table(self._name, Schema(NestedField(1, "order_id", StringType()), NestedField(2, "reason", StringType())))

    def write(self) -> None:
        import pyarrow as pa

        schema = self._table.schema().as_arrow()
        values = [pa.array([1], field.type) if not field.nullable else pa.nulls(1, field.type) for field in schema]
        self._table.append(pa.Table.from_arrays(values, schema=schema))


class PaimonPeer:
    """A store of ours in another process, as it were, that overrides whatever speaks against a change."""

    def __init__(self, folder: Path | str, table: str, storage_options: Mapping[str, Any] | None = None) -> None:
        self._store = SchemaStore(folder, actor="flink", storage_options=storage_options)
        self._name = table

    def _change(self, change: str) -> None:
        self._store.table(self._name).evolve(change, override=_ANYHOW)

    def create(self) -> None:
        self._store.create_table(self._name, ORDERS)

    def add(self) -> None:
        self._change("ADD COLUMN coupon STRING")

    def rename(self) -> None:
        self._change("RENAME COLUMN cust_id TO customer_id")

    def rename_back(self) -> None:
        self._change("RENAME COLUMN customer_id TO cust_id")

    def drop(self) -> None:
        self._change("DROP COLUMN amount")

    def narrow(self) -> None:
        self._change("ALTER COLUMN cust_id TYPE INT")

    def remove(self) -> None:
        self._store.drop_table(self._name, purge=True, override=_ANYHOW)

    def create_another(self) -> None:
        self._store.create_table(self._name, "order_id STRING, reason STRING")

    def write(self) -> None:
        """Rows change nothing that a store sees."""


class ParquetPeer:
    """pyarrow, which writes the one file of the folder anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _write(self, **types: Any) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.folder.mkdir(parents=True, exist_ok=True)
        schema = pa.schema([pa.field(name, kind, nullable=name != "order_id") for name, kind in types.items()])
        rows = [pa.array(["1"] if kind == pa.string() else [1], kind) for kind in types.values()]
        parquet.write_table(pa.Table.from_arrays(rows, schema=schema), self.folder / "part-0.parquet")

    def _orders(self, **types: Any) -> None:
        import pyarrow as pa

        self._write(**{"order_id": pa.int64(), "cust_id": pa.int64(), "amount": pa.decimal128(10, 2), **types})

    def create(self) -> None:
        self._orders()

    def add(self) -> None:
        import pyarrow as pa

        self._orders(coupon=pa.string())

    def rename(self) -> None:
        import pyarrow as pa

        self._write(order_id=pa.int64(), customer_id=pa.int64(), amount=pa.decimal128(10, 2))

    def rename_back(self) -> None:
        self._orders()

    def drop(self) -> None:
        import pyarrow as pa

        self._write(order_id=pa.int64(), cust_id=pa.int64())

    def narrow(self) -> None:
        import pyarrow as pa

        self._orders(cust_id=pa.int32())

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def create_another(self) -> None:
        import pyarrow as pa

        self._write(order_id=pa.string(), reason=pa.string())

    def write(self) -> None:
        self._orders()


@contextlib.contextmanager
def four_kinds(folder: Path, s3: Storage) -> Iterator[tuple[Mapping[str, Peer], Mapping[str, Mapping[str, Any]]]]:
    """Four tables in the hands of their peers, and the fields of the connections that lead to them by id."""
    lake = folder / "lake"
    lake.mkdir(parents=True)
    bucket = s3.bucket()
    endpoint = f"http://{HOST}:{bucket.port}"
    glue = {**_KEYS, "glue.endpoint": endpoint, "s3.endpoint": endpoint, "warehouse": bucket.url("warehouse")}
    database = bucket.name.replace("-", "_")
    with iceberg_rest(folder / "rest") as rest:
        from pyiceberg.catalog.glue import GlueCatalog

        peers: dict[str, Peer] = {
            "rest": IcebergPeer(rest.behind, _NAMESPACE),
            "glue": IcebergPeer(GlueCatalog("glue", **glue), database),
            "paimon": PaimonPeer(lake, TABLES["paimon"]),
            "parquet": ParquetPeer(folder / "raw"),
        }
        for peer in peers.values():
            peer.create()
        SchemaStore(lake, actor="ana").adopt(TABLES["parquet"], (folder / "raw").as_uri(), ORDERS, format="parquet")
        mounts = {
            "web": {"source": "iceberg", "conn_id": "iceberg_rest", "namespace": _NAMESPACE},
            "aws": {"source": "iceberg", "conn_id": "iceberg_glue", "namespace": database},
        }
        connections: dict[str, Mapping[str, Any]] = {
            "lake": {"conn_type": "schema_store", "host": lake.as_uri(), "extra": {"mounts": mounts}},
            "iceberg_rest": {"conn_type": "iceberg", "host": rest.uri},
            "iceberg_glue": {"conn_type": "iceberg", "extra": {"type": "glue", **glue}},
        }
        yield peers, connections
