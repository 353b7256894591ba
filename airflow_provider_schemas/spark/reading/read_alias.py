"""Frames that `read_table` made, told apart in a plan: a name around the frame, and what is known of it in this process.

The name is an alias of the plan. It survives joins of a frame with itself, views and CTEs, is gone once the query is
optimised, and lies neither in the metadata of columns nor in files.
"""

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.spark.files.paths import ALIAS_PREFIX

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# A driver that runs for weeks reads many versions; the oldest are told by their name alone.
_MOST: Final = 10_000

_known: "OrderedDict[str, Read]" = OrderedDict()
_lock = Lock()


class Read(Struct, frozen=True):
    """A table as a frame holds it."""

    table: str
    version: int | None = None
    branch: str = "main"
    schema: TableSchema | None = None


def marked(
    frame: "DataFrame", table: str, schema: TableSchema | None = None, *, version: int | None = None, branch: str = "main"
) -> "DataFrame":
    """The frame under a name that says which table it holds; its columns bear the names of the schema already."""
    read = Read(table, version, branch, schema)
    name = _name(read)
    with _lock:
        _known[name] = read
        _known.move_to_end(name)
        if len(_known) > _MOST:
            _known.popitem(last=False)
    return frame.alias(name)


def read_called(alias: str) -> Read | None:
    """The table of a frame under this alias; None if `read_table` did not make it."""
    if not alias.startswith(ALIAS_PREFIX):
        return None
    with _lock:
        return _known.get(alias) or _of_name(alias)


def _name(read: Read) -> str:
    branch = "" if read.branch == "main" else f"@{read.branch}"
    version = "" if read.version is None else f"#{read.version}"
    return f"{ALIAS_PREFIX}{read.table}{branch}{version}"


def _of_name(alias: str) -> Read:
    rest, _, version = alias.removeprefix(ALIAS_PREFIX).partition("#")
    table, _, branch = rest.partition("@")
    return Read(table, int(version) if version.isdecimal() else None, branch or "main")
