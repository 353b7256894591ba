"""Avro: the table as a record, and the checker of its own Python library, in both directions.

BACKWARD asks whether the new record can read what the old one wrote, FORWARD the other way round. Avro finds fields by
name. A nullable column is a union with null, and null its default, because a field without a default cannot be added.
"""

import importlib
import json
import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from airflow_provider_schemas.core import DataType, Field, TableSchema
from airflow_provider_schemas.core.types.kinds import Root
from tests.peers.answers import BACKWARD, FORWARD, Answer, CannotSayError, Judge, silent
from tests.peers.avro_reader import refusal, sample
from tests.peers.change import Change

Json = dict[str, Any]

# What Avro has no words for, though it may see something else happen.
UNSAID: Mapping[str, str] = {
    "int to smallint": "The int of Avro has one size.",
    "varchar(20) to varchar(40)": "A string has no length.",
    "varchar(40) to varchar(20)": "A string has no length.",
    "partition keys": "A record has no partition keys.",
    "primary key": "A record has no primary key.",
    "drop key column": "A record has no primary key.",
    "drop sequence field": "A record has no options.",
    "drop bucket key": "A record has no options.",
    "rename aggregated": "A record has no options.",
}


def ask(change: Change) -> Mapping[Judge, Answer]:
    """Both directions."""
    try:
        old, new = translated(change.old()), translated(change.new(), change.aliases)
    except CannotSayError as error:
        return dict.fromkeys((BACKWARD, FORWARD), silent(str(error)))
    if change.key in UNSAID:
        return dict.fromkeys((BACKWARD, FORWARD), silent(UNSAID[change.key]))
    return {BACKWARD: _checked(reader=new, writer=old), FORWARD: _checked(reader=old, writer=new)}


def _checked(reader: Json, writer: Json) -> Answer:
    compatibility = importlib.import_module("avro.compatibility")
    schemas = _parsed(reader), _parsed(writer)
    result = compatibility.ReaderWriterCompatibilityChecker().get_compatibility(*schemas)
    messages = sorted(result.messages) or [refusal(sample(writer), writer=schemas[1], reader=schemas[0])]
    return Answer(result.compatibility.value, "; ".join(messages))


def _parsed(schema: Json) -> Any:
    # The library warns of logical types that it does not know, such as local-timestamp-micros, and goes on without them.
    with warnings.catch_warnings(action="ignore"):
        return importlib.import_module("avro.schema").parse(json.dumps(schema))


def translated(schema: TableSchema, aliases: Mapping[str, str] = MappingProxyType({})) -> Json:
    """The table as an Avro record, whose columns may have aliases."""
    record = _record(schema.fields, "orders")
    for one in record["fields"]:
        if one["name"] in aliases:
            one["aliases"] = [aliases[one["name"]]]
    return record


def _record(fields: tuple[Field, ...], name: str) -> Json:
    return {"type": "record", "name": name, "fields": [_field(one, f"{name}_{one.name}") for one in fields]}


def _field(one: Field, path: str) -> Json:
    doc = {"doc": one.description} if one.description else {}
    inner = _type(one.type.with_nullable(False), path)
    if not one.type.nullable:
        return {"name": one.name, "type": inner, **doc}
    if one.default is None:
        return {"name": one.name, "type": ["null", inner], "default": None, **doc}
    value = one.default if one.type.root is Root.VARCHAR else json.loads(one.default)
    return {"name": one.name, "type": [inner, "null"], "default": value, **doc}


def _type(kind: DataType, path: str) -> Any:
    if kind.nullable:
        return ["null", _type(kind.with_nullable(False), path)]
    if kind.root not in _TYPES:
        raise CannotSayError(f"Avro has no {kind.root.name}.")
    return _TYPES[kind.root](kind, path)


def _map(kind: Any, path: str) -> Json:
    value = _type(kind.value, f"{path}_value")
    if kind.key.root is Root.VARCHAR:
        return {"type": "map", "values": value}
    # The keys of an Avro map are strings, so that other maps are written as pairs, as Iceberg and Paimon do.
    pair = [{"name": "key", "type": _type(kind.key.with_nullable(False), f"{path}_key")}, {"name": "value", "type": value}]
    return {"type": "array", "items": {"type": "record", "name": f"{path}_pair", "fields": pair}}


def _timestamp(kind: Any, path: str) -> Json:
    del path
    local = "local-" if kind.root is Root.TIMESTAMP else ""
    return {"type": "long", "logicalType": f"{local}timestamp-{'millis' if kind.precision <= 3 else 'micros'}"}


def _decimal(kind: Any, path: str) -> Json:
    del path
    return {"type": "bytes", "logicalType": "decimal", "precision": kind.precision, "scale": kind.scale}


_PLAIN: Mapping[Root, str | Json] = {
    Root.BOOLEAN: "boolean",
    Root.SMALLINT: "int",
    Root.INTEGER: "int",
    Root.BIGINT: "long",
    Root.FLOAT: "float",
    Root.DOUBLE: "double",
    Root.DATE: {"type": "int", "logicalType": "date"},
    Root.VARCHAR: "string",
    Root.VARBINARY: "bytes",
}


def _plain(kind: DataType, path: str) -> str | Json:
    del path
    return _PLAIN[kind.root]


_TYPES: Mapping[Root, Callable[[Any, str], Any]] = {
    **dict.fromkeys(_PLAIN, _plain),
    Root.TIMESTAMP: _timestamp,
    Root.TIMESTAMP_LTZ: _timestamp,
    Root.DECIMAL: _decimal,
    Root.ARRAY: lambda kind, path: {"type": "array", "items": _type(kind.element, f"{path}_element")},
    Root.ROW: lambda kind, path: _record(kind.fields, path),
    Root.MAP: _map,
}
