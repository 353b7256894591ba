"""Writing the files of a table that keeps its schemas elsewhere: stamp and write, the folder made known before its first file.

Nothing of ours is put into a folder of data. A folder outside of the table's location is bound in the registry to the version of its first
files; later ones tell by their own ids what they are.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, SchemaError, SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_write
from airflow_provider_schemas.spark.files.urls import inside
from airflow_provider_schemas.spark.session import session_of_frame
from airflow_provider_schemas.spark.writing.stamp import checked_table, stamped
from airflow_provider_schemas.store.footers.folder_values import names_folders
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.spark.errors import spark_trouble
from airflow_provider_schemas.store.spark.files import SparkFiles, address_for_spark, root_for_spark
from airflow_provider_schemas.store.storage.error_kinds import ErrorKind
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MODES: Final = ("append", "overwrite", "error", "errorifexists", "ignore")
_NO_PLACE: Final = "Pass path=, or adopt the table with the location of its data."
_PAIMONS: Final = "Write them with Paimon's own connector, which commits them: df.write.format('paimon').mode('append').saveAsTable(...)."
_DYNAMIC: Final = "partitionoverwritemode"


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
    spark, found = session_of_frame(df), checked_table(table)
    _check_mode(mode)
    head, chosen = found.latest(), {str(key): value for key, value in (options or {}).items()}
    place = _place(found, head, path)
    keys = _keys((partition_by,) if isinstance(partition_by, str) else tuple(partition_by), head)
    check_write(spark, place)
    frame = stamped(df, found.name, head.schema)
    whole = mode == "overwrite" and not _is_dynamic(spark, chosen)
    if whole:
        _check_not_read(frame, place)
    _make_known(spark, found, head, place, "append" if mode == "overwrite" and not whole else mode)
    writer = frame.write.format("parquet").mode(mode).options(**chosen)
    try:
        (writer.partitionBy(*keys) if keys else writer).save(place)
    except Exception as error:
        raise _told(error, place) from error


# ---------------------------------------------------------------- where


def _place(table: Table, head: Version, path: str | None) -> str:
    """The folder as Spark takes it; SparkError if files of ours have no business there."""
    kind = str(head.schema.table_attributes.get("format") or "parquet")
    of_paimon = table.place.layout is not Layout.REGISTRY or kind == "paimon"
    if path is None and of_paimon:
        message = "it is a Paimon table, and what is not in its manifests is no data of it."
        raise SparkError(message, code="spark.paimon-files", path=table.name, fix=_PAIMONS)
    if not of_paimon and kind != "parquet":
        message = f"its files are {kind}, and Spark puts field ids into Parquet only."
        raise SparkError(message, code="spark.not-parquet", path=table.name, fix="Write them with the writer of that format.")
    wanted = location_of(head.schema) if path is None else path
    if not wanted:
        raise SparkError("nobody has said where its files lie.", code="spark.no-location", path=table.name, fix=_NO_PLACE)
    place = address_for_spark(wanted)
    _check_apart(table, place)
    return place


def _check_apart(table: Table, place: str) -> None:
    """SparkError if the files would lie with the schemas of tables: an overwrite would take those along."""
    own = f"{root_for_spark(table.place.files)}/{table.place.folder}"
    for kept in (own, root_for_spark(table.registry)):
        if inside(kept, place) or inside(place, kept):
            message = f"{without_credentials(place)} and {without_credentials(kept)}, where schemas are kept, lie one within the other."
            raise SparkError(message, code="spark.among-schemas", path="path", fix="Write to a folder that is apart from it.")


def _check_not_read(frame: "DataFrame", place: str) -> None:
    """SparkError if the frame reads what is to be overwritten: Spark deletes it first, and does not notice."""
    read = [] if frame.isStreaming else [one for one in map(unquote, frame.inputFiles()) if inside(one, place)]
    if read:
        message = f"{without_credentials(place)} is to be overwritten, and the frame reads {len(read):,} of its files."
        fix = "Write to a new folder and swap them, or write what the frame holds to a folder of its own first."
        raise SparkError(message, code="spark.overwrites-itself", path="path", fix=fix)


def _keys(asked: tuple[str, ...], head: Version) -> tuple[str, ...]:
    """By which columns the folders are named; a table's own keys, if it has some."""
    keys = head.schema.partition_keys
    if asked and keys and asked != keys:
        message = f"{', '.join(asked)} are not the partition keys of the table, which are {', '.join(keys)}."
        raise SparkError(message, code="spark.partition-keys", path="partition_by", fix="Leave partition_by out.")
    unnamed = [
        f"{one.name}, which is {one.type}" for one in head.schema.fields if one.name in (asked or keys) and not names_folders(one.type)
    ]
    if unnamed:
        message = f"no folder can be named for {unnamed[0]}, so that it is read again."
        raise SparkError(message, code="spark.partition-keys", path="partition_by", fix="Choose a column of another type.")
    unknown = [one for one in asked if one not in head.schema.names]
    if unknown or len(asked) >= len(head.schema.names):
        message = f"the table has no column {shown(unknown[0])}." if unknown else "no column would be left for the files."
        raise SparkError(
            message, code="spark.partition-keys", path="partition_by", fix=f"Choose among {', '.join(head.schema.names[:20])}."
        )
    return asked or keys


def _check_mode(mode: str) -> None:
    if mode not in MODES:
        message = f"{shown(mode)} is no way to write."
        raise SparkError(message, code="spark.mode", path="mode", fix=f"Use one of {', '.join(MODES)}.")


def _is_dynamic(spark: "SparkSession", options: Mapping[str, Any]) -> bool:
    """Whether an overwrite leaves the partitions alone that the frame has nothing for."""
    said = next((value for key, value in options.items() if key.lower() == _DYNAMIC), None)
    return str(said or spark.conf.get("spark.sql.sources.partitionOverwriteMode", "static")).lower() == "dynamic"


# ---------------------------------------------------------------- made known


def _make_known(spark: "SparkSession", table: Table, head: Version, place: str, mode: str) -> None:
    """Bind the folder, unless it is the table's location or was bound before. For files that lie there already nobody could speak."""
    location = location_of(head.schema)
    if (location and inside(place, location)) or any(inside(place, one.folder) for one in table.bindings()):
        return
    if mode != "overwrite" and SparkFiles(spark, place).list(""):
        message = f"{without_credentials(place)} holds files that nothing is known about."
        fix = (
            f"Say with which version they were written, table.bind({shown(without_credentials(place))}, N); or write into an empty folder."
        )
        raise SparkError(message, code="spark.unknown-files", path="path", fix=fix)
    table.bind(place, head.number)


def _told(error: Exception, place: str) -> Exception:
    """What was wrong with the place, in our words; what went wrong in the frame stays as Spark says it."""
    ask: Any = getattr(error, "getCondition", lambda: None)
    if ask() == "PATH_ALREADY_EXISTS":
        fix = "Choose another folder, or mode='append'."
        return AlreadyThereError(f"{without_credentials(place)} is there already.", code="spark.taken", path="path", fix=fix)
    trouble: SchemaError = spark_trouble(error, url=place, path="", doing="write")
    return error if trouble.code == ErrorKind.FAILED.value else trouble
