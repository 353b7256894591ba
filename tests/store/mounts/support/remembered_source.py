"""A database that others keep, in memory: what a peer would do to its tables is done by calls, and every look is counted.

It stands for any source in tests of the seam. What real peers do is tested with them.
"""

import threading
from collections.abc import Mapping
from typing import Any

import msgspec

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.store.mounts.source import Head, Heads, LiveSchemas, MountedVersion, TableLook
from airflow_provider_schemas.store.storage.files import Count

ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"


class PeerTable:
    """A table as its peer has it."""

    def __init__(self, schema: TableSchema, table_id: str) -> None:
        self.schemas = {0: msgspec.structs.replace(schema, id=0)}
        self.head = 0
        self.table_id = table_id
        self.heads = [Head(0, _digest(schema), 1_790_000_000_000, table_id)]
        self.whole = True
        self.changes = 0
        self.branches: tuple[str, ...] = ()
        self.live: LiveSchemas = LiveSchemas(frozenset({0}), holders={0: ("branch main",)})
        self.findings: tuple[Finding, ...] = ()

    @property
    def mark(self) -> str:
        return f"{self.table_id}-{self.changes}"


class FoundTable(msgspec.Struct, frozen=True):
    """One look."""

    mark: str
    table_id: str
    head: int
    numbers: tuple[int, ...]
    location: str
    branches: tuple[str, ...]
    schemas: dict[int, TableSchema]
    known_heads: Heads
    known_live: LiveSchemas
    known_findings: tuple[Finding, ...]

    def version(self, number: int) -> MountedVersion:
        if number not in self.schemas:
            raise NotThereError(f"no schema {number}.")
        return MountedVersion(number, _digest(self.schemas[number]), self.schemas[number])

    def heads(self) -> Heads:
        return self.known_heads

    def live(self) -> LiveSchemas:
        return self.known_live

    def findings(self) -> tuple[Finding, ...]:
        return self.known_findings


class RememberedSource:
    """A mounted database in memory."""

    def __init__(self, kind: str = "iceberg", url: str = "memory://peer/shop") -> None:
        self.kind = kind
        self.url = url
        self.identity = url
        self.evolve = False
        self.count = Count()
        self.at_once = 64
        self.peer: dict[str, PeerTable] = {}
        self.looks: list[tuple[str, str]] = []
        """The tables that were looked at, each with the mark that was known."""
        self.is_down = False
        self.most_at_once = 0
        self.meet: threading.Barrier | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "meet": None}

    # ------------------------------------------------------------ what the store asks

    def tables(self) -> tuple[str, ...]:
        self._asked(lists=1)
        return tuple(self.peer)

    def look(self, table: str, known: TableLook | None = None) -> TableLook | None:
        self._asked(gets=1)
        self.looks.append((table, "" if known is None else known.mark))
        if self.meet is not None:
            self.meet.wait(timeout=20)
        peer = self.peer.get(table)
        if peer is None:
            return None
        if known is not None and known.mark == peer.mark:
            return known
        return FoundTable(
            peer.mark,
            peer.table_id,
            peer.head,
            tuple(sorted(peer.schemas)),
            f"memory://data/{table}",
            peer.branches,
            dict(peer.schemas),
            Heads(tuple(peer.heads), peer.whole),
            peer.live,
            peer.findings,
        )

    def engine_names(self, table: str) -> Mapping[str, tuple[str, ...]]:
        return {"spark": ("lake", "prod", "shop", table), "flink": ("shop", table)}

    def _asked(self, *, lists: int = 0, gets: int = 0) -> None:
        if self.is_down:
            raise StorageError("the catalog does not answer.", fix="Try again.")
        self.count.add(lists=lists, gets=gets)

    # ------------------------------------------------------------ what a peer does

    def create(self, table: str, columns: str = ORDERS, table_id: str = "t-1") -> PeerTable:
        self.peer[table] = PeerTable(TableSchema.create(columns), table_id)
        return self.peer[table]

    def change(self, table: str, *columns: Field, origin: str = "") -> int:
        """Give a table other columns, under the next number."""
        peer = self.peer[table]
        number = max(peer.schemas) + 1
        highest = max(column.id for column in columns)
        peer.schemas[number] = msgspec.structs.replace(peer.schemas[peer.head], id=number, fields=columns, highest_field_id=highest)
        self.go_to(table, number, origin=origin)
        return number

    def rename(self, table: str, old: str, new: str) -> int:
        """Give a column another name."""
        fields = self.peer[table].schemas[self.peer[table].head].fields
        return self.change(table, *(msgspec.structs.replace(one, name=new) if one.name == old else one for one in fields))

    def drop_column(self, table: str, name: str) -> int:
        fields = self.peer[table].schemas[self.peer[table].head].fields
        return self.change(table, *(one for one in fields if one.name != name))

    def go_to(self, table: str, number: int, origin: str = "") -> None:
        """Make a schema that the table has the current one."""
        peer = self.peer[table]
        peer.head = number
        peer.changes += 1
        moment = 1_790_000_000_000 + 60_000 * len(peer.heads)
        peer.heads.append(Head(number, _digest(peer.schemas[number]), moment, peer.table_id, origin))

    def write_data(self, table: str) -> None:
        """Commit data: the mark moves, and no schema does."""
        self.peer[table].changes += 1


def _digest(schema: TableSchema) -> str:
    """Return a digest that neither the number nor our own texts are part of."""
    return msgspec.structs.replace(schema, id=0).digest
