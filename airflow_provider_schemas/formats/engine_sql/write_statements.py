"""The engines by name, and the statements of a batch: each change has one, or is returned with the reason."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.foreign_attributes import table_format
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.engine_sql import delta_rules, flink, spark, spark_delta, spark_iceberg, trino, trino_delta
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.words import table_parts

Writers = dict[type[SchemaChange], Callable[[tuple[str, ...], Any, Steps], str]]

ENGINES: dict[str, Writers] = {
    "flink": flink.STATEMENTS,
    "spark": spark.STATEMENTS,
    "spark-iceberg": spark_iceberg.STATEMENTS,
    "spark-delta": spark_delta.STATEMENTS,
    "trino": trino.STATEMENTS,
}

# The engines whose statements depend on who keeps the table, as its attributes say.
_OF_FORMAT: dict[tuple[str, str], Writers] = {("trino", delta_rules.FORMAT): trino_delta.STATEMENTS}


class EngineSql(Struct, frozen=True):
    """The statements, in order, and the changes without one: each as its short text, with the reason."""

    statements: tuple[str, ...]
    unsaid: tuple[tuple[str, str], ...] = ()


def statements(
    table: str | Sequence[str],
    changes: Iterable[SchemaChange | Mapping[str, Any] | str],
    *,
    engine: str = "spark",
    schema: TableSchema | None = None,
) -> EngineSql:
    """Write the statements that make these changes to a table, named `db.t` or `catalog.db.t`, or by the parts of its name.

    Some statements need the schema of the table: a position inside a ROW, or the whole type of a column.
    """
    writers = _writers(engine, schema)
    parts = table_parts(table)
    steps = Steps(schema)
    written: list[str] = []
    unsaid: list[tuple[str, str]] = []
    for change in parse_changes(changes):
        steps.go_to(change)
        try:
            written.append(writers[type(change)](parts, change, steps))
        except FormatError as error:
            unsaid.append((short_text(masked_change(change)), error.message))
    return EngineSql(tuple(written), tuple(unsaid))


def _writers(engine: object, schema: TableSchema | None) -> Writers:
    writers = ENGINES.get(engine) if isinstance(engine, str) else None
    if not isinstance(engine, str) or writers is None:
        raise FormatError(f"{shown(engine)} is no engine.", code="format.unknown", fix=f"Use one of {', '.join(ENGINES)}.")
    if schema is None:
        return writers
    return _OF_FORMAT.get((engine, table_format(schema)), writers)
