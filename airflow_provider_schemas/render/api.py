"""What others call: a report, several reports, a plan or a history, as text, Markdown or JSON."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, TextIO, TypeAlias

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
    """The value as lines for a terminal of this width, with or without colours.

    What is left out is asked of the terminal; colours go to a stream that is one, and where NO_COLOR is not set.
    Verbose also tells what is fine. Limit is how many findings, changes or versions are shown. Versions say who
    wrote the one that a report is about; those of several reports are given by table. Now lets days be counted.
    Table is the name that a history goes by.
    """
    sheet = Sheet.of(width=width, color=color, stream=stream, verbose=verbose, limit=limit, now=now)
    match _kind(value):
        case Report() as report:
            lines = report_text(report, sheet, _known(versions, report.table))
        case Plan() as plan:
            from airflow_provider_schemas.render.plan.text import plan_text

            lines = plan_text(plan, sheet)
        case _Reports(reports):
            lines = reports_text(reports, sheet, _known(versions))
        case _History(versions_of):
            from airflow_provider_schemas.render.history.text import history_text

            lines = history_text(versions_of, sheet, table)
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
    """The value as Markdown for a comment or a form; docs is what stands in front of the links to the rules."""
    # A command prints one form, and loads no other.
    from airflow_provider_schemas.render.history.markdown import history_markdown
    from airflow_provider_schemas.render.plan.markdown import plan_markdown
    from airflow_provider_schemas.render.report.markdown import Frame, report_markdown, reports_markdown

    shown = _kind(value)
    known = _known(versions, shown.table if isinstance(shown, Report) else None)
    frame = Frame(Sheet(verbose=verbose, limit=max(limit, 1), now=now), docs, known)
    match shown:
        case Report() as report:
            lines = report_markdown(report, frame)
        case Plan() as plan:
            lines = plan_markdown(plan, frame)
        case _Reports(reports):
            lines = reports_markdown(reports, frame)
        case _History(versions_of):
            lines = history_markdown(versions_of, frame, table)
    return "\n".join(lines).replace(JOINED, " ") + "\n"


def json_text(value: Shown, *, table: str = "") -> str:
    """The value as indented JSON: the wire form, but that secrets are masked."""
    from airflow_provider_schemas.render.json_form import history_dict, written_out

    match _kind(value):
        case Report() as report:
            return written_out(report_dict(report))
        case Plan() as plan:
            return written_out(json.loads(plan.to_json()))
        case _Reports(reports):
            return written_out([report_dict(one) for one in reports])
        case _History(versions_of):
            return written_out(history_dict(versions_of, table))


def _known(versions: Known, table: str | None = None) -> Versions:
    """The versions by table. A mere list of them is about one table, so that it says nothing of the reports of several."""
    if isinstance(versions, Mapping):
        return {name: tuple(some) for name, some in versions.items()}
    return NOTHING if table is None else {table: tuple(versions)}


class _Reports(NamedTuple):
    all: tuple[Report, ...]


class _History(NamedTuple):
    versions: tuple[Version, ...]


def _kind(value: object) -> Report | Plan | _Reports | _History:
    """The value, if it is one that can be shown."""
    if isinstance(value, Report | Plan):
        return value
    found = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping) else (value,)
    if all(isinstance(one, Version) for one in found):
        return _History(found)
    if all(isinstance(one, Report) for one in found):
        return _Reports(found)
    odd = next(type(one).__name__ for one in found if not isinstance(one, Report | Version))
    fix = "Pass a Report, a list of them, a Plan, or a list of Versions."
    raise FormatError(f"a {odd} cannot be shown.", code="render.unknown", fix=fix)
