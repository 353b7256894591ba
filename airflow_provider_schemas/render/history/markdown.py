"""A history as Markdown, the newest version first."""

from collections.abc import Iterable

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.escaping import code, prose
from airflow_provider_schemas.render.history.text import changed, name
from airflow_provider_schemas.render.report.markdown import Frame
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import entries, origin, when
from airflow_provider_schemas.render.wording import counted


def history_markdown(versions: Iterable[Version], frame: Frame, table: str = "") -> list[str]:
    """Return the lines of the log."""
    log = entries(versions)
    limit = frame.sheet.limit
    lines = [f"### {prose(clean(table) or 'the table')}: {counted(len(log), 'version')}"]
    for entry in log[:limit]:
        lines += ["", f"**{prose(name(entry.version))}** {prose(f'{when(entry.version)} {origin(entry.version)}')}", ""]
        lines += [f"- {code(change.text) if change.typed else prose(change.text)}" for change in changed(entry, limit)]
    if len(log) > limit:
        lines += ["", f"... and {counted(len(log) - limit, 'earlier version')}"]
    return lines
