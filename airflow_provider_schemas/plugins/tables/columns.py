"""Since when each column is as it is and by whom, and each column that ever changed through the versions."""

from collections.abc import Mapping

from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table
from airflow_provider_schemas.plugins.tables.version_list import VersionList


def content(asked: Asked) -> Mapping[str, object]:
    """Return the columns of the newest version, and the lines of all that changed."""
    with open_table(asked) as opened:
        return {
            "opened": opened,
            "tabs": opened.tabs("columns"),
            "columns": opened.table.blame(),
            "lifelines": opened.table.lifelines(),
        }


def blame_of(opened: OpenTable, versions: VersionList) -> TableBlame:
    """Return the columns of the newest version, by all versions if these are all."""
    return opened.table.blame()
