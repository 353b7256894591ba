"""A history as text, the newest version first: when, who, and what changed."""

from collections.abc import Iterable

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.finding_view import Step, change_text
from airflow_provider_schemas.render.layout import grid, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import Entry, entries, origin, when
from airflow_provider_schemas.render.wording import counted


def history_text(versions: Iterable[Version], sheet: Sheet, table: str = "") -> list[str]:
    """The log."""
    found = entries(versions)
    title = f"{clean(table) or 'the table'}  {counted(len(found), 'version')}"
    if not found:
        return [f"{clean(table) or 'the table'}  no versions"]
    shown = found[: sheet.limit]
    lines = paragraph(title, sheet.width)
    for entry, row in zip(shown, grid([_cells(one, sheet) for one in shown], sheet.width), strict=True):
        lines += [*row, *(line for one in changed(entry, sheet.limit) for line in paragraph(one.text, sheet.width, indent=6, hang=10))]
    rest = len(found) - len(shown)
    return lines + (paragraph(f"... and {counted(rest, 'earlier version')}", sheet.width) if rest else [])


def _cells(entry: Entry, sheet: Sheet) -> list[str]:
    return [sheet.ink(name(entry.version), "strong"), when(entry.version), origin(entry.version)]


def name(version: Version) -> str:
    """v42, and its branch where it is not the main one."""
    return f"v{version.number}" + ("" if version.branch == "main" else f" ({clean(version.branch)})")


def changed(entry: Entry, limit: int) -> list[Step]:
    """What changed since the version before, as short texts."""
    columns = counted(len(entry.version.schema.fields), "column")
    if entry.before is None:
        return [Step("", f"created with {columns}" if entry.version.number == 0 else f"the earliest version here, with {columns}")]
    changes, remainder = entry.changes()
    gap = [] if entry.before.number == entry.version.number - 1 else [Step("", f"since v{entry.before.number}:")]
    found = [Step("", change_text(one), typed=True) for one in changes[:limit]]
    found += [Step("", clean(f"{one.path}: {one.message}")) for one in remainder[: limit - len(found)]]
    rest = len(changes) + len(remainder) - len(found)
    more = [Step("", f"... and {counted(rest, 'more change')}")] if rest else []
    return [*gap, *(found or [Step("", "the same schema")]), *more]
