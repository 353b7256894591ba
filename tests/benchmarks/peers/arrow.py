"""pyarrow, for its merge of two schemas: in C++, by name, without ids or keys, and permissive (it widens to whatever holds both)."""

import json
from typing import Any

from tests.benchmarks.contest import Call, Contestant, Op
from tests.benchmarks.inputs import Batch, Input, Json


def _types() -> dict[str, Any]:
    import pyarrow

    return {
        "INT": pyarrow.int32(),
        "BIGINT": pyarrow.int64(),
        "STRING": pyarrow.string(),
        "DECIMAL(10, 2)": pyarrow.decimal128(10, 2),
        "DOUBLE": pyarrow.float64(),
        "FLOAT": pyarrow.float32(),
        "BOOLEAN": pyarrow.bool_(),
        "DATE": pyarrow.date32(),
        "TIMESTAMP(6)": pyarrow.timestamp("us"),
        "BYTES": pyarrow.binary(),
    }


def _schema(document: Json) -> Any:
    import pyarrow

    return pyarrow.schema(_fields(document["fields"], _types()))


def _fields(fields: list[Json], types: dict[str, Any]) -> list[Any]:
    import pyarrow

    return [pyarrow.field(one["name"], _type(one["type"], types)) for one in fields]


def _type(kind: str | Json, types: dict[str, Any]) -> Any:
    import pyarrow

    if isinstance(kind, str):
        return types[kind]
    if kind["type"] == "ROW":
        return pyarrow.struct(_fields(kind["fields"], types))
    if kind["type"] == "ARRAY":
        return pyarrow.list_(_type(kind["element"], types))
    return pyarrow.map_(_type(kind["key"], types), _type(kind["value"], types))


def _merge(one: Input) -> Call:
    import pyarrow

    both = [_schema(one.document), _schema(json.loads(one.after(Batch.INCOMING).to_json()))]
    return lambda: pyarrow.unify_schemas(both, promote_options="permissive")


PEER = Contestant("pyarrow", {Op.MERGE: _merge}, {})
