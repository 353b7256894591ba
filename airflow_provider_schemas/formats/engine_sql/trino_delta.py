"""Schema changes as Trino's statements, for tables that its Delta Lake connector keeps: a row for each kind of change.

The connector adds columns at the end, renames and drops them where the table maps its columns, and drops NOT NULL. It changes no types,
and nothing inside a ROW.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.types.atomic import STRING, AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import fold
from airflow_provider_schemas.formats.engine_sql import delta_rules, trino
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.trino_types import alter, new_name, type_text
from airflow_provider_schemas.formats.engine_sql.words import inexpressible, trino_name, trino_text

Parts = tuple[str, ...]

# Ours -> Trino's, for the types that Delta has. An instant is written with three digits, and is Delta's timestamp of six.
_TYPES = {
    Root.BOOLEAN: "BOOLEAN",
    Root.TINYINT: "TINYINT",
    Root.SMALLINT: "SMALLINT",
    Root.INTEGER: "INTEGER",
    Root.BIGINT: "BIGINT",
    Root.FLOAT: "REAL",
    Root.DOUBLE: "DOUBLE",
    Root.DECIMAL: "DECIMAL({precision}, {scale})",
    Root.DATE: "DATE",
    Root.TIMESTAMP: "TIMESTAMP(6)",
    Root.TIMESTAMP_LTZ: "TIMESTAMP(3) WITH TIME ZONE",
    Root.VARCHAR: "VARCHAR",
    Root.VARBINARY: "VARBINARY",
}


def _type(kind: DataType) -> str:
    fold(kind, _check_length)
    return type_text(kind, _TYPES, "Delta")


def _check_length(kind: DataType, _inner: list[None]) -> None:
    if isinstance(kind, AtomicType) and kind.root is Root.VARCHAR and kind.with_nullable(True) != STRING:
        raise inexpressible(f"{kind.with_nullable(True)} would become STRING: Trino writes no lengths into Delta's log.")


def _check_top_level(names: Parts) -> None:
    if len(names) > 1:
        raise inexpressible("Trino changes nothing inside a ROW, an array or a map of a table of Delta.")


def _check_no_partition(names: Parts, steps: Steps) -> None:
    if delta_rules.is_partition(names, steps):
        raise inexpressible("Trino neither renames nor drops a column by which a table of Delta is partitioned.")


def _add(table: Parts, change: schema_change.AddColumn, steps: Steps) -> str:
    _check_top_level(change.names)
    delta_rules.check_added(change, steps)
    if change.move is not None and steps.siblings(change.names)[-1].name != change.names[-1]:
        raise inexpressible("Trino adds a column at the end of a table of Delta.")
    comment = "" if change.comment is None else f" COMMENT {trino_text(change.comment)}"
    return alter(table, f"ADD COLUMN {new_name(change.names[0])} {_type(change.type)}{comment}")


def _rename(table: Parts, change: schema_change.RenameColumn, steps: Steps) -> str:
    _check_top_level(change.names)
    delta_rules.check_renamed(change, steps)
    _check_no_partition(change.names, steps)
    return alter(table, f"RENAME COLUMN {trino_name(change.names[0])} TO {new_name(change.new_name)}")


def _drop(table: Parts, change: schema_change.DropColumn, steps: Steps) -> str:
    _check_top_level(change.names)
    delta_rules.check_dropped(change, steps)
    return alter(table, f"DROP COLUMN {trino_name(change.names[0])}")


def _nullability(table: Parts, change: schema_change.UpdateColumnNullability, steps: Steps) -> str:
    delta_rules.check_nullability(change, steps)
    _check_top_level(change.names)
    return alter(table, f"ALTER COLUMN {trino_name(change.names[0])} DROP NOT NULL")


_NO_DEFAULT = "Trino sets no defaults in tables of Delta, or only its newest versions do."

STATEMENTS: dict[type[SchemaChange], Callable[[Parts, Any, Steps], str]] = {
    **trino.STATEMENTS,
    schema_change.AddColumn: _add,
    schema_change.RenameColumn: _rename,
    schema_change.DropColumn: _drop,
    schema_change.UpdateColumnType: trino.refusing("Trino does not change types in tables of Delta; Spark widens them."),
    schema_change.UpdateColumnNullability: _nullability,
    schema_change.UpdateColumnDefaultValue: trino.refusing(_NO_DEFAULT),
    schema_change.DropPrimaryKey: trino.refusing(delta_rules.NO_KEY),
}
