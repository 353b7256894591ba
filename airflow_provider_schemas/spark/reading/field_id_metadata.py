"""A frame whose columns carry the ids of their fields, nested ones too: what is written of it says by itself what it is."""

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.spark.session import column_namer, functions_of
from airflow_provider_schemas.spark.sql import name
from airflow_provider_schemas.spark.struct_types import with_ids

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType, StructField, StructType


def with_field_ids(frame: "DataFrame", fields: Sequence[Field]) -> "DataFrame":
    """Return the frame with the ids of these fields. Only columns without their ids are touched; a column that is no field stays."""
    struct = frame.schema
    wanted = _wanted_fields(struct, fields)
    without_ids = {field.name for field in struct if field.name in wanted and not _has_ids(field, wanted[field.name])}
    if not without_ids:
        return frame
    name_column = column_namer(frame)
    functions = functions_of(frame)
    columns: list[Column | str] = []
    for field in struct:
        if field.name not in without_ids:
            columns.append(name(field.name))
        elif field.dataType == wanted[field.name].dataType:
            columns.append(name_column(name(field.name), field.name, wanted[field.name].metadata))
        else:
            columns.append(_with_nested_ids(functions, field, wanted[field.name]))
    return frame.select(*columns)


def _wanted_fields(struct: "StructType", fields: Sequence[Field]) -> "dict[str, StructField]":
    """Return the columns of a frame that are such fields, by name, as they are with ids."""
    names = {field.name for field in fields}
    value = struct.jsonValue()
    known = {**value, "fields": [field for field in value["fields"] if field["name"] in names]}
    return {field.name: field for field in type(struct).fromJson(with_ids(known, fields))}


def _has_ids(field: "StructField", wanted: "StructField") -> bool:
    same_id = field.metadata.get(FIELD_ID) == wanted.metadata.get(FIELD_ID)
    return bool(same_id and field.dataType == wanted.dataType)


def _with_nested_ids(functions: ModuleType, field: "StructField", wanted: "StructField") -> "Column":
    """Return the column with its id, and the fields inside it with theirs."""
    column = functions.col(name(wanted.name))
    return _as_type(functions, column, field.dataType, wanted.dataType).alias(wanted.name, metadata=wanted.metadata)


def _as_type(functions: ModuleType, column: "Column", there: "DataType", wanted: "DataType") -> "Column":
    """Return the same values as a type with ids. Of a struct built so, Spark still reads only the fields that are used; of a cast, all."""
    if there == wanted:
        return column
    there_fields: list[StructField] | None = getattr(there, "fields", None)
    wanted_fields: list[StructField] | None = getattr(wanted, "fields", None)
    if there_fields is None or wanted_fields is None:
        return column.cast(wanted)
    parts = []
    for field, wanted_field in zip(there_fields, wanted_fields, strict=True):
        part = _as_type(functions, column.getField(field.name), field.dataType, wanted_field.dataType)
        parts.append(part.alias(wanted_field.name, metadata=wanted_field.metadata))
    rebuilt: Column = functions.when(column.isNotNull(), functions.struct(*parts))
    return rebuilt
