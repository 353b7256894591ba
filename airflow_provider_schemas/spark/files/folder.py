"""The data files of plain folders: one listing through Spark, with what it takes to notice that a file has changed."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.hadoop import listed_files
from airflow_provider_schemas.spark.files.paths import escaped, is_hidden, located, with_slashes
from airflow_provider_schemas.store.spark.errors import is_missing, spark_trouble
from airflow_provider_schemas.store.spark.files import address_for_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OPTIONS = {"recursiveFileLookup": "true", "ignoreMissingFiles": "false", "ignoreCorruptFiles": "false"}
_COLUMNS: Final = ("path", "length", "unix_millis(modificationTime)")
_TASKS = 8
# So many files are asked about one by one, in the time of a job.
_FEW: Final = 100
# Spark looks at each path by a task of its own, unless it is told how many tasks to take.
_LISTING: Final = "spark.sql.sources.parallelPartitionDiscovery.parallelism"
_LISTING_TASKS: Final = "16"
# How many folders one job lists.
_AT_ONCE: Final = 500
# Letters that mean nothing to a pattern of Hadoop.
_PLAIN: Final = re.compile(r"[\w./=+@~ -]+")


class PlainFiles(NamedTuple):
    """What lies below a folder."""

    base: str
    """The folder, as the paths of its files begin."""
    files: list[DataFile]


def plain_files(spark: "SparkSession", folder: str, kind: str) -> PlainFiles:
    """The files below a folder, in the order of their paths; NotThereError if there is no such folder."""
    address = address_for_spark(folder)
    try:
        rows = _listed(spark, escaped(address))
    except Exception as error:
        raise _trouble(error, address) from error
    return _plain(address, rows, kind)


def files_at(spark: "SparkSession", folder: str, kind: str, paths: Sequence[str]) -> PlainFiles | None:
    """The files at and below some paths of a folder; None if one of them is not there any more, or cannot be listed."""
    address = address_for_spark(folder)
    if not paths:
        return PlainFiles(address, [])
    try:
        with few_listing_tasks(spark):
            rows = _listed(spark, [escaped(f"{address}/{path}") for path in paths])
    except Exception:  # noqa: BLE001  # whoever lists the whole folder learns why
        return None
    return _plain(address, rows, kind)


def _listed(spark: "SparkSession", pattern: str | list[str]) -> Sequence[Sequence[Any]]:
    """The path, the size and the time of each file. Few are taken from the plan, which has listed them already; a job costs more."""
    frame = spark.read.format("binaryFile").options(**_OPTIONS).load(pattern)
    few = listed_files(frame, _FEW)
    return few if few is not None else frame.selectExpr(*_COLUMNS).coalesce(_TASKS).collect()


def _plain(address: str, rows: Iterable[Sequence[Any]], kind: str) -> PlainFiles:
    paths = {with_slashes(row[0]): row for row in rows if not is_hidden(row[0])}
    found = [DataFile(path=one, size=row[1], version=None, format=kind, mark=str(row[2])) for one, row in sorted(paths.items())]
    return PlainFiles(located(address, found[0].path) if found else address, found)


def _trouble(error: Exception, address: str) -> SchemaError:
    if not is_missing(error):
        return spark_trouble(error, url=address, path="", doing="list")
    place = without_credentials(address)
    fix = "Write the first file, or correct the location of the table, or pass path=."
    return NotThereError(f"there is no folder {place}.", code="read.no-folder", path=place, fix=fix)


# ---------------------------------------------------------------- many folders


@contextmanager
def few_listing_tasks(spark: "SparkSession") -> Iterator[None]:
    """While it lasts, Spark lists any number of paths by few tasks."""
    before = str(spark.conf.get(_LISTING))
    spark.conf.set(_LISTING, _LISTING_TASKS)
    try:
        yield
    finally:
        spark.conf.set(_LISTING, before)


def many_folders(spark: "SparkSession", folders: Mapping[str, str]) -> dict[str, PlainFiles]:
    """The files below many folders, which are given with their formats: hundreds in one job.

    A folder of which nothing was seen, or of which its name alone does not tell what is meant, is not among the answers: it is to be listed
    by itself, so that what is wrong with it is told.
    """
    found: dict[str, PlainFiles] = {}
    with few_listing_tasks(spark):
        for root, below in by_root(folders).items():
            for start in range(0, len(below), _AT_ONCE):
                some = dict(below[start : start + _AT_ONCE])
                rows = _rows_by_folder(spark, root, set(some))
                found |= {some[inside]: _plain(address_for_spark(some[inside]), rows[inside], folders[some[inside]]) for inside in rows}
    return found


def by_root(folders: Iterable[str]) -> dict[str, Sequence[tuple[str, str]]]:
    """The folders of each storage: the path below its root, and how it was named. Two names of one folder are left out."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for folder in folders:
        scheme, mark, rest = address_for_spark(folder).partition("://")
        authority, slash, inside = rest.partition("/") if mark else ("", "/", scheme.lstrip("/"))
        path = posixpath.normpath(inside)
        if slash and "/" in path and _PLAIN.fullmatch(path):
            found[f"{scheme}{mark}{authority}/" if mark else "/"].setdefault(path, folder)
    return {root: tuple(below.items()) for root, below in found.items()}


def _rows_by_folder(spark: "SparkSession", root: str, below: set[str]) -> dict[str, list[Sequence[Any]]]:
    """What lies in each of these folders of one storage; nothing, if one of them cannot be listed."""
    found: dict[str, list[Sequence[Any]]] = defaultdict(list)
    try:
        rows = _listed(spark, f"{root}{{{','.join(sorted(below))}}}")
    except Exception:  # noqa: BLE001  # whoever lists a folder by itself learns why
        return {}
    for row in rows:
        for folder in parents(place_below_root(row[0])):
            if folder in below:
                found[folder].append(row)
    return found


def place_below_root(address: str) -> str:
    """Where an address is, below the root of its storage."""
    return with_slashes(address).partition("://")[2].partition("/")[2]


def parents(path: str) -> Iterator[str]:
    """The folders around a path, the nearest first."""
    while path:
        path = path.rpartition("/")[0]
        yield path
