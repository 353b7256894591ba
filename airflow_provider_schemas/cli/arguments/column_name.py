"""Columns as people type them: `db.t.column`, `db.t@branch.address.city`, `db.t:41.column`; or a whole table. Pure text."""

import re
from typing import NamedTuple

from airflow_provider_schemas.cli.arguments.table_name import TableReference, parse_table
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

_TABLE = re.compile(r"(?P<name>[^/\\:@.]+\.[^/\\:@.]+)(?P<about>(?:@[^:@/\\.]+)?(?::[^.]*)?)(?:\.(?P<column>.+))?", re.DOTALL)
# A branch and a version may stand behind the column as well, where its path has neither sign.
_BEHIND = re.compile(r"(?P<column>[^@:]+)(?P<about>(?:@[^:@/\\]+)?(?::[0-9]+)?)")


class ColumnReference(NamedTuple):
    """A column of a table, or the whole table."""

    table: TableReference
    column: str = ""


def parse_column(text: str) -> ColumnReference:
    """Return the table that a text names, and the column of it, if it names one. Raise an error for any other text."""
    match = _TABLE.fullmatch(text)
    if match is None:
        fix = "Write a table as db.table, or a column of it as db.table.column; @branch stands behind the table."
        raise SchemaError(f"{shown(text)} is neither a table of a store nor a column of one.", code="cli.no-table", fix=fix)
    about = match["about"]
    column = match["column"] or ""
    behind = _BEHIND.fullmatch(column)
    if behind is not None and not about:
        column, about = behind["column"], behind["about"]
    reference = parse_table(f"{match['name']}{about}")
    if reference is None:
        raise AssertionError("a name in two parts is that of a table")
    return ColumnReference(reference, column)
