"""Where the data files of a table are: by the manifests of Paimon, at the location that the table names, or in a folder that is passed."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import ContractError, NotThereError, ProjectionError
from airflow_provider_schemas.spark.files.data_file import AVRO, ORC, PARQUET, DataFile
from airflow_provider_schemas.spark.files.folder import PlainFiles, plain_files
from airflow_provider_schemas.spark.files.kept_folders import check_read
from airflow_provider_schemas.spark.files.paimon import as_data_files, paimon_snapshot
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_READABLE: Final = (PARQUET, ORC, AVRO)
_PAIMON: Final = "paimon"

Lister = Callable[[str, str], PlainFiles]
"""Lists the files of a folder, which are of this format."""


class FoundFiles(Struct, frozen=True):
    """The files, and what is known of all of them."""

    files: tuple[DataFile, ...]
    base: str = ""
    """The plain folder that they lie in; empty if manifests name them."""
    version: int | None = None
    """Of a snapshot or tag that was asked for, the version that was the newest then."""


def found_files(
    spark: "SparkSession", table: Table, *, snapshot: int | None, tag: str | None, path: str | None, listed: Lister | None = None
) -> FoundFiles:
    """The files as they are now, or as they were in a snapshot. Spark lists plain folders, unless it is said who does."""
    lister = listed or partial(unkept_files, spark, table.name)
    return found_by(lister, table, table.schema(), snapshot=snapshot, tag=tag, path=path)


def unkept_files(spark: "SparkSession", path: str, folder: str, kind: str) -> PlainFiles:
    """The files of a plain folder; ProjectionError if a format of tables keeps it."""
    check_read(spark, folder, path)
    return plain_files(spark, folder, kind)


def found_by(
    listed: Lister, table: Table, head: TableSchema, *, snapshot: int | None = None, tag: str | None = None, path: str | None = None
) -> FoundFiles:
    """The same, where it is said who lists a plain folder. Head is the newest schema of the table."""
    if snapshot is not None and tag is not None:
        raise ContractError("a snapshot and a tag are asked for.", code="read.said-twice", path="tag", fix="Name one of them.")
    location = location_of(head) if path is None else path
    if location and (path is not None or _kind(head) != _PAIMON):
        _check_plain(table, snapshot, tag)
        found = listed(location, _format(table, head))
        return FoundFiles(tuple(found.files), found.base)
    if table.place.layout is not Layout.PAIMON:
        raise _nowhere(table, location)
    live = paimon_snapshot(table, snapshot=snapshot, tag=tag)
    version = live.version if snapshot is not None or tag is not None else None
    return FoundFiles(tuple(as_data_files(table, live)), version=version)


def _nowhere(table: Table, location: str) -> NotThereError:
    if location:
        message = f"{table.name} is a Paimon table at {without_credentials(location)}, and its schemas are kept elsewhere."
        return NotThereError(
            message, code="read.no-location", path=table.name, fix="Open the warehouse that it lies in, and read it there."
        )
    message = f"{table.name} does not say where its data lie."
    return NotThereError(message, code="read.no-location", path=table.name, fix="Pass path=, or give the table a location.")


def _check_plain(table: Table, snapshot: int | None, tag: str | None) -> None:
    if snapshot is not None or tag is not None:
        message = f"a plain folder is read for {table.name}, and that has neither snapshots nor tags."
        raise ContractError(message, code="read.no-snapshots", path=table.name, fix="Leave snapshot and tag out.")


def _kind(schema: TableSchema) -> str:
    said = schema.table_attributes.get("format")
    return said if isinstance(said, str) else _PAIMON if not location_of(schema) else PARQUET


def plain_format(schema: TableSchema) -> str:
    """The format of the files in the plain folder of a table; empty if it has none, or one that is not read here."""
    kind = _kind(schema)
    return kind if kind in _READABLE else ""


def _format(table: Table, schema: TableSchema) -> str:
    """The format of the files in a plain folder."""
    kind = _kind(schema)
    kind = schema.options.get("file.format", PARQUET).lower() if kind == _PAIMON else kind
    if kind not in _READABLE:
        fix = f"Read it with its own connector; what is read here is {', '.join(_READABLE)}."
        raise ProjectionError(f"the data of {table.name} are {shown(kind)[1:-1]}.", code="read.format", path=table.name, fix=fix)
    return kind
