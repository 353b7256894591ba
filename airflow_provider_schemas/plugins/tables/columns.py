"""Since when each column is as it is and by whom, and each column that ever changed through the versions."""

from collections.abc import Mapping

from msgspec.structs import replace

from airflow_provider_schemas.core.blame import trace
from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.blame.version_steps import steps_of
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table
from airflow_provider_schemas.plugins.tables.version_list import VersionList


def content(asked: Asked) -> Mapping[str, object]:
    """Return the columns of the newest version, and the lines of all that changed."""
    with open_table(asked) as opened:
        return {
            "opened": opened,
            "tabs": opened.tabs("columns"),
            "blame": opened.table.blame(),
            "lines": opened.table.lifelines(),
        }


def blame_of(opened: OpenTable, versions: VersionList) -> TableBlame:
    """Return the columns of the newest version, by the versions that were read; a long past is not read for that."""
    if opened.is_mounted:
        return opened.table.blame()
    blame = trace.blame_of(steps_of(opened.name, versions.versions, versions.unread))
    if not versions.older:
        return blame
    note = f"The newest {len(versions.versions)} versions were looked at: a column without a version is older than v{blame.oldest}."
    return replace(blame, notes=(note, *versions.notes))
