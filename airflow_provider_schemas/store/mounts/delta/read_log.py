"""The state of a log: where its reading begins, which commits follow, and what may go wrong while others write.

A listing is no moment: writers add commits while it is made, and cleaners take old ones away. What a listing names and nobody finds any
more, and a gap in the numbers, is looked at again before it is an error.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.errors import FormatError, NotThereError, StorageError
from airflow_provider_schemas.store.mounts.delta.log_content import LogSource, read_checkpoint_of, read_steps
from airflow_provider_schemas.store.mounts.delta.log_folder import LogFolder
from airflow_provider_schemas.store.mounts.delta.log_names import CompactedCommits, LogListing, commit_name
from airflow_provider_schemas.store.mounts.delta.log_state import LogState

MOST_COMMITS: Final = 20_000
_ATTEMPTS: Final = 3
_BAD_CHECKPOINT: Final = "delta.bad-checkpoint"


class ReadLog(NamedTuple):
    """The state of a log as it was read, from which version on, and what was listed."""

    state: LogState
    base: int
    """The version that the reading began with: 0, or that of a checkpoint."""
    listing: LogListing
    mark: str

    def says_the_same_as(self, other: "ReadLog") -> bool:
        """Return whether nothing came since: a log may have no commit left, by whose mark a listing could tell."""
        return (self.mark, self.base, self.state.identities) == (other.mark, other.base, other.state.identities)


class _Gap(Exception):  # noqa: N818  # an answer: it may be mended by another look
    """A version between the first and the newest one is missing."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


def read_log(log: LogFolder) -> ReadLog | None:
    """Return the newest state of a log; None if there is no log."""
    error: Exception | None = None
    for _ in range(_ATTEMPTS):
        listing = log.list_newest()
        if listing.newest < 0:
            return None
        try:
            return _read(log, listing)
        except (NotThereError, _Gap) as problem:
            error = problem
    if isinstance(error, _Gap):
        raise _no_commit(log, error.version)
    message = f"files of the log of {log.url} go as fast as they are listed: {error}"
    raise StorageError(message, code="delta.log-moves", path=log.folder, fix="Try again; look who deletes files of the log.") from error


def mark_of(listing: LogListing, version: int) -> str:
    """Return what changes when a commit comes, or the log is another one."""
    entry = listing.commits.get(version)
    return f"{version} {entry.mark if entry is not None else ''}"


def _read(log: LogFolder, listing: LogListing) -> ReadLog:
    """Read the newest checkpoint that can be read, and all commits after it; without one, all commits."""
    broken: FormatError | None = None
    for checkpoint in listing.checkpoints:
        try:
            sources = _sources(log, listing, checkpoint.version + 1)
            state = LogState().after_checkpoint(checkpoint.version, read_checkpoint_of(log, checkpoint))
        except FormatError as error:
            if error.code != _BAD_CHECKPOINT:
                raise
            broken = error
            continue
        state = state.after(read_steps(log, sources))
        return ReadLog(state, checkpoint.version, listing, mark_of(listing, state.newest))
    if broken is not None and 0 not in listing.commits:
        raise broken
    state = LogState().after(read_steps(log, _sources(log, listing, 0)))
    return ReadLog(state, 0, listing, mark_of(listing, state.newest))


def _sources(log: LogFolder, listing: LogListing, first: int) -> list[LogSource]:
    """Return the files of all commits from a version on."""
    newest = listing.newest
    if newest - first >= MOST_COMMITS:
        raise _too_long(log, newest - first + 1)
    return list(_contiguous(listing, first, newest))


def _contiguous(listing: LogListing, first: int, newest: int) -> Iterator[LogSource]:
    """Yield the commits of a range of versions; for those that are gone, the file into which they were compacted."""
    version = first
    while version <= newest:
        entry = listing.commits.get(version)
        if entry is not None:
            yield LogSource(version, entry)
            version += 1
            continue
        compacted = _compacted_around(listing, version, newest)
        if compacted is None:
            raise _Gap(version)
        yield LogSource(compacted.last, compacted.entry)
        version = compacted.last + 1


def _compacted_around(listing: LogListing, version: int, newest: int) -> CompactedCommits | None:
    """Return the compacted commits that hold a version and lead furthest."""
    fitting = [some for some in listing.compacted if some.first <= version <= some.last <= newest]
    return max(fitting, key=lambda some: some.last, default=None)


def read_newer(log: LogFolder, known: ReadLog) -> ReadLog | None:
    """Return the state with the commits that came since, the known one itself without any; None if the log must be read anew."""
    version = known.state.newest
    listing = log.list_from(version)
    if mark_of(listing, version) != known.mark or version not in listing.commits:
        return None
    newest = max(listing.commits)
    if newest == version:
        return known
    if newest - version > MOST_COMMITS:
        return None
    try:
        state = known.state.after(read_steps(log, _contiguous(listing, version + 1, newest)))
    except (NotThereError, _Gap):
        return None
    return ReadLog(state, known.base, known.listing, mark_of(listing, newest))


def _no_commit(log: LogFolder, version: int) -> FormatError:
    message = f"the log of {log.url} has no {commit_name(version)}, and no checkpoint that could stand for it."
    fix = "Restore the file from a backup, or write the table anew: readers of Delta stop there, too."
    return FormatError(message, code="delta.log-gap", path=log.path(commit_name(version)), fix=fix)


def _too_long(log: LogFolder, count: int) -> FormatError:
    message = f"the log of {log.url} has {count:,} commits since its newest checkpoint, and {MOST_COMMITS:,} are read at most."
    fix = (
        "Write a checkpoint: OPTIMIZE in Spark makes one where delta.checkpointInterval is set, "
        "DeltaTable(...).create_checkpoint() of deltalake at once. Every reader of the table gets faster by it."
    )
    return FormatError(message, code="delta.log-too-long", path=log.folder, fix=fix)
