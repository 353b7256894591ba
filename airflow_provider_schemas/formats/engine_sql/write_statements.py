"""The engines by name, and the walk over a batch of changes: each is said, or handed back with the reason."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.engine_sql import flink, spark
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.words import table_parts

Rows = dict[type[SchemaChange], Callable[[tuple[str, ...], Any, Steps], str]]

ENGINES: dict[str, Rows] = {"flink": flink.STATEMENTS, "spark": spark.STATEMENTS}


class EngineSql(Struct, frozen=True):
    """The statements, in order, and the changes that are not among them: each as its short text, with the reason."""

    statements: tuple[str, ...]
    unsaid: tuple[tuple[str, str], ...] = ()


def statements(
    table: str, changes: Iterable[SchemaChange | Mapping[str, Any] | str], *, engine: str = "spark", schema: TableSchema | None = None
) -> EngineSql:
    """The statements that make these changes to a table, named `db.t` or `catalog.db.t`. With its schema, more can be said."""
    rows, parts = _rows(engine), table_parts(table)
    said, unsaid, steps = list[str](), list[tuple[str, str]](), Steps(schema)
    for change in parse_changes(changes):
        steps.go_to(change)
        try:
            said.append(rows[type(change)](parts, change, steps))
        except FormatError as error:
            unsaid.append((short_text(masked_change(change)), error.message))
    return EngineSql(tuple(said), tuple(unsaid))


def _rows(engine: object) -> Rows:
    rows = ENGINES.get(engine) if isinstance(engine, str) else None
    if rows is None:
        raise FormatError(f"{shown(engine)} is no engine.", code="format.unknown", fix=f"Use one of {', '.join(ENGINES)}.")
    return rows
