"""A warehouse with one table that pypaimon writes and we look at, file by file."""

import datetime
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.data_files.live_files import Live, LiveFile, live_files
from tests.support.companion import Companion, Warehouse

ROWS = [{"id": 0, "name": "k", "type": "BIGINT"}, {"id": 1, "name": "dt", "type": "DATE"}, {"id": 2, "name": "s", "type": "STRING"}]
DAY = datetime.date(2026, 11, 18)


class Lake:
    """A warehouse that pypaimon writes and we look at; one table, mostly."""

    def __init__(self, companion: Companion, folder: Path) -> None:
        self.folder = folder
        self.theirs, self.store = Warehouse(companion, folder), SchemaStore(folder)

    @property
    def table(self) -> Table:
        return self.store.table("shop.orders")

    @property
    def path(self) -> Path:
        return self.folder / "shop.db/orders"

    def create(self, keys: tuple[str, ...] = (), *, options: Any = None, fields: Any = None, primary: tuple[str, ...] = ()) -> "Lake":
        about = {"partition_keys": list(keys), "primary_keys": list(primary), "options": dict(options or {})}
        self.theirs.ask("create", "shop.orders", fields=fields or ROWS, **about)
        return self

    def write(self, *rows: dict[str, Any], **about: Any) -> "Lake":
        self.theirs.ask("write", "shop.orders", rows=list(rows or ({"k": 1, "dt": DAY, "s": "a"},)), **about)
        return self

    def add(self, column: str, **about: Any) -> "Lake":
        change = {"action": "addColumn", "fieldNames": [column], "dataType": "STRING"}
        self.theirs.ask("alter", "shop.orders", changes=[change], **about)
        return self

    def live(self, branch: str | None = None, **said: Any) -> Live:
        return live_files(self.store.table("shop.orders", branch), **said)

    def check(self) -> tuple[LiveFile, ...]:
        """The files: each is where it is said to be, and as large."""
        found = self.live().files
        for one in found:
            assert (self.folder / one.path).stat().st_size == one.size
        return found
