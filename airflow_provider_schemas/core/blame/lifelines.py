"""A column through all known versions: a state for each of them."""

from enum import StrEnum

from msgspec import Struct

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.common.short_repr import BoundedRepr, ShortRepr, counted, joined, named


class CellState(StrEnum):
    """What a version did to a column."""

    ABSENT = "absent"
    SAME = "same"
    ADDED = "added"
    RENAMED = "renamed"
    RETYPED = "retyped"
    NULLABILITY = "nullability"
    COMMENT = "comment"
    DEFAULT = "default"
    MOVED = "moved"
    ATTRIBUTES = "attributes"
    """What the schema says of it besides: an alias, a unit, that it is deprecated."""
    DROPPED = "dropped"
    RESTORED = "restored"
    UNKNOWN = "unknown"
    """The version is expired or cannot be read."""


NAMED_BY_TEXT = frozenset({CellState.COMMENT, CellState.DEFAULT, CellState.ATTRIBUTES})
"""The states that the text of a change names itself: comment none -> 'in euros'."""

_QUIET = frozenset({(CellState.SAME,), (CellState.ABSENT,)})


class Cell(BoundedRepr, Struct, frozen=True):
    """A column in one version."""

    states: tuple[CellState, ...] = (CellState.SAME,)
    name: str = ""
    type: str = ""


class Lifeline(ShortRepr, Struct, frozen=True):
    """A column, by its field id, through the versions; nested fields by their path."""

    id: int | None
    path: str
    """As the newest version that has it names it."""
    cells: tuple[Cell, ...]
    """One for each version, the oldest first."""
    depth: int = 0

    def _short_text(self) -> str:
        changed = "changed" if self.has_changed else "never changed"
        return f"{named(self.path)}: {counted(len(self.cells), 'version')}, {changed}"

    @property
    def has_changed(self) -> bool:
        """Return whether any version did something to the column besides the first one of those that are known."""
        known = [cell.states for cell in self.cells if cell.states != (CellState.UNKNOWN,)]
        return any(states not in _QUIET for states in known[1:])


class Lifelines(ShortRepr, Struct, frozen=True):
    """The columns of a table through its versions."""

    table: str
    versions: tuple[Origin, ...]
    """The oldest first."""
    lines: tuple[Lifeline, ...]
    notes: tuple[str, ...] = ()
    """What is not known: versions that are expired or cannot be read."""

    def _short_text(self) -> str:
        changed = sum(1 for line in self.lines if line.has_changed)
        columns = f"{counted(len(self.lines), 'column')}, {changed:,} changed"
        notes = self.notes and counted(len(self.notes), "note")
        return f"{named(self.table)}: {joined(columns, counted(len(self.versions), 'version'), notes or '')}"
