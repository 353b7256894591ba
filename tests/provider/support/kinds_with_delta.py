"""Four tables in one connection, two of them Delta's in a bucket, and the peer of each, which changes it behind our back.

deltalake keeps the table that finds its columns by name: what it cannot do to one in place, it does by an overwrite. Of the table that
maps its columns by id there are commits as Spark writes them. pyiceberg keeps the third, and another store of ours, which stands for any
writer of Paimon, the fourth.
"""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.provider.support.four_kinds import IcebergPeer, PaimonPeer
from tests.servers.bucket import Bucket
from tests.support import delta_tables, iceberg_catalog
from tests.support.delta_tables import MappedTable

TABLES: Final = {"delta": "raw.plain", "mapped": "raw.mapped", "iceberg": "web.orders", "paimon": "shop.orders"}
_RAW: Final = "raw"
_LAKE: Final = "lake"
_COLUMNS: Final = {"order_id": "long", "cust_id": "long", "amount": "decimal(10,2)"}


class DeltaPeer:
    """deltalake."""

    def __init__(self, bucket: Bucket, name: str) -> None:
        self._bucket = bucket
        self._name = name
        self._options = delta_tables.on_s3(bucket.port)

    def create(self) -> None:
        delta_tables.make_orders(self._bucket.url(_RAW), self._name, storage_options=self._options)

    def remove(self) -> None:
        self._bucket.filesystem().rm(f"{self._bucket.name}/{_RAW}/{self._name}", recursive=True)

    def add(self) -> None:
        from deltalake import DeltaTable

        delta_tables.add(DeltaTable(self._bucket.url(f"{_RAW}/{self._name}"), storage_options=self._options), "coupon")

    def rename(self) -> None:
        self._overwrite(order_id="int64", customer_id="int64", amount="decimal128(10, 2)")

    def drop(self) -> None:
        self._overwrite(order_id="int64", cust_id="int64")

    def retype(self) -> None:
        """Make a text of the customer."""
        self._overwrite(order_id="int64", cust_id="string", amount="decimal128(10, 2)")

    def _overwrite(self, **types: str) -> None:
        """Write all rows anew, with other columns."""
        import pyarrow as pa
        from deltalake import write_deltalake

        schema = pa.schema([pa.field(name, _arrow_type(kind), nullable=name != "order_id") for name, kind in types.items()])
        place = self._bucket.url(f"{_RAW}/{self._name}")
        write_deltalake(place, schema.empty_table(), mode="overwrite", schema_mode="overwrite", storage_options=self._options)


def _arrow_type(kind: str) -> Any:
    import pyarrow as pa

    return pa.decimal128(10, 2) if kind.startswith("decimal") else pa.type_for_alias(kind)


class MappedPeer:
    """Spark, as far as its commits go."""

    def __init__(self, bucket: Bucket, folder: Path, name: str) -> None:
        self._bucket = bucket
        self._folder = folder
        self._name = name
        self._made = 0

    def create(self) -> None:
        self._made += 1
        self._table = MappedTable(self._folder / str(self._made), self._name, "id", _COLUMNS)
        self._send()

    def remove(self) -> None:
        self._bucket.filesystem().rm(self._far, recursive=True)

    def add(self) -> None:
        self._table.add("coupon")
        self._send()

    def rename(self) -> None:
        self._table.rename("cust_id", "customer_id")
        self._send()

    def drop(self) -> None:
        self._table.drop("amount")
        self._send()

    def drop_and_add(self) -> None:
        """Drop the customer, and add another column of the same name and type."""
        self._table.drop("cust_id")
        self._table.add("cust_id", "long")
        self._send()

    @property
    def _far(self) -> str:
        return f"{self._bucket.name}/{_RAW}/{self._name}"

    def _send(self) -> None:
        """Bring to the bucket what is new in the log."""
        far = self._bucket.filesystem()
        there = {path.rpartition("/")[2] for path in far.find(self._far)}
        new = [file for file in self._table.log.iterdir() if file.name not in there]
        far.pipe({f"{self._far}/_delta_log/{file.name}": file.read_bytes() for file in new})


@contextlib.contextmanager
def kinds_with_delta(folder: Path, bucket: Bucket) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Mapping[str, Any]]]]:
    """Four tables in the hands of their peers, and the fields of the connections that lead to them by id."""
    folder.mkdir(parents=True, exist_ok=True)
    peers: dict[str, Any] = {
        "delta": DeltaPeer(bucket, "plain"),
        "mapped": MappedPeer(bucket, folder / "mapped", "mapped"),
        "iceberg": IcebergPeer(iceberg_catalog.open_catalog(folder / "iceberg"), iceberg_catalog.NAMESPACE),
        "paimon": PaimonPeer(bucket.url(_LAKE), TABLES["paimon"], bucket.storage_options),
    }
    for peer in peers.values():
        peer.create()
    mounts = {"raw": {"source": "delta", "url": bucket.url(_RAW)}, "web": iceberg_catalog.MOUNT}
    server = bucket.storage_options["client_kwargs"]
    yield (
        peers,
        {
            "lake": {"conn_type": "schema_store", "host": bucket.url(_LAKE), "extra": {"mounts": mounts, "storage_conn_id": "aws_lake"}},
            "aws_lake": {"conn_type": "aws", "login": "testing", "password": "testing-secret", "extra": server},
            iceberg_catalog.CONN_ID: iceberg_catalog.connection(folder / "iceberg"),
        },
    )
