"""The history of a table in words: when each version was written, by whom, in which run, who approved it, and what it changed."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import overload

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.evolution.diff import diff
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError

OUTSIDE = "by an outside writer"
_SHOWN = 20


class HistoryEntry(Struct, frozen=True, dict=True):
    """One version, and the one before it if it is there."""

    version: Version
    before: Version | None = None

    @property
    def number(self) -> int:
        return self.version.number

    @property
    def when(self) -> datetime | None:
        """When it was written, as the file says."""
        millis = self.version.schema.time_millis
        try:
            return datetime.fromtimestamp(millis / 1000, UTC) if millis > 0 else None
        except (OverflowError, ValueError, OSError):
            return None

    @property
    def provenance(self) -> Provenance | None:
        """Where it comes from; None if somebody else wrote it."""
        try:
            return self.version.provenance
        except SchemaError:
            return None

    @property
    def outside(self) -> bool:
        """Whether somebody else wrote it."""
        return self.provenance is None

    @property
    def actor(self) -> str:
        return _said(self.provenance, "actor")

    @property
    def run(self) -> str:
        return _said(self.provenance, "run")

    @property
    def approval(self) -> str:
        return _said(self.provenance, "approval")

    @property
    def policy(self) -> str:
        """Why the table's policy did not count, if it did not."""
        return _said(self.provenance, "policy")

    @property
    def restored(self) -> int | None:
        """The version that was gone back to, if it was."""
        return None if self.provenance is None else self.provenance.restored

    @property
    def changes(self) -> tuple[str, ...]:
        """What it changed, as short texts without secrets: the difference to the version before it, also what no change can say."""
        if self.before is None:
            return ()
        try:
            found = diff(self.before.schema, self.version.schema)
        except SchemaError as error:
            return (without_credentials(str(error)),)
        if self.restored is not None:  # columns that came back did so with their ids, which no change can say
            return tuple(short_text(masked_change(one)) for one in found.changes)
        rest = (without_credentials(f"{one.path}: {one.message}" if one.path else one.message) for one in found.remainder)
        return (*(short_text(masked_change(one)) for one in found.changes), *rest)

    def __str__(self) -> str:
        when = f"{self.when:%Y-%m-%d %H:%M} UTC" if self.when else "at an unknown time"
        said = [f"v{self.number}", when, OUTSIDE if self.outside else f"by {self.actor or 'somebody'}"]
        about = [f"run {self.run}"] if self.run else []
        about += [f"approved by {self.approval}"] if self.approval else []
        about += [self.policy] if self.policy else []
        about += [f"version {self.restored} restored"] if self.restored is not None else []
        head = "  ".join(said) + (f" ({', '.join(about)})" if about else "")
        changes = self.changes
        more = [f"    ... and {len(changes) - _SHOWN} more"] if len(changes) > _SHOWN else []
        return "\n".join([head, *(f"    {one}" for one in changes[:_SHOWN]), *more])


def _said(past: Provenance | None, key: str) -> str:
    return (getattr(past, key) or "") if past is not None else ""


class History(Sequence[HistoryEntry]):
    """The versions of a table as entries, the newest first."""

    def __init__(self, versions: Sequence[Version]) -> None:
        earlier: list[Version | None] = [None, *versions[:-1]]
        self._entries = tuple(HistoryEntry(one, before) for one, before in zip(versions, earlier, strict=True))[::-1]

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
        return "\n".join(map(str, self._entries))
