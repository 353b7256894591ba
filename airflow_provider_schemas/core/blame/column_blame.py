"""Each column of a version: when it came, when it last changed, and by whom."""

from msgspec import Struct

from airflow_provider_schemas.core.blame.lifelines import CellState
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, named


class ColumnChange(ShortRepr, Struct, frozen=True):
    """What one version did to a column."""

    origin: Origin
    states: tuple[CellState, ...]
    text: str = ""
    """Both sides: BIGINT -> DECIMAL(12, 2)."""

    def _short_text(self) -> str:
        return f"{self.origin.title}: {joined(*(state.value for state in self.states))}; {self.text}"


class ColumnBlame(ShortRepr, Struct, frozen=True):
    """A column and the versions that made it what it is."""

    path: str
    id: int | None
    type: str
    comment: str = ""
    depth: int = 0
    added: Origin | None = None
    """None where the column is older than the first version that is known."""
    changes: tuple[ColumnChange, ...] = ()
    """After it was added, the newest first."""

    def _short_text(self) -> str:
        since = "since before the first known version" if self.since is None else f"since {self.since.title} {self.since.byline}"
        return f"{named(self.path)} {named(self.type)}: {since}"

    @property
    def since(self) -> Origin | None:
        """Return the version since which the column is as it is; None where no known version tells."""
        return self.changes[0].origin if self.changes else self.added


class TableBlame(ShortRepr, Struct, frozen=True):
    """The columns of one version of a table, in their order."""

    table: str
    version: Origin
    columns: tuple[ColumnBlame, ...]
    oldest: int | None = None
    """The oldest version that is known."""
    notes: tuple[str, ...] = ()
    """What is not known."""
    unreadable: tuple[int, ...] = ()
    """The versions that are there and cannot be read."""

    def _short_text(self) -> str:
        changed = sum(1 for column in self.columns if column.changes)
        notes = self.notes and counted(len(self.notes), "note")
        columns = f"{counted(len(self.columns), 'column')}, {changed:,} changed"
        return f"{named(self.table)} {self.version.title}: {joined(columns, notes or '')}"
