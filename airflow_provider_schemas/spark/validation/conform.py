"""Rows brought into the form that is expected: its columns in its order, under its names and types, and none besides."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.projection.projection import project
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, field, rebuilt
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.reading.project_columns import apply_projection
from airflow_provider_schemas.spark.struct_types import as_held
from airflow_provider_schemas.spark.validation.expected import Expected
from airflow_provider_schemas.spark.validation.form import FormComparison, read_form
from airflow_provider_schemas.spark.validation.row_checks import match_spelling

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def conform(frame: "DataFrame", expected: Expected, comparison: FormComparison) -> "DataFrame":
    """Return the frame, whose rows have been found to fit, in the form that is expected."""
    fields = {column.name: column for column in read_form(frame.schema.jsonValue()).fields}
    types = _expected_types(expected, comparison, fields)
    numbers: dict[str, int] = {}
    wanted = as_held(_number_field(name, name, kind, numbers) for name, kind in types.items())
    written = []
    for column in wanted:
        if column.name in comparison.found:
            field_there = fields[comparison.found[column.name]]
            written.append(_number_field(field_there.name, column.name, field_there.type, numbers, column.type))
    return apply_projection(frame, project(RowType(tuple(written)), RowType(wanted)), casts="checked", bad_values="error")


def _expected_types(expected: Expected, comparison: FormComparison, fields: Mapping[str, Field]) -> dict[str, DataType]:
    """Return the columns that are expected; one that is named without a type, or in parts, with the type that the frame has."""
    types: dict[str, DataType] = {}
    for column in expected.columns:
        dotted = ".".join(column.path)
        name = dotted if dotted in comparison.found else column.path[0]
        field_there = fields.get(comparison.found.get(name, ""))
        kind = column.kind if name == dotted else None
        if kind is None and field_there is not None:
            kind = field_there.type
        if kind is not None and not (field_there is None and lacks(kind)):
            types.setdefault(name, kind.with_nullable(True))
    return types


def _number_field(name: str, path: str, kind: DataType, numbers: dict[str, int], like: DataType | None = None) -> Field:
    """Return the column under a number of its own.

    What stands at the same path has the same number, and paths are spelled as in the type `like`.
    """
    return field(numbers.setdefault(path, len(numbers)), name, _number_inside(kind, path, numbers, like))


def _number_inside(kind: DataType, path: str, numbers: dict[str, int], like: DataType | None) -> DataType:
    if isinstance(kind, AtomicType):
        return kind
    if isinstance(kind, RowType):
        return RowType(tuple(_number_fields(kind, path, numbers, like))).with_nullable(kind.nullable)
    others = {} if like is None else dict(children(like))
    return rebuilt(kind, [_number_inside(part, f"{path}\0{word}\0", numbers, others.get(word)) for word, part in children(kind)])


def _number_fields(kind: RowType, path: str, numbers: dict[str, int], like: DataType | None) -> Iterator[Field]:
    others = {column.name: column.type for column in like.fields} if isinstance(like, RowType) else {}
    spelled = match_spelling(others, [column.name for column in kind.fields])
    names = {name: other for other, name in spelled.items()}
    for column in kind.fields:
        name = names.get(column.name, column.name)
        yield _number_field(column.name, f"{path}\0{name}", column.type, numbers, others.get(name))
