"""Where an audit gets data files from: through Spark, or straight from the storage without it.

What Spark shows is what counts. What is read without Spark only has to show that all is well with a table: a file that it cannot read, or
of which it is not sure that Spark sees the same, is left to Spark.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.spark.files.data_file import PARQUET, DataFile
from airflow_provider_schemas.spark.files.discovery import FoundFiles, find_files_by, list_unkept_files, plain_format
from airflow_provider_schemas.spark.files.folder import PlainFiles, many_folders
from airflow_provider_schemas.spark.files.footers import read_footers
from airflow_provider_schemas.spark.files.kept_suspects import kept_suspects
from airflow_provider_schemas.spark.files.paths import is_hidden
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.keepers import folders_around, keeper_among, keeper_of
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.read_footer import read_footer
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.spark.files import address_for_spark, root_for_spark
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Protocols whose addresses mean the same to Spark and to the library of the store.
_SHARED_PROTOCOLS: Final = frozenset({"s3", "gs", "abfs"})


class DataAccess(Protocol):
    """How the data files of tables are found and read."""

    @property
    def reads_footers(self) -> bool:
        """Return whether a footer costs little, so that manifests are compared with it."""

    def find_files(self, table: Table, head: TableSchema) -> FoundFiles:
        """Return the files of a table as they are now. `head` is its newest schema."""

    def read_footers(self, files: Sequence[DataFile], table: str) -> list[Footer]:
        """Return the footer of each of these files."""


class ThroughSpark:
    """Files as a session lists and reads them."""

    def __init__(self, spark: "SparkSession") -> None:
        self._spark = spark
        self.reads_footers = not is_connect(spark)
        self._listings: dict[str, PlainFiles] = {}

    def list_ahead(self, tables: Iterable[TableSchema]) -> None:
        """List the folders of many tables at once, given by their newest schemas. What is left out is listed when it is needed."""
        folders = {}
        for head in tables:
            location = location_of(head)
            if location and (kind := plain_format(head)):
                folders[location] = kind
        if len(folders) > 1:
            listings = many_folders(self._spark, folders)
            suspects = kept_suspects(self._spark, {folder: _paths(listing) for folder, listing in listings.items()})
            self._listings = {folder: listing for folder, listing in listings.items() if folder not in suspects}

    def find_files(self, table: Table, head: TableSchema) -> FoundFiles:
        return find_files_by(partial(self._list, table.name), table, head)

    def _list(self, table: str, folder: str, kind: str) -> PlainFiles:
        listing = self._listings.get(folder)
        return list_unkept_files(self._spark, table, folder, kind) if listing is None else listing

    def read_footers(self, files: Sequence[DataFile], table: str) -> list[Footer]:
        return read_footers(self._spark, files, table)


def _paths(listing: PlainFiles) -> list[str]:
    return [file.path for file in listing.files]


class LeftToSparkError(Exception):
    """What cannot be told without Spark."""


class Reach(Struct, frozen=True):
    """What can be read without Spark."""

    disk: bool = False
    """Whether the disk of the reading process is the one that Spark means."""
    plain_paths: bool = False
    """Whether a path without a scheme is one of this disk."""

    def covers(self, address: str, files: Files) -> bool:
        """Return whether files of this address can be read."""
        if files.protocol != "file":
            return files.protocol in _SHARED_PROTOCOLS
        return self.disk and (self.plain_paths or "://" in address)


class WithoutSpark:
    """Files as the storage lists them. Whatever goes wrong raises LeftToSparkError: then Spark is to read them."""

    reads_footers = True

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._places: dict[str, tuple[Files, DataEntry]] = {}

    def find_files(self, table: Table, head: TableSchema) -> FoundFiles:
        found = find_files_by(partial(self._list, table), table, head)
        if not found.base:
            self._place_by_manifests(table, found.files)
        return found

    # ------------------------------------------------------------ listing

    def _list(self, table: Table, folder: str, kind: str) -> PlainFiles:
        """List the files of a plain folder: none that Spark sees is left out."""
        address = address_for_spark(folder)
        files = self._open(table, folder, address)
        walked = _walk(files)
        self._check_unkept(table, folder, [path for path, _ in walked])
        data_files = []
        for path, entry in _visible(walked):
            size = entry.size
            if size is None:
                raise LeftToSparkError(f"nobody knows how long {path} is")
            if size:  # Spark shows no file that is empty
                place = f"{address}/{path}"
                data_files.append(DataFile(path=place, size=size, version=None, format=kind, mark=entry.mark))
                self._places[place] = (files, entry)
        if not data_files:
            _check_empty(files, folder)
        return PlainFiles(address, sorted(data_files, key=lambda file: file.path))

    def _check_unkept(self, table: Table, folder: str, paths: Sequence[str]) -> None:
        """Raise LeftToSparkError if a format of tables keeps the folder, or one around it: Spark's way tells which."""
        try:
            above = [self._open(table, place, address_for_spark(place)) for place in folders_around(folder)]
            kept = bool(keeper_among(paths)) or any(map(keeper_of, above))
        except SchemaError as error:
            raise LeftToSparkError(str(error)) from error
        if kept:
            raise LeftToSparkError("a format of tables keeps the folder")

    def _open(self, table: Table, folder: str, address: str) -> Files:
        opener = table.open_location
        if opener is None or not table.looks:
            raise LeftToSparkError("the store has no way to data")
        try:
            files = opener(folder)
        except SchemaError as error:
            raise LeftToSparkError(str(error)) from error
        if not self._reach.covers(address, files):
            raise LeftToSparkError("only Spark knows what the address means")
        return files

    def _place_by_manifests(self, table: Table, data_files: Sequence[DataFile]) -> None:
        """Note where files that manifests name lie below the warehouse."""
        files = table.place.files
        root = root_for_spark(files)
        if not self._reach.covers(root, files):
            raise LeftToSparkError("only Spark reaches the warehouse")
        for file in data_files:
            path = file.path.removeprefix(f"{root}/")
            if path != file.path:
                self._places[file.path] = (files, DataEntry(path, file.size, "", 0.0))

    # ------------------------------------------------------------ footers

    def read_footers(self, files: Sequence[DataFile], table: str) -> list[Footer]:
        return [self._read_footer(file) for file in files]

    def _read_footer(self, file: DataFile) -> Footer:
        place = self._places.get(file.path)
        if place is None or file.format != PARQUET:
            raise LeftToSparkError("only Spark reads this file")
        try:
            return read_footer(*place, file.format)
        except (SchemaError, ImportError) as error:
            raise LeftToSparkError(str(error)) from error


