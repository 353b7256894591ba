"""Schema changes as Spark's ALTER TABLE, which Paimon's catalog for Spark carries out: a row for each kind of change.

A change that Spark would not carry out exactly has no statement: a type that Spark replaces by another one, or a comment
that Spark would empty instead of removing it.
"""

import re
from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import fold
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import Loss
from airflow_provider_schemas.formats.engine_sql.steps import Steps, position_clause
from airflow_provider_schemas.formats.engine_sql.words import check_names, inexpressible, path, quoted, spark_escapes, spark_text

Parts = tuple[str, ...]

_NOT_IN_SPARK_4_0 = frozenset({Root.TIME, Root.GEOMETRY, Root.GEOGRAPHY})
# Properties that Spark or Paimon's catalog keeps to itself.
_KEPT = frozenset({"comment", "provider", "location", "owner", "external", "is_managed_location", "primary-key", "path"})
# A default that reads the same as Spark's expression and as Paimon's text.
_LITERAL = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|true|false|'[^'\\$\x00-\x1f\x7f-\x9f\u2028\u2029]*'", re.IGNORECASE)


def _alter(table: Parts, rest: str) -> str:
    return f"ALTER TABLE {path(table)} {rest}"


def _column(table: Parts, names: Parts, rest: str) -> str:
    return _alter(table, f"ALTER COLUMN {path(names)} {rest}")


def _type(kind: DataType, names: Parts) -> str:
    """Write a type without its own NOT NULL."""
    from airflow_provider_schemas.formats.spark_types.ddl_text import type_text

    check_names(kind)
    if fold(kind, _is_newer):
        raise inexpressible("TIME, GEOMETRY and GEOGRAPHY are no types of Spark 4.0.")
    losses: list[Loss] = []
    try:
        text = type_text(kind, ".".join(names), losses)
    except FormatError as error:
        raise inexpressible(error.message) from None
    if losses:
        raise inexpressible(f"Spark has no such type: {losses[0]}")
    return spark_escapes(text)


def _is_newer(kind: DataType, inner: list[bool]) -> bool:
    return any(inner) or kind.root in _NOT_IN_SPARK_4_0


def _add(table: Parts, change: schema_change.AddColumn, steps: Steps) -> str:
    comment = "" if change.comment is None else f" COMMENT {spark_text(change.comment)}"
    position = position_clause(steps, change.names, change.move)
    return _alter(table, f"ADD COLUMN {path(change.names)} {_type(change.type, change.names)}{comment}{position}")


def _rename(table: Parts, change: schema_change.RenameColumn, steps: Steps) -> str:
    return _alter(table, f"RENAME COLUMN {path(change.names)} TO {quoted(change.new_name)}")


def _drop(table: Parts, change: schema_change.DropColumn, steps: Steps) -> str:
    return _alter(table, f"DROP COLUMN {path(change.names)}")


def _retype(table: Parts, change: schema_change.UpdateColumnType, steps: Steps) -> str:
    if not change.keep_nullability and steps.type_before(change.names).nullable is not change.type.nullable:
        raise inexpressible("Spark changes a type and whether it may be NULL in two statements; make it two changes.")
    return _column(table, change.names, f"TYPE {_type(change.type, change.names)}")


def _nullability(table: Parts, change: schema_change.UpdateColumnNullability, steps: Steps) -> str:
    if not change.nullable:
        raise inexpressible("Spark refuses to make a column NOT NULL.")
    return _column(table, change.names, "DROP NOT NULL")


def _comment(table: Parts, change: schema_change.UpdateColumnComment, steps: Steps) -> str:
    if change.comment is None:
        raise inexpressible("Spark cannot take a column's comment away, it can only empty it.")
    return _column(table, change.names, f"COMMENT {spark_text(change.comment)}")


def _default(table: Parts, change: schema_change.UpdateColumnDefaultValue, steps: Steps) -> str:
    if len(change.names) > 1:
        raise inexpressible("Spark has defaults for top-level columns only.")
    if change.default is None:
        raise inexpressible("Spark cannot take a default away from a Paimon table, it can only empty it.")
    if not _LITERAL.fullmatch(change.default):
        raise inexpressible("Spark takes an expression for a default, and this text is no number, true, false or simple text in quotes.")
    return _column(table, change.names, f"SET DEFAULT {change.default}")


def _position(table: Parts, change: schema_change.UpdateColumnPosition, steps: Steps) -> str:
    names = (change.move.field,)
    return _column(table, names, position_clause(steps, names, change.move).strip())


def _set(table: Parts, change: schema_change.SetOption, steps: Steps) -> str:
    _check_kept(change.key)
    return _alter(table, f"SET TBLPROPERTIES ({spark_text(change.key)} = {spark_text(change.value)})")


def _unset(table: Parts, change: schema_change.RemoveOption, steps: Steps) -> str:
    _check_kept(change.key)
    return _alter(table, f"UNSET TBLPROPERTIES ({spark_text(change.key)})")


def _check_kept(key: str) -> None:
    if key.lower() in _KEPT:
        raise inexpressible(f"Spark does not change the property {key!r}.")


def _table_comment(table: Parts, change: schema_change.UpdateComment, steps: Steps) -> str:
    if change.comment is None:
        return _alter(table, "UNSET TBLPROPERTIES ('comment')")
    return _alter(table, f"SET TBLPROPERTIES ('comment' = {spark_text(change.comment)})")


def _drop_key(table: Parts, change: schema_change.DropPrimaryKey, steps: Steps) -> str:
    raise inexpressible("Spark refuses to change the primary key.")


STATEMENTS: dict[type[SchemaChange], Callable[[Parts, Any, Steps], str]] = {
    schema_change.AddColumn: _add,
    schema_change.RenameColumn: _rename,
    schema_change.DropColumn: _drop,
    schema_change.UpdateColumnType: _retype,
    schema_change.UpdateColumnNullability: _nullability,
    schema_change.UpdateColumnComment: _comment,
    schema_change.UpdateColumnDefaultValue: _default,
    schema_change.UpdateColumnPosition: _position,
    schema_change.SetOption: _set,
    schema_change.RemoveOption: _unset,
    schema_change.UpdateComment: _table_comment,
    schema_change.DropPrimaryKey: _drop_key,
}
