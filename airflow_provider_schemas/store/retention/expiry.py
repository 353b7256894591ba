"""Which versions may go, and taking them away: those that nobody needs, and that were superseded long ago.

Both clocks must say so: the one of whoever wrote the version that came next, and the one of the storage. A
time that is not known is a time ago that is too short. The newest version never goes.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from itertools import pairwise
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import ConflictError, NotThereError, PolicyError, SchemaError, StorageError
from airflow_provider_schemas.store.layout.paths import SCHEMA_FILE, Layout, schema_folder, sidecar_file
from airflow_provider_schemas.store.retention.references import References
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.numbered_files import Numbered

DEFAULT_AGE: Final = timedelta(days=30)
_SHOWN: Final = 3
# How many go before somebody looks again whether the table is still the one that was judged.
_BATCH: Final = 32
# On object stores, whoever wrote the newest version looks once more for the one before it.
_SETTLED_AFTER: Final = 600.0
_DAY: Final = 86_400.0


class Kept(Struct, frozen=True):
    """A version that stays, and why."""

    number: int
    why: tuple[str, ...]

    def __str__(self) -> str:
        return f"version {self.number} stays: {'; '.join(self.why)}"


class Expiry(Struct, frozen=True):
    """What went, or would go, and what stays."""

    table: str
    branch: str
    deleted: tuple[int, ...]
    """The versions that went; in a dry run, that would go."""
    kept: tuple[Kept, ...]
    dry_run: bool

    def __str__(self) -> str:
        gone = [f"version {number} {'would go' if self.dry_run else 'is gone'}" for number in self.deleted]
        return "\n".join([*gone, *map(str, self.kept)])


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
    """Take away what may go. The folder is the table's; own_time is what a version says of itself, in seconds since 1970."""
    if not isinstance(older_than, timedelta) or older_than < timedelta(0):  # type: ignore[redundant-expr]  # not every caller has its types checked
        raise PolicyError(
            f"{older_than} is no age.",
            code="expire.age",
            fix="Pass how long a superseded version is kept at least, such as timedelta(days=30).",
        )
    versions = Numbered(files, schema_folder(folder, references.branch), SCHEMA_FILE)
    entries = _looked(versions, references)
    settled = _SETTLED_AFTER if guarantee(files.protocol).means is Means.CONDITION else 0.0
    judged = _Ages(entries, own_time, now, older_than.total_seconds(), settled)
    reasons = {number: _reasons(number, references, judged) for number in entries}
    going = [number for number in entries if not reasons[number]]
    if going and not dry_run:
        _delete(versions, references, layout, folder, going)
    kept = tuple(Kept(number, why) for number, why in reasons.items() if why)
    return Expiry(references.table, references.branch, tuple(going), kept, dry_run)


def _looked(versions: Numbered, references: References) -> dict[int, ListingEntry]:
    """The versions that are there now; an error if the table is not the one that was looked through."""
    entries = versions.entries()
    if max(entries, default=-1) < max(references.numbers, default=-1):
        message = f"{references.table}: the newest version was {max(references.numbers)} and is now {max(entries, default='none')}."
        fix = "Nothing more is deleted. Somebody took the table back; look at it, and expire again."
        raise ConflictError(message, code="expire.rewound", path=references.table, fix=fix)
    return entries


class _Ages:
    """Since when which version is superseded."""

    def __init__(
        self, entries: Mapping[int, ListingEntry], own_time: Callable[[int], float | None], now: float, least: float, settled: float
    ) -> None:
        self._entries, self._own_time, self._now, self._least, self._settled = entries, own_time, now, least, settled
        numbers = list(entries)
        self._newest = max(numbers, default=None)
        self.successors = dict(pairwise(numbers))

    def too_young(self, successor: int) -> str:
        """Why the version before this one is not old enough; nothing if it is."""
        times = (self._entries[successor].modified, self._said(successor))
        if any(time is None or time <= 0 for time in times):
            return f"nobody knows when version {successor} superseded it"
        age = min(self._now - time for time in times if time is not None)
        if age > (max(self._least, self._settled) if successor == self._newest else self._least):
            return ""
        return (
            f"superseded only {_ago(age)} by version {successor}" if age >= 0 else f"version {successor} bears a time that has not come yet"
        )

    def _said(self, number: int) -> float | None:
        """What a version says of its own time, if it can be read."""
        try:
            return self._own_time(number)
        except SchemaError:
            return None


def _ago(seconds: float) -> str:
    for size, unit in ((_DAY, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "a moment ago"


def _reasons(number: int, references: References, ages: _Ages) -> tuple[str, ...]:
    """Why a version stays; nothing if it may go."""
    if number not in ages.successors:
        return ("newest version",)
    why = list(references.holders(number))
    if not references.complete:
        why.append(_unknown(references.unreadable))
    if number not in references.numbers:
        why.append("it came while the table was looked through")
    # Only who is not held is asked for a time: it takes a file to be read.
    if not why and (young := ages.too_young(ages.successors[number])):
        why.append(young)
    return tuple(why)


def _unknown(unreadable: Iterable[str]) -> str:
    paths = list(unreadable)
    rest = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return f"nobody knows who needs it, because these cannot be read: {' | '.join(paths[:_SHOWN])}{rest}"


def _delete(versions: Numbered, references: References, layout: Layout, folder: str, going: list[int]) -> None:
    """Take the versions away, the oldest first, so that whatever stops this leaves no gap that was not there."""
    for count, number in enumerate(going):
        if count % _BATCH == 0:
            _looked(versions, references)
        try:
            _delete_one(versions, references.branch, layout, folder, number)
        except SchemaError as error:
            done = f"Before it {count} version{'s' if count != 1 else ''} went: {', '.join(map(str, going[:count]))}." if count else ""
            message = f"{references.table}: version {number} could not be deleted: {error.message} {done}".strip()
            raise StorageError(message, code="expire.stopped", path=error.path, fix=error.fix) from error


def _delete_one(versions: Numbered, branch: str, layout: Layout, folder: str, number: int) -> None:
    sidecar = ""
    if layout is Layout.MINI_PAIMON:
        try:
            sidecar = sidecar_file(folder, file_digest(versions.read(number)), branch)
        except NotThereError:  # somebody else was first
            return
    versions.files.delete(versions.path(number))
    if sidecar:
        versions.files.delete(sidecar)
