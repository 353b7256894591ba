"""What a look at Iceberg's metadata costs: `python -m tests.benchmarks.iceberg_metadata [whole]`.

Beside ours stand the least that any reader must do, one typed decode by msgspec that leaves the schemas text, and pyiceberg on the same
bytes. `whole` adds the table of 1,000 schemas, 61 MB, which pyiceberg reads for a quarter of a minute.
"""

import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from airflow_provider_schemas.formats.iceberg import read_metadata
from airflow_provider_schemas.formats.iceberg.metadata_file import MetadataFile

ROUNDS = 7
_TYPES = ("long", "string", "decimal(10, 2)", "timestamptz", "date", "double", "int", "boolean")
_PLAIN = msgspec.json.Decoder(MetadataFile)


class Table(NamedTuple):
    """A table by its measures."""

    columns: int
    schemas: int
    snapshots: int


TABLES = (Table(20, 3, 50), Table(100, 10, 1_000), Table(1_000, 5, 100), Table(1_000, 1, 5_000))
LARGEST = Table(700, 1_000, 1_000)


def metadata(table: Table) -> bytes:
    """The metadata file of a table whose last column came with the last schema."""
    schemas = [_schema(table.columns, number) for number in range(table.schemas)]
    return json.dumps({
        "format-version": 2,
        "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
        "location": "s3://lake/shop/orders",
        "last-sequence-number": table.snapshots,
        "last-updated-ms": 1_700_000_000_000,
        "last-column-id": table.columns + table.schemas - 1,
        "current-schema-id": table.schemas - 1,
        "schemas": schemas,
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": [{"name": "c4", "transform": "identity", "source-id": 4, "field-id": 1000}]}],
        "last-partition-id": 1000,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "properties": {"owner": "shop", "write.parquet.compression-codec": "zstd"},
        "current-snapshot-id": table.snapshots,
        "refs": {"main": {"snapshot-id": table.snapshots, "type": "branch"}},
        "snapshots": [_snapshot(number, table.schemas - 1) for number in range(1, table.snapshots + 1)],
        "snapshot-log": [],
        "metadata-log": [
            {"timestamp-ms": 1_700_000_000_000 + number, "metadata-file": f"s3://lake/shop/orders/metadata/{number:05}-x.metadata.json"}
            for number in range(min(100, table.snapshots))
        ],
    }).encode()  # fmt: skip


def _schema(columns: int, number: int) -> dict[str, Any]:
    ids = [*range(1, columns), columns + number]
    fields = [{"id": at, "name": f"c{at}", "required": at == 1, "type": _TYPES[at % len(_TYPES)]} for at in ids]
    return {"type": "struct", "schema-id": number, "fields": fields}


def _snapshot(number: int, schema: int) -> dict[str, Any]:
    summary = {"operation": "append", "added-data-files": "4", "added-records": "1000", "total-records": str(1000 * number)}
    return {
        "sequence-number": number,
        "snapshot-id": number,
        "parent-snapshot-id": number - 1,
        "timestamp-ms": 1_700_000_000_000 + number,
        "summary": summary,
        "manifest-list": f"s3://lake/shop/orders/metadata/snap-{number}-1-9c12d441-03fe-4693-9a96-a0705ddf69c1.avro",
        "schema-id": schema,
    }


def head(data: bytes) -> object:
    """What a gate does: the current schema out of the bytes."""
    found = read_metadata(data)
    return found.schema(found.current_schema_id)


def best(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of the fastest round."""
    durations = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        durations.append(time.perf_counter() - begin)
    return 1000 * min(durations)


def every_schema(data: bytes) -> None:
    """All schemas as ours, each with its digest."""
    found = read_metadata(data)
    for number in found.schema_ids:
        found.schema(number)
        found.digest(number)


def measure(table: Table, theirs: Callable[[str], object] | None, rounds: int = ROUNDS) -> str:
    """Return the line of a table."""
    data = metadata(table)
    least = best(lambda: _PLAIN.decode(data), rounds)
    ours = best(lambda: head(data), rounds)
    line = f"{table.columns:,} columns, {table.schemas:,} schemas, {table.snapshots:,} snapshots, {len(data):,} bytes: "
    line += f"decode {least:.2f} ms, head {ours:.2f} ms ({ours / least:.2f} times)"
    if theirs is not None:
        text = data.decode()
        peer = best(lambda: theirs(text), min(rounds, 3))
        line += f", pyiceberg {peer:.0f} ms ({peer / ours:.0f} times ours)"
    return line


def main() -> None:
    from pyiceberg.table.metadata import TableMetadataUtil

    for table in TABLES:
        print(measure(table, TableMetadataUtil.parse_raw))
    if "whole" not in sys.argv:
        return
    print(measure(LARGEST, None, 3))
    data = metadata(LARGEST)
    tracemalloc.start()
    head(data)
    print(f"memory of its head beside its bytes: {tracemalloc.get_traced_memory()[1] / 2**20:.1f} MiB")
    tracemalloc.stop()
    print(f"all of its schemas with their digests: {best(lambda: every_schema(data), 1):,.0f} ms")
    print(f"pyiceberg: {best(lambda: TableMetadataUtil.parse_raw(data.decode()), 1):,.0f} ms")


if __name__ == "__main__":
    main()
