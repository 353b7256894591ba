"""Which versions may be deleted, and deleting them: those that nobody needs, and that were superseded long ago.

Two clocks have to agree: that of the writer of the version that came next, and that of the storage. A version whose time is not
known is not old enough. The newest version is never deleted.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, named
from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import ConflictError, NotThereError, PolicyError, SchemaError, StorageError
from airflow_provider_schemas.store.layout.paths import SCHEMA_FILE, Layout, schema_folder, sidecar_file
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.retention.schema_ids_in_use import counted
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.numbered_files import Numbered

DEFAULT_AGE: Final = timedelta(days=30)
_SHOWN: Final = 3
# How many are deleted before the table is looked at again, whether it is still the one that was judged.
_BATCH: Final = 32
# On object stores, the writer of the newest version looks once more for the one before it.
_SETTLED_AFTER: Final = 600.0
_DAY: Final = 86_400.0


class KeptVersion(ShortRepr, Struct, frozen=True):
    """A version that stays, and why."""

    number: int
    why: tuple[str, ...]

    def _short_text(self) -> str:
        return f"{self.number}: {'; '.join(self.why)}"

    def __str__(self) -> str:
        return f"version {self.number} stays: {'; '.join(self.why)}"


class Expiry(ShortRepr, Struct, frozen=True):
    """The versions that were deleted, or would be, and those that stay."""

    table: str
    branch: str
    deleted: tuple[int, ...]
    """The versions that went; in a dry run, that would go."""
    kept: tuple[KeptVersion, ...]
    dry_run: bool

    def _short_text(self) -> str:
        verb = "would go" if self.dry_run else "deleted"
        return f"{named(self.table)}: {counted(len(self.deleted), 'version')} {verb}, {len(self.kept):,} kept"

    def __str__(self) -> str:
        verb = "would go" if self.dry_run else "is gone"
        return "\n".join([*(f"version {number} {verb}" for number in self.deleted), *map(str, self.kept)])


def expire(
    files: Files,
    folder: str,
    references: References,
    *,
    layout: Layout,
    now: float,
    older_than: timedelta = DEFAULT_AGE,
    own_time: Callable[[int], float | None],
    dry_run: bool = True,
) -> Expiry:
    """Delete what may go. The folder is the table's; own_time is the time that a version gives itself, in seconds since 1970."""
    if not isinstance(older_than, timedelta) or older_than < timedelta(0):  # type: ignore[redundant-expr]  # not every caller has its types checked
        fix = "Pass how long a superseded version is kept at least, such as timedelta(days=30)."
        raise PolicyError(f"{older_than} is no age.", code="expire.age", fix=fix)
    versions = Numbered(files, schema_folder(folder, references.branch), SCHEMA_FILE)
    entries = _list_versions(versions, references)
    least = older_than.total_seconds()
    ages = _Ages(entries, own_time, now, least)
    if guarantee(files.protocol).means is Means.CONDITION:
        ages.least_of_newest = max(least, _SETTLED_AFTER)
    reasons = {number: _reasons_to_keep(number, references, ages) for number in entries}
    going = [number for number in entries if not reasons[number]]
    if going and not dry_run:
        _delete(versions, references, layout, folder, going)
    kept = tuple(KeptVersion(number, why) for number, why in reasons.items() if why)
    return Expiry(references.table, references.branch, tuple(going), kept, dry_run)


def _list_versions(versions: Numbered, references: References) -> dict[int, ListingEntry]:
    """Return the versions that are there now; raise ConflictError if the table is not the one whose references were collected."""
    entries = versions.entries()
    if max(entries, default=-1) < max(references.numbers, default=-1):
        message = f"{references.table}: the newest version was {max(references.numbers)} and is now {max(entries, default='none')}."
        fix = "Nothing more is deleted. Somebody took the table back; look at it, and expire again."
        raise ConflictError(message, code="expire.rewound", path=references.table, fix=fix)
    return entries


class _Ages:
    """How long ago each version was superseded."""

    def __init__(self, entries: Mapping[int, ListingEntry], own_time: Callable[[int], float | None], now: float, least: float) -> None:
        self._entries = entries
        self._own_time = own_time
        self._now = now
        self._least = least
        self.least_of_newest = least
        """How long the newest version has to be there before the one before it is deleted."""
        numbers = list(entries)
        self._newest = max(numbers, default=None)
        self.successors = dict(pairwise(numbers))

    def too_young(self, successor: int) -> str:
        """Return why the version before this one is not old enough; empty if it is."""
        written = self._time_of(successor)
        stored = self._entries[successor].modified
        if written is None or stored is None or written <= 0 or stored <= 0:
            return f"nobody knows when version {successor} superseded it"
        age = self._now - max(written, stored)
        least = self.least_of_newest if successor == self._newest else self._least
        if age > least:
            return ""
        if age < 0:
            return f"version {successor} bears a time that has not come yet"
        return f"superseded only {_ago(age)} by version {successor}"

    def _time_of(self, number: int) -> float | None:
        """Return the time that a version gives itself, if it can be read."""
        try:
            return self._own_time(number)
        except SchemaError:
            return None


def _ago(seconds: float) -> str:
    for size, unit in ((_DAY, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "a moment ago"


def _reasons_to_keep(number: int, references: References, ages: _Ages) -> tuple[str, ...]:
    """Return why a version stays; nothing if it may be deleted."""
    if number not in ages.successors:
        return ("newest version",)
    reasons = list(references.holders(number))
    if not references.complete:
        reasons.append(_name_unreadable(references.unreadable))
    if number not in references.numbers:
        reasons.append("it came while the table was looked through")
    if reasons:
        return tuple(reasons)
    # The age comes last: a file has to be read for it.
    too_young = ages.too_young(ages.successors[number])
    return tuple(filter(None, [too_young]))


def _name_unreadable(unreadable: Sequence[str]) -> str:
    paths = " | ".join(unreadable[:_SHOWN])
    if len(unreadable) > _SHOWN:
        paths += f" and {len(unreadable) - _SHOWN} more"
    return f"nobody knows who needs it, because these cannot be read: {paths}"


def _delete(versions: Numbered, references: References, layout: Layout, folder: str, going: list[int]) -> None:
    """Delete the versions, the oldest first, so that an interruption leaves no gap that was not there."""
    for count, number in enumerate(going):
        if count % _BATCH == 0:
            _list_versions(versions, references)
        try:
            _delete_version(versions, references.branch, layout, folder, number)
        except SchemaError as error:
            message = f"{references.table}: version {number} could not be deleted: {error.message} {_name_deleted(going[:count])}".strip()
            raise StorageError(message, code="expire.stopped", path=error.path, fix=error.fix) from error


def _name_deleted(deleted: list[int]) -> str:
    if not deleted:
        return ""
    return f"Before it {counted(len(deleted), 'version')} went: {', '.join(map(str, deleted))}."


def _delete_version(versions: Numbered, branch: str, layout: Layout, folder: str, number: int) -> None:
    """Delete the file of a version, and what Mini Paimon's layout keeps beside it."""
    sidecar = ""
    if layout is Layout.MINI_PAIMON:
        try:
            sidecar = sidecar_file(folder, file_digest(versions.read(number)), branch)
        except NotThereError:  # somebody else was first
            return
    versions.files.delete(versions.path(number))
    if sidecar:
        versions.files.delete(sidecar)
