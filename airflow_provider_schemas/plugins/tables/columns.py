"""Since when each column is as it is and by whom, and each column that ever changed through the versions; wide tables in pages."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.blame import trace
from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.blame.lifelines import Lifeline, Lifelines
from airflow_provider_schemas.core.blame.version_steps import steps_of
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.common.paging import page_count, rows_of_page
from airflow_provider_schemas.plugins.common.query import page_number
from airflow_provider_schemas.plugins.tables.hidden_addresses import texts_without_paths
from airflow_provider_schemas.plugins.tables.open_table import OpenTable, open_table
from airflow_provider_schemas.plugins.tables.version_list import VersionList

_COLUMNS: Final = 200
_LINES: Final = 40
_LONGEST_SEARCH: Final = 200


class ColumnsPart(Struct, frozen=True):
    """The columns of one page."""

    blame: TableBlame
    lines: Lifelines
    """Those that ever changed."""
    more_lines: int
    search: str
    matches: int
    page: int
    pages: int
    previous: str
    following: str
    all_address: str


def content(asked: Asked) -> Mapping[str, object]:
    """Return the columns of the newest version, and the lines of all that changed."""
    with open_table(asked) as opened:
        blame, lines = _known(opened)
        shown = partial(texts_without_paths, may_see_addresses=opened.may_see_addresses)
        blame, lines = replace(blame, notes=shown(blame.notes)), replace(lines, notes=shown(lines.notes))
        search = asked.query.get("q", "").strip()[:_LONGEST_SEARCH]
        part = columns_part(opened, blame, lines, search, page_number(asked.query))
        return {**opened.frame("columns"), "part": part}


def _known(opened: OpenTable) -> tuple[TableBlame, Lifelines]:
    """Return blame and lifelines; of a table of ours they are kept for as long as its versions are the same."""
    if opened.is_mounted:
        return opened.table.blame(), opened.table.lifelines()
    head = opened.table.latest()
    key = (opened.name, opened.branch, opened.table.numbers(), head.digest)
    return opened.connection.columns.get(key, lambda: (opened.table.blame(), opened.table.lifelines()))


def columns_part(opened: OpenTable, blame: TableBlame, lines: Lifelines, search: str, number: int) -> ColumnsPart:
    """Return the columns with a search in their path, a page of them, and the lines of those that changed."""
    wanted = search.casefold()
    columns = [column for column in blame.columns if wanted in column.path.casefold()]
    changed = [line for line in lines.lines if line.has_changed and _matches(line, wanted)]
    pages = max(page_count(len(columns), _COLUMNS), page_count(len(changed), _LINES))
    page = min(number, pages)
    shown_lines = rows_of_page(changed, page, _LINES)

    def at(other: int) -> str:
        return opened.address("columns", q=search, page=other)

    return ColumnsPart(
        replace(blame, columns=tuple(rows_of_page(columns, page, _COLUMNS))),
        replace(lines, lines=tuple(shown_lines)),
        max(0, len(changed) - page * _LINES),
        search,
        len(columns),
        page,
        pages,
        at(page - 1) if page > 1 else "",
        at(page + 1) if page < pages else "",
        opened.address("columns"),
    )


def _matches(line: Lifeline, wanted: str) -> bool:
    """Return whether a column is, or was, called so."""
    return wanted in line.path.casefold() or any(wanted in cell.name.casefold() for cell in line.cells)


def blame_of(opened: OpenTable, versions: VersionList) -> TableBlame:
    """Return the columns of the newest version, by the versions that were read; a long past is not read for that."""
    if opened.is_mounted:
        return opened.table.blame()
    blame = trace.blame_of(steps_of(opened.name, versions.versions, versions.unread))
    if not versions.older:
        return blame
    note = f"The newest {len(versions.versions)} versions were looked at: a column without a version is older than v{blame.oldest}."
    return replace(blame, notes=(note, *versions.notes))
