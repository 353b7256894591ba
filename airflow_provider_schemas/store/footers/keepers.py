"""Which format of tables keeps a folder, whatever somebody wrote down about it.

The files of such a folder are no table by themselves: rows that were deleted or written over stand in them, too.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.store.common.data_location import spellings
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage.files import Files


class Keeper(NamedTuple):
    """A format of tables, and how a folder of it is known."""

    name: str
    folders: tuple[str, ...]
    """All of them lie in it."""
    ending: str = ""
    """How a file in the first of them ends; empty if the folders tell enough."""
    mark: str = ""
    """How the name of a file begins that lies in each of its partitions; empty if there is none."""


KEEPERS: Final = (
    Keeper("Delta", ("_delta_log",)),
    Keeper("Hudi", (".hoodie",), mark=".hoodie_partition_metadata"),
    Keeper("Paimon", ("schema", "snapshot", "manifest")),
    Keeper("Iceberg", ("metadata",), ".metadata.json"),
)
# The formats of data by which these are named.
KEPT_FORMATS: Final = frozenset(kept.name.lower() for kept in KEEPERS)
_MARKS: Final = tuple((kept.mark, kept.name) for kept in KEEPERS if kept.mark)
# In which folders of a table these formats put their files, beside those that are named for a partition.
_DATA: Final = "data"
_BUCKET: Final = "bucket-"
# How Hudi names the folders of a day, where nobody says otherwise: 2026/11/18.
_DAY: Final = re.compile(r"[0-9][0-9-]*")
# Steps that lead nowhere, on a storage that keeps them.
_NO_STEPS: Final = ("", ".")


def keeper(is_folder: Callable[[str], bool], names_in: Callable[[str], Iterable[str]]) -> str:
    """Return the format that keeps a folder; empty if none does. The functions tell what lies in the folder."""
    for kept in KEEPERS:
        if not all(map(is_folder, kept.folders)):
            continue
        if not kept.ending or any(name.endswith(kept.ending) for name in names_in(kept.folders[0])):
            return kept.name
    return ""


def keeper_by_mark(names: Iterable[str]) -> str:
    """Return the format of tables of which a folder with files of these names is a partition; empty if none marks it."""
    there = tuple(names)
    return next((kept_by for mark, kept_by in _MARKS if any(name.startswith(mark) for name in there)), "")


def keeper_of(files: Files, folder: str = "") -> str:
    """Return the format that keeps a folder of these files, which are listed for it."""
    there = files.list(folder)
    folders = {entry.name for entry in there if entry.folder}
    kept_by = keeper(folders.__contains__, lambda name: (entry.name for entry in files.list(joined(folder, name))))
    return kept_by or keeper_by_mark(entry.name for entry in there if not entry.folder)


def keeper_among(paths: Iterable[str]) -> str:
    """Return the same, by the paths of all files below the folder."""
    names: dict[str, list[str]] = {}
    files: list[str] = []
    for path in paths:
        folder, slash, below = path.partition("/")
        files.append(path.rpartition("/")[2])
        if slash:
            names.setdefault(folder, []).append(below.rpartition("/")[2])
    return keeper(names.__contains__, names.__getitem__) or keeper_by_mark(files)


def folders_around(location: str) -> list[str]:
    """Return the folders above a location that may be the table of which the location is a part, the nearest first."""
    return list(dict.fromkeys(folder for place in spellings(location) for folder in _folders_above(place)))


def _folders_above(location: str) -> Iterator[str]:
    place = location.rstrip("/")
    while _is_part(place.rpartition("/")[2]):
        place = place.rpartition("/")[0]
        folder = place.rstrip("/")
        if not folder or folder.endswith(":"):
            break
        yield folder


def _is_part(step: str) -> bool:
    """Whether a folder of this name may be a partition, or one of data, in a table that something keeps."""
    return step in _NO_STEPS or bool(_DAY.fullmatch(step)) or "=" in step or step == _DATA or step.startswith(_BUCKET)
