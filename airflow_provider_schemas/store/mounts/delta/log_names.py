"""The names of the files of a log: commits, checkpoints in all their forms, and compacted commits.

Everything else in the folder is left alone: checksums, which nobody checks, and the files of writers that have not ended.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.store.storage.files import ListingEntry

_COMMIT: Final = re.compile(r"([0-9]{20})\.json", re.ASCII)
_COMPACTED: Final = re.compile(r"([0-9]{20})\.([0-9]{20})\.compacted\.json", re.ASCII)
_CHECKPOINT: Final = re.compile(r"([0-9]{20})\.checkpoint\.parquet", re.ASCII)
_PART: Final = re.compile(r"([0-9]{20})\.checkpoint\.([0-9]{10})\.([0-9]{10})\.parquet", re.ASCII)
_OF_SECOND_VERSION: Final = re.compile(r"([0-9]{20})\.checkpoint\.[0-9A-Za-z-]{8,64}\.(?:json|parquet)", re.ASCII)
_MOST_PARTS: Final = 10_000


class CheckpointFiles(NamedTuple):
    """A checkpoint, with all of its parts."""

    version: int
    parts: tuple[ListingEntry, ...]


class CompactedCommits(NamedTuple):
    """Several commits in one file, which keeps the last metadata only."""

    first: int
    last: int
    entry: ListingEntry


class LogListing(Struct, frozen=True):
    """What lies in a log, or behind one of its versions."""

    commits: Mapping[int, ListingEntry]
    checkpoints: tuple[CheckpointFiles, ...]
    """The newest first; of one version, the one of fewest parts first."""
    compacted: tuple[CompactedCommits, ...]
    is_from_start: bool

    @property
    def newest(self) -> int:
        """The newest version; -1 for an empty log."""
        commits = max(self.commits, default=-1)
        return max(commits, max((checkpoint.version for checkpoint in self.checkpoints), default=-1))


def commit_name(version: int) -> str:
    """Return the name of a commit."""
    return f"{version:020d}.json"


def read_listing(entries: Iterable[ListingEntry], *, is_from_start: bool) -> LogListing:
    """Return the files of a log among the entries of its folder."""
    commits: dict[int, ListingEntry] = {}
    checkpoints: list[CheckpointFiles] = []
    compacted: list[CompactedCommits] = []
    parts: dict[tuple[int, int], dict[int, ListingEntry]] = defaultdict(dict)
    for entry in entries:
        name = entry.name
        if entry.folder:
            continue
        if match := _COMMIT.fullmatch(name):
            commits[int(match[1])] = entry
        elif match := _CHECKPOINT.fullmatch(name) or _OF_SECOND_VERSION.fullmatch(name):
            checkpoints.append(CheckpointFiles(int(match[1]), (entry,)))
        elif match := _PART.fullmatch(name):
            parts[int(match[1]), int(match[3])][int(match[2])] = entry
        elif match := _COMPACTED.fullmatch(name):
            compacted.append(CompactedCommits(int(match[1]), int(match[2]), entry))
    checkpoints += [CheckpointFiles(version, _in_order(found)) for (version, count), found in parts.items() if _is_whole(found, count)]
    checkpoints.sort(key=lambda checkpoint: (-checkpoint.version, len(checkpoint.parts)))
    return LogListing(commits, tuple(checkpoints), tuple(compacted), is_from_start)


def _is_whole(found: Mapping[int, ListingEntry], count: int) -> bool:
    """Return whether all parts of a checkpoint are there: its writer may be at work, or have been killed."""
    return 0 < count <= _MOST_PARTS and len(found) == count and set(found) == set(range(1, count + 1))


def _in_order(found: Mapping[int, ListingEntry]) -> tuple[ListingEntry, ...]:
    return tuple(found[number] for number in sorted(found))
