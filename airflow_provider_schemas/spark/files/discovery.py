"""Where the data files of a table are: by the manifests of Paimon, at the location that the table names, or in a folder that is passed."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.python_values import to_python
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.errors import CastError, ContractError, NotThereError, ProjectionError
from airflow_provider_schemas.spark.files.data_file import AVRO, ORC, PARQUET, DataFile
from airflow_provider_schemas.spark.files.folder import PlainFiles, plain_files
from airflow_provider_schemas.spark.files.kept_folders import check_read
from airflow_provider_schemas.spark.files.paths import with_slashes
from airflow_provider_schemas.store.data_files.live_files import Live, LiveFile, live_files
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.spark.files import address_for_spark, root_for_spark
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_READABLE: Final = (PARQUET, ORC, AVRO)
_PAIMON: Final = "paimon"

Lister = Callable[[str, str], PlainFiles]
"""Lists the files of a folder, which are of this format."""


class FoundFiles(Struct, frozen=True):
    """The files of a table, and what is known of all of them."""

    files: tuple[DataFile, ...]
    base: str = ""
    """The plain folder that they lie in; empty if manifests name them."""
    version: int | None = None
    """Of a snapshot or tag that was asked for, the version that was the newest then."""


def find_files(
    spark: "SparkSession", table: Table, *, snapshot: int | None, tag: str | None, path: str | None, lister: Lister | None = None
) -> FoundFiles:
    """Find the files as they are now, or as they were in a snapshot. Spark lists plain folders, unless another lister is given."""
    if lister is None:
        lister = partial(list_unkept_files, spark, table.name)
    return find_files_by(lister, table, table.schema(), snapshot=snapshot, tag=tag, path=path)


def list_unkept_files(spark: "SparkSession", path: str, folder: str, file_format: str) -> PlainFiles:
    """List the files of a plain folder; ProjectionError if a format of tables keeps it. `path` is what the error is about."""
    check_read(spark, folder, path)
    return plain_files(spark, folder, file_format)


def find_files_by(
    lister: Lister, table: Table, head: TableSchema, *, snapshot: int | None = None, tag: str | None = None, path: str | None = None
) -> FoundFiles:
    """Find the files of a table whose newest schema is `head`; the lister lists plain folders."""
    if snapshot is not None and tag is not None:
        raise ContractError("a snapshot and a tag are asked for.", code="read.said-twice", path="tag", fix="Name one of them.")
    location = location_of(head) if path is None else path
    is_plain = path is not None or _table_format(head) != _PAIMON
    if location and is_plain:
        _refuse_snapshots(table, snapshot, tag)
        listed = lister(location, _file_format(table, head))
        return FoundFiles(tuple(listed.files), listed.base)
    if table.place.layout is not Layout.PAIMON:
        raise _no_location_error(table, location)
    live = live_files(table, snapshot=snapshot, tag=tag)
    is_newest = snapshot is None and tag is None
    return FoundFiles(tuple(as_data_files(table, live)), version=None if is_newest else live.version)


def _no_location_error(table: Table, location: str) -> NotThereError:
    if location:
        message = f"{table.name} is a Paimon table at {without_credentials(location)}, and its schemas are kept elsewhere."
        fix = "Open the warehouse that it lies in, and read it there."
    else:
        message = f"{table.name} does not say where its data lie."
        fix = "Pass path=, or give the table a location."
    return NotThereError(message, code="read.no-location", path=table.name, fix=fix)


def _refuse_snapshots(table: Table, snapshot: int | None, tag: str | None) -> None:
    if snapshot is not None or tag is not None:
        message = f"a plain folder is read for {table.name}, and that has neither snapshots nor tags."
        raise ContractError(message, code="read.no-snapshots", path=table.name, fix="Leave snapshot and tag out.")


# ---------------------------------------------------------------- formats


def plain_format(schema: TableSchema) -> str:
    """Return the format of the files in the plain folder of a table; empty if it has none, or one that is not read here."""
    table_format = _table_format(schema)
    return table_format if table_format in _READABLE else ""


def _table_format(schema: TableSchema) -> str:
    """Return the format that the table names; without one, that of plain files if it has a location, and else Paimon."""
    attribute = schema.table_attributes.get("format")
    if isinstance(attribute, str):
        return attribute
    return PARQUET if location_of(schema) else _PAIMON


def _file_format(table: Table, schema: TableSchema) -> str:
    """Return the format of the files in a plain folder; ProjectionError if it is not read here."""
    file_format = _table_format(schema)
    if file_format == _PAIMON:
        file_format = schema.options.get("file.format", PARQUET).lower()
    if file_format not in _READABLE:
        fix = f"Read it with its own connector; what is read here is {', '.join(_READABLE)}."
        raise ProjectionError(f"the data of {table.name} are {shown(file_format)[1:-1]}.", code="read.format", path=table.name, fix=fix)
    return file_format


# ---------------------------------------------------------------- Paimon


def as_data_files(table: Table, live: Live) -> list[DataFile]:
    """Return the files of a Paimon snapshot as Spark takes them, with the values of their partitions as Python has them."""
    types = {field.name: field.type for field in table.schema().fields}
    root = root_for_spark(table.place.files)
    # Files of a partition share one tuple of values. It is known by its identity, and not by its values: 0.0 equals -0.0.
    partitions: dict[int, tuple[tuple[str, Any], ...]] = {}
    files: list[DataFile] = []
    for file in live.files:
        values = partitions.get(id(file.partition))
        if values is None:
            values = tuple((name, _python_value(value, types[name])) for name, value in file.partition)
            partitions[id(file.partition)] = values
        files.append(_data_file(file, root, values))
    return files


def _data_file(file: LiveFile, root: str, partition: tuple[tuple[str, Any], ...]) -> DataFile:
    path = address_for_spark(with_slashes(file.path)) if file.outside else f"{root}/{file.path}"
    return DataFile(path=path, size=file.size, version=file.version, format=file.format, partition=partition, rows=file.rows)


def _python_value(value: Any, data_type: DataType) -> Any:
    """Return a value as Python has it; as a carrier, where Python has none: a year behind 9999, nanoseconds."""
    try:
        return to_python(value, data_type)
    except CastError:
        return value
