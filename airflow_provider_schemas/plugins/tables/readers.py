"""Who reads and writes a table or one of its columns, and to which of the last versions it may go back."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from airflow_provider_schemas.core.blame.column_readers import ColumnReaders
from airflow_provider_schemas.core.blame.readers_by_version import ReadersByVersion
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.hidden_addresses import texts_without_paths
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table

_LAST_VERSIONS: Final = 20
_MOST_COLUMNS: Final = 2_000


def content(asked: Asked) -> Mapping[str, object]:
    """Return who reads the table, or the column that the query names; and the readers against the last versions."""
    column = asked.query.get("column", "")
    with open_table(asked, jobs=True) as opened:
        head = opened.table.latest()
        return {
            **opened.frame("readers"),
            "column": column,
            "column_names": head.schema.names[:_MOST_COLUMNS],
            "all_address": opened.address("readers"),
            "readers": _readers(opened, column),
            "matrix": _matrix(opened),
        }


def _readers(opened: OpenTable, column: str) -> ColumnReaders:
    readers = opened.table.who(column or None)
    shown = partial(texts_without_paths, may_see_addresses=opened.may_see_addresses)
    return replace(readers, unreadable=shown(readers.unreadable), notes=shown(readers.notes))


def _matrix(opened: OpenTable) -> ReadersByVersion:
    matrix = opened.table.readers_by_version(last=_LAST_VERSIONS)
    shown = partial(texts_without_paths, may_see_addresses=opened.may_see_addresses)
    return replace(matrix, unreadable=shown(matrix.unreadable), notes=shown(matrix.notes))
