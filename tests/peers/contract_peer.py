"""datacontract-cli: the table as a data contract (ODCS), and its `breaking` from both perspectives.

`consumer` flags what those who read by the old contract may not expect; `producer` flags what data that fulfilled the old
contract may not fulfil any more. The contract is written as the tool's own SQL importer writes one; the fields of structs,
elements, keys and values are spelled out beside it, and the field id stands in `id`.
"""

import importlib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from airflow_provider_schemas.core import DataType, Field, TableSchema
from airflow_provider_schemas.core.types.kinds import Root
from tests.peers.answers import CONSUMER, PRODUCER, Answer, Judge, silent
from tests.peers.change import Change

Json = dict[str, Any]

# What a contract has no words for, though the tool may see something else happen.
UNSAID: Mapping[str, str] = {
    "add default": "A property has no default.",
    "rename with alias": "A property has no alias; its synonyms are words for people.",
    "set default": "A property has no default.",
    "drop sequence field": "A contract has no options of a table.",
    "drop bucket key": "A contract has no options of a table.",
    "rename aggregated": "A contract has no options of a table.",
}


def ask(change: Change) -> Mapping[Judge, Answer]:
    """Both perspectives."""
    if change.key in UNSAID:
        return dict.fromkeys((CONSUMER, PRODUCER), silent(UNSAID[change.key]))
    old, new = translated(change.old()), translated(change.new())
    return {judge: _graded(old, new, judge.asks) for judge in (CONSUMER, PRODUCER)}


def _graded(old: Json, new: Json, perspective: str) -> Answer:
    result = _contract(old).breaking(_contract(new), perspective=_module("model.breaking").Perspective(perspective))
    if not result.entries:
        return Answer("no change")
    order = ["error", "warning", "info"]
    worst = min((one.level.value for one in result.entries), key=order.index)
    rules = dict.fromkeys(one.rule_id for one in result.entries if one.level.value == worst)
    return Answer(worst, ", ".join(rules))


def _contract(document: Json) -> Any:
    contract = _module("data_contract").DataContract(data_contract_str=json.dumps(document))
    run = contract.lint()
    if run.result.value != "passed":
        raise ValueError(f"this is no valid contract: {run.checks}")
    return contract


def _module(name: str) -> Any:
    return importlib.import_module(f"datacontract.{name}")


# ---------------------------------------------------------------- translating


def translated(schema: TableSchema) -> Json:
    """The table as a contract; JSON is YAML, too."""
    properties = [_property(one) | _keys(one.name, schema) for one in schema.fields]
    table = {"name": "orders", "physicalType": "table", "logicalType": "object", "physicalName": "orders", "properties": properties}
    head = {"version": "1.0.0", "kind": "DataContract", "apiVersion": "v3.2.0", "id": "orders", "name": "Orders", "status": "draft"}
    return head | {"schema": [table]}


def _keys(name: str, schema: TableSchema) -> Json:
    primary = {"primaryKey": True, "primaryKeyPosition": schema.primary_keys.index(name) + 1} if name in schema.primary_keys else {}
    if name not in schema.partition_keys:
        return primary
    return primary | {"partitioned": True, "partitionKeyPosition": schema.partition_keys.index(name) + 1}


def _properties(fields: Iterable[Field]) -> list[Json]:
    return [_property(one) for one in fields]


def _property(one: Field) -> Json:
    doc = {"description": one.description} if one.description else {}
    return {"id": f"field-{one.id}", "name": one.name, **_described(one.type), **doc}


def _described(kind: DataType) -> Json:
    required = {} if kind.nullable else {"required": True}
    logical, more = _LOGICAL[kind.root]
    return {"physicalType": _physical(kind), "logicalType": logical, **more(kind), **required}


def _physical(kind: DataType) -> str:
    # The parts of a container are properties: in its own text, too, they would count twice.
    return kind.root.name if kind.root in (Root.ARRAY, Root.MAP, Root.ROW) else str(kind.with_nullable(True))


def _pair(kind: Any) -> Json:
    key = {"name": "key", **_described(kind.key)}
    return {"map": {"key": key, "value": {"name": "value", **_described(kind.value)}}}


def _nothing(kind: Any) -> Json:
    del kind
    return {}


def _length(kind: Any) -> Json:
    return {} if str(kind).startswith("STRING") else {"logicalTypeOptions": {"maxLength": kind.length}}


def _zone(kind: Any) -> Json:
    return {"logicalTypeOptions": {"timezone": kind.root is Root.TIMESTAMP_LTZ}}


_LOGICAL: Mapping[Root, tuple[str, Callable[[Any], Json]]] = {
    Root.BOOLEAN: ("boolean", _nothing),
    Root.SMALLINT: ("integer", _nothing),
    Root.INTEGER: ("integer", _nothing),
    Root.BIGINT: ("integer", _nothing),
    Root.FLOAT: ("number", _nothing),
    Root.DOUBLE: ("number", _nothing),
    Root.DECIMAL: ("number", _nothing),
    Root.DATE: ("date", _nothing),
    Root.TIMESTAMP: ("timestamp", _zone),
    Root.TIMESTAMP_LTZ: ("timestamp", _zone),
    Root.VARCHAR: ("string", _length),
    Root.VARBINARY: ("string", lambda kind: {"logicalTypeOptions": {"format": "binary"}}),
    Root.ARRAY: ("array", lambda kind: {"items": {"name": "element", **_described(kind.element)}}),
    Root.ROW: ("object", lambda kind: {"properties": _properties(kind.fields)}),
    Root.MAP: ("map", _pair),
}
