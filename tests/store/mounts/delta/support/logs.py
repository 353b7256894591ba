"""Logs of Delta, written by hand: every form that a log may have, whoever writes such a one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from airflow_provider_schemas.store import DeltaMount
from airflow_provider_schemas.store.mounts.delta.look import DeltaLook

TABLE = "6f8a2d4e-0000-4000-8000-000000000001"


def column(name: str, kind: Any = "long", *, nullable: Any = True, **metadata: Any) -> dict[str, Any]:
    """A column as schemaString has it."""
    return {"name": name, "type": kind, "nullable": nullable, "metadata": metadata}


def mapped(name: str, number: int, physical: str = "", kind: Any = "long", **metadata: Any) -> dict[str, Any]:
    """A column of a table that maps its columns."""
    keys = {"delta.columnMapping.id": number, "delta.columnMapping.physicalName": physical or name}
    return column(name, kind, **keys, **metadata)


def struct(*columns: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "struct", "fields": list(columns)}


def metadata(*columns: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A metaData action."""
    action = {
        "id": TABLE,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps(struct(*columns)),
        "partitionColumns": [],
        "configuration": {},
        "createdTime": 1_700_000_000_000,
    }
    return {"metaData": {**action, **more}}


def protocol(reader: int = 1, writer: int = 2, *features: str) -> dict[str, Any]:
    """A protocol action; with features, of the versions that have them."""
    if not features:
        return {"protocol": {"minReaderVersion": reader, "minWriterVersion": writer}}
    return {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": list(features), "writerFeatures": list(features)}}


def info(operation: str = "WRITE", moment: int = 1_700_000_000_000, **more: Any) -> dict[str, Any]:
    return {"commitInfo": {"timestamp": moment, "operation": operation, **more}}


def added(name: str = "part-0.parquet") -> dict[str, Any]:
    """What most lines of a commit are."""
    stats = json.dumps({"numRecords": 1, "minValues": {"id": 1}})
    return {"add": {"path": name, "partitionValues": {}, "size": 1, "modificationTime": 1, "dataChange": True, "stats": stats}}


MAPPED = {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "9"}


class Log:
    """The log of one table, and a mount of the folder in which the table lies."""

    def __init__(self, folder: Path, name: str = "orders") -> None:
        self.name = name
        self.folder = folder / name / "_delta_log"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.mount = DeltaMount(str(folder))
        self.next = 0

    def path(self, version: int, suffix: str = "json") -> Path:
        return self.folder / f"{version:020d}.{suffix}"

    def commit(self, *actions: Mapping[str, Any]) -> int:
        """Write the next commit, and return its version."""
        return self.write(self.next, *actions)

    def write(self, version: int, *actions: Mapping[str, Any]) -> int:
        self.path(version).write_text("".join(f"{json.dumps(action)}\n" for action in actions or (info(), added())))
        self.next = max(self.next, version + 1)
        return version

    def create(self, *columns: Mapping[str, Any], **more: Any) -> int:
        return self.commit(
            info("CREATE TABLE"), protocol(), metadata(*(columns or (column("id"), column("cust", "string"))), **more), added()
        )

    def data(self, commits: int = 1) -> None:
        """Commit rows, which change no schema."""
        for _ in range(commits):
            self.commit()

    # ------------------------------------------------------------ checkpoints

    def checkpoint(self, version: int, *actions: Mapping[str, Any], hint: bool = True) -> Path:
        """Write a checkpoint of one file."""
        path = self.path(version, "checkpoint.parquet")
        write_rows(path, actions)
        if hint:
            self.hint(version)
        return path

    def parts(self, version: int, *parts: list[Mapping[str, Any]]) -> list[Path]:
        """Write a checkpoint of several files."""
        paths = []
        for number, actions in enumerate(parts, 1):
            path = self.path(version, f"checkpoint.{number:010d}.{len(parts):010d}.parquet")
            write_rows(path, actions)
            paths.append(path)
        return paths

    def second_version(self, version: int, *actions: Mapping[str, Any], suffix: str = "parquet") -> Path:
        """Write a checkpoint of the second version: its files stand in sidecars."""
        path = self.path(version, f"checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.{suffix}")
        more = [
            {"checkpointMetadata": {"version": version}},
            {"sidecar": {"path": "3a0d65cd.parquet", "sizeInBytes": 1, "modificationTime": 1}},
        ]
        if suffix == "json":
            path.write_text("".join(f"{json.dumps(action)}\n" for action in (*more, *actions)))
        else:
            write_rows(path, actions)
        return path

    def compact(self, first: int, last: int, *actions: Mapping[str, Any]) -> Path:
        """Write the file into which commits were compacted: no commitInfo is left in it."""
        path = self.folder / f"{first:020d}.{last:020d}.compacted.json"
        path.write_text("".join(f"{json.dumps(action)}\n" for action in actions or (added(),)))
        return path

    def hint(self, version: int, **more: Any) -> None:
        (self.folder / "_last_checkpoint").write_text(json.dumps({"version": version, "size": 3, **more}))

    def clean(self, before: int) -> None:
        """Delete all commits before a version, as writers do after a time."""
        for version in range(before):
            self.path(version).unlink(missing_ok=True)

    # ------------------------------------------------------------ looking

    def look(self, known: Any = None) -> DeltaLook:
        """What the mount finds of the table."""
        look = self.mount.look(self.name, known)
        assert isinstance(look, DeltaLook)
        return look


def write_rows(path: Path, actions: Any, groups: int = 1) -> None:
    """Write the rows of a checkpoint: a column for each kind of action, and a row for each action."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = pa.list_(pa.string())
    settings = pa.map_(pa.string(), pa.string())
    kinds = {
        "add": pa.struct([("path", pa.string()), ("size", pa.int64())]),
        "metaData": pa.struct(
            [
                ("id", pa.string()),
                ("name", pa.string()),
                ("description", pa.string()),
                ("format", pa.struct([("provider", pa.string()), ("options", settings)])),
                ("schemaString", pa.string()),
                ("partitionColumns", texts),
                ("createdTime", pa.int64()),
                ("configuration", settings),
            ]
        ),
        "protocol": pa.struct(
            [("minReaderVersion", pa.int32()), ("minWriterVersion", pa.int32()), ("readerFeatures", texts), ("writerFeatures", texts)]
        ),
    }
    rows = [{kind: _as_rows(action.get(kind)) for kind in kinds} for action in actions]
    schema = pa.schema(list(kinds.items()))
    table = pa.Table.from_pylist(rows, schema)
    pq.write_table(table, path, row_group_size=max(1, len(rows) // groups))


def _as_rows(action: Any) -> Any:
    """An action as Parquet has it: objects of texts are lists of pairs."""
    if action is None or "configuration" not in action:
        return action
    return {**action, "configuration": list(action["configuration"].items()), "format": {"provider": "parquet", "options": []}}


def names(look: DeltaLook, number: int | None = None) -> list[str]:
    """The columns of a schema; of the current one, if none is named."""
    return [field.name for field in look.version(look.head if number is None else number).schema.fields]


def numbers(look: DeltaLook) -> list[int]:
    """The schemas that were current, oldest first."""
    return [head.number for head in look.heads().entries]
