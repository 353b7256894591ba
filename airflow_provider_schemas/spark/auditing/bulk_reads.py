"""Schema files of a whole warehouse where only Spark reaches the storage: listed by the pattern of their folders, and read by the thousand.

No folder of data is listed for it: Spark looks below `schema` of each table and nowhere else.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.files.paths import escaped
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout, database_of, schema_folder, table_folder
from airflow_provider_schemas.store.spark.errors import is_missing, spark_trouble
from airflow_provider_schemas.store.spark.files import SparkFiles
from airflow_provider_schemas.store.storage.files import MAX_BYTES as MAX_READ
from airflow_provider_schemas.store.storage.files import Files, ListingEntry

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OPTIONS: Final = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false", "pathGlobFilter": "schema-*"}
_LIMIT: Final = MAX_BYTES + 1_000
_FOLDERS: Final = {Layout.MINI_PAIMON: "*/*/schema"}
_USUAL: Final = "*.db/*/schema"


def list_table_folders(spark: "SparkSession", files: SparkFiles, layout: Layout) -> list[tuple[str, str]]:
    """List the databases of a root and the folders of their tables that hold schemas: one listing, by Spark."""
    pattern = f"{escaped(files.address)}/{_FOLDERS.get(layout, _USUAL)}"
    try:
        paths = spark.read.format("binaryFile").options(**_OPTIONS).load(pattern).inputFiles()
    except Exception as error:
        if is_missing(error):
            return []
        raise spark_trouble(error, url=files.url, path="", doing="list") from error
    folders = {tuple(unquote(path).rsplit("/", 4)[1:3]) for path in paths}
    tables = ((database_of(folder, layout), table) for folder, table in folders)
    return sorted((database, table) for database, table in tables if database is not None)


class PrefetchedFiles:
    """Files of which some were fetched before they are needed; all others are read when they are."""

    def __init__(self, files: Files, listings: Mapping[str, Sequence[str]], contents: Mapping[str, bytes]) -> None:
        self._files = files
        self._listings = listings
        self._contents = contents

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def list(self, folder: str) -> list[ListingEntry]:
        """List what lies in a folder."""
        names = self._listings.get(folder)
        if names is None:
            return self._files.list(folder)
        return [ListingEntry(name, folder=False) for name in names]

    def read_many(self, paths: Iterable[str], limit: int = MAX_READ) -> Mapping[str, bytes | SchemaError]:
        """Return the bytes of files, or what went wrong with one."""
        wanted = list(paths)
        rest = self._files.read_many([path for path in wanted if path not in self._contents], limit)
        return {path: rest[path] if path in rest else self._contents[path] for path in wanted}


def prefetch_schemas(spark: "SparkSession", files: SparkFiles, layout: Layout, names: Iterable[TableName]) -> Files:
    """Return the files with the schemas of these tables, fetched in one job. If one cannot be had, none is, and each is read by itself."""
    folders = [schema_folder(table_folder(name, layout)) for name in names]
    addresses = [f"{files.address}/{folder}" for folder in folders]
    try:
        frame = spark.read.format("binaryFile").options(**_OPTIONS).load([escaped(address) for address in addresses])
        names_by_ending = _group_names(map(unquote, frame.inputFiles()))
        rows = frame.where(f"length <= {_LIMIT}").select("path", "content").collect()
    except Exception:  # noqa: BLE001  # reading the table by itself tells why
        return files
    folders_by_ending = {_ending(address): folder for address, folder in zip(addresses, folders, strict=True)}
    listings = {folders_by_ending[ending]: found for ending, found in names_by_ending.items() if ending in folders_by_ending}
    contents = {_place(row[0], folders_by_ending): bytes(row[1]) for row in rows}
    return PrefetchedFiles(files, listings, contents)


def _group_names(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of files by the ending of their folder."""
    names = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        names[_ending(folder)].append(name)
    return names


def _ending(folder: str) -> str:
    """Return what tells the folder of a table's schemas from those of others of one root, however Spark spells the root."""
    return "/".join(folder.rsplit("/", 3)[1:])


def _place(path: str, folders_by_ending: Mapping[str, str]) -> str:
    """Return the path of a file below its root."""
    folder, _, name = path.rpartition("/")
    return f"{folders_by_ending.get(_ending(folder), folder)}/{name}"
