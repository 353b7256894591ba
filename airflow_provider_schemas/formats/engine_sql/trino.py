"""Schema changes as Trino's statements, for tables that its Iceberg connector keeps: a row for each kind of change.

Trino writes every new name in lower case, adds a field at the end of its ROW only, and has no statement that moves a column. Its
newest versions alone reach into arrays and maps: such changes have no statement.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import RowType
from airflow_provider_schemas.formats.engine_sql import iceberg_rules
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.trino_types import alter, new_name, type_text
from airflow_provider_schemas.formats.engine_sql.words import inexpressible, trino_name, trino_path, trino_text

Parts = tuple[str, ...]

# Ours -> Trino's, for the types that Iceberg has.
_TYPES = {
    Root.BOOLEAN: "BOOLEAN",
    Root.INTEGER: "INTEGER",
    Root.BIGINT: "BIGINT",
    Root.FLOAT: "REAL",
    Root.DOUBLE: "DOUBLE",
    Root.DECIMAL: "DECIMAL({precision}, {scale})",
    Root.DATE: "DATE",
    Root.TIME: "TIME(6)",
    Root.TIMESTAMP: "TIMESTAMP(6)",
    Root.TIMESTAMP_LTZ: "TIMESTAMP(6) WITH TIME ZONE",
    Root.VARCHAR: "VARCHAR",
    Root.VARBINARY: "VARBINARY",
}


# ---------------------------------------------------------------- types and names


def _type(kind: DataType) -> str:
    """Write a type without its own NOT NULL."""
    iceberg_rules.check_type(kind)
    return type_text(kind, _TYPES, "Iceberg")


def _path(names: Parts, steps: Steps) -> str:
    """Write a path to a column, or to a field of a ROW."""
    for depth, name in enumerate(names):
        is_part = depth > 0 and name in ("element", "key", "value")
        if is_part and not isinstance(steps.type_before(names[:depth]), RowType):
            raise inexpressible("only the newest versions of Trino reach into arrays and maps.")
    return trino_path(names)


# ---------------------------------------------------------------- changes


def _add(table: Parts, change: schema_change.AddColumn, steps: Steps) -> str:
    iceberg_rules.check_added(change, steps)
    *parents, name = change.names
    new = ".".join([*filter(None, [_path(tuple(parents), steps)]), new_name(name)])
    if parents:
        if change.comment is not None or not _goes_last(change, steps):
            raise inexpressible("Trino adds a field at the end of its ROW, and without a comment.")
        return alter(table, f"ADD COLUMN {new} {_type(change.type)}")
    comment = "" if change.comment is None else f" COMMENT {trino_text(change.comment)}"
    return alter(table, f"ADD COLUMN {new} {_type(change.type)}{comment}{_position(change, steps)}")


def _goes_last(change: schema_change.AddColumn, steps: Steps) -> bool:
    return change.move is None or steps.siblings(change.names)[-1].name == change.names[-1]


def _position(change: schema_change.AddColumn, steps: Steps) -> str:
    if change.move is None:
        return ""
    before = steps.field_before(change.names, change.move)
    return f" AFTER {trino_name(before)}" if before else " FIRST"


def _rename(table: Parts, change: schema_change.RenameColumn, steps: Steps) -> str:
    return alter(table, f"RENAME COLUMN {_path(change.names, steps)} TO {new_name(change.new_name)}")


def _drop(table: Parts, change: schema_change.DropColumn, steps: Steps) -> str:
    return alter(table, f"DROP COLUMN {_path(change.names, steps)}")


def _retype(table: Parts, change: schema_change.UpdateColumnType, steps: Steps) -> str:
    iceberg_rules.check_promotion(change, steps)
    if not change.keep_nullability and steps.type_before(change.names).nullable is not change.type.nullable:
        raise inexpressible("Trino changes a type and whether it may be NULL in two statements; make it two changes.")
    return alter(table, f"ALTER COLUMN {_path(change.names, steps)} SET DATA TYPE {_type(change.type)}")


def _nullability(table: Parts, change: schema_change.UpdateColumnNullability, steps: Steps) -> str:
    iceberg_rules.check_nullability(change, steps)
    if len(change.names) > 1:
        raise inexpressible("Trino drops NOT NULL from columns only, not inside a ROW.")
    return alter(table, f"ALTER COLUMN {trino_name(change.names[0])} DROP NOT NULL")


def _comment(table: Parts, change: schema_change.UpdateColumnComment, steps: Steps) -> str:
    if len(change.names) > 1:
        raise inexpressible("Trino comments columns only, not the fields of a ROW.")
    return f"COMMENT ON COLUMN {trino_path((*table, *change.names))} IS {_text_or_null(change.comment)}"


def _table_comment(table: Parts, change: schema_change.UpdateComment, steps: Steps) -> str:
    return f"COMMENT ON TABLE {trino_path(table)} IS {_text_or_null(change.comment)}"


def _text_or_null(text: str | None) -> str:
    return "NULL" if text is None else trino_text(text)


def refusing(reason: str) -> Callable[[Parts, Any, Steps], str]:
    def refuse(table: Parts, change: SchemaChange, steps: Steps) -> str:
        raise inexpressible(reason)

    return refuse


_NO_PROPERTIES = "Trino sets those properties of a table only that its connector knows."

STATEMENTS: dict[type[SchemaChange], Callable[[Parts, Any, Steps], str]] = {
    schema_change.AddColumn: _add,
    schema_change.RenameColumn: _rename,
    schema_change.DropColumn: _drop,
    schema_change.UpdateColumnType: _retype,
    schema_change.UpdateColumnNullability: _nullability,
    schema_change.UpdateColumnComment: _comment,
    schema_change.UpdateColumnDefaultValue: refusing(iceberg_rules.NO_DEFAULT),
    schema_change.UpdateColumnPosition: refusing("Trino has no statement that moves a column."),
    schema_change.SetOption: refusing(_NO_PROPERTIES),
    schema_change.RemoveOption: refusing(_NO_PROPERTIES),
    schema_change.UpdateComment: _table_comment,
    schema_change.DropPrimaryKey: refusing(iceberg_rules.NO_KEY),
}
