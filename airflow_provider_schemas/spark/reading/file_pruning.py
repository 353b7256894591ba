"""The files that a predicate leaves of a table: by the folders of its partitions, or by what manifests say.

Files are left out twice: folders before they are listed, files before their footers are read. One file is always looked at: a file
may hold the column itself that its folder is named for, and then the folder does not say what a reader finds in it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.discovery import FoundFiles, Lister
from airflow_provider_schemas.spark.files.executor_footers import executor_root
from airflow_provider_schemas.spark.files.file_schemas import ResolvedFile
from airflow_provider_schemas.spark.files.folder import PlainFiles, files_at, plain_files
from airflow_provider_schemas.spark.files.folder_tree import Keys, left_paths
from airflow_provider_schemas.spark.files.kept_folders import check_read
from airflow_provider_schemas.spark.reading.known_values import KnownValues
from airflow_provider_schemas.spark.reading.request import ReadTarget
from airflow_provider_schemas.spark.reading.row_filter import Predicate, RowFilter
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Targets = Callable[[int | None], ReadTarget]
"""Chooses the target of a read, given the version of a snapshot."""


class Finder(Protocol):
    """Finds the files of a table; a lister, if one is given, lists plain folders."""

    def __call__(self, *, lister: Lister | None = None) -> FoundFiles: ...


def find_left_files(
    spark: "SparkSession", table: Table, find: Finder, choose_target: Targets, where: Predicate | None
) -> tuple[FoundFiles, ReadTarget]:
    """Return the files with rows that may pass the predicate, or all without one, and the target by which that was judged."""
    if where is None:
        found = find()
        return found, choose_target(found.version)
    lister = _PruningLister(spark, table, choose_target, where)
    found = find(lister=lister)
    target = choose_target(found.version)
    if lister.target is not None and not lister.target.is_same(target):
        found = find()  # a version came in between, and may mean another column by the name of a folder
    left = _left_files(spark, found, target, where)
    if not left:
        found = find()
        left = _left_files(spark, found, target, where) or found.files[-1:]
    return replace(found, files=left), target


def _left_files(spark: "SparkSession", found: FoundFiles, target: ReadTarget, where: Predicate) -> tuple[DataFile, ...]:
    """Return the files with rows that may pass the predicate."""
    columns = target.selection.given
    values = KnownValues(target.known, columns)
    answers = RowFilter(spark, where, columns).may_pass([values.of_file(file, found.base) for file in found.files])
    return tuple(file for file, passes in zip(found.files, answers, strict=True) if passes)


class _PruningLister:
    """Lists a plain folder without those of its folders of which no row is wanted."""

    def __init__(self, spark: "SparkSession", table: Table, choose_target: Targets, where: Predicate) -> None:
        self.target: ReadTarget | None = None
        """The target by which folders were left out, once some may have been."""
        self._spark = spark
        self._table = table
        self._choose_target = choose_target
        self._where = where

    def __call__(self, folder: str, file_format: str) -> PlainFiles:
        check_read(self._spark, folder, self._table.name)
        paths = self._left_paths(folder)
        listed = None if paths is None else files_at(self._spark, folder, file_format, paths)
        if listed is None:
            return plain_files(self._spark, folder, file_format)
        return listed

    def _left_paths(self, folder: str) -> list[str] | None:
        """Return what is to be listed; None for all of it, or where nothing but Spark lists the storage: it lists all levels at once."""
        root = executor_root(self._spark, self._table, folder)
        if root is None:
            return None
        self.target = self._choose_target(None)
        columns = self.target.selection.given
        possible = partial(_possible, KnownValues(self.target.known, columns), RowFilter(self._spark, self._where, columns))
        try:
            return left_paths(root.files, possible)
        except SchemaError:
            return None


def _possible(values: KnownValues, rows: RowFilter, folders: Sequence[Keys]) -> list[bool]:
    """Return for each folder whether rows below it may pass."""
    return rows.may_pass([values.of_folders(keys) for keys in folders])


def is_doubtful(target: ReadTarget, files: Sequence[ResolvedFile]) -> bool:
    """Return whether a file holds a column itself that its folder is named for: then folders do not say what the files hold."""
    values = KnownValues(target.known, target.selection.given)
    one_of_each_kind: dict[tuple[int, str], ResolvedFile] = {}
    for file in files:
        if file.written.how is SchemaSource.STAMPED:
            one_of_each_kind[id(file.written), file.file.path.rpartition("/")[0]] = file
    return any(values.named_by_folders(file.file, file.base) & _column_ids(file) for file in one_of_each_kind.values())


def _column_ids(file: ResolvedFile) -> set[int]:
    return {column.id for column in file.written.columns}
