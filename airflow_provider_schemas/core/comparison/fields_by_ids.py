"""Finds a field by a path of ids, which outlives renames: in a schema, in what a column was, and among the earlier schemas of a table.

The ids of fields and the words of containers are the steps of such a path; the first is the id of the column.
"""

from collections.abc import Sequence

from airflow_provider_schemas.core.changes.field_paths import by_ids
from airflow_provider_schemas.core.schema.history import History, State
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field, RowType

Steps = Sequence[int | str]


def field_at(schema: TableSchema, steps: Steps) -> Field | None:
    """Return the field at the end of a path of ids."""
    column = _column(schema, steps)
    if column is None:
        return None
    return field_in(column, steps)


def field_in(column: Field, steps: Steps) -> Field | None:
    """Return the field at the end of a path of ids in its column: the column itself, or a field inside it."""
    if len(steps) == 1:
        return column
    return next((field for field in fields_around(column, steps) if field.id == steps[-1]), None)


def fields_beside(column: Field, steps: Steps) -> Sequence[Field]:
    """Return the other fields of the struct that holds the field at the end of a path of ids in a column."""
    return [field for field in fields_around(column, steps) if field.id != steps[-1]]


def fields_around(column: Field, steps: Steps) -> Sequence[Field]:
    """Return the fields of the struct that holds the field at the end of a path of ids in a column."""
    kind = by_ids(column.type, steps[1:-1])
    return kind.fields if isinstance(kind, RowType) else ()


def parent_fields(schema: TableSchema, steps: Steps) -> Sequence[Field]:
    """Return the fields of the struct that holds the field at the end of a path of ids; the columns, if it is one."""
    if len(steps) == 1:
        return schema.fields
    column = _column(schema, steps)
    if column is None:
        return ()
    return fields_around(column, steps)


def column_of(history: History, steps: Steps) -> Sequence[State]:
    """Return what the column was with which a path of ids begins."""
    return history.column(steps[0]) if isinstance(steps[0], int) else ()


def _column(schema: TableSchema, steps: Steps) -> Field | None:
    return schema.column(steps[0]) if isinstance(steps[0], int) else None
