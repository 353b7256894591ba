"""Which format of tables keeps a folder, whatever the description of a table says about it.

The files of such a folder alone are not the table: they also hold rows that were deleted or replaced.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from airflow_provider_schemas.store.common.data_location import spellings
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage.files import Files


class Keeper(NamedTuple):
    """A format of tables, and how a folder of it is recognized."""

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
KEPT_FORMATS: Final = frozenset(candidate.name.lower() for candidate in KEEPERS)
_MARKS: Final = tuple((candidate.mark, candidate.name) for candidate in KEEPERS if candidate.mark)
# The folders of a table in which these formats put their files, beside those that are named for a partition.
_DATA: Final = "data"
_BUCKET: Final = "bucket-"
# The folders of a day as Hudi names them by default: 2026/11/18.
_DAY: Final = re.compile(r"[0-9][0-9-]*")
# Steps that lead nowhere, on a storage that keeps them.
_NO_STEPS: Final = ("", ".")


def keeper(is_folder: Callable[[str], bool], names_in: Callable[[str], Iterable[str]]) -> str:
    """Return the format that keeps a folder; empty if none does. The functions tell what lies in the folder."""
    for candidate in KEEPERS:
        if not all(map(is_folder, candidate.folders)):
            continue
        if not candidate.ending or any(name.endswith(candidate.ending) for name in names_in(candidate.folders[0])):
            return candidate.name
    return ""


def keeper_by_mark(names: Iterable[str]) -> str:
    """Return the format of tables of which a folder with files of these names is a partition; empty if none marks it."""
    there = tuple(names)
    for mark, kept_by in _MARKS:
        if any(name.startswith(mark) for name in there):
            return kept_by
    return ""


def keeper_of(files: Files, folder: str = "") -> str:
    """Return the format that keeps a folder of these files, which are listed for it."""
    there = files.list(folder)
    folders = {entry.name for entry in there if entry.folder}
    kept_by = keeper(folders.__contains__, lambda name: (entry.name for entry in files.list(joined(folder, name))))
    return kept_by or keeper_by_mark(entry.name for entry in there if not entry.folder)


def keeper_among(paths: Iterable[str]) -> str:
    """Return the format that keeps a folder, by the paths of all files below it; empty if none does."""
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
