"""Values in notebooks: `%load_ext airflow_provider_schemas` shows them as HTML, beside the short line that `repr` gives.

Nothing but a `Table` asks a storage: a cell that ends in one shows the newest version, or why it cannot be read.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.core.blame.column_blame import TableBlame
from airflow_provider_schemas.core.blame.column_readers import ColumnReaders
from airflow_provider_schemas.core.blame.lifelines import Lifelines
from airflow_provider_schemas.core.blame.readers_by_version import ReadersByVersion
from airflow_provider_schemas.core.evolution.diff import Diff
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.html.api import Reports, VersionLog, fragment
from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.render.html.notes import Note, note_list
from airflow_provider_schemas.render.html.table_diff import TableDiff
from airflow_provider_schemas.render.verdict.entries import VerdictEntry
from airflow_provider_schemas.store.checking.judgement import Judgement
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.history import History

MAX_HTML = 400_000
"""Characters of a cell; a notebook keeps its outputs in its file."""
_MAX_COLUMNS = 300
_SHOWN_COLUMNS = 100
_MAX_VERSIONS = 200
_SEE_ALL = "See all of it in a file: pathlib.Path('schemas.html').write_text(airflow_provider_schemas.render.html_text(value))."
_MIME = "text/html"

Formatter = Callable[[Any], str | None]
_BEFORE = "_airflow_provider_schemas_formatters"


def register(shell: Any) -> None:
    """Let the shell show our values as HTML; without Jinja2, say in one line what is missing."""
    try:
        environment()
    except SchemaError as error:
        warnings.warn(f"values are shown on one line: {error}", stacklevel=3)
        return
    if not hasattr(shell, _BEFORE):
        formatter = _formatter(shell)
        setattr(shell, _BEFORE, {kind: formatter.for_type(kind, _chained(shell, kind)) for kind in _KINDS})


def unregister(shell: Any) -> None:
    """Give the shell back the formatters that it had."""
    formatter = _formatter(shell)
    for kind, before in getattr(shell, _BEFORE, {}).items():
        formatter.pop(kind, None)
        if before is not None:
            formatter.for_type(kind, before)
    if hasattr(shell, _BEFORE):
        delattr(shell, _BEFORE)


def html(value: object) -> str | None:
    """Return what a cell shows of the value; None where it is none of ours, and where HTML cannot be made of it. This never raises."""
    try:
        return _html(value)
    except SchemaError as error:
        return _error_html(value, error)
    except Exception:  # noqa: BLE001  # whatever it is, the cell still shows the short line
        return None


def _formatter(shell: Any) -> Any:
    return shell.display_formatter.formatters[_MIME]


def _chained(shell: Any, kind: type) -> Formatter:
    """Return our formatter of a type, which leaves what is not ours to the one that the shell has."""
    before = _formatter(shell).type_printers.get(kind)
    if before is None:
        return html
    return lambda value: html(value) or before(value)


# ---------------------------------------------------------------- values


def _html(value: object) -> str | None:
    kind = next((kind for kind in _KINDS if isinstance(value, kind)), None)
    if kind is None:
        return None
    shown = _KINDS[kind](value)
    if shown is None:
        return None
    text = fragment(_shortened(shown), table=value.name if isinstance(value, Table) else "")
    if len(text) > MAX_HTML:
        return fragment(_too_large(shown))
    return text


def _error_html(value: object, error: SchemaError) -> str | None:
    try:
        return fragment(Note(repr(value), (), (error.message, error.fix)))
    except Exception:  # noqa: BLE001  # likewise
        return None


def _shown_itself(value: object) -> object:
    return value


def _shown_sequence(values: Sequence[object]) -> object:
    """Return several reports or several versions as one value; None for any other list."""
    if values and all(isinstance(value, Report) for value in values):
        return Reports(tuple(values))  # type: ignore[arg-type]  # mypy does not narrow by all()
    if values and all(isinstance(value, Version) for value in values):
        return VersionLog(tuple(values))  # type: ignore[arg-type]  # likewise
    return None


def _shown_history(history: History) -> object:
    """Return the versions of a history; of a table that others keep, its lines, which say when each schema was current."""
    if all(entry.head is None for entry in history) and not history.notes:
        return VersionLog(tuple(entry.version for entry in history))
    return Note(repr(history), (note_list("Versions", str(history).splitlines()),))


_KINDS: Mapping[type, Callable[[Any], object]] = MappingProxyType({
    Report: _shown_itself,
    Plan: _shown_itself,
    Diff: _shown_itself,
    TableDiff: _shown_itself,
    TableSchema: _shown_itself,
    TableBlame: _shown_itself,
    Lifelines: _shown_itself,
    ColumnReaders: _shown_itself,
    ReadersByVersion: _shown_itself,
    VerdictEntry: _shown_itself,
    Judgement: lambda judgement: Reports(judgement.reports),
    Version: lambda version: version.schema,
    Table: lambda table: table.latest().schema,
    History: _shown_history,
    tuple: _shown_sequence,
    list: _shown_sequence,
})  # fmt: skip


# ---------------------------------------------------------------- large values


def _shortened(value: Any) -> object:
    """Return what is shown of a value with very many parts: what changed, and how many parts there are."""
    shorten = _SHORTENED.get(type(value))
    return shorten(value) if shorten else value


def _short_schema(schema: TableSchema) -> object:
    if len(schema.fields) <= _MAX_COLUMNS:
        return schema
    columns = note_list("Columns", map(str, schema.fields), _SHOWN_COLUMNS)
    return Note(repr(schema), (columns,), (_SEE_ALL,))


def _short_blame(blame: TableBlame) -> object:
    if len(blame.columns) <= _MAX_COLUMNS:
        return blame
    changed = [column for column in blame.columns if column.changes][:_SHOWN_COLUMNS]
    note = f"Shown are {len(changed):,} of {len(blame.columns):,} columns: those that changed. {_SEE_ALL}"
    return replace(blame, columns=tuple(changed), notes=(*blame.notes, note))


def _short_lifelines(lifelines: Lifelines) -> object:
    if len(lifelines.lines) <= _MAX_COLUMNS:
        return lifelines
    changed = [line for line in lifelines.lines if line.has_changed][:_SHOWN_COLUMNS]
    note = f"Shown are {len(changed):,} of {len(lifelines.lines):,} columns: those that changed. {_SEE_ALL}"
    return replace(lifelines, lines=tuple(changed), notes=(*lifelines.notes, note))


def _short_log(log: VersionLog) -> object:
    if len(log.versions) <= _MAX_VERSIONS:
        return log
    newest = sorted(log.versions, key=lambda version: version.number, reverse=True)
    return Note(f"{len(newest):,} versions", (note_list("Versions", map(repr, newest), _SHOWN_COLUMNS),), (_SEE_ALL,))


def _too_large(value: object) -> Note:
    return Note(repr(value), (), ("The value is too large for a cell.", _SEE_ALL))


_SHORTENED: Mapping[type, Callable[[Any], object]] = MappingProxyType({
    TableSchema: _short_schema,
    TableBlame: _short_blame,
    Lifelines: _short_lifelines,
    VersionLog: _short_log,
})  # fmt: skip
