"""The newest data file of a plain folder: in the greatest of its partitions, in a few listings.

A folder may be kept by a format of tables, and so may one below it: then its files are not what a reader would read.
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

# How many listings a verdict may ask for.
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
        """What the folders on the way say of its rows."""
        return keys_between("/", f"//{self.path}")


class DataFolder(NamedTuple):
    """What was seen of a folder of data."""

    files: tuple[DataEntry, ...] = ()
    """The data files of the folder that was come to, the newest first."""
    kept_by: str = ""
    """The format of tables that keeps the folder, or one below it, if one does."""
    kept: str = ""
    """Which folder below it that is."""
    given_up: bool = False
    """Whether there was more to list."""
    no_folder: bool = False
    """Whether it is a file."""
    listings: int = 0
    """How many listings it took."""
    folders: frozenset[str] = frozenset()
    """What folders lie in it."""


def newest_files(files: Files, listings: int = LISTINGS) -> DataFolder:
    """The files of the greatest partition that has any, and those that lie beside partitions."""
    walk = _Walk(files, listings)
    top = walk.entries("")
    if not top and _is_file(files):
        return DataFolder(no_folder=True)
    found = walk.below("", top)
    if walk.kept_by:
        return DataFolder(kept_by=walk.kept_by, kept=walk.kept)
    folders = frozenset(entry.name for entry in top if entry.folder)
    newest = tuple(sorted(found, key=_age, reverse=True))
    return DataFolder(newest, given_up=walk.left < 0, listings=listings - walk.left, folders=folders)


def _is_file(files: Files) -> bool:
    """Whether there is a file where the folder should be: then a listing is empty, too."""
    if isinstance(files, LocalFiles):
        return Path(files.url).is_file()
    try:
        return bool(files.read_part("", 0, 1))
    except SchemaError:
        return False


def _age(one: DataEntry) -> tuple[float, str]:
    return one.modified, one.path


class _Walk:
    """Goes down, always into the greatest folder first, while listings are left and nothing keeps what was met."""

    def __init__(self, files: Files, listings: int) -> None:
        self.files, self.left = files, listings
        self.kept_by = self.kept = ""

    def entries(self, folder: str) -> list[ListingEntry]:
        self.left -= 1
        return self.files.list(folder) if self.left >= 0 else []

    def below(self, folder: str, there: list[ListingEntry]) -> list[DataEntry]:
        """The data files in a folder, and those in the greatest folder below it that has any: the newest may lie in either."""
        self._meet(folder, there)
        beside = list(_data_files(folder, there))
        for name in sorted((one.name for one in there if one.folder and not _is_hidden_folder(one.name)), key=_greatness, reverse=True):
            if self.kept_by or self.left < 0:
                break
            inside = joined(folder, name)
            found = self.below(inside, self.entries(inside))
            if found:
                return [*beside, *found]
        return beside

    def _meet(self, folder: str, there: list[ListingEntry]) -> None:
        """Note who keeps the folder, if somebody does."""
        folders = {entry.name for entry in there if entry.folder}
        kept_by = keeper(folders.__contains__, lambda name: (entry.name for entry in self.entries(joined(folder, name))))
        kept_by = kept_by or keeper_by_mark(entry.name for entry in there if not entry.folder)
        if kept_by:
            self.kept_by, self.kept = kept_by, folder


def _data_files(folder: str, entries: list[ListingEntry]) -> Iterator[DataEntry]:
    for one in entries:
        if not one.folder and not _is_hidden(one.name) and one.size != 0:
            yield DataEntry(joined(folder, one.name), one.size, one.mark, one.modified or 0.0)


def _is_hidden(name: str) -> bool:
    return name.startswith(("_", "."))


def _is_hidden_folder(name: str) -> bool:
    """A key may begin with an underscore: Spark reads _dt=2026-11-18."""
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _greatness(name: str) -> tuple[bool, list[tuple[int, int, str]]]:
    """What folders are compared by: numbers as numbers, and NULL before every value."""
    parts = (part for part in _NUMBERS.split(name) if part)
    return not name.endswith(f"={HIVE_NULL}"), [(1, int(one), "") if one.isdecimal() else (0, 0, one) for one in parts]
