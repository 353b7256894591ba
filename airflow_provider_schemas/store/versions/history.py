"""Tell the history of a table: when each version was written, by whom, in which run, who approved it, and what it changed."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Self, overload

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined
from airflow_provider_schemas.core.evolution.diff import Difference, diff
from airflow_provider_schemas.core.evolution.source_diff import source_diff
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.mounts.source import Head
from airflow_provider_schemas.store.versions.facts import provenance_of

OUTSIDE = "by an outside writer"
_SHOWN = 20


class HistoryEntry(ShortRepr, Struct, frozen=True, dict=True):
    """A version, and the version before it if that is there."""

    version: Version
    before: Version | None = None
    head: Head | None = None
    """When the schema became current and what the source says of it, where others keep the table."""
    back: bool = False
    """Whether the schema was current before, and others since."""
    earlier: tuple[TableSchema, ...] = ()
    """Earlier schemas that had the fields that are back, where others keep the table."""

    def _short_text(self) -> str:
        when = f"{self.when:%Y-%m-%d %H:%M} UTC" if self.when else "at an unknown time"
        return f"v{self.number}: {when} {self.byline}"

    @property
    def number(self) -> int:
        return self.version.number

    @property
    def when(self) -> datetime | None:
        """When the version was written, as its file says; of a table that others keep, when it became current."""
        millis = self.version.schema.time_millis if self.head is None else self.head.moment
        if millis is None or millis <= 0:
            return None
        try:
            return datetime.fromtimestamp(millis / 1000, UTC)
        except (OverflowError, ValueError, OSError):
            return None

    @property
    def provenance(self) -> Provenance | None:
        """Where the version comes from; None if an outside writer wrote it."""
        return provenance_of(self.version)

    @property
    def outside(self) -> bool:
        """Whether an outside writer wrote the version."""
        return self.provenance is None

    @property
    def origin(self) -> str:
        """Who or what made the schema current, as the source says. Nobody has checked it."""
        return "" if self.head is None else self.head.origin

    @property
    def actor(self) -> str:
        return _recorded_text(self.provenance, "actor")

    @property
    def run(self) -> str:
        return _recorded_text(self.provenance, "run")

    @property
    def approval(self) -> str:
        return _recorded_text(self.provenance, "approval")

    @property
    def policy(self) -> str:
        """Why the policy of the table did not count, if it did not."""
        return _recorded_text(self.provenance, "policy")

    @property
    def revision(self) -> str:
        """The commit of the repository from which the change came; empty where the version records none."""
        return _recorded_text(self.provenance, "revision")

    @property
    def restored(self) -> int | None:
        """The version that this version restored, if it restored one."""
        provenance = self.provenance
        return None if provenance is None else provenance.restored

    @property
    def changes(self) -> tuple[str, ...]:
        """What the version changed, as short texts without secrets, also where no change says it."""
        if self.before is None:
            return ()
        if self.head is not None or is_foreign(self.version.schema):
            return source_diff(self.before.schema, self.version.schema, self.earlier).texts
        try:
            difference = diff(self.before.schema, self.version.schema)
        except SchemaError as error:
            return (without_credentials(str(error)),)
        changes = tuple(short_text(masked_change(change)) for change in difference.changes)
        if self.restored is not None:  # columns that came back did so with their ids, which no change can say
            return changes
        return (*changes, *map(_remainder_text, difference.remainder))

    @property
    def byline(self) -> str:
        """Who wrote the version, and in which circumstances: by ana (run nightly, approved by raj)."""
        writer = OUTSIDE if self.outside else f"by {self.actor or 'somebody'}"
        about = ", ".join(self._circumstances())
        return f"{writer} ({about})" if about else writer

    def __str__(self) -> str:
        when = f"{self.when:%Y-%m-%d %H:%M} UTC" if self.when else "at an unknown time"
        changes = self.changes
        lines = [f"v{self.number}  {when}  {self.byline}", *(f"    {change}" for change in changes[:_SHOWN])]
        if len(changes) > _SHOWN:
            lines.append(f"    ... and {len(changes) - _SHOWN} more")
        return "\n".join(lines)

    def _circumstances(self) -> Iterator[str]:
        """Yield in which run, by whose approval, against which policy and from which commit the version was written."""
        if self.run:
            yield f"run {self.run}"
        if self.approval:
            yield f"approved by {self.approval}"
        if self.policy:
            yield self.policy
        if self.revision:
            yield f"commit {short_revision(self.revision)}"
        if self.restored is not None:
            yield f"version {self.restored} restored"
        if self.back:
            yield f"back to schema {self.number}"
        if self.origin:
            yield f"says {without_credentials(self.origin)}"


def _recorded_text(provenance: Provenance | None, key: str) -> str:
    """Return a text that a version records of its writer; empty if it records none."""
    if provenance is None:
        return ""
    return getattr(provenance, key) or ""


def _remainder_text(difference: Difference) -> str:
    """Return what differs between two versions and no change can say."""
    if not difference.path:
        return without_credentials(difference.message)
    return without_credentials(f"{difference.path}: {difference.message}")


class History(ShortRepr, Sequence[HistoryEntry]):
    """The versions of a table as entries, the newest first."""

    def __init__(self, versions: Sequence[Version]) -> None:
        earlier: list[Version | None] = [None, *versions[:-1]]
        self._entries = tuple(map(HistoryEntry, versions, earlier))[::-1]
        self.notes: tuple[str, ...] = ()
        """What is not known of the history."""

    @classmethod
    def of(cls, entries: Iterable[HistoryEntry], notes: Iterable[str] = ()) -> Self:
        """Return the history of these entries, oldest first."""
        history = cls(())
        history._entries = tuple(entries)[::-1]
        history.notes = tuple(notes)
        return history

    def _short_text(self) -> str:
        if not self._entries:
            return "of no version"
        notes = self.notes and counted(len(self.notes), "note")
        return joined(f"of {counted(len(self._entries), 'version')}", notes or "", f"the newest {self._entries[0]._short_text()}")

    @overload
    def __getitem__(self, place: int) -> HistoryEntry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[HistoryEntry]: ...
    def __getitem__(self, place: int | slice) -> HistoryEntry | Sequence[HistoryEntry]:
        return self._entries[place]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[HistoryEntry]:
        return iter(self._entries)

    def __str__(self) -> str:
        return "\n".join([*map(str, self._entries), *self.notes])
