"""Names that the table had before and has no more: a file that still lists one may be older than the change that removed it."""

from collections.abc import Iterator

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.history import History, newest_first
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.table_file.model import Column, TableFile

READDED = "FIELD_READDED"


def returning_faults(file: TableFile, schema: TableSchema, past: History) -> Iterator[Fault]:
    """Yield a fault for each listed column that an earlier version had, and that was renamed or dropped since.

    Not where the file lists the current name too, or accepts that a name comes back under a new id.
    """
    listed = {column.name for column in file.columns}
    for number, column in enumerate(file.columns):
        if schema.field(column.name) is not None or any(schema.field(name) for name in column.earlier_names):
            continue
        states = newest_first(past.named(column.name))
        if not states or accepts_return(column):
            continue
        current = schema.column(states[0].field.id)
        if current is None:
            yield _dropped_fault(number, column, states[0].numbers[-1])
        elif current.name not in listed:
            yield _renamed_fault(number, column, current.name)


def accepts_return(column: Column) -> bool:
    """Return whether the file accepts that the name of a column comes back under a new id."""
    return column.accepts is not None and READDED in column.accepts.rules


def _dropped_fault(number: int, column: Column, version: int) -> Fault:
    message = f"{shown(column.name)} was in the table up to version {version}, and was dropped since."
    fix = (
        "Take it out of the file. To get its values back, restore that version; "
        f"to begin again under a new id, write `accepts: {{{READDED}: why, until: a day}}` at the column."
    )
    return Fault("table-file.dropped-since", f"columns[{number}]", message, fix)


def _renamed_fault(number: int, column: Column, name: str) -> Fault:
    message = f"{shown(column.name)} is called {shown(name)} now: the file is from before it was renamed."
    fix = f"Write `name: {name}` and `was: {column.name}`; or list {shown(name)} as well, to have both."
    return Fault("table-file.renamed-since", f"columns[{number}]", message, fix)
