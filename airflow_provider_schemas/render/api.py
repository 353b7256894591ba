"""The functions that others call: a report, several reports, a plan or a history, as text, Markdown, HTML or JSON."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TextIO, TypeAlias

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.report_json import report_dict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.report.text import report_text, reports_text
from airflow_provider_schemas.render.sanitize import JOINED
from airflow_provider_schemas.render.version_entries import NOTHING, Versions

Shown: TypeAlias = Report | Plan | Iterable[Report] | Iterable[Version]
"""One report, the reports of several tables, a plan, or the versions of a table in any order."""

Known: TypeAlias = Iterable[Version] | Mapping[str, Iterable[Version]]
"""Versions of one table, or of several by their names."""


def text(
    value: Shown,
    *,
    width: int | None = None,
    color: bool | None = None,
    stream: TextIO | None = None,
    verbose: bool = False,
    limit: int = LIMIT,
    versions: Known = (),
    now: datetime | None = None,
    table: str = "",
) -> str:
    """Return the value as lines for a terminal of this width, with or without colours.

    Without a width the terminal is asked for it; by default colours go to a stream that is a terminal, unless
    NO_COLOR is set. Verbose also tells what is fine. Limit is how many findings, changes or versions are shown.
    Versions tell who wrote the one that a report is about; those of several reports are given by table. Days are
    counted from `now`. Table is the name in the title of a history.
    """
    sheet = Sheet.of(width=width, color=color, stream=stream, verbose=verbose, limit=limit, now=now)
    match _checked(value):
        case Report() as report:
            lines = report_text(report, sheet, _by_table(versions, report.table))
        case Plan() as plan:
            from airflow_provider_schemas.render.plan.text import plan_text

            lines = plan_text(plan, sheet)
        case _Reports(reports):
            lines = reports_text(reports, sheet, _by_table(versions))
        case _VersionLog(log):
            from airflow_provider_schemas.render.history import history_text

            lines = history_text(log, sheet, table)
    return "\n".join(line.rstrip() for line in lines).replace(JOINED, " ")


def markdown(
    value: Shown,
    *,
    docs: str = "",
    verbose: bool = False,
    limit: int = LIMIT,
    versions: Known = (),
    now: datetime | None = None,
    table: str = "",
) -> str:
    """Return the value as Markdown for a comment or a form; `docs` is put in front of the links to the rules."""
    # A command prints one form, and loads no other.
    from airflow_provider_schemas.render.history import history_markdown
    from airflow_provider_schemas.render.plan.markdown import plan_markdown
    from airflow_provider_schemas.render.report.markdown import Frame, report_markdown, reports_markdown

    checked = _checked(value)
    known = _by_table(versions, checked.table if isinstance(checked, Report) else None)
    frame = Frame(Sheet(verbose=verbose, limit=max(limit, 1), now=now), docs, known)
    match checked:
        case Report() as report:
            lines = report_markdown(report, frame)
        case Plan() as plan:
            lines = plan_markdown(plan, frame)
        case _Reports(reports):
            lines = reports_markdown(reports, frame)
        case _VersionLog(log):
            lines = history_markdown(log, frame, table)
    return "\n".join(lines).replace(JOINED, " ") + "\n"


def html_text(value: object, *, title: str = "", docs: str = "", table: str = "", versions: Known = (), now: datetime | None = None) -> str:
    """Return the value as one HTML file that needs nothing besides; also the verdict of a gate, as XCom has it. Jinja2 is needed."""
    from airflow_provider_schemas.render.html.api import document

    return document(value, title=title, docs=docs, table=table, versions=versions, now=now)


def json_text(value: Shown, *, table: str = "") -> str:
    """Return the value as indented JSON: the wire form, with secrets masked."""
    from airflow_provider_schemas.render.json_form import history_dict, written_out

    match _checked(value):
        case Report() as report:
            return written_out(report_dict(report))
        case Plan() as plan:
            return written_out(json.loads(plan.to_json()))
        case _Reports(reports):
            return written_out([report_dict(report) for report in reports])
        case _VersionLog(log):
            return written_out(history_dict(log, table))


def _by_table(versions: Known, table: str | None = None) -> Versions:
    """Return the versions by table. A list of versions is about one table, so that it is not used for several reports."""
    if isinstance(versions, Mapping):
        return {name: tuple(of_table) for name, of_table in versions.items()}
    if table is None:
        return NOTHING
    return {table: tuple(versions)}


class _Reports(NamedTuple):
    reports: tuple[Report, ...]


class _VersionLog(NamedTuple):
    versions: tuple[Version, ...]


def _checked(value: object) -> Report | Plan | _Reports | _VersionLog:
    """Return the value by its kind, or raise a FormatError if it cannot be shown."""
    if isinstance(value, Report | Plan):
        return value
    parts: tuple[Any, ...] = (value,)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        parts = tuple(value)
    if all(isinstance(part, Version) for part in parts):
        return _VersionLog(parts)
    if all(isinstance(part, Report) for part in parts):
        return _Reports(parts)
    odd = next(type(part).__name__ for part in parts if not isinstance(part, Report | Version))
    fix = "Pass a Report, a list of them, a Plan, or a list of Versions."
    raise FormatError(f"a {odd} cannot be shown.", code="render.unknown", fix=fix)
