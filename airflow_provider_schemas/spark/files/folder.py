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

_FileRow = Sequence[Any]
"""The path, the size and the time of a file."""

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
# Characters that mean nothing in a pattern of Hadoop.
_PLAIN: Final = re.compile(r"[\w./=+@~ -]+")


class PlainFiles(NamedTuple):
    """What lies below a folder."""

    base: str
    """The folder, as the paths of its files begin."""
    files: list[DataFile]


def plain_files(spark: "SparkSession", folder: str, file_format: str) -> PlainFiles:
    """List the files below a folder, in the order of their paths; NotThereError if there is no such folder."""
    address = address_for_spark(folder)
    try:
        rows = _list(spark, escaped(address))
    except Exception as error:
        raise _listing_error(error, address) from error
    return _plain_files(address, rows, file_format)


def files_at(spark: "SparkSession", folder: str, file_format: str, paths: Sequence[str]) -> PlainFiles | None:
    """List the files at and below some paths of a folder; None if one of them is not there any more, or cannot be listed."""
    address = address_for_spark(folder)
    if not paths:
        return PlainFiles(address, [])
    try:
        with few_listing_tasks(spark):
            rows = _list(spark, [escaped(f"{address}/{path}") for path in paths])
    except Exception:  # noqa: BLE001  # the caller then lists the whole folder, and learns why
        return None
    return _plain_files(address, rows, file_format)


def _list(spark: "SparkSession", pattern: str | list[str]) -> Sequence[_FileRow]:
    """List files. A few of them are taken from the plan, which has listed them already: a job costs more."""
    frame = spark.read.format("binaryFile").options(**_OPTIONS).load(pattern)
    few = listed_files(frame, _FEW)
    if few is not None:
        return few
    return frame.selectExpr(*_COLUMNS).coalesce(_TASKS).collect()


def _plain_files(address: str, rows: Iterable[_FileRow], file_format: str) -> PlainFiles:
    by_path = {with_slashes(row[0]): row for row in rows if not is_hidden(row[0])}
    files = [DataFile(path=path, size=row[1], version=None, format=file_format, mark=str(row[2])) for path, row in sorted(by_path.items())]
    base = located(address, files[0].path) if files else address
    return PlainFiles(base, files)


def _listing_error(error: Exception, address: str) -> SchemaError:
    if not is_missing(error):
        return spark_trouble(error, url=address, path="", doing="list")
    place = without_credentials(address)
    fix = "Write the first file, or correct the location of the table, or pass path=."
    return NotThereError(f"there is no folder {place}.", code="read.no-folder", path=place, fix=fix)


# ---------------------------------------------------------------- many folders


@contextmanager
def few_listing_tasks(spark: "SparkSession") -> Iterator[None]:
    """Have Spark list any number of paths by few tasks, while the context lasts."""
    before = str(spark.conf.get(_LISTING))
    spark.conf.set(_LISTING, _LISTING_TASKS)
    try:
        yield
    finally:
        spark.conf.set(_LISTING, before)


def many_folders(spark: "SparkSession", folders: Mapping[str, str]) -> dict[str, PlainFiles]:
    """List the files below many folders, which are given with their formats: hundreds of folders in one job.

    A folder in which nothing was seen, or whose name alone does not tell what is meant, is not among the answers: it is to be listed
    by itself, which raises what is wrong with it.
    """
    listed: dict[str, PlainFiles] = {}
    with few_listing_tasks(spark):
        for root, below in by_root(folders).items():
            for start in range(0, len(below), _AT_ONCE):
                names = dict(below[start : start + _AT_ONCE])
                for path, rows in _list_folders(spark, root, set(names)).items():
                    folder = names[path]
                    listed[folder] = _plain_files(address_for_spark(folder), rows, folders[folder])
    return listed


def by_root(folders: Iterable[str]) -> dict[str, Sequence[tuple[str, str]]]:
    """Return the folders of each storage: the path below its root, and the name as it was given. Two names of one folder are left out."""
    below_roots: dict[str, dict[str, str]] = defaultdict(dict)
    for folder in folders:
        root, path = _split_root(folder)
        if "/" in path and _PLAIN.fullmatch(path):
            below_roots[root].setdefault(path, folder)
    return {root: tuple(below.items()) for root, below in below_roots.items()}


def _split_root(folder: str) -> tuple[str, str]:
    """Return the root of a folder's storage, and the path below it; the path is empty if the address has none."""
    scheme, mark, rest = address_for_spark(folder).partition("://")
    if not mark:
        return "/", posixpath.normpath(scheme.lstrip("/"))
    authority, slash, path = rest.partition("/")
    return f"{scheme}{mark}{authority}/", posixpath.normpath(path) if slash else ""


def _list_folders(spark: "SparkSession", root: str, below: set[str]) -> dict[str, list[_FileRow]]:
    """List what lies in each of these folders of one storage; nothing, if one of them cannot be listed."""
    try:
        rows = _list(spark, f"{root}{{{','.join(sorted(below))}}}")
    except Exception:  # noqa: BLE001  # the caller then lists each folder by itself, and learns why
        return {}
    by_folder: dict[str, list[_FileRow]] = defaultdict(list)
    for row in rows:
        for folder in parents(place_below_root(row[0])):
            if folder in below:
                by_folder[folder].append(row)
    return by_folder


def place_below_root(address: str) -> str:
    """Return where an address is, below the root of its storage."""
    return with_slashes(address).partition("://")[2].partition("/")[2]


def parents(path: str) -> Iterator[str]:
    """Yield the folders around a path, the nearest first."""
    while path:
        path = path.rpartition("/")[0]
        yield path
