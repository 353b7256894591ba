"""The folders of partitions from above: those are left out, with all that lies below them, of which no row is wanted.

Each level is listed while it has few folders that are left. What is left in the end is listed by Spark, as the whole folder would be.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from airflow_provider_schemas.store.footers.folder_keys import unescaped
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage.files import Files, ListingEntry

Keys = tuple[tuple[str, str], ...]
"""What the folders down to one say, dt=2026-11-18: names and texts."""
Possible = Callable[[Sequence[Keys]], Sequence[bool]]
"""Says of each folder whether there may be a row below it that is wanted."""

_LEVELS: Final = 4
_AT_ONCE: Final = 16
_MOST_LISTED: Final = 64


class _Folder:
    """A folder, and what is left of what lies in it."""

    def __init__(self, path: str, keys: Keys) -> None:
        self.path = path
        self.keys = keys
        self.others: list[str] = []
        """The files and folders in it that are not named for a partition."""
        self.partitions: list[_Folder] = []
        self.has_all_partitions = True

    def fill(self, entries: Sequence[ListingEntry]) -> None:
        """Take over what a listing of the folder holds."""
        for entry in entries:
            path = joined(self.path, entry.name)
            key, mark, text = entry.name.partition("=")
            if entry.name.startswith(".") or (entry.name.startswith("_") and not mark):
                continue  # Spark passes over it
            if entry.folder and mark and key:
                self.partitions.append(_Folder(path, (*self.keys, (unescaped(key), text))))
            else:
                self.others.append(path)

    def keep(self, kept: set[int]) -> None:
        """Leave out the partitions that are not kept; those that are kept are known by their identity."""
        partitions = [folder for folder in self.partitions if id(folder) in kept]
        self.has_all_partitions = len(partitions) == len(self.partitions)
        self.partitions = partitions

    def is_whole(self) -> bool:
        """Return whether nothing at or below this folder was left out."""
        return self.has_all_partitions and all(folder.is_whole() for folder in self.partitions)

    def paths(self) -> Iterator[str]:
        """Yield what is to be listed: the folder itself, if nothing below it was left out."""
        if self.is_whole():
            yield self.path
            return
        yield from self.others
        for folder in self.partitions:
            yield from folder.paths()


def left_paths(files: Files, possible: Possible) -> list[str] | None:
    """Return the folders and files to list, below the root of these files; None if all that lies there is to be listed."""
    top = _Folder("", ())
    level = [top]
    with ThreadPoolExecutor(_AT_ONCE, "schemas-folders") as pool:
        for _ in range(_LEVELS):
            if not 0 < len(level) <= _MOST_LISTED:
                break
            for folder, entries in zip(level, pool.map(files.list, [folder.path for folder in level]), strict=True):
                folder.fill(entries)
            level = _keep_possible(level, possible)
    return None if top.is_whole() else list(top.paths())


def _keep_possible(level: Sequence[_Folder], possible: Possible) -> list[_Folder]:
    """Leave out the partitions of this level below which no row is wanted, and return the others: they are the next level."""
    partitions: list[_Folder] = []
    for folder in level:
        partitions += folder.partitions
    answers = possible([partition.keys for partition in partitions])
    next_level = [partition for partition, answer in zip(partitions, answers, strict=True) if answer]
    kept = set(map(id, next_level))
    for folder in level:
        folder.keep(kept)
    return next_level
