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
from airflow_provider_schemas.spark.validation.form import Compared, form_of
from airflow_provider_schemas.spark.validation.row_checks import spelled

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def conforming(frame: "DataFrame", expected: Expected, seen: Compared) -> "DataFrame":
    """The frame, whose rows have been found to fit, as it is expected."""
    there = {one.name: one for one in form_of(frame.schema.jsonValue()).fields}
    numbers: dict[str, int] = {}
    wanted = as_held(_numbered(name, name, kind, numbers) for name, kind in _wanted(expected, seen, there).items())
    met = [(one, there[seen.found[one.name]]) for one in wanted if one.name in seen.found]
    written = tuple(_numbered(mine.name, one.name, mine.type, numbers, one.type) for one, mine in met)
    return apply_projection(frame, project(RowType(written), RowType(wanted)), casts="checked", bad_values="error")


def _wanted(expected: Expected, seen: Compared, there: Mapping[str, Field]) -> dict[str, DataType]:
    """The columns that are expected; one that is named without a type, or in parts, with the type that the frame has."""
    kinds: dict[str, DataType] = {}
    for one in expected.columns:
        whole = ".".join(one.path)
        name = whole if whole in seen.found else one.path[0]
        mine = there.get(seen.found.get(name, ""))
        kind = one.kind if name == whole else None
        if kind is None and mine is not None:
            kind = mine.type
        if kind is not None and not (mine is None and lacks(kind)):
            kinds.setdefault(name, kind.with_nullable(True))
    return kinds


def _numbered(name: str, path: str, kind: DataType, numbers: dict[str, int], like: DataType | None = None) -> Field:
    """The column under a number of its own; what stands at the same path has the same one, and paths are spelled as in the other type."""
    return field(numbers.setdefault(path, len(numbers)), name, _inside(kind, path, numbers, like))


def _inside(kind: DataType, path: str, numbers: dict[str, int], like: DataType | None) -> DataType:
    if isinstance(kind, AtomicType):
        return kind
    if isinstance(kind, RowType):
        return RowType(tuple(_fields(kind, path, numbers, like))).with_nullable(kind.nullable)
    others = dict(children(like)) if like is not None else {}
    return rebuilt(kind, [_inside(part, f"{path}\0{word}\0", numbers, others.get(word)) for word, part in children(kind)])


def _fields(kind: RowType, path: str, numbers: dict[str, int], like: DataType | None) -> Iterator[Field]:
    others = {one.name: one.type for one in like.fields} if isinstance(like, RowType) else {}
    names = {there: one for one, there in spelled(others, [one.name for one in kind.fields]).items()}
    for one in kind.fields:
        called = names.get(one.name, one.name)
        yield _numbered(one.name, f"{path}\0{called}", one.type, numbers, others.get(called))
