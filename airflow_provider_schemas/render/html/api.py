"""Values as HTML: a file by itself, or a piece for a notebook. Which template shows a value is one table."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.blame.column_readers import ColumnReaders
from airflow_provider_schemas.core.blame.lifelines import Lifelines
from airflow_provider_schemas.core.blame.readers_by_version import ReadersByVersion
from airflow_provider_schemas.core.evolution.diff import Diff
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report, verdicts_of_tables
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.render.html.links import Links
from airflow_provider_schemas.render.html.notes import Note, diff_note
from airflow_provider_schemas.render.html.pictures.diff_lines import diff_title
from airflow_provider_schemas.render.html.pictures.schema_rows import TitledSchema, schema_headline
from airflow_provider_schemas.render.html.pictures.timeline_rows import TableHistory, history_title
from airflow_provider_schemas.render.html.stylesheet import script, stylesheet
from airflow_provider_schemas.render.html.table_diff import TableDiff
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.verdict.entries import VerdictEntry, read_verdict
from airflow_provider_schemas.render.version_entries import NOTHING, Versions
from airflow_provider_schemas.render.wording import counted

Known = Iterable[Version] | Mapping[str, Iterable[Version]]


class Reports(Struct, frozen=True):
    """The reports of several tables."""

    reports: tuple[Report, ...]


class VersionLog(Struct, frozen=True):
    """The versions of one table, in any order."""

    versions: tuple[Version, ...]


class Piece(Struct, frozen=True):
    """A value, and the template that shows it."""

    template: str
    value: object
    title: str
    versions: Versions = NOTHING


class ValueTemplate(Struct, frozen=True):
    """The template that shows a value, and the title of a page about it alone."""

    name: str
    """A file in `templates/values`, in which the value is `value`."""
    title: Callable[[Any], str]


_TEMPLATES: Mapping[type, ValueTemplate] = MappingProxyType({
    Report: ValueTemplate("report.html", summary),
    Reports: ValueTemplate("audit.html", lambda value: f"Schemas of {counted(len(verdicts_of_tables(value.reports)), 'table')}"),
    Plan: ValueTemplate("plan.html", lambda value: f"Plan for {value.table or 'the table'}"),
    VerdictEntry: ValueTemplate("verdict.html", lambda value: value.sentence or value.consumer or "Schemas"),
    TableDiff: ValueTemplate("diff.html", diff_title),
    VersionLog: ValueTemplate("history.html", lambda value: counted(len(value.versions), "version")),
    TableHistory: ValueTemplate("table_history.html", history_title),
    TableSchema: ValueTemplate("schema.html", schema_headline),
    TitledSchema: ValueTemplate("titled_schema.html", lambda value: value.title),
    TableBlame: ValueTemplate("blame.html", lambda value: f"{value.table} {value.version.title}: since when, by whom"),
    Lifelines: ValueTemplate("lifelines.html", lambda value: f"{value.table}: columns through the versions"),
    ColumnReaders: ValueTemplate("column_readers.html", lambda value: f"Who reads {value.table}.{value.column}".rstrip(".")),
    ReadersByVersion: ValueTemplate("readers_by_version.html", lambda value: f"{value.table}: jobs by versions"),
    Note: ValueTemplate("note.html", lambda value: value.title),
})  # fmt: skip


def document(value: object, *, title: str = "", docs: str = "", table: str = "", versions: Known = (), now: datetime | None = None) -> str:
    """Return one file that needs nothing besides: style and script are in it, and its policy allows nothing else.

    Without a title the value gives its own. `docs` is put in front of the links to the rules. Versions tell who wrote
    the one that a report is about; those of several reports are given by table. Days are counted from `now`.
    """
    shown = piece(value, table=table, versions=versions)
    return rendered_document("document.html", _context(shown, docs, table, now) | {"title": title or shown.title})


def fragment(
    value: object, *, docs: str = "", table: str = "", versions: Known = (), now: datetime | None = None, has_heading: bool = False
) -> str:
    """Return a piece for a page of somebody else, as a notebook: with its own style, and without a script.

    With a heading, the title that a page about the value would have stands above it.
    """
    shown = piece(value, table=table, versions=versions)
    heading = shown.title if has_heading else ""
    context = _context(shown, docs, table, now) | {"heading": heading, "style": _constant(stylesheet())}
    return environment().get_template("fragment.html").render(context)


def piece(value: object, *, table: str = "", versions: Known = ()) -> Piece:
    """Return a value with the template that shows it; an error if there is none."""
    shown = _checked(value)
    template = _TEMPLATES[type(shown)]
    name = shown.table if isinstance(shown, Report) else table
    return Piece(f"values/{template.name}", shown, template.title(shown), _by_table(versions, name))


def rendered_document(template: str, context: Mapping[str, object]) -> str:
    """Return a template as one file, with the style and the script in it."""
    style = stylesheet()
    code = script()
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(code)}'; base-uri 'none'; form-action 'none'"
    return environment().get_template(template).render(context, style=_constant(style), script=_constant(code), policy=policy)


def _constant(text: str) -> object:
    """Mark a text of our own files as one that is not escaped."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704  # our own style and script


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _context(shown: Piece, docs: str, table: str, now: datetime | None) -> dict[str, object]:
    """Return what the templates of a piece are rendered with."""
    names = ("template", "value", "versions")
    return {name: getattr(shown, name) for name in names} | {"links": links_to(docs), "table": table, "now": now}


def links_to(docs: str) -> Links:
    """Return links that lead into the documentation alone."""
    links = Links()
    links.docs = docs
    return links


def _by_table(versions: Known, table: str) -> Versions:
    if isinstance(versions, Mapping):
        return {name: tuple(of_table) for name, of_table in versions.items()}
    listed = tuple(versions)
    return {table: listed} if listed else NOTHING


# ---------------------------------------------------------------- values


def _checked(value: object) -> object:
    """Return the value as the table of templates knows it, or raise a FormatError if it cannot be shown."""
    if type(value) in _TEMPLATES:
        return value
    if isinstance(value, Mapping):
        return read_verdict(value)
    if isinstance(value, Diff):
        return diff_note(value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return _of_parts(tuple(value))
    raise _unknown(value)


def _of_parts(parts: tuple[object, ...]) -> object:
    """Return several values as one."""
    reports = tuple(part for part in parts if isinstance(part, Report))
    versions = tuple(part for part in parts if isinstance(part, Version))
    if len(versions) == len(parts):
        return VersionLog(versions)
    if len(reports) == len(parts):
        return Reports(reports)
    raise _unknown(next((part for part in parts if not isinstance(part, Report)), parts))


def _unknown(value: object) -> FormatError:
    fix = f"Pass one of {', '.join(kind.__name__ for kind in _TEMPLATES)}, or the plain values of a verdict."
    return FormatError(f"a {type(value).__name__} cannot be shown as HTML.", code="render.unknown", fix=fix)
