"""pyiceberg. Its updates need a transaction; this one is on a table in memory, and nothing is committed.

Unlike ours, its schema objects keep their indexes from call to call, which is to its advantage.
"""

import json
import os
from collections.abc import Iterator
from itertools import count
from typing import Any

from pyiceberg.catalog.noop import NoopCatalog
from pyiceberg.io import load_file_io
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC
from pyiceberg.schema import Schema, _check_schema_compatible
from pyiceberg.table import Table, Transaction
from pyiceberg.table.metadata import TableMetadataV2
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.types import LongType, StringType

from tests.benchmarks.contest import Call, CannotError, Contestant, Maker, Op
from tests.benchmarks.inputs import Batch, Input, Json
from tests.benchmarks.subjects.evolving import BATCHES

TYPES = {
    "INT": "int",
    "BIGINT": "long",
    "STRING": "string",
    "DECIMAL(10, 2)": "decimal(10, 2)",
    "DOUBLE": "double",
    "FLOAT": "float",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP(6)": "timestamp",
    "BYTES": "binary",
}

# Up to this many columns union_by_name is a matter of seconds.
_SOON = 2_000


def translated(document: Json) -> str:
    """A Paimon schema file as an Iceberg schema; elements, keys and values have ids there, too."""
    return json.dumps(_struct(document["fields"], count(document["highestFieldId"] + 2)) | {"schema-id": 0, "identifier-field-ids": []})


def _struct(fields: list[Json], ids: Iterator[int]) -> Json:
    return {"type": "struct", "fields": [_field(one, ids) for one in fields]}


def _field(one: Json, ids: Iterator[int]) -> Json:
    return {"id": one["id"] + 1, "name": one["name"], "required": False, "type": _type(one["type"], ids), "doc": one.get("description")}


def _type(kind: str | Json, ids: Iterator[int]) -> str | Json:
    if isinstance(kind, str):
        return TYPES[kind]
    if kind["type"] == "ROW":
        return _struct(kind["fields"], ids)
    if kind["type"] == "ARRAY":
        return {"type": "list", "element-id": next(ids), "element": _type(kind["element"], ids), "element-required": False}
    key = {"key-id": next(ids), "key": _type(kind["key"], ids)}
    return {"type": "map", **key, "value-id": next(ids), "value": _type(kind["value"], ids), "value-required": False}


def _schema(document: Json) -> Any:
    return Schema.model_validate_json(translated(document))


def _table(schema: Any) -> Any:
    metadata = TableMetadataV2(
        location="memory:nowhere",
        last_column_id=schema.highest_field_id,
        schemas=[schema],
        current_schema_id=0,
        partition_specs=[UNPARTITIONED_PARTITION_SPEC],
        default_spec_id=0,
        sort_orders=[UNSORTED_SORT_ORDER],
        default_sort_order_id=0,
    )
    return Table(("db", "measured"), metadata, "memory:nowhere/metadata.json", load_file_io(), NoopCatalog("none"))


def _decode(one: Input) -> Call:
    text = translated(one.document)
    return lambda: Schema.model_validate_json(text)


def _encode(one: Input) -> Call:
    dump: Call = _schema(one.document).model_dump_json
    return dump


def _evolving(batch: Batch) -> Maker:
    def maker(one: Input) -> Call:
        table = _table(_schema(one.document))
        changes = [change.to_json() for change in one.changes(batch)]

        def call() -> object:
            update = UpdateSchema(Transaction(table))
            for change in changes:
                _apply(update, change)
            return update._apply()

        return call

    return maker


def _apply(update: Any, change: Json) -> None:
    names = tuple(change["fieldNames"])
    if change["action"] == "addColumn":
        update.add_column(names, StringType(), change["comment"])
    elif change["action"] == "renameColumn":
        update.rename_column(names, change["newName"])
    else:
        update.update_column(names, LongType())


def _merge(one: Input) -> Call:
    if one.size > _SOON and not os.environ.get("BENCH_SLOW"):
        raise CannotError("union_by_name is quadratic: BENCH_SLOW=1 measures it at this size, once, in about a minute.")
    table = _table(_schema(one.document))
    incoming = _schema(json.loads(one.after(Batch.INCOMING).to_json()))
    return lambda: UpdateSchema(Transaction(table)).union_by_name(incoming)._apply()


def _judge(one: Input) -> Call:
    """Its answer to whether old data fits the new schema, from the two texts."""
    old, new = translated(one.document), translated(json.loads(one.after(Batch.WIDEN).to_json()))
    return lambda: _check_schema_compatible(Schema.model_validate_json(new), Schema.model_validate_json(old))


_NO_DIFF = "pyiceberg tells whether data fits a schema, but names no changes."
PEER = Contestant(
    "pyiceberg",
    {
        Op.DECODE: _decode,
        Op.ENCODE: _encode,
        Op.MERGE: _merge,
        Op.VERDICT: _judge,
        **{op: _evolving(batch) for op, batch in BATCHES.items()},
    },
    {
        Op.DIGEST: "pyiceberg has no digest of a schema.",
        Op.VALIDITY: "pyiceberg checks while it builds a schema.",
        Op.DIFF_EQUAL: _NO_DIFF,
        Op.DIFF_1: _NO_DIFF,
        Op.DIFF_100: _NO_DIFF,
        Op.DIFF_FILES: _NO_DIFF,
        Op.PROJECT: "pyiceberg matches old and new columns only while it reads files.",
    },
)
