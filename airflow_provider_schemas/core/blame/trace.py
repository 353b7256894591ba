"""Tell how each column of a table came to be as it is: as lifelines through all versions, or as the blame of one version."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from airflow_provider_schemas.core.blame.column_blame import ColumnBlame, ColumnChange, TableBlame
from airflow_provider_schemas.core.blame.field_changes import FieldChange
from airflow_provider_schemas.core.blame.find_field import FieldFinder, field_at
from airflow_provider_schemas.core.blame.lifelines import Cell, CellState, Lifeline, Lifelines
from airflow_provider_schemas.core.blame.path_fields import FieldKey, PathField
from airflow_provider_schemas.core.blame.traced_columns import Fields, TracedColumns
from airflow_provider_schemas.core.blame.version_steps import VersionSteps, steps_of
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError

_SAME: Final = (CellState.SAME,)
_ABSENT: Final = Cell((CellState.ABSENT,))
_UNKNOWN: Final = Cell((CellState.UNKNOWN,))
_DROPPED: Final = Cell((CellState.DROPPED,))


def lifelines(table: str, versions: Iterable[Version]) -> Lifelines:
    """Return every column through these versions of a table: columns of the newest version first, in their order."""
    return lifelines_of(steps_of(table, versions))


def blame(table: str, versions: Iterable[Version], number: int | None = None, column: str = "") -> TableBlame:
    """Return the columns of a version, each with the versions that made it what it is; of the newest, if no number is given."""
    return blame_of(steps_of(table, versions), number, column)


# ---------------------------------------------------------------- lifelines


def lifelines_of(versions: VersionSteps) -> Lifelines:
    """Return every column through versions of which some may not be known."""
    traced = TracedColumns(versions)
    newest = next((fields for fields in reversed(traced.fields) if fields is not None), {})
    gone = [key for key in traced.newest if key not in newest]
    lines = tuple(_lifeline(traced, traced.newest[key]) for key in [*newest, *gone])
    return Lifelines(versions.table, tuple(step.origin for step in versions.steps), lines, versions.notes)


def _lifeline(traced: TracedColumns, newest: PathField) -> Lifeline:
    cells: list[Cell] = []
    cell = _ABSENT
    for fields, changes in zip(traced.fields, traced.changes, strict=True):
        if fields is None:
            cells.append(_UNKNOWN)
            continue
        now = fields.get(newest.key)
        change = changes.get(newest.key)
        if now is None:
            cells.append(_ABSENT if change is None else _DROPPED)
        elif change is not None:
            cell = Cell(change.states, now.field.name, now.type)
            cells.append(cell)
        else:
            if cell.states != _SAME:  # else the cell of the version before says it
                cell = Cell(_SAME, now.field.name, now.type)
            cells.append(cell)
    return Lifeline(newest.field.id, newest.path, tuple(cells), newest.depth)


# ---------------------------------------------------------------- blame


def blame_of(versions: VersionSteps, number: int | None = None, column: str = "") -> TableBlame:
    """Return the columns of a version, each with the versions that made it what it is; a column alone, with what is inside it.

    A column that is gone, or has another name by now, is found by the name that it had last.
    """
    versions = versions.until(_place(versions, number))
    traced = TracedColumns(versions)
    events = traced.events()
    fields = traced.fields[-1] or {}
    notes = list(versions.notes)
    wanted: Collection[FieldKey] = fields
    if column:
        target = _wanted(traced, column)
        notes += _name_notes(traced, target, column)
        wanted = _with_inner(target, traced.newest if target.key not in fields else fields)
    columns = tuple(_column(traced, traced.newest[key], events.get(key, ())) for key in wanted)
    known = [step.origin.number for step in versions.steps if step.schema is not None]
    return TableBlame(versions.table, versions.steps[-1].origin, columns, known[0], tuple(notes), versions.unreadable)


def _wanted(traced: TracedColumns, column: str) -> PathField:
    """Return the field that a path means: in the version itself, else in the newest one before it that has such a path."""
    version = traced.versions.steps[-1].schema
    finder = FieldFinder(version) if version is not None else None
    found = None if finder is None else finder.find(column)
    if found is not None:
        return traced.same(found)
    for fields in reversed(traced.fields[:-1]):
        earlier = field_at((fields or {}).values(), column)
        if earlier is not None:
            return traced.newest[earlier.key]
    if finder is None:
        raise _missing(traced.versions, None)
    raise finder.missing(column)


def _name_notes(traced: TracedColumns, target: PathField, column: str) -> Iterator[str]:
    """Yield what became of a column that is not there under the name that was asked about."""
    title = traced.versions.steps[-1].origin.title
    if target.key not in (traced.fields[-1] or {}):
        yield f"{title} has no column {column}: it was dropped."
    elif column not in (target.path, target.plain):
        yield f"{column} is {target.path} in {title}."
    for place, earlier in _namesakes(traced, target):
        yield f"{traced.origin(place).title} dropped another column {earlier.path} (id {earlier.field.id}), which this one is not."


def _namesakes(traced: TracedColumns, target: PathField) -> Iterator[tuple[int, PathField]]:
    """Yield the columns that had the name of a column before they were dropped, the last one first, each with the place of the drop."""
    for place in range(len(traced.changes) - 1, -1, -1):
        for key, change in traced.changes[place].items():
            found = traced.dropped(key, place) if CellState.DROPPED in change.states else None
            if found is not None and key != target.key and found.path == target.path:
                yield place, found


def _with_inner(target: PathField, fields: Fields) -> Collection[FieldKey]:
    """Return a field and the fields inside it, in their order."""
    kept = {target.key: None}
    for key, found in fields.items():
        if found.parent in kept:
            kept[key] = None
    return kept


def _place(versions: VersionSteps, number: int | None) -> int:
    """Return where a version stands; where it was current several times, the last time."""
    for place in range(len(versions.steps) - 1, -1, -1):
        step = versions.steps[place]
        if step.schema is not None and number in (None, step.origin.number):
            return place
    raise _missing(versions, number)


def _missing(versions: VersionSteps, number: int | None) -> NotThereError:
    known = [step.origin.number for step in versions.steps if step.schema is not None]
    if not known:
        message = f"no version of {versions.table or 'the table'} can be read."
        return NotThereError(message, code="version.not-there", path=versions.table, fix="Look at the table with `airflow-schemas audit`.")
    message = f"nothing is known of version {number} of {versions.table or 'the table'}."
    fix = f"Versions {min(known)} to {max(known)} are known; name one of them."
    return NotThereError(message, code="version.not-there", path=versions.table, fix=fix)


def _column(traced: TracedColumns, found: PathField, events: Sequence[tuple[int, FieldChange]]) -> ColumnBlame:
    added = None
    changes: list[ColumnChange] = []
    for place, change in events:
        origin = traced.origin(place)
        if CellState.ADDED in change.states:
            added = origin
        else:
            changes.append(ColumnChange(origin, change.states, change.text))
    comment = found.field.description or ""
    return ColumnBlame(found.path, found.field.id, found.type, comment, found.depth, added, tuple(changes))
