"""A frame whose columns bear the ids of their fields, nested ones too: what is written of it tells by itself what it is."""

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.spark.session import column_namer, functions_of
from airflow_provider_schemas.spark.sql import name
from airflow_provider_schemas.spark.struct_types import marked

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructField


def identified(frame: "DataFrame", fields: Sequence[Field]) -> "DataFrame":
    """The frame. Only those columns are touched that do not bear their ids yet; what is no field is left as it is."""
    ours, struct, functions = {one.name for one in fields}, frame.schema, functions_of(frame)
    value = struct.jsonValue()
    known = {**value, "fields": [one for one in value["fields"] if one["name"] in ours]}
    wanted = {one.name: one for one in type(struct).fromJson(marked(known, fields))}
    bears = {one.name: one.name not in wanted or _bears(one, wanted[one.name]) for one in struct}
    if all(bears.values()):
        return frame
    named = column_namer(frame)
    columns: list[Column | str] = []
    for column in struct:
        if bears[column.name]:
            columns.append(name(column.name))
        elif column.dataType == wanted[column.name].dataType:
            columns.append(named(name(column.name), column.name, wanted[column.name].metadata))
        else:
            columns.append(_given(functions, column, wanted[column.name]))
    return frame.select(*columns)


def _bears(there: "StructField", wanted: "StructField") -> bool:
    same_id = there.metadata.get(FIELD_ID) == wanted.metadata.get(FIELD_ID)
    return bool(same_id and there.dataType == wanted.dataType)


def _given(functions: ModuleType, there: "StructField", wanted: "StructField") -> "Column":
    """The column with its id, and the fields inside it with theirs."""
    column = functions.col(name(wanted.name))
    given: Column = _typed(functions, column, there.dataType, wanted.dataType).alias(wanted.name, metadata=wanted.metadata)
    return given


def _typed(functions: Any, column: Any, there: Any, wanted: Any) -> Any:
    """The same values of a type that bears ids. Of a struct built so, Spark still reads only the fields that are used; of a cast, all."""
    if there == wanted:
        return column
    if not hasattr(wanted, "fields"):
        return column.cast(wanted)
    parts = zip(there.fields, wanted.fields, strict=True)
    inside = [
        _typed(functions, column.getField(one.name), one.dataType, ours.dataType).alias(ours.name, metadata=ours.metadata)
        for one, ours in parts
    ]
    return functions.when(column.isNotNull(), functions.struct(*inside))
