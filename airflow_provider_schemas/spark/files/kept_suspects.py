"""Which of many folders a format of tables may keep: asked at once, so that an audit of thousands asks each of the few by itself."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from airflow_provider_schemas.spark.files.folder import by_root, few_listing_tasks, parents, place_below_root
from airflow_provider_schemas.store.footers.keepers import KEEPERS, folders_around

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SIGNS: Final = tuple(sorted({folder for kept in KEEPERS for folder in kept.folders}))
# Spark does not list these; the others are seen among the files.
_HIDDEN: Final = tuple(sign for sign in _SIGNS if sign.startswith((".", "_")))
_VISIBLE: Final = frozenset(_SIGNS).difference(_HIDDEN)
_OPTIONS: Final = {"recursiveFileLookup": "true", "ignoreMissingFiles": "true"}
# How many folders one pattern names, and how many patterns Spark looks for at a time.
_IN_PATTERN: Final = 50
_AT_ONCE: Final = 16


class _Question(NamedTuple):
    root: str
    paths: tuple[str, ...]
    signs: tuple[str, ...]

    @property
    def pattern(self) -> str:
        return f"{self.root}{{{','.join(self.paths)}}}/{{{','.join(self.signs)}}}"


def kept_suspects(spark: "SparkSession", files: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the folders that a format of tables may keep, or that may lie in one of which that is so. Files are given by folder."""
    around = {folder: folders_around(folder) for folder in files}
    inside = [folder for folder, above in around.items() if above]
    found = {folder for folder, paths in files.items() if any(map(_is_sign, paths))}
    with few_listing_tasks(spark):
        found |= _signed(spark, files, _HIDDEN)
        above = _signed(spark, dict.fromkeys(place for folder in inside for place in around[folder]), _SIGNS)
    return found | {folder for folder in inside if not above.isdisjoint(around[folder])}


def _is_sign(path: str) -> bool:
    return not _VISIBLE.isdisjoint(path.split("/")[:-1])


def _signed(spark: "SparkSession", folders: Iterable[str], signs: tuple[str, ...]) -> set[str]:
    """The folders in which there is something below one of the signs."""
    named = by_root(folders)
    questions = [_Question(root, tuple(path for path, _ in some), signs) for root, below in named.items() for some in _portions(below)]
    with ThreadPoolExecutor(_AT_ONCE, "schemas-kept") as pool:
        answers = list(pool.map(lambda question: _matching(spark, question), questions))
    folder_of = {(root, path): folder for root, below in named.items() for path, folder in below}
    return {folder_of[question.root, path] for question, paths in zip(questions, answers, strict=True) for path in paths}


def _portions(below: Collection[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], ...]]:
    listed = tuple(below)
    yield from (listed[start : start + _IN_PATTERN] for start in range(0, len(listed), _IN_PATTERN))


def _matching(spark: "SparkSession", question: _Question) -> set[str]:
    """The paths of a question to which the answer is yes; none as well where nobody may look: whoever reads them is told."""
    try:
        files = spark.read.format("binaryFile").options(**_OPTIONS).load([question.pattern, question.pattern]).inputFiles()
    except Exception:  # noqa: BLE001  # nothing fits, or nobody may look
        return set()
    wanted = frozenset(question.paths)
    return {folder for path in map(unquote, files) for folder in parents(place_below_root(path)) if folder in wanted}
