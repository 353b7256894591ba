"""The data files of a plain folder: one listing through Spark, with what it takes to notice that a file has changed."""

from typing import TYPE_CHECKING, NamedTuple

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.paths import escaped, is_hidden, located, with_slashes
from airflow_provider_schemas.store.spark.errors import is_missing, spark_trouble
from airflow_provider_schemas.store.spark.files import address_for_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OPTIONS = {"recursiveFileLookup": "true", "ignoreMissingFiles": "false", "ignoreCorruptFiles": "false"}
_TASKS = 8


class PlainFiles(NamedTuple):
    """What lies below a folder."""

    base: str
    """The folder, as the paths of its files begin."""
    files: list[DataFile]


def plain_files(spark: "SparkSession", folder: str, kind: str) -> PlainFiles:
    """The files below a folder, in the order of their paths; NotThereError if there is no such folder."""
    address = address_for_spark(folder)
    try:
        listed = spark.read.format("binaryFile").options(**_OPTIONS).load(escaped(address)).select("path", "length", "modificationTime")
        rows = listed.coalesce(_TASKS).collect()
    except Exception as error:
        raise _trouble(error, address) from error
    paths = {with_slashes(row[0]): row for row in rows if not is_hidden(row[0])}
    found = [DataFile(path=one, size=row[1], version=None, format=kind, mark=str(row[2])) for one, row in sorted(paths.items())]
    return PlainFiles(located(address, found[0].path) if found else address, found)


def _trouble(error: Exception, address: str) -> SchemaError:
    if not is_missing(error):
        return spark_trouble(error, url=address, path="", doing="list")
    place = without_credentials(address)
    fix = "Write the first file, or correct the location of the table, or pass path=."
    return NotThereError(f"there is no folder {place}.", code="read.no-folder", path=place, fix=fix)
