"""Processes that add columns to one table with pypaimon; prints how many were acknowledged, and how many of these are not there.

Run by `pypaimon_race` in the environment of pypaimon: this file, the folder of the warehouse, how many processes, how many columns each.
"""

import json
import os
import sys

import pyarrow as pa  # noqa: TID253  # this runs where pypaimon is, and pyarrow with it
from pypaimon import CatalogFactory, Schema
from pypaimon.schema.data_types import AtomicType
from pypaimon.schema.schema_change import SchemaChange


def write(root: str, number: int, each: int, said: int) -> None:
    """Add columns; say each that was acknowledged."""
    catalog = CatalogFactory.create({"warehouse": root})
    for place in range(each):
        column = f"writer_{number}_{place}"
        while True:
            try:
                catalog.alter_table("db.t", [SchemaChange.add_column(column, AtomicType("STRING"))], False)
            except Exception as error:  # noqa: BLE001  # whatever it is called: try again, as a caller would
                if "already exist" in str(error):
                    break
                continue
            os.write(said, f"{column}\n".encode())
            break


def main(root: str, writers: int, each: int) -> None:
    catalog = CatalogFactory.create({"warehouse": root})
    catalog.create_database("db", True)
    catalog.create_table("db.t", Schema.from_pyarrow_schema(pa.schema([pa.field("id", pa.int64())])), False)
    hear, say = os.pipe()
    wait, go = os.pipe()
    children = []
    for number in range(writers):
        pid = os.fork()
        if not pid:
            os.close(go)
            os.read(wait, 1)  # until all are there
            write(root, number, each, say)
            os._exit(0)
        children.append(pid)
    os.close(say)
    os.close(go)
    with os.fdopen(hear) as heard:
        told = heard.read().split()
    for pid in children:
        os.waitpid(pid, 0)
    there = {one.name for one in CatalogFactory.create({"warehouse": root}).get_table("db.t").fields}
    print(json.dumps({"acknowledged": len(told), "lost": len(set(told) - there)}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
