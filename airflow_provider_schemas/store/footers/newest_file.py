"""The newest data file of a plain folder: in the greatest of its partitions, in at most four listings.

A folder may be kept by a format of tables, whatever somebody wrote down about it: then its files are not what a reader would read.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.footers.folder_keys import HIVE_NULL, keys_between
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage.files import Entry, Files

LISTINGS: Final = 4
_METADATA: Final = "metadata"
_OF_ICEBERG: Final = ".metadata.json"
# By which folder a format of tables is known.
_KEPT: Final = {"_delta_log": "Delta", ".hoodie": "Hudi"}
_OF_PAIMON: Final = frozenset({"schema", "snapshot", "manifest"})
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
    """The format of tables that keeps the folder, if one does."""
    given_up: bool = False
    """Whether there was more to list."""
    no_folder: bool = False
    """Whether it is a file."""


def newest_files(files: Files) -> DataFolder:
    """The files of the greatest partition that has any, and those that lie beside partitions."""
    walk = _Walk(files)
    top = walk.entries("")
    if not top and _is_file(files):
        return DataFolder(no_folder=True)
    kept = walk.kept_by(top)
    if kept:
        return DataFolder(kept_by=kept)
    found = walk.below("", top)
    return DataFolder(tuple(sorted(found, key=_age, reverse=True)), given_up=walk.left < 0)


def _is_file(files: Files) -> bool:
    """Whether there is a file where the folder should be: then a listing is empty, too."""
    try:
        return bool(files.read_part("", 0, 1))
    except SchemaError:
        return False


def _age(one: DataEntry) -> tuple[float, str]:
    return one.modified, one.path


class _Walk:
    """Goes down, always into the greatest folder first, while listings are left."""

    def __init__(self, files: Files) -> None:
        self.files, self.left = files, LISTINGS

    def entries(self, folder: str) -> list[Entry]:
        self.left -= 1
        return self.files.list(folder) if self.left >= 0 else []

    def kept_by(self, top: list[Entry]) -> str:
        """The format of tables that keeps the folder; empty if none does."""
        folders = {one.name for one in top if one.folder}
        for name, kept in _KEPT.items():
            if name in folders:
                return kept
        if folders >= _OF_PAIMON:
            return "Paimon"
        if _METADATA in folders and any(one.name.endswith(_OF_ICEBERG) for one in self.entries(_METADATA)):
            return "Iceberg"
        return ""

    def below(self, folder: str, there: list[Entry]) -> list[DataEntry]:
        """The data files in a folder, and those in the greatest folder below it that has any: the newest may lie in either."""
        beside = list(_data_files(folder, there))
        for name in sorted((one.name for one in there if one.folder and not _is_hidden_folder(one.name)), key=_greatness, reverse=True):
            inside = joined(folder, name)
            found = self.below(inside, self.entries(inside))
            if found or self.left < 0:
                return [*beside, *found]
        return beside


def _data_files(folder: str, entries: list[Entry]) -> Iterator[DataEntry]:
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
