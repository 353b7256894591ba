"""Delta tables that others change: deltalake a plain one, and commits written by hand one that maps its columns."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ORDERS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
_CLICKS = {"click_id": "long", "url": "string", "at": "timestamp"}


def make_orders(folder: Path | str, name: str = "orders", *, storage_options: dict[str, str] | None = None) -> Any:
    """A table of orders that finds its columns by name, whose answer is deltalake's table."""
    from deltalake import DeltaTable, Field, Schema

    fields = [Field("order_id", _type("long"), nullable=False), Field("cust_id", _type("long")), Field("amount", _type("decimal(10,2)"))]
    return DeltaTable.create(f"{folder}/{name}", Schema(fields), storage_options=storage_options)


def on_s3(port: int) -> dict[str, str]:
    """The options with which deltalake reaches the S3 server of the tests."""
    keys = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing-secret", "AWS_REGION": "us-east-1"}
    return {**keys, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true"}


def add(table: Any, name: str, kind: str = "string") -> None:
    """Add a column, as another program does."""
    from deltalake import Field

    table.update_incremental()
    table.alter.add_columns([Field(name, _type(kind))])


def _type(name: str) -> Any:
    from deltalake.schema import PrimitiveType

    return PrimitiveType(name)


class MappedTable:
    """A table that maps its columns, with the commits that Spark writes: deltalake neither renames nor drops a column."""

    def __init__(self, folder: Path, name: str = "clicks", mode: str = "name", columns: Mapping[str, str] = _CLICKS) -> None:
        self.log = folder / name / "_delta_log"
        self.log.mkdir(parents=True)
        self._mode = mode
        self._highest = len(columns)
        self.columns = [_mapped(column, number, kind) for number, (column, kind) in enumerate(columns.items(), 1)]
        features = {"readerFeatures": ["columnMapping"], "writerFeatures": ["columnMapping"]}
        self._commit("CREATE TABLE", {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, **features}}, self._metadata())

    def add(self, name: str, kind: str = "string") -> None:
        """Add a column: its id is a new one."""
        self._highest += 1
        self.columns = [*self.columns, _mapped(name, self._highest, kind)]
        self._commit("ADD COLUMNS", self._metadata())

    def rename(self, old: str, new: str) -> None:
        """Give a column another name: its id stays, and its name in the files."""
        self.columns = [{**column, "name": new if column["name"] == old else column["name"]} for column in self.columns]
        self._commit("RENAME COLUMN", self._metadata())

    def drop(self, name: str) -> None:
        """Drop a column."""
        self.columns = [column for column in self.columns if column["name"] != name]
        self._commit("DROP COLUMNS", self._metadata())

    def _metadata(self) -> dict[str, Any]:
        schema = json.dumps({"type": "struct", "fields": self.columns})
        layout = {"format": {"provider": "parquet", "options": {}}, "partitionColumns": [], "createdTime": 1_700_000_000_000}
        mapping = {"delta.columnMapping.mode": self._mode, "delta.columnMapping.maxColumnId": str(self._highest)}
        return {"metaData": {"id": "6f8a2d4e-0000-4000-8000-00000000c11c", "schemaString": schema, "configuration": mapping, **layout}}

    def _commit(self, operation: str, *actions: Mapping[str, Any]) -> None:
        version = len(list(self.log.glob("*.json")))
        info = {"commitInfo": {"timestamp": 1_700_000_000_000 + version, "operation": operation, "userName": "ana"}}
        lines = "".join(f"{json.dumps(action)}\n" for action in (info, *actions))
        (self.log / f"{version:020d}.json").write_text(lines, "utf-8")


def _mapped(name: str, number: int, kind: str) -> dict[str, Any]:
    metadata = {"delta.columnMapping.id": number, "delta.columnMapping.physicalName": f"col-{number}"}
    return {"name": name, "type": kind, "nullable": True, "metadata": metadata}
