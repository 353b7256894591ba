"""pypaimon, the Python library of Paimon. Its evolution is called below the file system, so nothing is listed, read or written."""

from typing import Any

from pypaimon.common.json_util import JSON
from pypaimon.schema.data_types import DataTypeParser
from pypaimon.schema.schema_change import SchemaChange
from pypaimon.schema.schema_manager import SchemaManager, _validate_blob_fields, _validate_options
from pypaimon.schema.table_schema import TableSchema

from tests.benchmarks.contest import Call, Contestant, Maker, Op
from tests.benchmarks.inputs import Batch, Input, Json
from tests.benchmarks.subjects.evolving import BATCHES


def _schema(one: Input) -> Any:
    return TableSchema.from_json(one.file.decode())


def _decode(one: Input) -> Call:
    text = one.file.decode()
    return lambda: TableSchema.from_json(text)


def _encode(one: Input) -> Call:
    schema = _schema(one)
    return lambda: JSON.to_json(schema, indent=2)


def _evolving(batch: Batch) -> Maker:
    def maker(one: Input) -> Call:
        schema, manager = _schema(one), SchemaManager(None, "nowhere")
        changes = [_change(change.to_json()) for change in one.changes(batch)]
        return lambda: manager._generate_table_schema(schema, changes)

    return maker


def _change(change: Json) -> Any:
    names = change["fieldNames"]
    if change["action"] == "addColumn":
        return SchemaChange.add_column(names, DataTypeParser.parse_data_type(change["dataType"]), change["comment"])
    if change["action"] == "renameColumn":
        return SchemaChange.rename_column(names, change["newName"])
    return SchemaChange.update_column_type(names, DataTypeParser.parse_data_type(change["newDataType"]), keep_nullability=True)


def _validity(one: Input) -> Call:
    schema = _schema(one)

    def call() -> None:
        _validate_options(schema.options)
        _validate_blob_fields(schema.fields, schema.options, schema.primary_keys, schema.partition_keys)

    return call


_NO_DIFF = "pypaimon has no comparison of two schemas."
PEER = Contestant(
    "pypaimon",
    {
        Op.DECODE: _decode,
        Op.ENCODE: _encode,
        Op.VALIDITY: _validity,
        **{op: _evolving(batch) for op, batch in BATCHES.items()},
    },
    {
        Op.DIGEST: "pypaimon has no digest of a schema.",
        Op.DIFF_EQUAL: _NO_DIFF,
        Op.DIFF_1: _NO_DIFF,
        Op.DIFF_100: _NO_DIFF,
        Op.DIFF_FILES: _NO_DIFF,
        Op.VERDICT: "pypaimon judges no change.",
        Op.MERGE: "pypaimon has no merge of two schemas.",
        Op.PROJECT: "pypaimon matches old and new columns only while it reads files.",
    },
)
