"""The SQL that is asked of a catalog of DuckLake: one statement for everything about a table, so that no commit comes between.

Catalogs are DuckDB, PostgreSQL or SQLite: every value is cast to a text, and each row begins with the word for what it says.
"""

import re
from collections.abc import Mapping
from typing import Final

_WIDTH: Final = 10
"""The values of a row after its word."""

_BRACES: Final = re.compile(r"\{(\w+)\}")

_NAMES: Final = """SELECT t.table_name FROM {p}ducklake_schema s
LEFT JOIN {p}ducklake_table t ON t.schema_id = s.schema_id AND t.end_snapshot IS NULL
WHERE s.schema_name = {schema} AND s.end_snapshot IS NULL"""
_TABLE: Final = """SELECT DISTINCT t.table_id FROM {p}ducklake_table t JOIN {p}ducklake_schema s ON s.schema_id = t.schema_id
WHERE s.schema_name = {schema} AND s.end_snapshot IS NULL AND t.table_name = {table} AND t.end_snapshot IS NULL"""
# Another lake in the same place may have as many changes; the ids of its schemas are others.
_LAKE: Final = "(SELECT min(CAST(schema_uuid AS VARCHAR)) FROM {p}ducklake_schema WHERE end_snapshot IS NULL)"
_MARK: Final = "SELECT CAST(max(schema_version) AS VARCHAR), " + _LAKE + " FROM {p}ducklake_snapshot"  # noqa: S608  # quoted

# The word of a row, its values, and where they come from. A row of the word `mark` is always there.
_PARTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("mark", f"max(schema_version), max(snapshot_id), {_LAKE}", "{p}ducklake_snapshot"),
    (
        "kept",
        "max(a.snapshot_id)",
        "{p}ducklake_snapshot a LEFT JOIN {p}ducklake_snapshot b ON b.snapshot_id = a.snapshot_id - 1 WHERE b.snapshot_id IS NULL",
    ),
    ("data", "value", "{p}ducklake_metadata WHERE key = 'data_path' AND scope IS NULL"),
    (
        "table",
        "t.table_id, t.table_uuid, t.begin_snapshot, t.end_snapshot, s.path, s.path_is_relative, t.path, t.path_is_relative",
        "{p}ducklake_table t JOIN {p}ducklake_schema s ON s.schema_id = t.schema_id WHERE t.table_id IN ({ids})",
    ),
    (
        "column",
        (
            "column_id, begin_snapshot, end_snapshot, column_order, column_name, column_type, initial_default, default_value,"
            " nulls_allowed, parent_column"
        ),
        "{p}ducklake_column WHERE table_id IN ({ids})",
    ),
    (
        "partition",
        "i.begin_snapshot, i.end_snapshot, c.partition_key_index, c.column_id, c.transform",
        (
            "{p}ducklake_partition_info i JOIN {p}ducklake_partition_column c"
            " ON c.partition_id = i.partition_id AND c.table_id = i.table_id WHERE i.table_id IN ({ids})"
        ),
    ),
    ("version", "begin_snapshot", "{p}ducklake_schema_versions WHERE table_id IN ({ids})"),
    (
        "snapshot",
        "s.snapshot_id, s.snapshot_time, c.author, c.commit_message",
        (
            "{p}ducklake_snapshot s LEFT JOIN {p}ducklake_snapshot_changes c ON c.snapshot_id = s.snapshot_id"
            " WHERE s.snapshot_id IN (SELECT begin_snapshot FROM {p}ducklake_schema_versions WHERE table_id IN ({ids}))"
        ),
    ),
)


def quoted(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def prefix(catalog: str) -> str:
    """Return what stands before the name of each table of the catalog: the quoted parts of a name that is divided by dots."""
    if not catalog:
        return ""
    return "".join('"' + part.replace('"', '""') + '".' for part in catalog.split("."))


def mark_query(where: str) -> str:
    """Return the SQL for what changes whenever a schema does."""
    return _filled(_MARK, {"p": where})


def names_query(where: str, schema: str) -> str:
    """Return the SQL for the names of the tables. It gives a row with no name if the schema is there, so that a wrong one is noticed."""
    return _filled(_NAMES, {"p": where, "schema": quoted(schema)})


def table_query(where: str, schema: str, table: str) -> str:
    """Return the SQL for everything about a table."""
    ids = _filled(_TABLE, {"p": where, "schema": quoted(schema), "table": quoted(table)})
    names = {"p": where, "ids": ids}
    selects = [f"SELECT {_filled(_values(word, values), names)} FROM {_filled(source, names)}" for word, values, source in _PARTS]  # noqa: S608  # quoted
    return "\nUNION ALL ".join(selects)


def _filled(source: str, names: Mapping[str, str]) -> str:
    """Return SQL with what stands for each name in braces. What is filled in may have braces itself."""
    return _BRACES.sub(lambda match: names[match[1]], source)


def _values(word: str, values: str) -> str:
    """Return the columns of one part: the word, then its values as texts, filled up with NULL."""
    casts = [f"CAST({value.strip()} AS VARCHAR)" for value in values.split(",")]
    casts += ["CAST(NULL AS VARCHAR)"] * (_WIDTH - len(casts))
    return ", ".join([quoted(word), *casts])
