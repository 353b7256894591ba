"""Schema changes as Flink's ALTER TABLE, which Paimon's catalog for Flink carries out: a row for each kind of change.

Flink declares a column again with MODIFY: its whole type, and its position if that changes. Paimon compares the new
declaration with the old column. So a change inside a ROW is written as the whole new column, and a rename inside a ROW
cannot be written at all.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, children, fold
from airflow_provider_schemas.formats.engine_sql.steps import Steps, position_clause
from airflow_provider_schemas.formats.engine_sql.words import flink_text, inexpressible, path, quoted

Parts = tuple[str, ...]

_NOT_IN_FLINK = frozenset({Root.BLOB, Root.VECTOR, Root.GEOMETRY, Root.GEOGRAPHY, Root.VARIANT})
_KEPT = frozenset({"comment", "connector", "primary-key", "partition", "path"})


def _alter(table: Parts, rest: str) -> str:
    return f"ALTER TABLE {path(table)} {rest}"


def _type(kind: DataType) -> str:
    return fold(kind, _type_of_parts)


def _type_of_parts(kind: DataType, inner: list[str]) -> str:
    if kind.root in _NOT_IN_FLINK:
        raise inexpressible(f"Flink has no type {kind.root.value}, or only its newest versions have.")
    if not children(kind) and not isinstance(kind, RowType):
        return str(kind)
    if isinstance(kind, RowType):
        inner = [_field(field, text) for field, text in zip(kind.fields, inner, strict=True)]
    text = f"{kind.root.value}<{', '.join(inner)}>"
    return text if kind.nullable else f"{text} NOT NULL"


def _field(field: Field, type_text: str) -> str:
    if field.default is not None:
        raise inexpressible("Flink has no defaults inside a ROW.")
    comment = "" if field.description is None else f" {flink_text(field.description)}"
    return f"{quoted(field.name)} {type_text}{comment}"


def _declare(column: Field) -> str:
    comment = "" if column.description is None else f" COMMENT {flink_text(column.description)}"
    return f"{quoted(column.name)} {_type(column.type)}{comment}"


def _modify(table: Parts, name: str, steps: Steps, position: str = "") -> str:
    """Declare a column as it will be."""
    column = steps.after.field(name)
    if column is None:
        raise inexpressible("there is no such column.")
    return _alter(table, f"MODIFY {_declare(column)}{position}")


def _add(table: Parts, change: schema_change.AddColumn, steps: Steps) -> str:
    if len(change.names) > 1:
        return _modify(table, change.names[0], steps)
    comment = "" if change.comment is None else f" COMMENT {flink_text(change.comment)}"
    position = position_clause(steps, change.names, change.move)
    return _alter(table, f"ADD {quoted(change.names[0])} {_type(change.type)}{comment}{position}")


def _rename(table: Parts, change: schema_change.RenameColumn, steps: Steps) -> str:
    if len(change.names) > 1:
        raise inexpressible("Flink would drop the field inside the ROW and add another one.")
    return _alter(table, f"RENAME {quoted(change.names[0])} TO {quoted(change.new_name)}")


def _drop(table: Parts, change: schema_change.DropColumn, steps: Steps) -> str:
    if len(change.names) > 1:
        return _modify(table, change.names[0], steps)
    return _alter(table, f"DROP {quoted(change.names[0])}")


def _redeclare(table: Parts, change: schema_change.UpdateColumnType | schema_change.UpdateColumnNullability, steps: Steps) -> str:
    return _modify(table, change.names[0], steps)


def _comment(table: Parts, change: schema_change.UpdateColumnComment, steps: Steps) -> str:
    before = steps.before.field(change.names[0])
    after = steps.after.field(change.names[0])
    if before is not None and after is not None and before.description != after.description and after.description is None:
        raise inexpressible("Flink keeps the comment of a column that is declared without one.")
    return _modify(table, change.names[0], steps)


def _default(table: Parts, change: schema_change.UpdateColumnDefaultValue, steps: Steps) -> str:
    if change.default is None:
        raise inexpressible("Flink has no way to take a default away.")
    if any("." in name for name in change.names):
        raise inexpressible("Flink's procedure splits the name of a column at its dots.")
    for name in change.names:
        quoted(name)
    catalog = f"{path(table[:-2])}." if len(table) > 2 else ""
    arguments = [".".join(table[-2:]), ".".join(change.names), change.default]
    return f"CALL {catalog}sys.alter_column_default_value({', '.join(map(flink_text, arguments))})"


def _position(table: Parts, change: schema_change.UpdateColumnPosition, steps: Steps) -> str:
    return _modify(table, change.move.field, steps, position_clause(steps, (change.move.field,), change.move))


def _set(table: Parts, change: schema_change.SetOption, steps: Steps) -> str:
    _check_kept(change.key)
    return _alter(table, f"SET ({flink_text(change.key)} = {flink_text(change.value)})")


def _reset(table: Parts, change: schema_change.RemoveOption, steps: Steps) -> str:
    _check_kept(change.key)
    return _alter(table, f"RESET ({flink_text(change.key)})")


def _check_kept(key: str) -> None:
    if key.lower() in _KEPT:
        raise inexpressible(f"Flink does not change the option {key!r}.")


def _table_comment(table: Parts, change: schema_change.UpdateComment, steps: Steps) -> str:
    if change.comment is None:
        return _alter(table, "RESET ('comment')")
    return _alter(table, f"SET ('comment' = {flink_text(change.comment)})")


def _drop_key(table: Parts, change: schema_change.DropPrimaryKey, steps: Steps) -> str:
    return _alter(table, "DROP PRIMARY KEY")


STATEMENTS: dict[type[SchemaChange], Callable[[Parts, Any, Steps], str]] = {
    schema_change.AddColumn: _add,
    schema_change.RenameColumn: _rename,
    schema_change.DropColumn: _drop,
    schema_change.UpdateColumnType: _redeclare,
    schema_change.UpdateColumnNullability: _redeclare,
    schema_change.UpdateColumnComment: _comment,
    schema_change.UpdateColumnDefaultValue: _default,
    schema_change.UpdateColumnPosition: _position,
    schema_change.SetOption: _set,
    schema_change.RemoveOption: _reset,
    schema_change.UpdateComment: _table_comment,
    schema_change.DropPrimaryKey: _drop_key,
}
