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

# A driver that runs for weeks reads many versions; of the oldest ones the alias alone is known.
_MOST: Final = 10_000

_known: "OrderedDict[str, TableInFrame]" = OrderedDict()
_lock = Lock()


class TableInFrame(Struct, frozen=True):
    """A table as a frame holds it."""

    table: str
    version: int | None = None
    branch: str = "main"
    schema: TableSchema | None = None


def alias_frame(frame: "DataFrame", held: TableInFrame) -> "DataFrame":
    """Return the frame under an alias that says which table it holds; its columns are those of the schema already."""
    alias = _alias(held)
    with _lock:
        _known[alias] = held
        _known.move_to_end(alias)
        if len(_known) > _MOST:
            _known.popitem(last=False)
    return frame.alias(alias)


def table_of_alias(alias: str) -> TableInFrame | None:
    """Return the table of a frame under this alias; None if `read_table` did not make it."""
    if not alias.startswith(ALIAS_PREFIX):
        return None
    with _lock:
        return _known.get(alias) or _parse_alias(alias)


def _alias(held: TableInFrame) -> str:
    branch = "" if held.branch == "main" else f"@{held.branch}"
    version = "" if held.version is None else f"#{held.version}"
    return f"{ALIAS_PREFIX}{held.table}{branch}{version}"


def _parse_alias(alias: str) -> TableInFrame:
    rest, _, version = alias.removeprefix(ALIAS_PREFIX).partition("#")
    table, _, branch = rest.partition("@")
    return TableInFrame(table, int(version) if version.isdecimal() else None, branch or "main")
