"""Changes to a mounted table as the statements of an engine, under the name by which that engine knows the table."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats import dump, engine_sql
from airflow_provider_schemas.formats.engine_sql import ENGINES, EngineSql
from airflow_provider_schemas.formats.engine_sql.words import path, quoted
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.table_state import Subject

_MOST: Final = 20
_SPARK: Final = "spark"
_ICEBERG: Final = "iceberg"


def statements(subject: Subject, changes: Iterable[SchemaChange], schema: TableSchema, engine: str | None = None) -> EngineSql:
    """Return the statements that make these changes; for the first engine that the source names, if none is named."""
    engine, parts = name_in_engine(subject.roots, subject.name, engine)
    return engine_sql.statements(parts, changes, engine=engine, schema=schema)


def name_in_engine(roots: Roots, name: TableName, engine: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Return an engine, and the parts of the table's name in its SQL. Spark is Spark with whoever keeps the table."""
    names = roots.mounts[name.database].engine_names(name.table)
    known = [other for other in names if other in ENGINES]
    if engine in (None, _SPARK) and known:
        engine = next((other for other in known if engine is None or other.startswith(_SPARK)), engine)
    if engine is None or engine not in known:
        asked = "no engine that we write for" if engine is None else f"an engine {shown(engine)}"
        fix = f"There are {', '.join(known)}." if known else "Change the table by other means."
        raise FormatError(f"the source of {name} does not name {asked}.", code="mount.no-engine", path=str(name), fix=fix)
    return engine, names[engine]


def lines(subject: Subject, changes: Sequence[SchemaChange], schema: TableSchema) -> list[str]:
    """Return statements for a message. What would show a secret, or cannot be said, is a comment."""
    plain = [change for change in changes if masked_change(change) == change]
    written = statements(subject, plain, schema)
    texts = [f"{statement};" for statement in written.statements[:_MOST]]
    if len(written.statements) > _MOST:
        texts.append(f"-- and {len(written.statements) - _MOST} more")
    texts += [f"-- has no statement: {change} ({reason})" for change, reason in written.unsaid[:_MOST]]
    masked = [masked_change(change) for change in changes if masked_change(change) != change]
    return texts + [f"-- to be run by hand, its value is a secret: {short_text(change)}" for change in masked[:_MOST]]


# ---------------------------------------------------------------- what is no change of a schema


def create(roots: Roots, name: TableName, schema: TableSchema) -> str:
    """Return the statement that makes a table."""
    columns = dump("spark-ddl", schema).text.replace(",\n`", ", `")
    keys = ", ".join(map(quoted, schema.partition_keys))
    partitions = f" PARTITIONED BY ({keys})" if keys else ""
    kind = roots.mounts[name.database].kind
    return f"CREATE TABLE {_name(roots, name)} ({columns}) USING {kind}{partitions}"


def drop(roots: Roots, name: TableName, *, purge: bool) -> str:
    """Return the statement that drops a table."""
    return f"DROP TABLE {_name_in_catalog(roots, name)}{' PURGE' if purge else ''}"


def rename(roots: Roots, name: TableName, new: TableName) -> str:
    """Return the statement that gives a table another name in its database."""
    renamed = _name_in_catalog(roots, TableName(name.database, new.table))
    return f"ALTER TABLE {_name_in_catalog(roots, name)} RENAME TO {renamed}"


def create_branch(roots: Roots, name: TableName, branch: str) -> str:
    """Return the statement that makes a branch."""
    _check_iceberg(roots, name, "branches")
    return f"ALTER TABLE {_name(roots, name)} CREATE BRANCH {quoted(branch)}"


def expire(roots: Roots, name: TableName) -> str:
    """Return the statement that tidies up what no snapshot needs."""
    _check_iceberg(roots, name, "a statement that deletes schemas")
    _, parts = name_in_engine(roots, name)
    if len(parts) < 2:
        raise FormatError(
            f"the engine names no catalog of {name}.", code="mount.no-engine", path=str(name), fix="Use the engine's own means."
        )
    inside = path(parts[1:])
    return f"CALL {quoted(parts[0])}.system.expire_snapshots(table => '{inside}')"


def _name(roots: Roots, name: TableName) -> str:
    return path(name_in_engine(roots, name)[1])


def _name_in_catalog(roots: Roots, name: TableName) -> str:
    """Return the name by which a catalog knows the table; one that is an address is known to none."""
    parts = name_in_engine(roots, name)[1]
    if any("/" in part for part in parts):
        message = f"{name} has no name in a catalog, which such a statement changes."
        raise FormatError(message, code="mount.no-engine", path=str(name), fix="Use the means of the storage.")
    return path(parts)


def _check_iceberg(roots: Roots, name: TableName, what: str) -> None:
    kind = roots.mounts[name.database].kind
    if kind != _ICEBERG:
        raise FormatError(f"{kind} has no {what}.", code="mount.no-engine", path=str(name), fix="There is nothing to run.")


def tried(make: Callable[[], list[str]]) -> list[str]:
    """Return the lines that a function makes; none, where there is no way to say it."""
    try:
        return make()
    except SchemaError:
        return []
