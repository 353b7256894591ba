"""Our types as Spark's, and back: StructType with the ids of the fields in its metadata, and why Spark cannot hold some types.

CHAR and VARCHAR are strings to Spark, MULTISET is a map from the element to its count. Comments and defaults are left out: in a schema
that Spark reads with, they would mean something else.
"""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import field_ids, nested
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children
from airflow_provider_schemas.errors import Fault, SparkError
from airflow_provider_schemas.formats.base import Loaded
from airflow_provider_schemas.formats.spark import struct_json
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.formats.spark_types.lacking import lacks

if TYPE_CHECKING:
    from pyspark.sql.types import DataType as SparkType
    from pyspark.sql.types import StructType

_LEAVE_OUT: Final = "Leave the column out (columns=...), or read it with something that knows the type."
_WORDS: Final = {"element": "elementType", "key": "keyType", "value": "valueType"}

_Json = Any
"""A type of Spark as JSON has it: a name, or an object."""


def struct_type(what: TableSchema | RowType | Iterable[Field], *, ids: bool = True) -> "StructType":
    """Return the StructType of a schema, a ROW or fields; raise SparkError that names all columns which Spark cannot hold.

    With ids they stand in the metadata of the fields, nested ones too, where Spark's Parquet writer takes them from.
    """
    fields = what.fields if isinstance(what, TableSchema | RowType) else tuple(what)
    faults: list[Fault] = []
    for field in fields:
        reason = lacks(field.type)
        if reason:
            faults.append(Fault("spark.type", field.name, f"Spark cannot hold {reason}.", _LEAVE_OUT))
    if faults:
        raise SparkError.of(faults)
    from pyspark.sql.types import StructType

    return StructType.fromJson(_with_only_ids(_json(fields), ids))


def _json(fields: tuple[Field, ...]) -> _Json:
    return json.loads(struct_json.dump(TableSchema(fields, field_ids.highest_id(fields))).text)


def spark_type(data_type: DataType, *, ids: bool = True) -> "SparkType":
    """Return the type as Spark's; whether it is nullable is said by the field around it, as in Spark."""
    return struct_type([nested.field(0, "value", data_type)], ids=ids)["value"].dataType


def as_held(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields with the types that Spark has for theirs: a CHAR is a STRING, a BINARY(5) is BYTES. Their ids stay."""
    fields = tuple(fields)
    defaults = {field.id: field.default for field in fields}
    held = struct_json.of_value(_with_only_ids(_json(fields), ids=True)).schema.fields
    return tuple([nested.field(field.id, field.name, field.type, None, defaults[field.id]) for field in held])


def table_schema(struct: "StructType") -> Loaded:
    """Return the schema that a StructType stands for, with notes on what no table keeps. Ids come from its metadata if that has all."""
    return struct_json.of_value(struct.jsonValue())


# ---------------------------------------------------------------- JSON


def with_ids(value: _Json, fields: Iterable[Field]) -> _Json:
    """Return the JSON of a StructType, with the ids of the fields of the same names in its metadata, nested ones too."""
    by_name = {field.name: field for field in fields}
    return {**value, "fields": [_field_with_ids(entry, by_name[entry["name"]]) for entry in value["fields"]]}


def _field_with_ids(value: _Json, field: Field) -> _Json:
    metadata = {**(value.get("metadata") or {}), FIELD_ID: field.id}
    return {**value, "type": _type_with_ids(value["type"], field.type), "metadata": metadata}


def _type_with_ids(value: _Json, data_type: DataType) -> _Json:
    if isinstance(data_type, RowType):
        return with_ids(value, data_type.fields)
    if not isinstance(value, dict):
        return value
    parts = {_WORDS[word]: part for word, part in children(data_type)}
    return {**value, **{word: _type_with_ids(value[word], part) for word, part in parts.items() if word in value}}


def _with_only_ids(value: _Json, ids: bool) -> _Json:
    """Return the JSON of a type with nothing but the ids in its metadata, or without any."""
    if isinstance(value, list):
        return [_with_only_ids(entry, ids) for entry in value]
    if not isinstance(value, dict):
        return value
    if "metadata" not in value:
        return {key: _with_only_ids(part, ids) for key, part in value.items()}
    metadata = {}
    if ids and FIELD_ID in value["metadata"]:
        metadata[FIELD_ID] = value["metadata"][FIELD_ID]
    return value | {"type": _with_only_ids(value["type"], ids), "metadata": metadata}
