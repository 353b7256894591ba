"""Tables as people type them: `db.t`, `db.t@branch`, `db.t:41`. Pure text."""

import re
from shlex import quote
from typing import NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

STDIN = "-"
# How the names of files that hold a schema end or begin; everything else that has a dot may be a table.
_FILES = (".json", ".yaml", ".yml", ".sql", ".ddl")
_SCHEMA_FILE = re.compile(r"schema-[0-9]+")
_TABLE = re.compile(r"([^/\\:@.]+\.[^/\\:@.]+)(?:@([^:@/\\]+))?(?::(.*))?", re.DOTALL)


class TableReference(NamedTuple):
    """A table of a store, with the branch and the version that the line names."""

    name: str
    branch: str | None = None
    version: int | None = None


def parse_table(text: str) -> TableReference | None:
    """Return the table that a text names; None for a text that cannot name a table."""
    match = _TABLE.fullmatch(text)
    if match is None:
        return None
    name, branch, number = match.groups()
    if number is None:
        return TableReference(name, branch)
    if not (number.isascii() and number.isdecimal() and len(number) <= 10):
        fix = f"Write it as {name}:41; `airflow-schemas log {quote(name)}` lists them."
        raise SchemaError(f"{shown(number)} is no number of a version.", code="cli.version", path=text[:200], fix=fix)
    return TableReference(name, branch, int(number))


def looks_like_a_file(text: str) -> bool:
    """Return whether the form of a text is that of a file name."""
    if text == STDIN or "/" in text or "\\" in text:
        return True
    return text.lower().endswith(_FILES) or _SCHEMA_FILE.fullmatch(text) is not None
