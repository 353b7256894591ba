"""The files that a predicate leaves of a table: by the folders of its partitions, or by what manifests say.

What is left out is decided twice: of folders before they are listed, of files before their footers are read. One file is always looked
at: a file may hold the column itself that its folder is named for, and then the folder does not tell what a reader finds in it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.discovery import FoundFiles, Lister
from airflow_provider_schemas.spark.files.executor_footers import reached
from airflow_provider_schemas.spark.files.file_schemas import Source
from airflow_provider_schemas.spark.files.folder import PlainFiles, files_at, plain_files
from airflow_provider_schemas.spark.files.folder_tree import Keys, left_paths
from airflow_provider_schemas.spark.files.kept_folders import check_read
from airflow_provider_schemas.spark.reading.known_values import KnownValues
from airflow_provider_schemas.spark.reading.row_filter import RowFilter
from airflow_provider_schemas.spark.reading.selected_columns import Selection
from airflow_provider_schemas.store.footers.known_fields import KnownFields
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Wish(NamedTuple):
    """As what a table is to be read, by the versions that are there."""

    wanted: Version
    known: KnownFields
    chosen: Selection

    def same_as(self, other: "Wish") -> bool:
        """Whether no version came in between."""
        return self.known.versions.keys() == other.known.versions.keys() and self.wanted.digest == other.wanted.digest


Wished = Callable[[int | None], Wish]
"""Finds out the wish, given the version of a snapshot."""
Filter = Callable[[Wish], RowFilter]


class _Listing:
    """Lists a plain folder but for those of its folders of which no row is wanted."""

    def __init__(self, spark: "SparkSession", table: Table, wished: Wished, rows: Filter) -> None:
        self.spark, self.table, self.wished, self.rows = spark, table, wished, rows
        self.judged_by: Wish | None = None

    def __call__(self, folder: str, kind: str) -> PlainFiles:
        check_read(self.spark, folder, self.table.name)
        paths = self._left(folder)
        found = None if paths is None else files_at(self.spark, folder, kind, paths)
        return plain_files(self.spark, folder, kind) if found is None else found

    def _left(self, folder: str) -> list[str] | None:
        """What is to be listed; None if it is all, or where nothing but Spark lists the storage: it lists all levels at once."""
        root = reached(self.spark, self.table, folder)
        if root is None:
            return None
        wish = self.judged_by = self.wished(None)
        possible = partial(_possible, KnownValues(wish.known, wish.chosen.given), self.rows(wish))
        try:
            return left_paths(root.files, possible)
        except SchemaError:
            return None


def _possible(values: KnownValues, rows: RowFilter, folders: Sequence[Keys]) -> list[bool]:
    return rows.possible([values.of_folders(keys) for keys in folders])


def left_files(
    spark: "SparkSession", table: Table, find: Callable[[Lister | None], FoundFiles], wished: Wished, rows: Filter
) -> tuple[FoundFiles, Wish]:
    """Return the files of which a row may pass, and the wish by which that was judged."""
    listing = _Listing(spark, table, wished, rows)
    found = find(listing)
    wish = wished(found.version)
    if listing.judged_by is not None and not listing.judged_by.same_as(wish):
        found = find(None)  # a version came in between, and may mean another column by the name of a folder
    left = _passing(found, wish, rows)
    if not left:
        found = find(None)
        left = _passing(found, wish, rows) or found.files[-1:]
    return replace(found, files=left), wish


def _passing(found: FoundFiles, wish: Wish, rows: Filter) -> tuple[DataFile, ...]:
    """The files of which a row may pass."""
    values = KnownValues(wish.known, wish.chosen.given)
    answers = rows(wish).possible([values.of_file(file, found.base) for file in found.files])
    return tuple(file for file, passes in zip(found.files, answers, strict=True) if passes)


def is_doubtful(wish: Wish, sources: Sequence[Source]) -> bool:
    """Whether a file holds a column itself that its folder is named for: then folders do not tell what is in the files of this table."""
    values = KnownValues(wish.known, wish.chosen.given)
    kinds = {
        (id(source.written), source.file.path.rpartition("/")[0]): source
        for source in sources
        if source.written.how is SchemaSource.STAMPED
    }
    return any(values.named_by_folders(source.file, source.base) & _ids(source) for source in kinds.values())


def _ids(source: Source) -> set[int]:
    return {column.id for column in source.written.columns}
