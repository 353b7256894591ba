"""A scan as a frame of Spark: explicit paths, an explicit schema by the names in the files, and the values of partitions beside it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import Fault, SparkError
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.files.folder import few_listing_tasks
from airflow_provider_schemas.spark.files.partition_values import DAYS, FOLDER, TEXT, Route
from airflow_provider_schemas.spark.files.paths import escaped
from airflow_provider_schemas.spark.reading.scan_planning import Scan
from airflow_provider_schemas.spark.sql import name, null, type_text
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store.spark.errors import spark_trouble

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_STRICT: Final = {"ignoreCorruptFiles": "false", "ignoreMissingFiles": "false", "mergeSchema": "false"}
# So many paths it looks at on the driver, one after the other.
_BY_ITSELF: Final = 32
_BY_IDS: Final = "spark.sql.parquet.fieldId.read.enabled"
_EPOCH: Final = date(1970, 1, 1)
_STRING: Final = "string"
_ANEW: Final = "Write these files anew, a time with microseconds for one; or leave the column out (columns=...)."


def check_held(scans: Iterable[Scan]) -> None:
    """SparkError if files hold a column in a form that Spark cannot read, although it has the type as which it is wanted."""
    faults = [
        Fault("spark.type", column.name, f"{_some(scan.paths)} has it as {reason}.", _ANEW)
        for scan in scans
        for column in scan.columns
        if (reason := lacks(column.type))
    ]
    if faults:
        raise SparkError.of(faults)


def _some(paths: tuple[str, ...]) -> str:
    first = without_credentials(paths[0])
    return f"each of {len(paths):,} files such as {first}" if len(paths) > 1 else f"the file {first}"


@contextmanager
def few_tasks(spark: "SparkSession", scans: Iterable[Scan]) -> Iterator[None]:
    """While it lasts, Spark looks at the paths of these scans with few tasks, however many paths there are."""
    if all(len(one.paths) <= _BY_ITSELF for one in scans):
        yield
        return
    with few_listing_tasks(spark):
        yield


def frame_of(spark: "SparkSession", scan: Scan) -> "DataFrame":
    """The rows of the scan: its columns, then what folders or a manifest say."""
    options = {"basePath": scan.base} if scan.base else {"recursiveFileLookup": "true"}
    reader = spark.read.format(scan.format).schema(_schema(scan, ids=scan.stamped and not _by_ids(spark))).options(**_STRICT, **options)
    try:
        frame = reader.load([escaped(one) for one in scan.paths])
    except Exception as error:
        place = without_credentials(scan.paths[0])
        raise spark_trouble(error, url=place, path="", doing=f"read the {len(scan.paths):,} files like") from error
    if all(one.way == FOLDER for one in scan.routes):
        return frame
    given = [f"{_SQL[one.way](one)} as {name(one.field.name)}" for one in scan.routes]
    return frame.selectExpr(*(name(one.name) for one in scan.columns), *given)


def _by_ids(spark: "SparkSession") -> bool:
    return str(spark.conf.get(_BY_IDS, "false")).lower() == "true"


def _schema(scan: Scan, *, ids: bool) -> "StructType":
    """By the names in the files. The ids are only carried along; without them, Spark goes by names even where a setting says ids."""
    struct = struct_type(scan.columns, ids=ids)
    for one in scan.routes if scan.base else ():
        if one.by_folder:
            told = struct_type([one.field], ids=ids)[0]
            struct = struct.add(told) if one.way == FOLDER else struct.add(told.name, _STRING)
    return struct


# ---------------------------------------------------------------- values of partitions, as SQL


def _literal(one: Route) -> str:
    field: Field = one.field
    if one.value is None:
        return null(field.type)
    write = _LITERALS.get(field.type.root)
    return f"cast({write(one.value) if write else _text(str(one.value))} as {type_text(field.type)})"


def _text(text: str) -> str:
    """A text by its bytes: settings say what a quote and a backslash mean."""
    return f"cast(X'{text.encode('utf-8', 'surrogatepass').hex()}' as string)"


def _date(value: Any) -> str:
    return f"date_from_unix_date({(value - _EPOCH).days if isinstance(value, date) else int(value)})"


def _instant(value: datetime) -> str:
    """An instant where the zone is known; else the clock, in the zone of the session."""
    if value.tzinfo is None:
        return _text(value.isoformat(" "))
    since = value - datetime.fromtimestamp(0, value.tzinfo)
    return f"timestamp_micros({(since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds})"


_LITERALS: Final[dict[Root, Callable[[Any], str]]] = {
    Root.DATE: _date,
    Root.TIMESTAMP: lambda value: _text(value.isoformat(" ")),
    Root.TIMESTAMP_LTZ: _instant,
    Root.BINARY: lambda value: f"X'{bytes(value).hex()}'",
    Root.VARBINARY: lambda value: f"X'{bytes(value).hex()}'",
    Root.DECIMAL: lambda value: _text(f"{value:f}"),
    Root.FLOAT: lambda value: _text(repr(value)),
    Root.DOUBLE: lambda value: _text(repr(value)),
}

_SQL: Final[dict[str, Callable[[Route], str]]] = {
    FOLDER: lambda one: name(one.field.name),
    TEXT: lambda one: f"cast({name(one.field.name)} as {type_text(one.field.type)})",
    DAYS: lambda one: f"date_from_unix_date(cast({name(one.field.name)} as int))",
}
_SQL["value"] = _literal
