"""Writing the files of a table that keeps its schemas elsewhere: stamp and write, the folder made known before its first file.

Nothing of ours is put into a folder of data. A folder outside of the table's location is bound in the registry to the version of its first
files; later ones say by their own ids what they are.
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, SchemaError, SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_write
from airflow_provider_schemas.spark.session import session_of_frame
from airflow_provider_schemas.spark.writing.stamp import check_is_table, stamp_as
from airflow_provider_schemas.store.footers.folder_values import names_folders
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.spark.errors import spark_trouble
from airflow_provider_schemas.store.spark.files import SparkFiles, address_for_spark, root_for_spark
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MODES: Final = ("append", "overwrite", "error", "errorifexists", "ignore")
_NO_PLACE: Final = "Pass path=, or adopt the table with the location of its data."
_BY_PAIMON: Final = "Write them with Paimon's own connector, which commits them: df.write.format('paimon').mode('append').saveAsTable(...)."
_DYNAMIC: Final = "partitionoverwritemode"
_MOST_COLUMNS: Final = 20


def write_files(
    df: "DataFrame",
    table: Table,
    path: str | None = None,
    *,
    mode: str = "append",
    partition_by: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
) -> None:
    """Stamp a frame and write it as Parquet, to the table's location or to another folder, which is bound to the newest version first.

    Without partition_by the partition keys of the table are taken. Options are those of Spark's writer, such as compression.
    """
    spark = session_of_frame(df)
    check_is_table(table)
    _check_mode(mode)
    head = table.latest()
    place = _place(table, head, path)
    keys = _partition_keys(partition_by, head)
    check_write(spark, place)
    frame = stamp_as(df, table.name, head.schema)
    writer_options = {str(key): value for key, value in (options or {}).items()}
    replaces_all = mode == "overwrite" and not _is_dynamic(spark, writer_options)
    if replaces_all:
        _check_not_read(frame, place)
    _bind_folder(spark, table, head, place, replaces_all=replaces_all)
    writer = frame.write.format("parquet").mode(mode).options(**writer_options)
    if keys:
        writer = writer.partitionBy(*keys)
    try:
        writer.save(place)
    except Exception as error:
        raise _write_error(error, place) from error


# ---------------------------------------------------------------- where


def _place(table: Table, head: Version, path: str | None) -> str:
    """Return the folder as Spark takes it; SparkError if files of ours have no business there."""
    if table.subject.is_mounted:
        message = "it is mounted, and what is not in the metadata of its own catalog is no data of it."
        raise SparkError(message, code="spark.mounted", path=table.name, fix="Write with its engine: df.writeTo(...).append().")
    table_format = str(head.schema.table_attributes.get("format") or "parquet")
    is_paimon = table.place.layout is not Layout.REGISTRY or table_format == "paimon"
    if path is None and is_paimon:
        message = "it is a Paimon table, and what is not in its manifests is no data of it."
        raise SparkError(message, code="spark.paimon-files", path=table.name, fix=_BY_PAIMON)
    if not is_paimon and table_format != "parquet":
        message = f"its files are {table_format}, and Spark puts field ids into Parquet only."
        raise SparkError(message, code="spark.not-parquet", path=table.name, fix="Write them with the writer of that format.")
    folder = location_of(head.schema) if path is None else path
    if not folder:
        raise SparkError("nobody has said where its files lie.", code="spark.no-location", path=table.name, fix=_NO_PLACE)
    place = address_for_spark(folder)
    _check_apart(table, place)
    return place


def _check_apart(table: Table, place: str) -> None:
    """Raise SparkError if the files would lie with the schemas of tables: an overwrite would take those along."""
    own = f"{root_for_spark(table.place.files)}/{table.place.folder}"
    for schemas in (own, root_for_spark(table.registry)):
        if is_inside(schemas, place) or is_inside(place, schemas):
            message = f"{without_credentials(place)} and {without_credentials(schemas)}, where schemas are kept, lie one within the other."
            raise SparkError(message, code="spark.among-schemas", path="path", fix="Write to a folder that is apart from it.")


def _check_not_read(frame: "DataFrame", place: str) -> None:
    """Raise SparkError if the frame reads what is to be overwritten: Spark deletes it first, and does not notice."""
    if frame.isStreaming:
        return
    count = sum(is_inside(unquote(file), place) for file in frame.inputFiles())
    if count:
        message = f"{without_credentials(place)} is to be overwritten, and the frame reads {count:,} of its files."
        fix = "Write to a new folder and swap them, or write what the frame holds to a folder of its own first."
        raise SparkError(message, code="spark.overwrites-itself", path="path", fix=fix)


def is_inside(address: str, folder: str) -> bool:
    """Return whether an address is a folder, or lies in it: s3, s3a and s3n are one storage, and a path is one of a disk."""
    return f"{_comparable(address)}/".startswith(f"{_comparable(folder).rstrip('/')}/")


def _comparable(address: str) -> str:
    """Return an address in the one spelling in which it can be compared with others."""
    scheme, mark, rest = address.partition("://")
    if mark:
        return f"{one_name(scheme.lower())}://{posixpath.normpath(rest)}"
    path = address.removeprefix("file:")  # `file:/path` is how Java writes it
    normal = posixpath.normpath(path)
    return f"file://{normal}" if path.startswith("/") else normal


# ---------------------------------------------------------------- how


def _partition_keys(partition_by: Iterable[str], head: Version) -> tuple[str, ...]:
    """Return the columns by which the folders are named: the table's own keys, if it has some."""
    asked = (partition_by,) if isinstance(partition_by, str) else tuple(partition_by)
    keys = head.schema.partition_keys
    names = head.schema.names
    if asked and keys and asked != keys:
        message = f"{', '.join(asked)} are not the partition keys of the table, which are {', '.join(keys)}."
        raise _partition_error(message, "Leave partition_by out.")
    for column in head.schema.fields:
        if column.name in (asked or keys) and not names_folders(column.type):
            message = f"no folder can be named for {column.name}, which is {column.type}, so that it is read again."
            raise _partition_error(message, "Choose a column of another type.")
    choice = f"Choose among {', '.join(names[:_MOST_COLUMNS])}."
    for name in asked:
        if name not in names:
            raise _partition_error(f"the table has no column {shown(name)}.", choice)
    if len(asked) >= len(names):
        raise _partition_error("no column would be left for the files.", choice)
    return asked or keys