def _walk(files: Files) -> list[tuple[str, ListingEntry]]:
    """Return every file below a root."""
    try:
        return list(files.walk(""))
    except SchemaError as error:
        raise LeftToSparkError(str(error)) from error


def _visible(walked: Iterable[tuple[str, ListingEntry]]) -> Iterator[tuple[str, DataEntry]]:
    """Yield the files but those that engines pass over."""
    for path, entry in walked:
        if not is_hidden(path) and not any(map(_is_passed_over, path.split("/")[:-1])):
            yield path, DataEntry(path, entry.size, entry.mark, entry.modified or 0.0)


def _is_passed_over(folder: str) -> bool:
    """Return whether Spark looks into no folder of this name. The key of a partition may begin with an underscore."""
    return folder.startswith(".") or (folder.startswith("_") and "=" not in folder)


def _check_empty(files: Files, folder: str) -> None:
    """Raise NotThereError if there is no such folder. An object store does not say whether there is one."""
    if files.protocol != "file":
        raise LeftToSparkError("an object store does not tell an empty folder from none")
    if not os.path.lexists(files.url):
        fix = "Write the first file, or correct the location of the table."
        raise NotThereError(f"there is no folder {folder}.", code="read.no-folder", path=folder, fix=fix)
    if not os.path.isdir(files.url):  # noqa: PTH112  # a string, as the storage has it
        raise LeftToSparkError("what is there is no folder")
