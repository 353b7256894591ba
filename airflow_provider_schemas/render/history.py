"""A history as text and as Markdown, the newest version first: when, who, and what changed."""

from collections.abc import Iterable

from airflow_provider_schemas.core.evolution.diff import Difference
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.escaping import inline, prose
from airflow_provider_schemas.render.findings.steps import LabelledText, change_text
from airflow_provider_schemas.render.layout import grid, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.report.markdown import Frame
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import VersionEntry, entries, origin, when
from airflow_provider_schemas.render.wording import counted


def history_text(versions: Iterable[Version], sheet: Sheet, table: str = "") -> list[str]:
    """Return the lines of the log for a terminal."""
    log = entries(versions)
    title = clean(table) or "the table"
    if not log:
        return [f"{title}  no versions"]
    shown = log[: sheet.limit]
    lines = paragraph(f"{title}  {counted(len(log), 'version')}", sheet.width)
    rows = grid([_cells(entry, sheet) for entry in shown], sheet.width)
    for entry, row in zip(shown, rows, strict=True):
        lines += row
        for change in changed(entry, sheet.limit):
            lines += paragraph(change.text, sheet.width, indent=6, hang=10)
    if len(log) > len(shown):
        lines += paragraph(f"... and {counted(len(log) - len(shown), 'earlier version')}", sheet.width)
    return lines


def history_markdown(versions: Iterable[Version], frame: Frame, table: str = "") -> list[str]:
    """Return the lines of the log as Markdown."""
    log = entries(versions)
    limit = frame.sheet.limit
    lines = [f"### {prose(clean(table) or 'the table')}: {counted(len(log), 'version')}"]
    for entry in log[:limit]:
        lines += ["", f"**{prose(name(entry.version))}** {prose(f'{when(entry.version)} {origin(entry.version)}')}", ""]
        lines += [f"- {inline(change.text, typed=change.typed)}" for change in changed(entry, limit)]
    if len(log) > limit:
        lines += ["", f"... and {counted(len(log) - limit, 'earlier version')}"]
    return lines


def _cells(entry: VersionEntry, sheet: Sheet) -> list[str]:
    return [sheet.ink(name(entry.version), "strong"), when(entry.version), origin(entry.version)]


def name(version: Version) -> str:
    """Return the number of a version, with its branch where it is not the main one: v42 (dev)."""
    number = f"v{version.number}"
    if version.branch == "main":
        return number
    return f"{number} ({clean(version.branch)})"


def changed(entry: VersionEntry, limit: int) -> list[LabelledText]:
    """Return what changed since the version before, as short texts."""
    if entry.before is None:
        return [LabelledText("", _beginning(entry.version))]
    changes, remainder = entry.changes()
    texts = [LabelledText("", change_text(change), typed=True) for change in changes[:limit]]
    texts += [LabelledText("", clean(_difference_text(difference))) for difference in remainder[: limit - len(texts)]]
    hidden = len(changes) + len(remainder) - len(texts)
    if not texts:
        texts.append(LabelledText("", "the same schema"))
    if hidden:
        texts.append(LabelledText("", f"... and {counted(hidden, 'more change')}"))
    if entry.before.number != entry.version.number - 1:
        texts.insert(0, LabelledText("", f"since v{entry.before.number}:"))
    return texts


def _beginning(version: Version) -> str:
    columns = counted(len(version.schema.fields), "column")
    if version.number == 0:
        return f"created with {columns}"
    return f"the earliest version here, with {columns}"


def _difference_text(difference: Difference) -> str:
    return f"{difference.path}: {difference.message}" if difference.path else difference.message
