"""The newest data file of a plain folder: in the greatest of its partitions, in a few listings.

A folder may be kept by a format of tables, and so may one below it: then a reader of the table would not read its files one by one.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.footers.folder_keys import HIVE_NULL, keys_between
from airflow_provider_schemas.store.footers.keepers import keeper, keeper_by_mark
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.local import LocalFiles

# How many listings a verdict may take.
LISTINGS: Final = 4
_NUMBERS: Final = re.compile(r"(\d+)")


class DataEntry(NamedTuple):
    """A data file of a listing."""

    path: str
    """Below the folder of the data."""
    size: int | None
    mark: str
    modified: float

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """The keys of a partition in the names of the folders on the way."""
        return keys_between("/", f"//{self.path}")


class DataFolder(NamedTuple):
    """The newest files of a folder of data, or why there are none."""

    files: tuple[DataEntry, ...] = ()
    """The data files of the last folder on the way, the newest first."""
    kept_by: str = ""
    """The format of tables that keeps the folder, or one below it, if one does."""
    kept: str = ""
    """The path of the folder that is kept."""
    given_up: bool = False
    """Whether there was more to list."""
    no_folder: bool = False
    """Whether it is a file."""
    listings: int = 0
    """How many listings it took."""
    folders: frozenset[str] = frozenset()
    """The names of the folders in it."""


def newest_files(files: Files, listings: int = LISTINGS) -> DataFolder:
    """Return the files of the greatest partition that has any, and those that lie beside partitions."""
    walk = _Walk(files, listings)
    top = walk.list_folder("")
    if not top and _is_file(files):
        return DataFolder(no_folder=True)
    entries = walk.collect("", top)
    if walk.kept_by:
        return DataFolder(kept_by=walk.kept_by, kept=walk.kept)
    folders = frozenset(entry.name for entry in top if entry.folder)
    newest = tuple(sorted(entries, key=_age, reverse=True))
    return DataFolder(newest, given_up=walk.left < 0, listings=listings - walk.left, folders=folders)


def _is_file(files: Files) -> bool:
    """Return whether there is a file where the folder should be: then a listing is empty, too."""
    if isinstance(files, LocalFiles):
        return Path(files.url).is_file()
    try:
        return bool(files.read_part("", 0, 1))
    except SchemaError:
        return False


def _age(entry: DataEntry) -> tuple[float, str]:
    return entry.modified, entry.path


class _Walk:
    """Goes down, always into the greatest folder first, while listings are left and no format of tables keeps a folder."""

    def __init__(self, files: Files, listings: int) -> None:
        self.files = files
        self.left = listings
        self.kept_by = ""
        self.kept = ""

    def list_folder(self, folder: str) -> list[ListingEntry]:
        self.left -= 1
        if self.left < 0:
            return []
        return self.files.list(folder)

    def collect(self, folder: str, there: list[ListingEntry]) -> list[DataEntry]:
        """Return the data files in a folder, and those in the greatest folder below it that has any: the newest may lie in either."""
        self._note_keeper(folder, there)
        beside = list(_data_files(folder, there))
        names = [entry.name for entry in there if entry.folder and not _is_hidden_folder(entry.name)]
        for name in sorted(names, key=_greatness, reverse=True):
            if self.kept_by or self.left < 0:
                break
            inside = joined(folder, name)
            below = self.collect(inside, self.list_folder(inside))
            if below:
                return [*beside, *below]
        return beside

    def _note_keeper(self, folder: str, there: list[ListingEntry]) -> None:
        """Note the format of tables that keeps the folder, if there is one."""
        folders = {entry.name for entry in there if entry.folder}
        kept_by = keeper(folders.__contains__, lambda name: (entry.name for entry in self.list_folder(joined(folder, name))))
        kept_by = kept_by or keeper_by_mark(entry.name for entry in there if not entry.folder)
        if kept_by:
            self.kept_by = kept_by
            self.kept = folder


def _data_files(folder: str, entries: list[ListingEntry]) -> Iterator[DataEntry]:
    for entry in entries:
        if not entry.folder and not _is_hidden(entry.name) and entry.size != 0:
            yield DataEntry(joined(folder, entry.name), entry.size, entry.mark, entry.modified or 0.0)


def _is_hidden(name: str) -> bool:
    return name.startswith(("_", "."))


def _is_hidden_folder(name: str) -> bool:
    """Return whether readers ignore the folder. A key may begin with an underscore: Spark reads _dt=2026-11-18."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _greatness(name: str) -> tuple[bool, list[tuple[int, int, str]]]:
    """Return what folders are compared by: numbers as numbers, and NULL before every value."""
    parts = (part for part in _NUMBERS.split(name) if part)
    return not name.endswith(f"={HIVE_NULL}"), [(1, int(part), "") if part.isdecimal() else (0, 0, part) for part in parts]
