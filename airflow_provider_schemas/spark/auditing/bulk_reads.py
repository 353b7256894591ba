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
from airflow_provider_schemas.store.storage.files import Files, ListingEntry

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OPTIONS: Final = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false", "pathGlobFilter": "schema-*"}
_LIMIT: Final = MAX_BYTES + 1_000
_FOLDERS: Final = {Layout.MINI_PAIMON: "*/*/schema"}
_USUAL: Final = "*.db/*/schema"


def folders(spark: "SparkSession", files: SparkFiles, layout: Layout) -> list[tuple[str, str]]:
    """The databases of a root and the folders of their tables that hold schemas: one listing, by Spark."""
    pattern = f"{escaped(files.address)}/{_FOLDERS.get(layout, _USUAL)}"
    try:
        paths = spark.read.format("binaryFile").options(**_OPTIONS).load(pattern).inputFiles()
    except Exception as error:
        if is_missing(error):
            return []
        raise spark_trouble(error, url=files.url, path="", doing="list") from error
    named = {tuple(unquote(path).rsplit("/", 4)[1:3]) for path in paths}
    return sorted((database, table) for folder, table in named if (database := database_of(folder, layout)) is not None)


class Fetched:
    """Files of which some were fetched before anybody asked; all others are asked for one by one."""

    def __init__(self, files: Files, listed: Mapping[str, Sequence[str]], contents: Mapping[str, bytes]) -> None:
        self._files, self._listed, self._contents = files, listed, contents

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def list(self, folder: str) -> list[ListingEntry]:
        """What lies in a folder."""
        known = self._listed.get(folder)
        return self._files.list(folder) if known is None else [ListingEntry(name, folder=False) for name in known]

    def read_many(self, paths: Iterable[str], limit: int) -> Mapping[str, bytes | SchemaError]:
        """The bytes of files, or what went wrong with one."""
        wanted = list(paths)
        rest = self._files.read_many([one for one in wanted if one not in self._contents], limit)
        return {one: self._contents[one] if one in self._contents else rest[one] for one in wanted}


def fetched(spark: "SparkSession", files: SparkFiles, layout: Layout, names: Iterable[TableName]) -> Any:
    """The files, with the schemas of these tables: one job. If one of them cannot be had, none is, and each is asked by itself."""
    inside = {f"{files.address}/{one}": one for one in (schema_folder(table_folder(name, layout)) for name in names)}
    try:
        frame = spark.read.format("binaryFile").options(**_OPTIONS).load([escaped(one) for one in inside])
        listed = _by_folder(map(unquote, frame.inputFiles()))
        rows = frame.where(f"length <= {_LIMIT}").select("path", "content").collect()
    except Exception:  # noqa: BLE001  # whoever asks for the table by itself learns why
        return files
    folders_of = {_ending(address): folder for address, folder in inside.items()}
    contents = {_place(row[0], folders_of): bytes(row[1]) for row in rows}
    return Fetched(files, {folders_of[folder]: found for folder, found in listed.items() if folder in folders_of}, contents)


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        found[_ending(folder)].append(name)
    return found


def _ending(folder: str) -> str:
    """What tells the folder of a table's schemas from those of others of one root, however Spark spells the root."""
    return "/".join(folder.rsplit("/", 3)[1:])


def _place(path: str, folders_of: Mapping[str, str]) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folders_of.get(_ending(folder), folder)}/{name}"
