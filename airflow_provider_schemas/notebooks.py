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
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.blame.readers_by_version import ReadersByVersion
from airflow_provider_schemas.core.evolution.diff import Diff
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.history import name
from airflow_provider_schemas.render.html.api import Reports, fragment
from airflow_provider_schemas.render.html.environment import environment
from airflow_provider_schemas.render.html.notes import Note, note_list
from airflow_provider_schemas.render.html.pictures.schema_rows import TitledSchema, schema_headline
from airflow_provider_schemas.render.html.pictures.timeline_rows import TableHistory
from airflow_provider_schemas.render.html.table_diff import TableDiff
from airflow_provider_schemas.render.verdict.entries import VerdictEntry
from airflow_provider_schemas.render.version_entries import VersionEntry, entries, tells_origin
from airflow_provider_schemas.store.checking.judgement import Judgement
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.history import History

MAX_HTML = 400_000
"""Characters of a cell; a notebook keeps its outputs in its file."""
_MAX_COLUMNS = 300
_SHOWN = 100
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
    part = _shortened(shown)
    text = fragment(part, has_heading=isinstance(part, _WITHOUT_HEADING))
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


def _shown_version(version: Version, table: str = "") -> object:
    origin = Origin.of(version) if tells_origin(version) else None
    return TitledSchema(f"{table} {name(version)}".lstrip(), version.schema, origin)


def _shown_table(table: Table) -> object:
    return _shown_version(table.latest(), table.name)


def _shown_sequence(values: Sequence[object]) -> object:
    """Return several reports or several versions as one value; None for any other list."""
    if values and all(isinstance(value, Report) for value in values):
        return Reports(tuple(values))  # type: ignore[arg-type]  # mypy does not narrow by all()
    if values and all(isinstance(value, Version) for value in values):
        return TableHistory("", tuple(entries(values)))  # type: ignore[arg-type]  # likewise
    return None


def _shown_history(history: History) -> object:
    """Return the versions of a history; of a table that others keep, its lines, which say when each schema was current."""
    if all(entry.head is None for entry in history):
        return TableHistory("", tuple(VersionEntry(entry.version, entry.before) for entry in history), history.notes)
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
    Version: _shown_version,
    Table: _shown_table,
    History: _shown_history,
    tuple: _shown_sequence,
    list: _shown_sequence,
})  # fmt: skip


# What a page shows below its own title.
_WITHOUT_HEADING = (ColumnReaders, Lifelines, ReadersByVersion, TableBlame, TitledSchema)


# ---------------------------------------------------------------- large values


def _shortened(value: Any) -> object:
    """Return what is shown of a value with very many parts: what changed, and how many parts there are."""
    shorten = _SHORTENED.get(type(value))
    return shorten(value) if shorten else value


def _short_schema(schema: TableSchema) -> object:
    if len(schema.fields) <= _MAX_COLUMNS:
        return schema
    return _schema_note(repr(schema), schema)


def _short_titled_schema(titled: TitledSchema) -> object:
    if len(titled.schema.fields) <= _MAX_COLUMNS:
        return titled
    return _schema_note(f"{titled.title}: {schema_headline(titled.schema)}", titled.schema)


def _schema_note(title: str, schema: TableSchema) -> Note:
    return Note(title, (note_list("Columns", map(str, schema.fields), _SHOWN),), (_SEE_ALL,))


def _short_blame(blame: TableBlame) -> object:
    if len(blame.columns) <= _MAX_COLUMNS:
        return blame
    changed = [column for column in blame.columns if column.changes]
    note = _columns_note(len(changed), len(blame.columns))
    return replace(blame, columns=tuple(changed[:_SHOWN]), notes=(*blame.notes, note))


def _short_lifelines(lifelines: Lifelines) -> object:
    if len(lifelines.lines) <= _MAX_COLUMNS:
        return lifelines
    changed = [line for line in lifelines.lines if line.has_changed]
    note = _columns_note(len(changed), len(lifelines.lines))
    return replace(lifelines, lines=tuple(changed[:_SHOWN]), notes=(*lifelines.notes, note))


def _columns_note(changed: int, columns: int) -> str:
    return f"Shown are {min(changed, _SHOWN):,} of {changed:,} columns that changed; there are {columns:,} columns. {_SEE_ALL}"


def _short_history(history: TableHistory) -> object:
    if len(history.entries) <= _SHOWN:
        return history
    note = f"Shown are the newest {_SHOWN} of {len(history.entries):,} versions. {_SEE_ALL}"
    return replace(history, entries=history.entries[:_SHOWN], notes=(*history.notes, note))


def _too_large(value: object) -> Note:
    return Note(repr(value), (), ("The value is too large for a cell.", _SEE_ALL))


_SHORTENED: Mapping[type, Callable[[Any], object]] = MappingProxyType({
    TableSchema: _short_schema,
    TableBlame: _short_blame,
    Lifelines: _short_lifelines,
    TableHistory: _short_history,
    TitledSchema: _short_titled_schema,
})  # fmt: skip
