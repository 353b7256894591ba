"""Which of many folders a format of tables may keep: asked at once, so that an audit of thousands asks each of the few by itself."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from airflow_provider_schemas.spark.files.folder import by_root, few_listing_tasks, parents, place_below_root
from airflow_provider_schemas.store.footers.keepers import KEEPERS, folders_around

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SIGNS: Final = tuple(sorted(frozenset[str]().union(*(kept.folders for kept in KEEPERS))))
# Spark does not list these; the others are seen among the files.
_HIDDEN: Final = tuple(sign for sign in _SIGNS if sign.startswith((".", "_")))
_VISIBLE: Final = frozenset(_SIGNS).difference(_HIDDEN)
_OPTIONS: Final = {"recursiveFileLookup": "true", "ignoreMissingFiles": "true"}
# How many folders one pattern names, and how many patterns Spark looks for at a time.
_IN_PATTERN: Final = 50
_AT_ONCE: Final = 16


class _Listing(NamedTuple):
    """A listing of what lies below some signs in some folders of one storage."""

    root: str
    folders: tuple[str, ...]
    """Their paths below the root."""
    signs: tuple[str, ...]

    @property
    def pattern(self) -> str:
        """Return the pattern that Spark lists."""
        return f"{self.root}{{{','.join(self.folders)}}}/{{{','.join(self.signs)}}}"


def kept_suspects(spark: "SparkSession", files: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the folders that a format of tables may keep, or that may lie in one of which that is so. Files are given by folder."""
    suspects = {folder for folder, paths in files.items() if any(map(_has_visible_sign, paths))}
    around = {folder: folders_around(folder) for folder in files}
    places_around: dict[str, None] = {}
    for places in around.values():
        places_around.update(dict.fromkeys(places))
    with few_listing_tasks(spark):
        suspects |= _folders_with_signs(spark, files, _HIDDEN)
        kept_around = _folders_with_signs(spark, places_around, _SIGNS)
    return suspects | {folder for folder, places in around.items() if not kept_around.isdisjoint(places)}


def _has_visible_sign(path: str) -> bool:
    return not _VISIBLE.isdisjoint(path.split("/")[:-1])


def _folders_with_signs(spark: "SparkSession", folders: Iterable[str], signs: tuple[str, ...]) -> set[str]:
    """Return the folders in which there is something below one of the signs."""
    names: dict[tuple[str, str], str] = {}
    listings: list[_Listing] = []
    for root, below in by_root(folders).items():
        names |= {(root, path): folder for path, folder in below}
        paths = tuple(path for path, _ in below)
        listings += [_Listing(root, paths[start : start + _IN_PATTERN], signs) for start in range(0, len(paths), _IN_PATTERN)]
    with ThreadPoolExecutor(_AT_ONCE, "schemas-kept") as pool:
        matches = list(pool.map(lambda listing: _matching_folders(spark, listing), listings))
    found: set[str] = set()
    for listing, matching in zip(listings, matches, strict=True):
        found.update(names[listing.root, path] for path in matching)
    return found


def _matching_folders(spark: "SparkSession", listing: _Listing) -> set[str]:
    """Return the folders with something below a sign; none as well where nobody may look: a read then raises that."""
    try:
        files = spark.read.format("binaryFile").options(**_OPTIONS).load([listing.pattern, listing.pattern]).inputFiles()
    except Exception:  # noqa: BLE001  # nothing fits, or nobody may look
        return set()
    wanted = frozenset(listing.folders)
    matching: set[str] = set()
    for file in map(unquote, files):
        matching.update(folder for folder in parents(place_below_root(file)) if folder in wanted)
    return matching
