"""The columns of a version that are asked for by name; of a name that is no longer one, what became of it is told."""

from collections.abc import Iterable
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.common.user_document import did_you_mean
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault, ProjectionError
from airflow_provider_schemas.store.footers.known_fields import KnownFields


def wanted_columns(schema: TableSchema, columns: Any, known: KnownFields) -> tuple[Field, ...]:
    """The columns in the order in which they are asked for; all of them, if none are named."""
    if columns is None:
        return schema.fields
    names = [columns] if isinstance(columns, str) else list(columns) if isinstance(columns, Iterable) else [columns]
    faults = [fault for place, one in enumerate(names) for fault in _faults(schema, one, names[:place], known)]
    if not names:
        faults = [Fault("read.no-columns", "columns", "no column is asked for.", "Name some, or leave columns out to read all of them.")]
    if faults:
        raise ProjectionError.of(faults)
    return tuple(one for name in names if (one := schema.field(name)) is not None)


def _faults(schema: TableSchema, name: Any, before: list[Any], known: KnownFields) -> Iterable[Fault]:
    if not isinstance(name, str):
        yield Fault("read.no-column", "columns", f"{shown(name)} is no name of a column.", "Pass names.")
    elif name in before:
        yield Fault("read.column-twice", name, f"{shown(name)} is asked for twice.", "Name each column once.")
    elif schema.field(name) is None:
        yield Fault(
            "read.no-column", name, f"version {schema.id} has no column {shown(name)}{_formerly(name, known)}.", _fix(schema, name, known)
        )


def _formerly(name: str, known: KnownFields) -> str:
    numbers = sorted(known.called(name))
    return (
        "; " + ", and ".join(f"field {one} was called so until version {known.last_called(name, one)}" for one in numbers)
        if numbers
        else ""
    )


def _fix(schema: TableSchema, name: str, known: KnownFields) -> str:
    """What it is called now, where it is still there; or what comes near."""
    now = [one.name for number in sorted(known.called(name)) if (one := schema.column(number)) is not None]
    if now:
        return f"It is called {' and '.join(now)} now: ask for that."
    if known.called(name):
        number = max(known.last_called(name, one) for one in known.called(name))
        return f"It was dropped; read the table as it was: version={number}."
    return did_you_mean(name, schema.names)
