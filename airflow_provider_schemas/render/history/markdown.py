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
    """The log."""
    found, limit = entries(versions), frame.sheet.limit
    lines = [f"### {prose(clean(table) or 'the table')}: {counted(len(found), 'version')}"]
    for entry in found[:limit]:
        lines += ["", f"**{prose(name(entry.version))}** {prose(f'{when(entry.version)} {origin(entry.version)}')}", ""]
        lines += [f"- {code(one.text) if one.typed else prose(one.text)}" for one in changed(entry, limit)]
    rest = len(found) - limit
    return [*lines, "", f"... and {counted(rest, 'earlier version')}"] if rest > 0 else lines
