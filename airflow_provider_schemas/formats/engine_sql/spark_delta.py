"""Schema changes as Spark's ALTER TABLE for tables of Delta: a row for each kind of change.

The statements are those for Paimon's catalog. What differs is what Delta refuses, and that it takes defaults away. Some changes need a
feature that has to be on: type widening, defaults. Whether it is stands in no schema; where it is not, Delta refuses the statement and
names the property.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.formats.engine_sql import delta_rules, spark
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.words import inexpressible, path

Parts = tuple[str, ...]
Write = Callable[[Parts, Any, Steps], str]


def _after(check: Callable[[Any, Steps], None], write: Write) -> Write:
    """Return the writer of a statement for what passes a check of Delta's rules."""

    def checked(table: Parts, change: SchemaChange, steps: Steps) -> str:
        check(change, steps)
        return write(table, change, steps)

    return checked


def _default(table: Parts, change: schema_change.UpdateColumnDefaultValue, steps: Steps) -> str:
    if change.default is None and len(change.names) == 1:
        return f"ALTER TABLE {path(table)} ALTER COLUMN {path(change.names)} DROP DEFAULT"
    return spark.STATEMENTS[schema_change.UpdateColumnDefaultValue](table, change, steps)


def _drop_key(table: Parts, change: SchemaChange, steps: Steps) -> str:
    raise inexpressible(delta_rules.NO_KEY)


_CHECKS: dict[type[SchemaChange], Callable[[Any, Steps], None]] = {
    schema_change.AddColumn: delta_rules.check_added,
    schema_change.RenameColumn: delta_rules.check_renamed,
    schema_change.DropColumn: delta_rules.check_dropped,
    schema_change.UpdateColumnType: delta_rules.check_widening,
    schema_change.UpdateColumnNullability: delta_rules.check_nullability,
    schema_change.UpdateColumnComment: delta_rules.check_comment,
    schema_change.SetOption: delta_rules.check_option,
    schema_change.RemoveOption: delta_rules.check_option,
}

STATEMENTS: dict[type[SchemaChange], Write] = {
    **spark.STATEMENTS,
    **{kind: _after(check, spark.STATEMENTS[kind]) for kind, check in _CHECKS.items()},
    schema_change.UpdateColumnDefaultValue: _default,
    schema_change.DropPrimaryKey: _drop_key,
}
