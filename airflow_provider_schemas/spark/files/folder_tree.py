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
    """A folder, and what is left of what lies in it; None where that was not looked at."""

    def __init__(self, path: str, keys: Keys) -> None:
        self.path, self.keys = path, keys
        self.beside: list[str] = []
        self.inside: list[_Folder] | None = None
        self.whole = True

    def look(self, entries: Sequence[ListingEntry]) -> None:
        self.inside = []
        for entry in entries:
            path = joined(self.path, entry.name)
            key, mark, text = entry.name.partition("=")
            if entry.name.startswith(".") or (entry.name.startswith("_") and not mark):
                continue  # Spark passes over it
            if entry.folder and mark and key:
                self.inside.append(_Folder(path, (*self.keys, (unescaped(key), text))))
            else:
                self.beside.append(path)

    def leave(self, left: set[int]) -> None:
        there = self.inside or []
        self.inside = [one for one in there if id(one) in left]
        self.whole = len(self.inside) == len(there)

    def paths(self) -> Iterator[str]:
        """What is to be listed: itself, if nothing below it was left out."""
        if self.is_whole():
            yield self.path
            return
        yield from self.beside
        for one in self.inside or ():
            yield from one.paths()

    def is_whole(self) -> bool:
        return self.whole and all(one.is_whole() for one in self.inside or ())


def left_paths(files: Files, possible: Possible) -> list[str] | None:
    """Return the folders and files to list, below the root of these files; None if all that lies there is to be listed."""
    top = _Folder("", ())
    level = [top]
    with ThreadPoolExecutor(_AT_ONCE, "schemas-folders") as pool:
        for _ in range(_LEVELS):
            if not 0 < len(level) <= _MOST_LISTED:
                break
            for folder, entries in zip(level, pool.map(files.list, [one.path for one in level]), strict=True):
                folder.look(entries)
            there = [one for folder in level for one in folder.inside or ()]
            answers = possible([one.keys for one in there])
            left = {id(one) for one, answer in zip(there, answers, strict=True) if answer}
            for folder in level:
                folder.leave(left)
            level = [one for one in there if id(one) in left]
    return None if top.is_whole() else list(top.paths())
