"""Makes Paimon tables with pypaimon, in the environment that it needs, and prints what pypaimon itself says of their manifests.

Run by `made_by_pypaimon`: the interpreter of that environment, this file, the folder of the warehouse.
"""

import json
import sys
from typing import Any

import pyarrow as pa  # noqa: TID253  # this runs where pypaimon is, and pyarrow with it
from pypaimon import CatalogFactory, Schema
from pypaimon.manifest.manifest_file_manager import ManifestFileManager
from pypaimon.manifest.manifest_list_manager import ManifestListManager
from pypaimon.schema.data_types import AtomicType
from pypaimon.schema.schema_change import SchemaChange

TYPES = {"BIGINT": pa.int64(), "STRING": pa.string()}
CODECS = ("null", "deflate", "snappy", "zstd", "bzip2", "xz")


class Warehouse:
    """A warehouse with tables of one database."""

    def __init__(self, root: str) -> None:
        self.catalog = CatalogFactory.create({"warehouse": root})
        self.catalog.create_database("db", True)
        self.names: list[str] = []

    def create(self, name: str, keys: list[str], **options: str) -> None:
        fields = pa.schema(
            [pa.field("k", pa.int64(), nullable=not keys), ("v", pa.string()), pa.field("dt", pa.string(), nullable=not keys)]
        )
        schema = Schema.from_pyarrow_schema(fields, partition_keys=["dt"], primary_keys=keys, options=options)
        self.catalog.create_table(f"db.{name}", schema, False)
        self.names.append(name)

    def table(self, name: str, branch: str = "") -> Any:
        return self.catalog.get_table(f"db.{name}" + (f"$branch_{branch}" if branch else ""))

    def alter(self, name: str, *changes: Any) -> None:
        self.catalog.alter_table(f"db.{name}", list(changes), False)

    def add(self, name: str, column: str) -> None:
        self.alter(name, SchemaChange.add_column(column, AtomicType("STRING")))

    def write(self, name: str, *, dt: str = "1", branch: str = "", over: bool = False) -> None:
        table = self.table(name, branch)
        rows = {one.name: [7] if "BIGINT" in str(one.type) else [dt] for one in table.fields}
        kinds = [pa.field(one.name, TYPES[str(one.type).split(" ")[0]], nullable=one.type.nullable) for one in table.fields]
        builder = table.new_batch_write_builder()
        builder = builder.overwrite() if over else builder
        write, commit = builder.new_write(), builder.new_commit()
        write.write_arrow(pa.table(rows, schema=pa.schema(kinds)))
        commit.commit(write.prepare_commit())
        write.close()
        commit.close()


def evolved(made: Warehouse, name: str, keys: list[str], **options: str) -> None:
    """Data under the versions 0, 1 and 3; version 2 sets an option, and 4 is the newest."""
    made.create(name, keys, **options)
    made.write(name)
    made.add(name, "w")
    made.write(name, dt="2")
    made.alter(name, SchemaChange.set_option("a.b", "c"))
    made.add(name, "x")
    made.write(name, dt="1", over=True)
    made.add(name, "y")


def said(made: Warehouse, name: str, branch: str) -> dict[str, Any]:
    """By snapshot, the schema ids that pypaimon finds: of the snapshot, in its lists, in its manifests."""
    table = made.table(name, branch)
    snapshots = table.snapshot_manager()
    lists, manifests = ManifestListManager(table), ManifestFileManager(table)
    answer = {}
    newest = snapshots.get_latest_snapshot()
    for number in range(1, (newest.id if newest else 0) + 1):
        snapshot = snapshots.get_snapshot_by_id(number)
        if snapshot is None:
            continue
        metas = lists.read_all(snapshot) + lists.read_changelog(snapshot)
        entries = [entry for one in {one.file_name for one in metas} for entry in manifests.read(one)]
        answer[str(number)] = {
            "schema": snapshot.schema_id,
            "lists": sorted({one.schema_id for one in metas}),
            "files": sorted({one.file.schema_id for one in entries}),
            "deleted": sorted({one.file.schema_id for one in entries if one.kind == 1}),
        }
    return answer


def main(root: str) -> None:
    made = Warehouse(root)
    evolved(made, "plain", [])
    made.table("plain").create_tag("first", 1)
    evolved(made, "keyed", ["k", "dt"], bucket="2", **{"changelog-producer": "input"})
    made.create("empty", [])
    made.add("empty", "w")
    evolved(made, "branched", [])
    made.table("branched").create_tag("middle", 2)
    made.table("branched").branch_manager().create_branch("b1", "middle")
    made.write("branched", branch="b1", dt="9")
    made.table("branched").branch_manager().create_branch("b2")
    for codec in CODECS:
        evolved(made, f"codec_{codec}", [], **{"manifest.compression": codec})
    answers = {name: {"main": said(made, name, "")} for name in made.names}
    answers["branched"]["b1"] = said(made, "branched", "b1")
    print(json.dumps(answers))


if __name__ == "__main__":
    main(sys.argv[1])