def _partition_error(message: str, fix: str) -> SparkError:
    return SparkError(message, code="spark.partition-keys", path="partition_by", fix=fix)


def _check_mode(mode: str) -> None:
    if mode not in MODES:
        message = f"{shown(mode)} is no way to write."
        raise SparkError(message, code="spark.mode", path="mode", fix=f"Use one of {', '.join(MODES)}.")


def _is_dynamic(spark: "SparkSession", options: Mapping[str, Any]) -> bool:
    """Return whether an overwrite leaves the partitions alone that the frame has nothing for."""
    option = next((value for key, value in options.items() if key.lower() == _DYNAMIC), None)
    return str(option or spark.conf.get("spark.sql.sources.partitionOverwriteMode", "static")).lower() == "dynamic"


# ---------------------------------------------------------------- the binding, and errors


def _bind_folder(spark: "SparkSession", table: Table, head: Version, place: str, *, replaces_all: bool) -> None:
    """Bind the folder, unless it is the table's location or was bound before. Nobody could say what files hold that lie there already."""
    location = location_of(head.schema)
    if location and is_inside(place, location):
        return
    if any(is_inside(place, binding.folder) for binding in table.bindings()):
        return
    if not replaces_all and SparkFiles(spark, place).list(""):
        folder = without_credentials(place)
        message = f"{folder} holds files that nothing is known about."
        fix = f"Say with which version they were written, table.bind({shown(folder)}, N); or write into an empty folder."
        raise SparkError(message, code="spark.unknown-files", path="path", fix=fix)
    table.bind(place, head.number)


def _write_error(error: Exception, place: str) -> Exception:
    """Return what was wrong with the place, in our words; what went wrong in the frame stays as Spark says it."""
    condition: Callable[[], str | None] = getattr(error, "getCondition", lambda: None)
    if condition() == "PATH_ALREADY_EXISTS":
        fix = "Choose another folder, or mode='append'."
        return AlreadyThereError(f"{without_credentials(place)} is there already.", code="spark.taken", path="path", fix=fix)
    trouble: SchemaError = spark_trouble(error, url=place, path="", doing="write")
    return error if trouble.code == ErrorKind.FAILED.value else trouble
