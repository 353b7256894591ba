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


def struct_type(what: TableSchema | RowType | Iterable[Field], *, ids: bool = True) -> "StructType":
    """The StructType of a schema, a ROW or fields; SparkError that names all columns which Spark cannot hold.

    With ids they stand in the metadata of the fields, nested ones too, where Spark's Parquet writer takes them from.
    """
    fields = what.fields if isinstance(what, TableSchema | RowType) else tuple(what)
    faults = [Fault("spark.type", one.name, f"Spark cannot hold {reason}.", _LEAVE_OUT) for one in fields if (reason := lacks(one.type))]
    if faults:
        raise SparkError.of(faults)
    from pyspark.sql.types import StructType

    return StructType.fromJson(_plain(_json(fields), ids))


def _json(fields: tuple[Field, ...]) -> Any:
    return json.loads(struct_json.dump(TableSchema(fields, field_ids.highest_id(fields))).text)


def spark_type(kind: DataType, *, ids: bool = True) -> "SparkType":
    """The type as Spark's; whether it is nullable is said by the field around it, as in Spark."""
    return struct_type([nested.field(0, "value", kind)], ids=ids)["value"].dataType


def as_held(fields: Iterable[Field]) -> tuple[Field, ...]:
    """The fields with the types that Spark has for theirs: a CHAR is a STRING, a BINARY(5) is BYTES. Their ids stay."""
    known = tuple(fields)
    value = _plain(_json(known), ids=True)
    kept = {one.id: one.default for one in known}
    held = struct_json.of_value(value).schema.fields
    return tuple([nested.field(one.id, one.name, one.type, None, kept[one.id]) for one in held])


def table_schema(struct: "StructType") -> Loaded:
    """The schema that a StructType stands for, and what it says that no table keeps. Ids come from its metadata, if it has all of them."""
    return struct_json.of_value(struct.jsonValue())


def with_ids(value: Any, fields: Iterable[Field]) -> Any:
    """The JSON of a StructType, with the ids of the fields of the same names in its metadata, nested ones too."""
    known = {one.name: one for one in fields}
    return {**value, "fields": [_marked_field(one, known[one["name"]]) for one in value["fields"]]}


def _marked_field(value: Any, one: Field) -> Any:
    return {**value, "type": _marked_type(value["type"], one.type), "metadata": {**(value.get("metadata") or {}), FIELD_ID: one.id}}


def _marked_type(value: Any, kind: DataType) -> Any:
    if isinstance(kind, RowType):
        return with_ids(value, kind.fields)
    if not isinstance(value, dict):
        return value
    words = {"element": "elementType", "key": "keyType", "value": "valueType"}
    return {**value, **{words[word]: _marked_type(value[words[word]], part) for word, part in children(kind) if words[word] in value}}


def _plain(value: Any, ids: bool) -> Any:
    """The JSON of a type, with the ids in its metadata or without any."""
    if isinstance(value, list):
        return [_plain(one, ids) for one in value]
    if not isinstance(value, dict):
        return value
    if "metadata" not in value:
        return {name: _plain(part, ids) for name, part in value.items()}
    said = value["metadata"]
    return value | {"type": _plain(value["type"], ids), "metadata": {FIELD_ID: said[FIELD_ID]} if ids and FIELD_ID in said else {}}
