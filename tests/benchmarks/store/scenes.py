"""What lies on the disk while a store is measured: wide tables, long histories, many tables, and data that names versions.

All of it is written as files, in the layout of Paimon, and bears times long ago, so that versions may expire.
"""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core import evolve, parse_changes
from airflow_provider_schemas.core.schema.version import Provenance, file_digest
from tests.benchmarks.inputs import SHAPES, Input

NAME = "db.t"
TABLE = "db.db/t"
SCHEMAS = f"{TABLE}/schema"
FEW = 20
DATABASES = 20
# What a manifest list names at most before Paimon merges manifests.
_LISTED = 30
_FILES = 10
_LONG_AGO = 1_700_000_000


def wide(folder: Path, columns: int) -> None:
    """A table with one version of so many columns."""
    _write(folder / SCHEMAS / "schema-0", Input(SHAPES[0], columns).file)


def five(folder: Path, columns: int) -> None:
    """Five such tables."""
    for number in range(5):
        _write(folder / f"db.db/t{number}/schema/schema-0", Input(SHAPES[0], columns).file)


def deep(folder: Path, versions: int) -> None:
    """A table with so many versions of some twenty columns, each made of the one before."""
    for number, data in enumerate(_history(versions)):
        _write(folder / SCHEMAS / f"schema-{number}", data)


def _history(versions: int) -> Iterator[bytes]:
    schema, parent = Input(SHAPES[0], FEW).schema, ""
    changes: tuple[dict[str, Any], ...] = ()
    for number in range(versions):
        about: dict[str, Any] = {"parent_id": number - 1, "parent_sha256": parent} if number else {}
        said = Provenance(actor="somebody", run=f"run {number}", commit=f"{number:032x}", changes=changes, **about)
        data = said.on(replace(schema, id=number, time_millis=1_000 * _LONG_AGO)).to_json().encode()
        yield data
        parent = file_digest(data)
        batch = parse_changes([f"ADD COLUMN more_{number} STRING" if number % 2 == 0 else f"DROP COLUMN more_{number - 1}"])
        changes = tuple(one.to_json() for one in batch)
        schema = evolve(schema, batch)


def many(folder: Path, tables: int) -> None:
    """A warehouse of so many tables with one version each."""
    data = Input(SHAPES[0], FEW).file
    for number in range(tables):
        _write(folder / f"db{number % DATABASES}.db/t{number}/schema/schema-0", data)


def used(folder: Path, versions: int) -> None:
    """A table with so many versions, and as many snapshots and manifests, each of another version."""
    deep(folder, versions)
    sizes: list[int] = []
    for number in range(versions):
        sizes.append(_write(folder / TABLE / f"manifest/manifest-{number}", _avro(_MANIFEST, [_entry(number)] * _FILES)))
        first = max(0, number - _LISTED)
        for kind, named in (("base", range(first, number)), ("delta", range(number, number + 1))):
            _write(folder / TABLE / f"manifest/manifest-list-{kind}-{number}", _avro(_LIST, [_named(one, sizes[one]) for one in named]))
        lists = {f"{kind}ManifestList": f"manifest-list-{kind}-{number}" for kind in ("base", "delta")}
        snapshot = {"version": 3, "id": number + 1, "schemaId": number, **lists, "commitUser": "somebody", "commitKind": "APPEND"}
        _write(folder / TABLE / f"snapshot/snapshot-{number + 1}", json.dumps(snapshot).encode())


def _write(path: Path, data: bytes) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (_LONG_AGO, _LONG_AGO))
    return len(data)


# ---------------------------------------------------------------- manifests


def _record(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": f"_{key.upper()}", "type": kind} for key, kind in fields.items()]}


_STATS = _record("Stats", min_values="bytes", max_values="bytes", null_counts=["null", {"type": "array", "items": ["null", "long"]}])
_FILE = _record("File", file_name="string", file_size="long", row_count="long", key_stats=_STATS, value_stats="Stats", schema_id="long")
_MANIFEST = _record("Entry", version="int", kind="int", partition="bytes", bucket="int", total_buckets="int", file=_FILE)
_LIST = _record(
    "Manifest",
    version="int",
    file_name="string",
    file_size="long",
    num_added_files="long",
    num_deleted_files="long",
    partition_stats=_STATS,
    schema_id="long",
)
_NO_STATS = {"_MIN_VALUES": b"\0" * 16, "_MAX_VALUES": b"\0" * 16, "_NULL_COUNTS": [0, 0]}


def _entry(version: int) -> dict[str, Any]:
    stats = {"_KEY_STATS": _NO_STATS, "_VALUE_STATS": _NO_STATS}
    file = {"_FILE_NAME": f"data-{version}.parquet", "_FILE_SIZE": 1_000, "_ROW_COUNT": 10, "_SCHEMA_ID": version, **stats}
    return {"_VERSION": 2, "_KIND": 0, "_PARTITION": b"\0" * 8, "_BUCKET": 0, "_TOTAL_BUCKETS": 1, "_FILE": file}


def _named(version: int, size: int) -> dict[str, Any]:
    counts = {"_NUM_ADDED_FILES": _FILES, "_NUM_DELETED_FILES": 0}
    about = {"_VERSION": 2, "_FILE_NAME": f"manifest-{version}", "_FILE_SIZE": size, "_SCHEMA_ID": version}
    return {**about, **counts, "_PARTITION_STATS": _NO_STATS}


def _avro(schema: dict[str, Any], records: list[dict[str, Any]]) -> bytes:
    import fastavro

    out = io.BytesIO()
    fastavro.writer(out, schema, records, codec="null")
    return out.getvalue()
