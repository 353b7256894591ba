"""Schema changes as Spark's ALTER TABLE for tables that Iceberg's catalog for Spark keeps: a row for each kind of change.

The statements are those for Paimon's catalog. What differs is what Iceberg refuses, and what it would carry out differently.
"""

from collections.abc import Callable
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.formats.engine_sql import iceberg_rules, spark
from airflow_provider_schemas.formats.engine_sql.steps import Steps
from airflow_provider_schemas.formats.engine_sql.words import inexpressible

Parts = tuple[str, ...]
Write = Callable[[Parts, Any, Steps], str]


def _after(check: Callable[[Any, Steps], None], write: Write) -> Write:
    """Return the writer of a statement for what passes a check of Iceberg's rules."""

    def checked(table: Parts, change: SchemaChange, steps: Steps) -> str:
        check(change, steps)
        return write(table, change, steps)

    return checked


def _check_path(change: schema_change.RenameColumn | schema_change.DropColumn, steps: Steps) -> None:
    iceberg_rules.check_path(change.names, steps)


def _check_option(change: schema_change.SetOption | schema_change.RemoveOption, steps: Steps) -> None:
    iceberg_rules.check_option(change.key)


def _refusing(reason: str) -> Write:
    def refuse(table: Parts, change: SchemaChange, steps: Steps) -> str:
        raise inexpressible(reason)

    return refuse


_CHECKS: dict[type[SchemaChange], Callable[[Any, Steps], None]] = {
    schema_change.AddColumn: iceberg_rules.check_added,
    schema_change.RenameColumn: _check_path,
    schema_change.DropColumn: _check_path,
    schema_change.UpdateColumnType: iceberg_rules.check_promotion,
    schema_change.UpdateColumnNullability: iceberg_rules.check_nullability,
    schema_change.SetOption: _check_option,
    schema_change.RemoveOption: _check_option,
}

STATEMENTS: dict[type[SchemaChange], Write] = {
    **spark.STATEMENTS,
    **{kind: _after(check, spark.STATEMENTS[kind]) for kind, check in _CHECKS.items()},
    schema_change.UpdateColumnDefaultValue: _refusing(iceberg_rules.NO_DEFAULT),
    schema_change.DropPrimaryKey: _refusing(iceberg_rules.NO_KEY),
}
