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


class Named(NamedTuple):
    """A table of a store, and the branch and the version that are meant."""

    name: str
    branch: str | None = None
    version: int | None = None


def table_in(text: str) -> Named | None:
    """The table that is named, if the text can name one."""
    found = _TABLE.fullmatch(text)
    if found is None:
        return None
    name, branch, number = found.groups()
    if number is not None and not (number.isascii() and number.isdecimal() and len(number) <= 10):
        message = f"{shown(number)} is no number of a version."
        raise SchemaError(
            message, code="cli.version", path=text[:200], fix=f"Write it as {name}:41; airflow-schemas log {quote(name)} lists them."
        )
    return Named(name, branch, None if number is None else int(number))


def looks_like_a_file(text: str) -> bool:
    """Whether the text names a file by its form."""
    if text == STDIN or "/" in text or "\\" in text:
        return True
    return text.lower().endswith(_FILES) or _SCHEMA_FILE.fullmatch(text) is not None
